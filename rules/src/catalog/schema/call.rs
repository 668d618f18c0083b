//! How a call is recognised, whatever the section it is listed in.

use serde::Deserialize;

/// How a call is recognised. At least one of the lists is not empty.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CallMatch {
    /// Macros, by path, without `!`.
    #[serde(default)]
    pub macros: Vec<String>,
    /// Functions and associated functions, by path.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Functions by the last two segments of their path, where the type is the user's own
    /// (`Entity::insert`).
    #[serde(default)]
    pub suffixes: Vec<String>,
    /// Types whose methods are meant, by path, wrappers stripped.
    #[serde(default)]
    pub receivers: Vec<String>,
    /// User-defined types by the last segment of their name (`ActiveModel`).
    #[serde(default)]
    pub receiver_suffixes: Vec<String>,
    /// User-defined types that derive one of these macros, by path.
    #[serde(default)]
    pub receiver_derives: Vec<String>,
    /// Traits whose methods are meant: the receiver has this bound, or its type is unknown
    /// and the file imports the trait.
    #[serde(default)]
    pub traits: Vec<String>,
    /// Method names that go with `receivers`, `receiver-suffixes`, `receiver-derives` and
    /// `traits`; `*` at either end stands for any text.
    #[serde(default)]
    pub methods: Vec<String>,
    /// Method names so particular that they need no known receiver.
    #[serde(default)]
    pub unique_methods: Vec<String>,
    /// The number of arguments the call must have, receiver not counted.
    #[serde(default)]
    pub arguments: Option<usize>,
}

impl CallMatch {
    /// Whether the entry could match anything at all.
    pub fn is_empty(&self) -> bool {
        let names_receivers = !self.receivers.is_empty()
            || !self.receiver_suffixes.is_empty()
            || !self.receiver_derives.is_empty()
            || !self.traits.is_empty();
        let by_method = !self.methods.is_empty() && names_receivers;
        self.macros.is_empty()
            && self.paths.is_empty()
            && self.suffixes.is_empty()
            && self.unique_methods.is_empty()
            && !by_method
    }
}
