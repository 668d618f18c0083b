//! The model of the marks: the attributes' names and what a declaration says.

use proc_macro2::Span;

use crate::vocabulary::{Delivery, EffectKind};

/// The names of the attributes.
pub const ATTRIBUTES: &[&str] = &[
    "job", "effect", "step", "stable", "unstable", "accept", "marked",
];

/// The attributes that may also stand on statements and expressions of a body.
pub const ON_STATEMENTS: &[&str] = &["effect", "accept"];

/// What is said of an attribute that stands on something that is no function.
pub fn misplaced(name: &str) -> String {
    if ON_STATEMENTS.contains(&name) {
        format!("`{name}` stands on a function, a method or a statement inside one")
    } else {
        format!("`{name}` stands on a function or a method")
    }
}

/// A declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "catalog", derive(serde::Serialize, serde::Deserialize))]
pub enum Mark {
    /// This is a job.
    Job(JobMark),
    /// This call is a side effect.
    Effect(EffectMark),
    /// It runs its closure argument at most once per recorded step.
    Step,
    /// Its result is the same on every attempt.
    Stable,
    /// Its result differs between attempts.
    Unstable,
    /// A decision, written down.
    Accept(AcceptMark),
    /// Lets the other attributes stand on statements.
    Marked,
}

/// A declaration as it was read: what it says, and where the arguments stand that a finding may
/// point at.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// What it says.
    pub mark: Mark,
    /// For `job` the entries of `effects`, in order; for `accept` the rule.
    pub parts: Vec<Span>,
}

/// The arguments of `job`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "catalog", derive(serde::Serialize, serde::Deserialize))]
pub struct JobMark {
    /// The template of the job's key.
    pub key: Option<String>,
    /// The effects it lists; `None` when it lists nothing and so cannot be violated.
    pub effects: Option<Vec<Listed>>,
    /// How often the runner hands out the same work.
    pub delivery: Option<Delivery>,
    /// How many times one piece of work may run in all.
    pub attempts: Option<u32>,
    /// Whether a schedule runs it.
    pub schedule: bool,
}

/// An entry of the list of effects.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "catalog", derive(serde::Serialize, serde::Deserialize))]
pub struct Listed {
    /// The kind.
    pub kind: EffectKind,
    /// Part of the target's name; `None` for any target.
    pub target: Option<String>,
}

/// The arguments of `effect`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "catalog", derive(serde::Serialize, serde::Deserialize))]
pub struct EffectMark {
    /// The kind.
    pub kind: EffectKind,
    /// The template of its key.
    pub key: Option<String>,
    /// Whether repeating it is harmless.
    pub idempotent: bool,
    /// What it acts on.
    pub target: Option<String>,
}

/// The arguments of `accept`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "catalog", derive(serde::Serialize, serde::Deserialize))]
pub struct AcceptMark {
    /// The rule, as written.
    pub rule: String,
    /// Why a duplicate is fine.
    pub reason: Option<String>,
}
