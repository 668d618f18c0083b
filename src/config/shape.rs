//! What may be written in a place of the file, as data: the reader checks against it, and the
//! JSON Schema is drawn from it.

/// What a value may be.
pub(super) enum Shape {
    /// A text.
    Text(TextKind),
    /// One of some words: what they are called, and the words.
    Word(&'static str, fn() -> Vec<&'static str>),
    /// True or false.
    Flag,
    /// A count from 1.
    Count,
    /// A number from 0.
    Number,
    /// The position of an argument from 0, `last` or `receiver`.
    Argument,
    /// A list: of what, and how many at least.
    List(&'static Shape, usize),
    /// A table.
    Table(&'static TableShape),
    /// A list of tables.
    Tables(&'static TableShape),
    /// A table whose keys are words: what they are called, the words, and what each is set to.
    Map(&'static str, fn() -> Vec<&'static str>, &'static Shape),
}

/// A kind of text.
pub(super) struct TextKind {
    /// What is wrong with a text, when something is.
    pub(super) check: fn(&str) -> Result<(), String>,
    /// A regular expression that every right text fits.
    pub(super) pattern: Option<&'static str>,
}

/// A table: its keys, and which of them must stand together.
pub(super) struct TableShape {
    /// How a message names it.
    pub(super) name: &'static str,
    /// Its keys.
    pub(super) fields: &'static [Field],
    /// Which keys it cannot do without.
    pub(super) needs: Needs,
}

/// A key of a table.
pub(super) struct Field {
    /// The key.
    pub(super) key: &'static str,
    /// What it says.
    pub(super) about: &'static str,
    /// What it is set to.
    pub(super) shape: Shape,
    /// Whether it must be there.
    pub(super) required: Required,
}

/// Whether a key must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Required {
    /// It may be left out.
    No,
    /// It must be there.
    Yes,
    /// An editor asks for it; without it the file is read, and the check reports what is missing.
    ByTheCheck,
}

/// Sets of keys of which a table needs one.
pub(super) type Alternatives = &'static [&'static [&'static str]];

/// Which keys a table cannot do without.
pub(super) enum Needs {
    /// No combination is asked for.
    Nothing,
    /// At least one of the sets must be there; the message when none is.
    Any(Alternatives, &'static str),
    /// Exactly one of the sets must be there; the message when not.
    One(Alternatives, &'static str),
}

impl Needs {
    /// What is wrong with a table that has the keys of which `has` is true.
    pub(super) fn unmet(&self, has: &dyn Fn(&str) -> bool) -> Option<&'static str> {
        let whole = |set: &&&[&str]| set.iter().all(|key| has(key));
        let (met, message) = match self {
            Needs::Nothing => return None,
            Needs::Any(sets, message) => (sets.iter().any(|set| whole(&set)), *message),
            Needs::One(sets, message) => {
                let touched = sets.iter().filter(|set| set.iter().any(|key| has(key)));
                (
                    touched.count() == 1 && sets.iter().any(|set| whole(&set)),
                    *message,
                )
            }
        };
        (!met).then_some(message)
    }
}

impl TableShape {
    /// Its keys.
    pub(super) fn keys(&self) -> Vec<&'static str> {
        self.fields.iter().map(|field| field.key).collect()
    }
}

/// A key that may be left out.
pub(super) const fn optional(key: &'static str, shape: Shape, about: &'static str) -> Field {
    Field {
        key,
        about,
        shape,
        required: Required::No,
    }
}

/// A key that must be there.
pub(super) const fn required(key: &'static str, shape: Shape, about: &'static str) -> Field {
    Field {
        key,
        about,
        shape,
        required: Required::Yes,
    }
}
