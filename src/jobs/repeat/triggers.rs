//! What makes a job run again after an effect.

use retrysafe_rules::catalog::Attempts;
use retrysafe_rules::vocabulary::{Action, Delivery, EffectKind, JobKind, Trigger};

use crate::ir::Site;
use crate::timeline::{Bound, Follows, Happening, TurnStep, Value};

use super::super::effect::Reading;
use super::super::effect::asked::Asked;
use super::super::entry::Job;
use super::super::repeats::Repeats;
use super::bystanders::Bystanders;
use super::drawn::Drawn;
use super::markers::{MovedOn, commits_later, in_between, marks, moved_on};
use super::own::{is_around, is_own, takes_back};

/// The triggers of one effect, with what else its place tells.
pub(super) fn of(
    reading: &Reading<'_, '_>,
    job: &Job,
    bystanders: &Bystanders<'_, '_, '_>,
    drawn: &[Drawn<'_>],
    index: usize,
) -> Repeats {
    let happening = drawn[index].happening;
    let moment = &happening.context.moment;
    let goes_over_items = |turn: &TurnStep| {
        turn.over
            .as_ref()
            .is_some_and(|over| !is_single(reading, over))
    };
    let items = moment.turns().find(|turn| goes_over_items(turn));
    let batch = moment.turns().find(|turn| {
        goes_over_items(turn)
            && !bystanders.is_over_messages(turn.id)
            && !bystanders.ends_with(happening, turn.id)
            && reading.unfolding.may_turn_again(moment, turn.id)
    });
    let mut repeats = Repeats {
        items: items.map(|turn| turn.site),
        order: moment.order,
        transaction: happening.context.transaction.map(|begin| begin.site),
        is_rolled_back: is_rolled_back(bystanders, drawn, index),
        detached: happening.context.detached,
        arms: moment.arms().map(|arm| (arm.branch, arm.arm)).collect(),
        is_dropped: reading.is_dropped(happening, drawn, index),
        ..Repeats::default()
    };
    // A task that acknowledges its message itself is the job, not something beside it; and one that
    // goes on for as long as it is given something has no end to wait for.
    let is_apart =
        |task: Site| reading.unfolding.is_follower(task) || bystanders.acknowledges(Some(task));
    if repeats.detached.is_some_and(is_apart) {
        repeats.detached = None;
    }
    let is_answered = bystanders.is_acknowledged_before(moment);
    if job.runs.delivery == Delivery::AtMostOnce || is_answered {
        return repeats;
    }
    let retries = job.runs.attempts != Attempts::Count(1);
    // What commits with the rest is taken back with it.
    let is_taken_back = drawn[index].effect.in_database && drawn[index].effect.in_transaction;
    if retries {
        for (position, fallible) in reading.unfolding.fallible.iter().enumerate() {
            let Some(follows) = reading.unfolding.follows(moment, &fallible.moment) else {
                continue;
            };
            if is_taken_back && takes_back(&reading.unfolding.settled, happening, fallible) {
                continue;
            }
            if is_around(happening, fallible) {
                continue;
            }
            let is_own = is_own(happening, fallible) || bystanders.is_answer(happening, fallible);
            if bystanders.says_nothing_happened(happening, position) {
                continue;
            }
            // A later item that fails repeats this one.
            let per_item = batch.filter(|turn| fallible.moment.is_in_turn(turn.id));
            if let Some(turn) = per_item {
                repeats.per_item = Some(turn.site);
                push(&mut repeats.triggers, Trigger::ErrorAfter);
            }
            let trigger = if is_own && follows == Follows::Later {
                Trigger::UnknownOutcome
            } else if !is_own || batch.is_some() {
                Trigger::ErrorAfter
            } else {
                continue;
            };
            if trigger == Trigger::ErrorAfter && !is_own && repeats.failing.is_none() {
                repeats.failing = Some(fallible.site);
            }
            push(&mut repeats.triggers, trigger);
        }
        if repeats.triggers.contains(&Trigger::ErrorAfter) && repeats.per_item.is_none() {
            repeats.per_item = batch.map(|turn| turn.site);
        }
    }
    let is_delivered = matches!(job.kind, JobKind::Consumer | JobKind::Webhook);
    if is_delivered && !repeats.triggers.is_empty() {
        push(&mut repeats.triggers, Trigger::Redelivery);
    }
    let is_timed = job.kind == JobKind::Scheduled || job.runs.delivery == Delivery::Repeated;
    // A tick is work of its own; what is chosen by state is chosen again by the next one, unless
    // that state has moved on.
    if is_timed && !job.is_local {
        match moved_on(reading, bystanders, drawn, index) {
            None if is_chosen(bystanders, happening) => {
                push(&mut repeats.triggers, Trigger::Rerun);
            }
            Some(MovedOn::After(mark))
                if repeats.triggers.is_empty()
                    && !is_taken_back
                    && (is_chosen(bystanders, happening) || makes(&drawn[mark])) =>
            {
                // Those gone over are written down once for all of them.
                let batch = batch.filter(|turn| {
                    let moment = &drawn[mark].happening.context.moment;
                    (!moment.is_in_turn(turn.id) || commits_later(drawn, index, mark))
                        && bystanders
                            .gone_over(turn)
                            .asked
                            .iter()
                            .any(|asked| marks(asked, &drawn[mark]))
                });
                let between = in_between(bystanders, drawn, index, mark);
                let failing = between.or_else(|| batch.map(|_| drawn[mark].effect.site));
                if failing.is_some() {
                    repeats.failing = failing;
                    push(&mut repeats.triggers, Trigger::ErrorAfter);
                }
                repeats.per_item = repeats.per_item.or(batch.map(|turn| turn.site));
            }
            _ => {}
        }
    }
    if repeats.triggers.is_empty() {
        repeats.triggers.push(Trigger::Crash);
    }
    repeats.triggers.sort_unstable();
    repeats
}

/// Whether state chose the work: rows of the house that are there to be worked on. A flag of a row
/// that was looked up is a switch, and what others say may tell of the effect itself.
fn is_chosen(bystanders: &Bystanders<'_, '_, '_>, happening: &Happening) -> bool {
    let is_stored = |asked: &Asked| {
        asked.is_choice && (asked.text.is_some() || !matches!(asked.table.as_str(), "" | "?"))
    };
    let turns: Vec<_> = happening.context.moment.turns().collect();
    let gone_over: Vec<_> = turns
        .iter()
        .map(|turn| bystanders.gone_over(turn))
        .collect();
    if gone_over.iter().any(|answers| answers.unknown) {
        return false;
    }
    let mut rows = gone_over.iter().flat_map(|answers| &answers.asked);
    rows.any(is_stored)
        || bystanders
            .asked(happening)
            .iter()
            .any(|asked| asked.column.is_none() && is_stored(asked))
}

/// Whether a mark is a row of which the absence was asked for.
fn makes(mark: &Drawn<'_>) -> bool {
    matches!(mark.effect.action, Action::Create | Action::Upsert)
}

/// Whether the transaction around an effect holds writes that a rollback takes back, and is more
/// than a lease on the work.
fn is_rolled_back(bystanders: &Bystanders<'_, '_, '_>, drawn: &[Drawn<'_>], index: usize) -> bool {
    let this = &drawn[index];
    let begins = |at: &Drawn<'_>| at.happening.context.transaction;
    let holds_writes = drawn.iter().any(|other| {
        let is_write = match other.effect.kind {
            EffectKind::DbWrite => true,
            EffectKind::Enqueue => other.effect.in_database,
            _ => false,
        };
        // What runs on a transaction that was handed in does not tell where that began.
        let is_same = begins(other).is_none() || begins(other) == begins(this);
        is_write && other.effect.in_transaction && is_same
    });
    let asked = || bystanders.asked(this.happening);
    let is_leased = || asked().iter().any(|asked| asked.is_leased);
    this.effect.in_transaction && holds_writes && !is_leased()
}

/// Whether a collection has one item for certain.
fn is_single(reading: &Reading<'_, '_>, over: &Bound) -> bool {
    match &*reading.unfolding.head(over).value {
        Value::Array(elems) => elems.len() == 1,
        Value::Apply(apply) => apply.name == "once" && apply.receiver.is_none(),
        _ => false,
    }
}

fn push(triggers: &mut Vec<Trigger>, trigger: Trigger) {
    if !triggers.contains(&trigger) {
        triggers.push(trigger);
    }
}
