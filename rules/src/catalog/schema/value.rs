//! Values: what calls return, which values differ between attempts and which never do.

use serde::Deserialize;

use super::call::CallMatch;

/// What a call returns.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReturnsEntry {
    /// The functions, by path.
    #[serde(default)]
    pub paths: Vec<String>,
    /// The receiver types, by path.
    #[serde(default)]
    pub receivers: Vec<String>,
    /// The traits whose methods give it on whatever implements them, when they are asked for a type by
    /// turbofish.
    #[serde(default)]
    pub traits: Vec<String>,
    /// The methods on them.
    #[serde(default)]
    pub methods: Vec<String>,
    /// The type, `Result`, `Option` and futures around it stripped; `self` for the receiver's
    /// own type, `item` for the type argument of the receiver, `generic` for the turbofish.
    pub gives: String,
}

/// Why a source's value differs between attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// A random value.
    Random,
    /// A clock reading.
    Clock,
    /// Identity of the process, host or thread.
    Environment,
    /// An attempt counter or per-attempt id.
    Attempt,
    /// Configuration: the same until the next deployment, unstable only in a strict sense.
    Configuration,
    /// An iteration order, a per-process hash.
    Unordered,
}

/// A value that differs between attempts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SourceEntry {
    /// Unique in its file; a configuration may leave it out.
    #[serde(default)]
    pub id: String,
    /// Why it differs.
    pub kind: SourceKind,
    /// The calls that give it.
    #[serde(default)]
    pub call: CallMatch,
    /// Constants and unit structs that stand for it (`diesel::dsl::now`).
    #[serde(default)]
    pub values: Vec<String>,
    /// Names of fields or variables on which a method of `call` counts when nothing else is
    /// known of them (`clock`, `rng`).
    #[serde(default)]
    pub receiver_names: Vec<String>,
    /// Names of fields, parameters and methods that hold it in in-house code.
    #[serde(default)]
    pub names: Vec<String>,
    /// What a reader should know.
    #[serde(default)]
    pub note: Option<String>,
}

/// Functions whose result depends on their arguments alone.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StableEntry {
    /// The functions, by path.
    #[serde(default)]
    pub paths: Vec<String>,
    /// The receiver types, by path.
    #[serde(default)]
    pub receivers: Vec<String>,
    /// The methods on them.
    #[serde(default)]
    pub methods: Vec<String>,
}
