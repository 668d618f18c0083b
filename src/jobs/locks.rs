//! Row locks that hold nothing: taken by a statement that commits by itself, or given back before the work
//! that they should cover.

use retrysafe_rules::vocabulary::Action;

use crate::ir::Site;
use crate::resolve::FnId;
use crate::sql::{Lock, Statement, Strength, Verb};
use crate::timeline::{Follows, Happening};

use super::effect::{MappedEffect, Reading, calls_of, route_of};
use super::repeat::Drawn;
use super::schemas::plain_table;

/// A row lock that holds nothing.
#[derive(Debug, Clone)]
pub struct LostLock {
    /// The statement that takes it.
    pub site: Site,
    /// The table.
    pub table: String,
    /// Whether others step over locked rows.
    pub skips: bool,
    /// Where the transaction ends that holds it; none where the statement ends it.
    pub ends: Option<Site>,
    /// What it should cover.
    pub covers: Site,
    /// The functions from the entry to the statement.
    pub route: Vec<FnId>,
    /// Where each function of the route after the first is called.
    pub calls: Vec<Site>,
}

/// The row locks of a job that hold nothing.
pub(super) fn lost_locks(reading: &Reading<'_, '_>, drawn: &[Drawn<'_>]) -> Vec<LostLock> {
    let mut found: Vec<LostLock> = Vec::new();
    for happening in &reading.unfolding.happenings {
        for said in reading.statements(happening) {
            let statement = &said.statement;
            let Some(lock) = row_lock(statement) else {
                continue;
            };
            let ends = match said.on_pool {
                true => None,
                false => match end_of(reading, happening) {
                    Some(end) => Some(end),
                    None => continue,
                },
            };
            let table = statement.table.clone().unwrap_or_default();
            let Some(covers) = covered(reading, drawn, happening, &table, ends.is_some()) else {
                continue;
            };
            if !found.iter().any(|known| known.site == said.site) {
                found.push(LostLock {
                    site: said.site,
                    table,
                    skips: lock.skip_locked,
                    ends,
                    covers,
                    route: route_of(&happening.context),
                    calls: calls_of(&happening.context),
                });
            }
        }
    }
    found
}

/// The lock of a statement that only reads: one that writes as well needs no longer one.
fn row_lock(statement: &Statement) -> Option<&Lock> {
    let lock = statement.lock.as_ref()?;
    let only_reads = statement.verb == Verb::Select && statement.written().is_empty();
    (only_reads && lock.strength == Strength::Update).then_some(lock)
}

/// Where the transaction ends in which a statement stands, when it begins and ends in the job.
fn end_of(reading: &Reading<'_, '_>, happening: &Happening) -> Option<Site> {
    let begin = happening.context.transaction?;
    let mut ends = reading
        .unfolding
        .settled
        .iter()
        .filter(|end| end.begin == begin);
    ends.next().map(|end| end.site)
}

/// The first thing that the lock should cover and does not: a change of the same rows, or an effect on the
/// outside. None where the transaction itself moves the rows on.
fn covered(
    reading: &Reading<'_, '_>,
    drawn: &[Drawn<'_>],
    taken: &Happening,
    table: &str,
    is_held: bool,
) -> Option<Site> {
    let plain = plain_table(table);
    let at = &taken.context.moment;
    let later = |other: &&Drawn<'_>| {
        reading
            .unfolding
            .follows(at, &other.happening.context.moment)
            == Some(Follows::Later)
    };
    let is_change = |effect: &MappedEffect| {
        matches!(
            effect.action,
            Action::Update | Action::Delete | Action::Relative | Action::Upsert
        )
    };
    let of_rows = |other: &&Drawn<'_>| other.table == plain && is_change(&other.effect);
    let in_same = |other: &&Drawn<'_>| {
        other.effect.in_transaction
            && other.happening.context.transaction == taken.context.transaction
    };
    if is_held
        && drawn
            .iter()
            .filter(later)
            .filter(of_rows)
            .any(|other| in_same(&other))
    {
        return None;
    }
    // What is done elsewhere may have a lock of its own.
    let is_here = |other: &&Drawn<'_>| {
        let own = taken.context.route.as_ref().map(|step| step.function);
        other.effect.route.last().copied() == own
    };
    let first = drawn
        .iter()
        .filter(later)
        .filter(|other| !is_held || is_here(other) && !in_same(other))
        .find(of_rows)?;
    Some(first.effect.site)
}
