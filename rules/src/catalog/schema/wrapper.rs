//! Wrappers: calls that run their argument under another regime.

use serde::Deserialize;

use super::call::CallMatch;
use super::part::Argument;

/// Under what regime a wrapper runs its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Regime {
    /// In a task of its own.
    Spawned,
    /// Again after an error, in the same process.
    Retried,
    /// Once per recorded step of a durable runtime.
    Step,
    /// Once per item of a collection or stream.
    Loop,
    /// Against a deadline.
    Timeout,
}

/// A call that runs its argument under another regime.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WrapperEntry {
    /// The regime.
    pub regime: Regime,
    /// The calls.
    pub call: CallMatch,
    /// The wrapped argument; the receiver for `backon`-like extension methods.
    #[serde(default)]
    pub argument: Argument,
    /// Whether the receiver keeps its tasks, so that whoever owns it can wait for them.
    #[serde(default)]
    pub tracked: bool,
    /// What a reader should know.
    #[serde(default)]
    pub note: Option<String>,
}
