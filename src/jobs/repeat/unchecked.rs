//! Claims that nobody looks at: an update that should take the work, whatever it took.

use retrysafe_rules::vocabulary::{Action, EffectKind};

use crate::ir::words;
use crate::sql::{Assignment, Value, Verb};
use crate::timeline::Follows;

use super::super::effect::MappedEffect;
use super::super::repeats::Unchecked;
use super::super::stored::Stored;
use super::bystanders::Bystanders;
use super::drawn::Drawn;

/// The update in front of an effect that should take the work, when its outcome is not looked at.
pub(super) fn unchecked(
    bystanders: &Bystanders<'_, '_, '_>,
    drawn: &[Drawn<'_>],
    index: usize,
) -> Option<Unchecked> {
    let this = &drawn[index];
    if !acts_outside(&this.effect) {
        return None;
    }
    let at = &this.happening.context.moment;
    let unfolding = bystanders.reading().unfolding;
    drawn[..index].iter().find_map(|claim| {
        let stored = claim.effect.stored.as_ref()?;
        let column = claims_by(stored)?;
        let before = &claim.happening.context.moment;
        let is_in_front = unfolding.follows(before, at) == Some(Follows::Later)
            && at.is_in_turns_of(before)
            && before.is_in_turns_of(at)
            && before.arms().all(|arm| at.is_in_arm(arm.branch, arm.arm));
        if !is_in_front {
            return None;
        }
        let is_looked_at = unfolding.decisions.iter().any(|decision| {
            bystanders.tells_of(&decision.on, claim.happening) && !is_outcome_only(decision)
        });
        let takes = claim.happening.apply.as_ref();
        let is_used = takes.is_some_and(|apply| {
            drawn.iter().any(|other| {
                !std::ptr::eq(other.happening, claim.happening)
                    && bystanders.reading().takes(other.happening, apply)
            })
        });
        (!is_looked_at && !is_used).then(|| Unchecked {
            site: claim.effect.site,
            table: claim.effect.target.clone(),
            column,
        })
    })
}

/// Whether a decision only tells whether the statement ran at all.
fn is_outcome_only(decision: &crate::timeline::Decision) -> bool {
    decision
        .arms
        .iter()
        .flatten()
        .any(|label| matches!(label.as_str(), "?Ok" | "?Err" | "Ok" | "Err"))
        && decision.guards.is_empty()
}

/// Whether an effect is one that two runs must not both have.
fn acts_outside(effect: &MappedEffect) -> bool {
    let is_outside = !matches!(
        effect.kind,
        EffectKind::DbWrite | EffectKind::Cache | EffectKind::File | EffectKind::Storage
    );
    is_outside
        && !effect.in_database
        && matches!(effect.action, Action::Create | Action::Send | Action::Call)
        && effect.is_open()
}

/// The column by which an update takes the work: it tests a state and moves the row to one in between.
fn claims_by(stored: &Stored) -> Option<String> {
    let statement = &stored.statement;
    let is_silent = statement.verb == Verb::Update && statement.returning.is_empty();
    let column = is_silent.then(|| statement.is_conditional()).flatten()?;
    statement
        .set
        .iter()
        .any(|set| (set.column == column && is_in_between(set)) || holds(&set.column))
        .then_some(column)
}

/// `processing`, `sending`, `claimed`: a state that says that somebody is at it.
fn is_in_between(set: &Assignment) -> bool {
    let Value::Literal(state) = &set.value else {
        return false;
    };
    words(state).any(|word| {
        word.ends_with("ing") && !matches!(word.as_str(), "pending" | "waiting" | "missing")
            || matches!(
                word.as_str(),
                "claimed" | "locked" | "reserved" | "taken" | "started" | "progress" | "leased"
            )
    })
}

/// `locked_by`, `claimed_at`: a column that says who is at it.
fn holds(column: &str) -> bool {
    words(column).any(|word| {
        matches!(
            word.as_str(),
            "locked" | "claimed" | "leased" | "lock" | "lease" | "claim"
        )
    })
}
