//! A write that a SQL statement makes, and what is known of its binds.

use retrysafe_rules::vocabulary::{Action, EffectKind, Protection};

use crate::sql::Statement;

/// A write of a statement.
pub(super) struct Write {
    pub(super) kind: EffectKind,
    pub(super) action: Action,
    pub(super) table: String,
    /// The columns that it sets.
    pub(super) columns: Vec<String>,
    /// What the statement itself tells; `None` when it does not.
    pub(super) protection: Option<(Protection, String)>,
    /// The statement, where it writes to a table.
    pub(super) statement: Option<Statement>,
}

/// What is known of the values bound to a statement, by their positions from 1.
pub(super) struct Binds<'u> {
    /// Why a value differs between attempts.
    pub(super) unstable: &'u dyn Fn(usize) -> Option<&'static str>,
    /// A value that is a fixed text.
    pub(super) text: &'u dyn Fn(usize) -> Option<String>,
}

impl Write {
    /// What a function does that the statement calls.
    pub(super) fn of_function(kind: EffectKind, action: Action, target: String) -> Write {
        Write {
            kind,
            action,
            table: target,
            columns: Vec::new(),
            protection: None,
            statement: None,
        }
    }
}
