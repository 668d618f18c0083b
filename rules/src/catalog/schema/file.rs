//! One file of the catalogue: its head and its sections.

use serde::Deserialize;
use toml::Spanned;

use super::definition::DefinitionEntry;
use super::effect::{EffectEntry, KeySlot};
use super::exclude::ExcludeEntry;
use super::guard::GuardEntry;
use super::job::JobEntry;
use super::name::{AliasEntry, PreludeEntry};
use super::sql_function::SqlFunctionEntry;
use super::transaction::TransactionEntry;
use super::url::UrlEntry;
use super::value::{ReturnsEntry, SourceEntry, StableEntry};
use super::wrapper::WrapperEntry;

/// One file of the catalogue.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CatalogFile {
    /// The crate's package name on the registry, `std` for the standard library, or `*`.
    #[serde(rename = "crate")]
    pub krate: String,
    /// The names under which code refers to the crate, when they differ from the package's.
    #[serde(default)]
    pub lib: Vec<String>,
    /// Whether the entries were compared with the crate's sources.
    pub status: Status,
    /// The versions whose sources were read, newest first; with the package's name before them
    /// where it is not the file's.
    #[serde(default)]
    pub read: Vec<String>,
    /// What the crate is for and what is peculiar about it, in a sentence or two.
    pub about: String,
    /// Calls with an effect, and reads that look like one.
    #[serde(default)]
    pub effect: Vec<Spanned<EffectEntry>>,
    /// What calls return, where later calls depend on it.
    #[serde(default)]
    pub returns: Vec<Spanned<ReturnsEntry>>,
    /// Values that differ between attempts.
    #[serde(default)]
    pub source: Vec<Spanned<SourceEntry>>,
    /// Pure functions of their arguments.
    #[serde(default)]
    pub stable: Vec<Spanned<StableEntry>>,
    /// How transactions begin and end.
    #[serde(default)]
    pub transaction: Vec<Spanned<TransactionEntry>>,
    /// Calls that run their argument under another regime: spawned, retried, as a step.
    #[serde(default)]
    pub wrapper: Vec<Spanned<WrapperEntry>>,
    /// Calls whose outcome guards what follows.
    #[serde(default)]
    pub guard: Vec<Spanned<GuardEntry>>,
    /// Job shapes.
    #[serde(default)]
    pub job: Vec<Spanned<JobEntry>>,
    /// What glob imports bring in.
    #[serde(default)]
    pub prelude: Vec<Spanned<PreludeEntry>>,
    /// Other paths for the same items.
    #[serde(default)]
    pub alias: Vec<Spanned<AliasEntry>>,
    /// What is never an effect although it looks like one.
    #[serde(default)]
    pub exclude: Vec<Spanned<ExcludeEntry>>,
    /// Classes of hosts and URL paths.
    #[serde(default)]
    pub url: Vec<Spanned<UrlEntry>>,
    /// Where an HTTP request may carry a key, whatever client sends it.
    #[serde(default)]
    pub request_key: Vec<Spanned<KeySlot>>,
    /// Chains of calls that define tables.
    #[serde(default)]
    pub definition: Vec<Spanned<DefinitionEntry>>,
    /// Functions inside a database, called by SQL.
    #[serde(default)]
    pub sql_function: Vec<Spanned<SqlFunctionEntry>>,
    /// Types that wrap another and lend its methods, such as handles and extractors.
    #[serde(default)]
    pub transparent: Vec<String>,
    /// Traits by which a web framework makes the arguments of handlers, by path.
    #[serde(default)]
    pub extractors: Vec<String>,
    /// Functions that give back their argument as it is, or wrapped: the first one, for values.
    #[serde(default)]
    pub hands_on: Vec<String>,
    /// Names of constructors, variants and methods of errors that say: another attempt is of no
    /// use. Those of a framework stand with its jobs.
    #[serde(default)]
    pub final_errors: Vec<String>,
    /// Macros whose first argument names a folder of migrations, from the package's folder.
    #[serde(default)]
    pub migrations: Vec<String>,
    /// Headers by which senders of webhooks are known that deliver once, and again only when somebody asks
    /// for it; in lower case.
    #[serde(default)]
    pub sent_once: Vec<String>,
    /// Path prefixes of what makes a temporary file or folder, which nobody else sees.
    #[serde(default)]
    pub scratch: Vec<String>,
}

/// How far a file is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Every name was found in the sources of the versions in `read`.
    Checked,
    /// Carried over from research, not yet compared.
    Draft,
}
