//! Functions that run inside a database and do more than compute, whatever client calls them.

use serde::Deserialize;

use super::effect::{CallKind, Idempotent};
use crate::vocabulary::Action;

/// Functions of a database extension, or of a schema that a queue brings with it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SqlFunctionEntry {
    /// Their names in lower case, with the schema where they have one of their own; `*` is any
    /// text.
    pub names: Vec<String>,
    /// What a call is; `sql` makes no sense here.
    pub kind: CallKind,
    /// What it does to its target, the first argument.
    #[serde(default)]
    pub action: Option<Action>,
    /// The number of arguments; any when absent.
    #[serde(default)]
    pub arguments: Option<usize>,
    /// Whether repeating the call with equal arguments changes anything more.
    #[serde(default)]
    pub idempotent: Idempotent,
    /// What a reader should know, and why the entry is as it is.
    #[serde(default)]
    pub note: Option<String>,
}
