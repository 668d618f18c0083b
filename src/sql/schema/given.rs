//! What is known of the value that a row has in a column.

/// What is known of the value that a row has in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// The same on every attempt, and never NULL.
    Same,
    /// This constant.
    Text(String),
    /// The same on every attempt, and perhaps NULL.
    Optional,
    /// NULL.
    Null,
    /// Another value on every attempt.
    Fresh,
    /// Nothing is known.
    Unknown,
}

impl Given {
    /// Whether it is NULL, where that is known.
    pub(super) fn is_null(&self) -> Option<bool> {
        match self {
            Given::Same | Given::Text(_) | Given::Fresh => Some(false),
            Given::Null => Some(true),
            Given::Optional | Given::Unknown => None,
        }
    }
}
