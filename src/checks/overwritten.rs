//! Which column of a write gets another value when a retry repeats it.

use retrysafe_rules::vocabulary::{Action, EffectKind, JobKind, Trigger};

use crate::jobs::{MappedEffect, Varying};

use super::subject::Subject;

/// A column that a repeat overwrites.
pub(super) struct Overwritten<'e> {
    pub(super) varying: &'e Varying,
}

/// The first such column of an update or upsert that a retry repeats.
pub(super) fn overwritten<'e>(
    subject: &Subject<'_>,
    effect: &'e MappedEffect,
    tells: &dyn Fn(&&Varying) -> bool,
) -> Option<Overwritten<'e>> {
    let stored = effect.stored.as_ref()?;
    let job = &subject.map.job;
    // Each tick is a run of its own, and says when it ran.
    let by_retry = |trigger: &Trigger| {
        matches!(trigger, Trigger::ErrorAfter | Trigger::UnknownOutcome)
            || *trigger == Trigger::Redelivery
    };
    let is_retried = effect.repeats.triggers.iter().any(by_retry) && job.kind != JobKind::Scheduled;
    if effect.kind != EffectKind::DbWrite || !is_retried || (subject.quiet)(effect) {
        return None;
    }
    let overwrites = match effect.action {
        Action::Update => effect.is_open(),
        Action::Upsert => !effect.repeats.is_guarded,
        _ => false,
    };
    let columns = stored.varying.iter();
    // What only the insert of an upsert sets stays as it was.
    let mut columns = columns
        .filter(|varying| varying.on_conflict || effect.action == Action::Update)
        .filter(tells);
    overwrites
        .then(|| columns.next())
        .flatten()
        .map(|varying| Overwritten { varying })
}
