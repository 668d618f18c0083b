//! `read-modify-write`: a column is read, changed in code and written back, and nothing keeps another from
//! doing so meanwhile.

use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::{JobKind, Trigger};

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::Subject;
use super::tables::{counts_tries, is_bookkeeping, is_cursor, is_owned};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let back = effect
        .repeats
        .computed
        .as_ref()
        .filter(|_| !effect.repeats.is_locked)?;
    let column = &back.column;
    if (subject.quiet)(effect)
        || is_bookkeeping(effect)
        || counts_tries(column)
        || is_cursor(column)
    {
        return None;
    }
    let message = format!(
        "job `{}` writes back to `{}.{column}` what it computed from a row it read: what anybody else writes there in \
         between is lost",
        subject.job(),
        effect.target,
    );
    let mut finding = subject
        .about(Rule::ReadModifyWrite, effect, Spot::Code(effect.site), message)
        .label("overwrites what was written since")
        .help(
            "compute in the statement (`SET n = n + $1`), read the row with `FOR UPDATE` in the same transaction, or \
             test a version column",
        )
        .related(back.read, "the row is read here");
    finding.triggers = vec![Trigger::Overlap];
    // A timer runs by itself, as long as there is one of it.
    let by_timer = subject.map.job.kind == JobKind::Scheduled && !is_owned(column);
    Some(match by_timer {
        true => finding.confidence(Confidence::Low),
        false => finding,
    })
}
