//! What the configuration says, as the rest of the tool sees it.

use retrysafe_rules::catalog::CatalogFile;
use retrysafe_rules::rule::{Confidence, Level, Rule};

use super::accept::AcceptEntry;
use super::calls::CallEntry;
use super::job::JobRule;
use super::level::{LevelSetting, level_of};
use super::pattern::{FilePattern, NamePattern};
use super::place::ConfigPlace;

/// The configuration of a workspace.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The lines of `[rules]`, in their order.
    pub levels: Vec<LevelSetting>,
    /// How sure a finding must be to be shown.
    pub min_confidence: Option<Confidence>,
    /// Files whose jobs are not reported.
    pub exclude: Vec<Placed<FilePattern>>,
    /// Its `[[job]]` entries.
    pub jobs: Vec<JobRule>,
    /// Its `[[accept]]` entries, valid or not.
    pub accepts: Vec<AcceptEntry>,
    /// What it says of calls: effects, sources, stable functions, steps and guards, in this order.
    pub calls: Vec<CallEntry>,
    /// The same as a file of the catalogue, for calls of other crates; `None` when it says nothing.
    pub catalogue: Option<CatalogFile>,
    /// Columns that only say when a row was touched, beside the usual ones.
    pub audit_columns: Vec<Placed<NamePattern>>,
    /// Tables in which a second row does no harm.
    pub append_only_tables: Vec<Placed<NamePattern>>,
    /// Targets that may be told something twice.
    pub quiet_targets: Vec<Placed<NamePattern>>,
    /// Folders and files of migrations, from the workspace root.
    pub migrations: Vec<Placed<String>>,
}

/// A value with the place where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: ConfigPlace,
}

impl Config {
    /// The level that the configuration gives a rule; `None` when it says nothing of it.
    pub fn level(&self, rule: Rule) -> Option<Level> {
        level_of(rule, &self.levels)
    }

    /// Whether a target, by one of its names, may be told something twice.
    pub fn is_quiet<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> bool {
        let quiet = &self.quiet_targets;
        names.any(|name| quiet.iter().any(|pattern| pattern.value.means(name)))
    }

    /// Whether a column only says when a row was touched.
    pub fn is_audit_column(&self, column: &str) -> bool {
        let columns = &self.audit_columns;
        columns.iter().any(|pattern| pattern.value.means(column))
    }

    /// Whether a second row in a table does no harm.
    pub fn is_append_only(&self, table: &str) -> bool {
        let tables = &self.append_only_tables;
        tables.iter().any(|pattern| pattern.value.means(table))
    }

    /// Whether the jobs of a file are left out, by its path from the workspace root.
    pub fn excludes(&self, file: &str) -> bool {
        self.exclude.iter().any(|pattern| pattern.value.means(file))
    }
}
