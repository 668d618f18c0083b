//! Findings in their total order, each cause once.

use retrysafe_rules::rule::{Confidence, Rule};
use std::collections::BTreeMap;

use super::finding::{Finding, Spot};

/// Joins findings at one place into one that names all jobs, and sorts by file, place and rule.
pub fn settle(findings: Vec<Finding>) -> Vec<Finding> {
    let mut settled: Vec<Finding> = Vec::with_capacity(findings.len());
    let mut known: BTreeMap<(Rule, Spot, bool, String), usize> = BTreeMap::default();
    for finding in findings {
        // A place that is reached from several jobs is one; a declaration is of one job alone.
        let is_entry = matches!(finding.primary, Spot::Config(_));
        let about = if finding.jobs.is_empty() || is_entry {
            finding.message.clone()
        } else {
            String::new()
        };
        let key = (
            finding.rule,
            finding.primary,
            finding.accepted.is_some(),
            about,
        );
        match known.get(&key) {
            None => {
                known.insert(key, settled.len());
                settled.push(finding);
            }
            Some(index) => settled[*index].join(finding),
        }
    }
    settled.sort_by(|a, b| (a.primary, a.rule, &a.message).cmp(&(b.primary, b.rule, &b.message)));
    settled
}

impl Finding {
    /// Takes over what the same finding of another job adds.
    fn join(&mut self, other: Finding) {
        // The louder and surer one is told, and of two such the one that more brings about.
        let weight = |finding: &Finding| {
            let first = finding.triggers.first().copied();
            (
                !finding.is_rare,
                finding.confidence,
                first.map(std::cmp::Reverse),
            )
        };
        let mut rest = other;
        if weight(&rest) > weight(self) {
            std::mem::swap(self, &mut rest);
        }
        let told = self;
        // What would not be shown by itself does not make it more.
        let is_quiet = |finding: &Finding| finding.is_rare || finding.confidence == Confidence::Low;
        if is_quiet(&rest) && !is_quiet(told) {
            return;
        }
        for job in rest.jobs {
            if !told.jobs.contains(&job) {
                told.jobs.push(job);
            }
        }
        for trigger in rest.triggers {
            if !told.triggers.contains(&trigger) {
                told.triggers.push(trigger);
            }
        }
        told.triggers.sort_unstable();
    }
}
