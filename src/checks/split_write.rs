//! `split-write`: a write that a retry does not get to, because an insert in front of it is refused.

use retrysafe_rules::rule::Rule;

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, is_repeated};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let stuck = effect.repeats.stuck.as_ref()?;
    if !is_repeated(effect) || (subject.quiet)(effect) {
        return None;
    }
    let message = format!(
        "job `{}` writes `{}` and then `{}` without a transaction: when the second fails, the retry is refused at the \
         first and never gets there",
        subject.job(),
        stuck.table,
        effect.target,
    );
    let mut finding = subject
        .about(Rule::SplitWrite, effect, Spot::Code(effect.site), message)
        .label("missing for ever when it fails once")
        .help(format!(
            "put both writes into one transaction, or insert into `{}` with `ON CONFLICT DO NOTHING` so that a retry \
             goes on",
            stuck.table
        ))
        .related(stuck.site, "the unique key refuses this a second time");
    finding.triggers.clone_from(&effect.repeats.triggers);
    Some(finding)
}
