//! Names: what glob imports bring in, and other paths for the same items.

use serde::Deserialize;

/// What a glob import brings in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PreludeEntry {
    /// The module that is imported by `::*`.
    pub glob: String,
    /// The canonical paths of what it exports.
    pub exports: Vec<String>,
}

/// Another path for the same item or module.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AliasEntry {
    /// The other path; a module's alias covers everything below it.
    pub from: String,
    /// The canonical path.
    pub to: String,
}
