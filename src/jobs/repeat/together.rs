//! Writes that commit together with a row which a unique key lets in once: when that is refused, they are
//! taken back with it.

use retrysafe_rules::vocabulary::{Action, EffectKind, Protection};

use crate::timeline::Follows;

use super::super::effect::Reading;
use super::super::stored::Again;
use super::drawn::Drawn;

/// The protection that a write owes to another one in its transaction.
pub(super) fn protection(
    reading: &Reading<'_, '_>,
    drawn: &[Drawn<'_>],
    index: usize,
) -> Option<(Protection, String)> {
    let this = &drawn[index];
    let is_kept = this.effect.in_database
        && this.effect.in_transaction
        && matches!(this.effect.kind, EffectKind::DbWrite | EffectKind::Enqueue);
    if !is_kept {
        return None;
    }
    let others = drawn.iter().enumerate();
    let mut others = others.filter(|(other, _)| *other != index);
    others.find_map(|(_, other)| {
        let told = refused(other)?;
        let is_together = other.effect.in_transaction
            && share_transaction(other, this)
            && stands_beside(reading, other, this);
        is_together.then(|| {
            let evidence = format!(
                "commits together with the row of `{}`, of which `{}` allows one ({})",
                other.effect.target, told.name, told.place
            );
            (Protection::Transaction, evidence)
        })
    })
}

/// Whether two writes stand in one transaction. Of those that are handed in nobody knows which is which, unless
/// one function is handed both.
fn share_transaction(one: &Drawn<'_>, other: &Drawn<'_>) -> bool {
    let begin = |of: &Drawn<'_>| of.happening.context.transaction;
    match (begin(one), begin(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.effect.route.last() == other.effect.route.last(),
        _ => false,
    }
}

/// The key that refuses a second insert of a row.
fn refused<'d>(of: &'d Drawn<'_>) -> Option<&'d super::super::stored::Told> {
    let stored = of.effect.stored.as_ref()?;
    let is_plain = of.effect.action == Action::Create && stored.statement.conflict.is_none();
    match &stored.again {
        Again::Key(told) if is_plain => Some(told),
        _ => None,
    }
}

/// Whether one write certainly happens where another one does, and an error of it ends what they share.
fn stands_beside(reading: &Reading<'_, '_>, one: &Drawn<'_>, this: &Drawn<'_>) -> bool {
    let (at, here) = (
        &one.happening.context.moment,
        &this.happening.context.moment,
    );
    let is_certain = at.arms().all(|arm| here.is_in_arm(arm.branch, arm.arm));
    let unfolding = reading.unfolding;
    let follows = unfolding.follows(at, here) == Some(Follows::Later)
        || unfolding.follows(here, at) == Some(Follows::Later);
    // The refusal must not be taken for an answer like any other.
    is_certain && follows && here.is_in_turns_of(at) && !reading.knows_conflict(one.happening)
}
