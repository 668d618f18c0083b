//! Which column of a write gets another value when a retry repeats it.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::{Action, EffectKind, JobKind, Trigger};

use crate::jobs::{MappedEffect, Varying};

use super::finding::{Finding, Spot};
use super::subject::Subject;
use super::tables::is_bookkeeping;

/// What a rule says of such a column.
pub(super) struct Words {
    /// The words at the place.
    pub(super) label: &'static str,
    /// What to do instead of writing it once.
    pub(super) instead: &'static str,
    /// The words at the place where the value is born.
    pub(super) born: &'static str,
}

/// A finding about a column that a repeat overwrites.
pub(super) fn finding(
    subject: &Subject<'_>,
    effect: &MappedEffect,
    rule: Rule,
    varying: &Varying,
    message: String,
    words: &Words,
) -> Finding {
    let column = &varying.column;
    let instead = words.instead;
    let finding = subject
        .repeated(rule, effect, Spot::Code(effect.site), message)
        .label(words.label)
        .help(format!(
            "write it once: add `AND {column} IS NULL` to the condition or set `COALESCE({column}, …)`, {instead}"
        ));
    match varying.origin.as_ref().and_then(|origin| origin.site) {
        Some(site) => finding.related(site, words.born),
        None => finding,
    }
}

/// The first column of an update or upsert that gets another value when a retry repeats it.
pub(super) fn overwritten<'e>(
    subject: &Subject<'_>,
    effect: &'e MappedEffect,
    tells: &dyn Fn(&&Varying) -> bool,
) -> Option<&'e Varying> {
    let stored = effect.stored.as_ref()?;
    let job = &subject.map.job;
    // Each tick is a run of its own, and says when it ran.
    let by_retry = |trigger: &Trigger| {
        matches!(trigger, Trigger::ErrorAfter | Trigger::UnknownOutcome)
            || *trigger == Trigger::Redelivery
    };
    let is_retried = effect.repeats.triggers.iter().any(by_retry) && job.kind != JobKind::Scheduled;
    let is_left_alone = is_bookkeeping(effect) || (subject.quiet)(effect);
    if effect.kind != EffectKind::DbWrite || !is_retried || is_left_alone {
        return None;
    }
    let overwrites = match effect.action {
        Action::Update => effect.is_open(),
        Action::Upsert => !effect.repeats.is_guarded && stored.statement.is_conditional().is_none(),
        _ => false,
    };
    let columns = stored.varying.iter();
    // What only the insert of an upsert sets stays as it was.
    let mut columns = columns
        .filter(|varying| varying.on_conflict || effect.action == Action::Update)
        .filter(tells);
    overwrites.then(|| columns.next()).flatten()
}
