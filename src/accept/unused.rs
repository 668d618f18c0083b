//! Entries of the configuration that match nothing.

use retrysafe_rules::rule::Rule;

use crate::analysis::Analysis;
use crate::checks::{Finding, Spot};
use crate::config::{Config, ConfigPlace};
use crate::jobs::names_job;

/// What is to be said of entries that match nothing, beside the acceptances.
pub(super) fn unused_entries(analysis: &Analysis, config: &Config) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut unused = |place: ConfigPlace, what: &str| {
        let message = format!("this {what} matches nothing");
        found.push(
            Finding::of_acceptance(Rule::UnusedAccept, Spot::Config(place), message).with_words(
                "matches nothing",
                "correct the pattern, or take the entry away",
            ),
        );
    };
    for rule in &config.jobs {
        if !names_job(&analysis.program, rule) {
            unused(rule.place, "`[[job]]` entry");
        }
    }
    for pattern in &config.exclude {
        if !analysis
            .files
            .iter()
            .any(|file| pattern.value.means(&file.shown))
        {
            unused(pattern.place, "pattern of files");
        }
    }
    for quiet in &config.quiet_targets {
        let mut effects = analysis.maps.iter().flat_map(|map| &map.effects);
        if !effects.any(|effect| effect.names().any(|name| quiet.value.means(name))) {
            unused(quiet.place, "quiet target");
        }
    }
    let stored = || {
        let effects = analysis.maps.iter().flat_map(|map| &map.effects);
        effects.filter(|effect| effect.in_database)
    };
    for table in &config.append_only_tables {
        if !stored().any(|effect| table.value.means(&effect.target)) {
            unused(table.place, "append-only table");
        }
    }
    for column in &config.audit_columns {
        let mut columns = stored().flat_map(|effect| &effect.columns);
        if !columns.any(|of| column.value.means(of)) {
            unused(column.place, "audit column");
        }
    }
    found
}
