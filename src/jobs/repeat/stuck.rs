//! Writes that a retry does not get to: an insert in front of them is refused by its unique key the second
//! time, and ends the job, or a write in front of them has taken the work for good.

use retrysafe_rules::vocabulary::{Action, EffectKind, Protection};

use crate::ir::words;
use crate::sql::{Assignment, Placeholder, Statement, Value, Verb};
use crate::timeline::Follows;

use super::super::effect::Reading;
use super::super::repeats::Stuck;
use super::super::schemas::plain_table;
use super::super::stored::{Again, Stored};
use super::bystanders::Bystanders;
use super::drawn::Drawn;
use super::own::is_own;

/// The write that keeps a retry from another one.
pub(super) fn stuck(
    reading: &Reading<'_, '_>,
    bystanders: &Bystanders<'_, '_, '_>,
    drawn: &[Drawn<'_>],
    index: usize,
) -> Option<Stuck> {
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
            let before = &first.happening.context.moment;
            let is_first = first.effect.kind == EffectKind::DbWrite
                && !first.effect.in_transaction
                && first.table != this.table
                && are_neighbours(first, this)
                && !drawn[position + 1..index]
                    .iter()
                    .any(|between| are_neighbours(first, between))
                && at.is_in_turns_of(before)
                && before.arms().all(|arm| at.is_in_arm(arm.branch, arm.arm))
                && reading.unfolding.follows(before, at) == Some(Follows::Later);
            if !is_first {
                return None;
            }
            let is_taken = takes(bystanders, drawn, position, index);
            (is_taken || refuses(reading, first)).then(|| Stuck {
                site: first.effect.site,
                table: first.effect.target.clone(),
                is_taken,
            })
        })
}

/// Whether an insert is refused the second time, and ends the job.
fn refuses(reading: &Reading<'_, '_>, first: &Drawn<'_>) -> bool {
    let stored = first.effect.stored.as_ref();
    stored.is_some_and(|stored| match &stored.again {
        Again::Key(key) => {
            stored.statement.conflict.is_none()
                && !key.parts.iter().any(|part| moves(reading, stored, part))
        }
        _ => false,
    }) && first.effect.action == Action::Create
        && first.effect.protection == Protection::Unique
        && may_fail(reading, first)
        && !reading.knows_conflict(first.happening)
}

/// Whether a column gets what was read of the same table: the first insert has moved that on.
fn moves(reading: &Reading<'_, '_>, stored: &Stored, column: &str) -> bool {
    let mut set = stored.statement.set.iter();
    let value = set.find(|set| set.column.eq_ignore_ascii_case(column));
    let Some(Value::Placeholder(Placeholder::Position(position))) = value.map(|set| &set.value)
    else {
        return false;
    };
    let table = plain_table(stored.statement.table.as_deref().unwrap_or_default());
    let bound = position.checked_sub(1).and_then(|at| stored.bounds.get(at));
    bound.is_some_and(|bound| {
        let answers = reading.answers(bound);
        answers.asked.iter().any(|asked| asked.table == table)
    })
}

/// Whether a write takes the work for good, so that another run leaves out what comes after it.
fn takes(
    bystanders: &Bystanders<'_, '_, '_>,
    drawn: &[Drawn<'_>],
    first: usize,
    index: usize,
) -> bool {
    let (of, this) = (&drawn[first], &drawn[index]);
    let stored = of.effect.stored.as_ref();
    let is_final = stored.is_some_and(|stored| ends(&stored.statement));
    // What gives the work back lets another run at it.
    let gives_back = || {
        drawn[index + 1..].iter().any(|later| {
            later.table == of.table
                && matches!(later.effect.action, Action::Delete | Action::Update)
        })
    };
    let claims = || {
        let asked = bystanders.asked(this.happening);
        let mut claims = asked.iter().filter(|asked| asked.is_claim);
        claims.any(|asked| asked.site == of.effect.site)
    };
    is_final && claims() && !gives_back()
}

/// Whether a write leaves a row in a state that is not on the way to another one.
fn ends(statement: &Statement) -> bool {
    const ON_THE_WAY: &[&str] = &[
        "processing",
        "process",
        "running",
        "progress",
        "claimed",
        "claim",
        "locked",
        "lock",
        "leased",
        "lease",
        "started",
        "start",
        "starting",
        "pending",
        "queued",
        "sending",
        "working",
        "picked",
        "taken",
        "active",
        "reserved",
        "in",
        "attempt",
        "attempts",
        "worker",
        "until",
        "owner",
    ];
    let on_the_way = |text: &str| words(text).any(|word| ON_THE_WAY.contains(&word.as_str()));
    match statement.verb {
        Verb::Insert => !statement.table.as_deref().is_some_and(on_the_way),
        Verb::Update => {
            let known = |set: &Assignment| matches!(&set.value, Value::Literal(_) | Value::Clock);
            statement.set.iter().any(known)
                && !statement.set.iter().any(|set| {
                    on_the_way(&set.column)
                        || matches!(&set.value, Value::Literal(text) if on_the_way(text))
                })
        }
        _ => false,
    }
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
