//! Transactions: how they begin and end.

use serde::Deserialize;

/// How transactions begin and end.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TransactionEntry {
    /// Types on which the methods stand, by path.
    #[serde(default)]
    pub receivers: Vec<String>,
    /// Traits on which they stand.
    #[serde(default)]
    pub traits: Vec<String>,
    /// Methods that return a transaction.
    #[serde(default)]
    pub begin: Vec<String>,
    /// Methods that commit it.
    #[serde(default)]
    pub commit: Vec<String>,
    /// Methods that roll it back.
    #[serde(default)]
    pub rollback: Vec<String>,
    /// Methods that run a closure in a transaction.
    #[serde(default)]
    pub closure: Vec<String>,
    /// The type of a transaction, by path.
    #[serde(default)]
    pub types: Vec<String>,
    /// Whether the closure is run again on transient errors.
    #[serde(default)]
    pub reruns: bool,
    /// What a reader should know.
    #[serde(default)]
    pub note: Option<String>,
}
