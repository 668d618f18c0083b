//! `unchecked-claim`: an update should take the work, and nobody looks whether it did.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::Trigger;

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, said};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let claim = effect.repeats.unchecked.as_ref()?;
    if (subject.quiet)(effect) {
        return None;
    }
    let message = format!(
        "job `{}` takes a row of `{}` by its `{}` and does not look whether it got it, before {}: two workers both \
         go on",
        subject.job(),
        claim.table,
        claim.column,
        said(effect),
    );
    let mut finding = subject
        .about(Rule::UncheckedClaim, effect, Spot::Code(claim.site), message)
        .label("how many rows it changed is not looked at")
        .help(
            "go on only when the statement changed a row: compare `rows_affected()` with 1, or add `RETURNING` and \
             match on the row",
        )
        .related(effect.site, format!("{} depends on it", said(effect)));
    finding.triggers = vec![Trigger::Overlap];
    Some(finding)
}
