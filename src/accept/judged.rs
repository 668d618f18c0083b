//! From maps to findings, with what is accepted of them.

use crate::analysis::Analysis;
use crate::checks::{Finding, check};
use crate::config::Config;

use super::apply::{apply, mark_effects};
use super::gather::{in_code, in_config};
use super::unused::unused_entries;

/// Everything that the checks find, the accepted marked as such; the maps then say so as well.
pub fn judged(analysis: &mut Analysis, config: &Config) -> Vec<Finding> {
    let mut found = check(analysis, config);
    let mut acceptances = in_code(analysis);
    acceptances.extend(in_config(config));
    apply(analysis, &acceptances, &mut found);
    found.extend(unused_entries(analysis, config));
    mark_effects(analysis, &found);
    found
}
