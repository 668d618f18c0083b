//! Guards: calls and values whose outcome guards what follows.

use serde::Deserialize;

use super::call::CallMatch;

/// What a guard tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuardClass {
    /// A unique violation recognised by the caller.
    UniqueViolation,
    /// A lock: it stops overlap, never repetition.
    Lock,
    /// An atomic claim, when its outcome is tested.
    Claim,
    /// A check of existing state, racy by itself.
    Check,
    /// A write that happens only under a condition.
    ConditionalWrite,
    /// Process memory: no guard across attempts.
    FalseGuard,
}

/// A call or value whose outcome guards what follows.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GuardEntry {
    /// What it tells.
    pub class: GuardClass,
    /// The calls.
    #[serde(default)]
    pub call: CallMatch,
    /// Constants and variants that stand for it.
    #[serde(default)]
    pub values: Vec<String>,
    /// Literals compared against (`23505`).
    #[serde(default)]
    pub literals: Vec<String>,
    /// What a reader should know.
    #[serde(default)]
    pub note: Option<String>,
}
