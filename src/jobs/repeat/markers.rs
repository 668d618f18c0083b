//! Protections by state: a check in front of an effect, and the record that makes it fail the
//! next time.

use retrysafe_rules::vocabulary::{Action, EffectKind, Protection};

use crate::ir::{Site, words};
use crate::timeline::{Follows, Moment, V, Value};

use super::super::effect::asked::Asked;
use super::super::effect::{MappedEffect, Reading};
use super::super::schemas::plain_table;
use super::bystanders::Bystanders;
use super::drawn::Drawn;
use super::own::is_own;

/// What stops a second run from repeating an effect, by what is asked in front of it.
pub(super) fn protection(
    reading: &Reading<'_, '_>,
    bystanders: &Bystanders<'_, '_, '_>,
    drawn: &[Drawn<'_>],
    index: usize,
) -> Option<(Protection, String)> {
    let happening = drawn[index].happening;
    if happening.context.retried {
        // The second try is behind the same check.
        return None;
    }
    let asked = bystanders.asked(happening);
    if let Some(claim) = asked.iter().find(|asked| asked.is_claim) {
        return Some((
            Protection::Claim,
            format!("only for the run that took it in `{}`", claim.target),
        ));
    }
    let effect = &drawn[index].effect;
    if let Some(own) = asked.iter().find(|asked| is_record_of(asked, effect)) {
        return Some((
            Protection::Step,
            format!("only when `{}` does not have it yet", own.target),
        ));
    }
    // `if row.paid_at.is_none() { UPDATE … SET paid_at = … }`; what counts up may pass its own test again.
    let is_own_mark = |asked: &&Asked| {
        asked.is_read
            && !asked.is_remote
            && effect.kind == EffectKind::DbWrite
            && effect.action == Action::Update
            && asked.column.is_some()
            && marks(asked, &drawn[index])
    };
    if let Some(own) = asked.iter().find(is_own_mark) {
        let said = said(own, effect);
        return Some((
            Protection::Step,
            format!("only while {said} says that it is open, which it changes itself"),
        ));
    }
    if effect.action == Action::Create && reading.knows_conflict(happening) {
        return Some((
            Protection::Unique,
            "the answer for one that is there already is known to the caller".to_owned(),
        ));
    }
    let markers = || {
        asked.iter().flat_map(|asked| {
            drawn
                .iter()
                .enumerate()
                .filter(move |(other, marker)| *other != index && marks(asked, marker))
                .map(move |(other, _)| (asked, other))
        })
    };
    if let Some((asked, mark)) =
        markers().find(|(_, other)| records(bystanders, drawn, index, *other))
    {
        let said = said(asked, &drawn[mark].effect);
        return Some((
            Protection::Step,
            format!("only while {said} says that it is open, which is recorded right after it"),
        ));
    }
    if let Some((asked, mark)) =
        markers().find(|(_, other)| is_marked_before(bystanders, drawn, index, *other))
    {
        let said = said(asked, &drawn[mark].effect);
        return Some((
            Protection::AtMostOnce,
            format!("{said} is set before it, so a second run leaves it out"),
        ));
    }
    None
}

/// Where a job changes the state by which it chose what to do.
#[derive(Debug, Clone, Copy)]
pub(super) enum MovedOn {
    /// Before the effect, on every path.
    Before,
    /// After it, by the write at this position: when that is not reached, the effect is chosen
    /// again.
    After(usize),
    /// Somewhere else: before it on some paths only.
    Elsewhere,
}

/// Where the state that decides whether an effect happens is changed by the job itself.
pub(super) fn moved_on(
    reading: &Reading<'_, '_>,
    bystanders: &Bystanders<'_, '_, '_>,
    drawn: &[Drawn<'_>],
    index: usize,
) -> Option<MovedOn> {
    let effect = drawn[index].happening;
    let asked = bystanders.asked(effect);
    let marks: Vec<usize> = (0..drawn.len())
        .filter(|other| *other != index && asked.iter().any(|asked| marks(asked, &drawn[*other])))
        .collect();
    if marks
        .iter()
        .any(|mark| is_marked_before(bystanders, drawn, index, *mark))
    {
        return Some(MovedOn::Before);
    }
    let at = &effect.context.moment;
    let after = marks.iter().find(|mark| {
        let then = &drawn[**mark].happening.context.moment;
        reading.unfolding.follows(at, then) == Some(Follows::Later)
    });
    match after {
        Some(mark) => Some(MovedOn::After(*mark)),
        None => marks.first().map(|_| MovedOn::Elsewhere),
    }
}

/// What is asked, by the column that a write changes of it.
fn said(asked: &Asked, write: &MappedEffect) -> String {
    let plain = |column: &str| column.rsplit('.').next().unwrap_or(column).to_owned();
    let is_written = |column: &&String| {
        let mut written = write.columns.iter();
        written.any(|of| of.eq_ignore_ascii_case(&plain(column)))
    };
    let mut told = asked.column.iter().chain(&asked.chosen_by);
    match told.find(is_written).or(asked.column.as_ref()) {
        Some(column) => format!("`{}.{}`", asked.target, plain(column)),
        None => format!("`{}`", asked.target),
    }
}

/// Whether what is asked is the collection that the effect itself adds to: `GET /labels/7` before
/// `POST /labels`, the rows of a table before another is inserted.
fn is_record_of(asked: &Asked, effect: &MappedEffect) -> bool {
    let is_row = effect.kind == EffectKind::DbWrite && effect.action == Action::Create;
    if is_row && asked.is_read && !asked.is_remote && !asked.table.is_empty() {
        // `WHERE NOT EXISTS (SELECT … FROM reminders …)` leaves out what has one.
        let table = plain_table(&effect.target);
        return asked.table == table || asked.absent_from.contains(&table);
    }
    let is_call = matches!(effect.kind, EffectKind::Http | EffectKind::Payment);
    let rest = asked.target.strip_prefix(&effect.target);
    is_call
        && asked.is_remote
        && asked.is_read
        && effect.target.contains('/')
        && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a write changes the answer to what is asked, for good.
pub(super) fn marks(asked: &Asked, marker: &Drawn<'_>) -> bool {
    changes(asked, marker) && !is_lock(&marker.effect.target)
}

fn changes(asked: &Asked, marker: &Drawn<'_>) -> bool {
    let write = &marker.effect;
    let is_record = matches!(
        write.kind,
        EffectKind::DbWrite | EffectKind::Cache | EffectKind::Storage | EffectKind::File
    );
    // Of two that are not known nobody knows that they are the same.
    let is_known = !matches!(asked.table.as_str(), "" | "?");
    let is_same = is_known && asked.table == marker.table;
    if !is_record {
        return false;
    }
    let adds = matches!(write.action, Action::Create | Action::Upsert);
    if adds && asked.absent_from.contains(&marker.table) {
        return true;
    }
    let has = |column: &str| {
        let plain = column.rsplit('.').next().unwrap_or(column);
        write
            .columns
            .iter()
            .any(|written| written.eq_ignore_ascii_case(plain))
    };
    if !is_same {
        // In a filter a column of a joined table keeps its qualifier.
        let mut chosen_by = asked.chosen_by.iter().filter(|column| column.contains('.'));
        return asked.joined.contains(&marker.table)
            && write.action != Action::Create
            && (asked.column.as_ref().is_some_and(|column| has(column))
                || chosen_by.any(|column| has(column)));
    }
    if write.action == Action::Delete {
        return true;
    }
    // A counter tells of what is counted by it only.
    if write.action == Action::Relative {
        let mut told = asked.column.iter().chain(&asked.chosen_by);
        return told.any(|column| has(column));
    }
    // A key by which a row is found is written when it is made, and says nothing of its state.
    let chosen = |column: &String| has(column) && write.action != Action::Create;
    if asked.chosen_by.iter().any(chosen) && write.action != Action::Upsert {
        return true;
    }
    match &asked.column {
        Some(_) if matches!(write.action, Action::Create) => false,
        Some(column) => write.columns.is_empty() || has(column) || is_alias(asked, column, write),
        None => {
            matches!(write.action, Action::Create | Action::Upsert | Action::Set)
                || write.columns.is_empty() && asked.chosen_by.is_empty()
        }
    }
}

/// Whether something is held while the work is done, and says nothing of whether it was.
pub(super) fn is_lock(target: &str) -> bool {
    words(target).any(|word| matches!(word.as_str(), "lock" | "locks" | "mutex" | "lease"))
}

/// Whether a column of a query is an expression over a column that is written.
fn is_alias(asked: &Asked, column: &str, write: &MappedEffect) -> bool {
    asked.text.as_ref().is_some_and(|text| {
        let text = text.to_lowercase();
        text.contains(&format!(" as {}", column.to_lowercase()))
            && write
                .columns
                .iter()
                .any(|written| text.contains(&written.to_lowercase()))
    })
}

/// Whether a write records an effect: after it, on every path, with nothing between that may fail.
fn records(
    bystanders: &Bystanders<'_, '_, '_>,
    drawn: &[Drawn<'_>],
    index: usize,
    marker: usize,
) -> bool {
    let reading = bystanders.reading();
    let unfolding = reading.unfolding;
    let (effect, mark) = (drawn[index].happening, drawn[marker].happening);
    let (at, then) = (&effect.context.moment, &mark.context.moment);
    if unfolding.follows(at, then) != Some(Follows::Later)
        || !then.is_in_turns_of(at)
        || commits_later(drawn, index, marker)
    {
        return false;
    }
    // It stands in no arm that the effect does not stand in, unless the effect's own outcome chose,
    // or a reading of text that the work brought: `if let Ok(id) = Uuid::parse_str(text)`.
    let is_certain = then.arms().all(|arm| {
        at.is_in_arm(arm.branch, arm.arm)
            || bystanders.tells_of(&arm.on, effect)
            || arm
                .label
                .is_some_and(|label| label == "?Ok" || label == "?Some")
                && is_computed(&arm.on.value, 6)
    });
    if !is_certain {
        return false;
    }
    in_between(bystanders, drawn, index, marker).is_none()
}

/// Whether a mark counts only after other items have had their turn: by a transaction around all.
pub(super) fn commits_later(drawn: &[Drawn<'_>], index: usize, marker: usize) -> bool {
    let at = &drawn[index].happening.context.moment;
    let begin = drawn[marker].happening.context.transaction;
    drawn[marker].effect.in_transaction && begin.is_some_and(|begin| at.is_outlived_by(begin))
}

/// Where something between an effect and the mark of it may fail, so that the mark is not reached.
pub(super) fn in_between(
    bystanders: &Bystanders<'_, '_, '_>,
    drawn: &[Drawn<'_>],
    index: usize,
    marker: usize,
) -> Option<Site> {
    let unfolding = bystanders.reading().unfolding;
    let (effect, mark) = (drawn[index].happening, drawn[marker].happening);
    let (at, then) = (&effect.context.moment, &mark.context.moment);
    let between = unfolding.errors.iter().find(|fallible| {
        let order = fallible.moment.order;
        order > at.order
            && order < then.order
            && fallible.moment.leaves_out(then)
            && unfolding.follows(at, &fallible.moment) == Some(Follows::Later)
            && !is_own(effect, fallible)
            && !bystanders.is_answer(effect, fallible)
            && !is_own(mark, fallible)
            && !is_inside(mark, effect, &fallible.moment)
    });
    between.map(|fallible| fallible.site)
}

/// Whether a value is computed without asking anybody.
fn is_computed(value: &V, depth: u32) -> bool {
    let asks = match &**value {
        Value::Apply(apply) => apply.effect.is_some() || apply.is_awaited,
        Value::Result(_) | Value::Unknown => true,
        _ => false,
    };
    depth > 0
        && !asks
        && value
            .parts()
            .into_iter()
            .all(|part| is_computed(part, depth - 1))
}

/// Whether something stands in a body that was entered to make a mark.
fn is_inside(
    mark: &crate::timeline::Happening,
    effect: &crate::timeline::Happening,
    moment: &Moment,
) -> bool {
    let of_effect = |frame: &crate::timeline::Frame| {
        effect
            .context
            .moment
            .frames()
            .any(|known| std::ptr::eq(known, frame))
    };
    mark.context
        .moment
        .frames()
        .take_while(|frame| !of_effect(frame))
        .any(|frame| moment.frames().any(|known| std::ptr::eq(known, frame)))
}

/// Whether the mark is set before the effect, whatever becomes of that.
fn is_marked_before(
    bystanders: &Bystanders<'_, '_, '_>,
    drawn: &[Drawn<'_>],
    index: usize,
    marker: usize,
) -> bool {
    let reading = bystanders.reading();
    let (effect, mark) = (&drawn[index], &drawn[marker]);
    let at = &effect.happening.context.moment;
    let before = &mark.happening.context.moment;
    let is_open = mark.effect.in_transaction && effect.effect.in_transaction;
    let is_before = !is_open
        && at.is_in_turns_of(before)
        && reading.unfolding.follows(before, at) == Some(Follows::Later);
    // What an arm is about is asked last: that costs most.
    is_before
        && (bystanders.is_decided_inside(effect.happening, before)
            || before.arms().all(|arm| {
                at.is_in_arm(arm.branch, arm.arm)
                    || bystanders.is_chosen_by(effect.happening, arm)
                    || bystanders.tells_of(&arm.on, mark.happening)
            }))
}
