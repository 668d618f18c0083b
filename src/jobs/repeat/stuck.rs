//! Writes that a retry does not get to: an insert in front of them is refused by its unique key the second
//! time, and ends the job.

use retrysafe_rules::vocabulary::{Action, EffectKind, Protection};

use crate::timeline::Follows;

use super::super::effect::Reading;
use super::super::repeats::Stuck;
use super::super::stored::Again;
use super::drawn::Drawn;
use super::own::is_own;

/// The insert that keeps a retry from a write.
pub(super) fn stuck(reading: &Reading<'_, '_>, drawn: &[Drawn<'_>], index: usize) -> Option<Stuck> {
    let this = &drawn[index];
    let is_lost = this.effect.kind == EffectKind::DbWrite
        && !this.effect.in_transaction
        && matches!(
            this.effect.action,
            Action::Create | Action::Update | Action::Relative | Action::Upsert
        )
        && may_fail(reading, this);
    if !is_lost {
        return None;
    }
    let at = &this.happening.context.moment;
    drawn[..index]
        .iter()
        .enumerate()
        .find_map(|(position, first)| {
            let refuses = first.effect.stored.as_ref().is_some_and(|stored| {
                matches!(stored.again, Again::Key(_)) && stored.statement.conflict.is_none()
            });
            let before = &first.happening.context.moment;
            let is_first = refuses
                && first.effect.action == Action::Create
                && first.effect.protection == Protection::Unique
                && !first.effect.in_transaction
                && first.table != this.table
                && are_neighbours(first, this)
                && !drawn[position + 1..index]
                    .iter()
                    .any(|between| are_neighbours(first, between))
                && may_fail(reading, first)
                && at.is_in_turns_of(before)
                && before.arms().all(|arm| at.is_in_arm(arm.branch, arm.arm))
                && reading.unfolding.follows(before, at) == Some(Follows::Later)
                && !reading.knows_conflict(first.happening);
            is_first.then(|| Stuck {
                site: first.effect.site,
                table: first.effect.target.clone(),
            })
        })
}

/// Whether two writes stand in one function, or in two that one function calls.
fn are_neighbours(first: &Drawn<'_>, second: &Drawn<'_>) -> bool {
    let (one, other) = (&first.effect.route, &second.effect.route);
    let is_write = second.effect.kind == EffectKind::DbWrite && second.table != first.table;
    let caller = |route: &[crate::resolve::FnId]| route.iter().rev().nth(1).copied();
    is_write
        && (one.last() == other.last() || caller(one).is_some() && caller(one) == caller(other))
}

/// Whether an error of a write ends the job with an error.
fn may_fail(reading: &Reading<'_, '_>, of: &Drawn<'_>) -> bool {
    let mut errors = reading.unfolding.fallible.iter();
    errors.any(|error| is_own(of.happening, error))
}
