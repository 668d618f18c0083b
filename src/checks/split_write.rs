//! `split-write`: a write that a retry does not get to, because one in front of it is refused or has taken the work.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::Trigger;

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, is_repeated};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let stuck = effect.repeats.stuck.as_ref()?;
    if !is_repeated(effect) || (subject.quiet)(effect) {
        return None;
    }
    let (job, first, second) = (subject.job(), &stuck.table, &effect.target);
    let (how, remedy, label) = match stuck.is_taken {
        true => (
            "finds the work taken at the first",
            format!(
                "put both writes into one transaction, so that `{first}` is given back with the other"
            ),
            "a second run finds this done and leaves",
        ),
        false => (
            "is refused at the first",
            format!(
                "put both writes into one transaction, or insert into `{first}` with `ON CONFLICT DO NOTHING` so that a \
                 retry goes on"
            ),
            "the unique key refuses this a second time",
        ),
    };
    let message = format!(
        "job `{job}` writes `{first}` and then `{second}` without a transaction: when the second fails, the retry {how} \
         and never gets there",
    );
    let mut finding = subject
        .about(Rule::SplitWrite, effect, Spot::Code(effect.site), message)
        .label("missing for ever when it fails once")
        .help(remedy)
        .related(stuck.site, label);
    finding.triggers = vec![Trigger::ErrorAfter];
    Some(finding)
}
