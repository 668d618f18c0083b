//! Exclusions: what is never an effect although it looks like one.

use serde::Deserialize;

/// What is never an effect.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExcludeEntry {
    /// Why.
    pub why: String,
    /// Path prefixes of types, functions and macros.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// Macros by name.
    #[serde(default)]
    pub macros: Vec<String>,
    /// Traits whose implementors are left out of a union of implementations (test doubles).
    #[serde(default)]
    pub types: Vec<String>,
}
