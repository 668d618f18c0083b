//! The check in front of a creation: a read of the same table that decides whether a row is made.

use retrysafe_rules::vocabulary::{Action, EffectKind};

use crate::sql::schema::{Fill, Table};
use crate::sql::{Condition, FunctionClass, Strength, Test, Value, Verb};
use crate::timeline::{Follows, GuardStep, Happening};

use super::super::effect::Reading;
use super::super::effect::asked::Asked;
use super::super::repeats::Check;
use super::super::schemas::Untold;
use super::super::stored::{Again, Stored, second_create};
use super::bystanders::Bystanders;
use super::drawn::Drawn;

/// The check that decides whether an insert happens, unless something keeps two from passing it.
pub(super) fn check(
    reading: &Reading<'_, '_>,
    bystanders: &Bystanders<'_, '_, '_>,
    drawn: &[Drawn<'_>],
    index: usize,
) -> Option<Check> {
    let this = &drawn[index];
    let stored = this.effect.stored.as_ref()?;
    // `INSERT … SELECT … WHERE NOT EXISTS` looks for itself.
    let looks = |condition: &Condition| condition.test == Test::NotExists;
    let creates = stored.statement.verb == Verb::Insert
        && stored.statement.conflict.is_none()
        && !stored.statement.filter.iter().any(looks);
    if !creates {
        return None;
    }
    // Only one of them takes the work at all.
    let is_taken = |asked: &Asked| asked.is_claim;
    if bystanders.asked(this.happening).iter().any(is_taken) {
        return None;
    }
    let conditions = bystanders.conditions(this.happening);
    let found = conditions.iter().find_map(|(guard, answers)| {
        let asked = answers.asked.iter();
        let mut checks = asked.filter(|asked| asks_for_it(asked, this));
        checks
            .next()
            .filter(|_| !is_made_of_what_is_there(reading, this.happening, guard))
    })?;
    if is_locked(reading, drawn, index)
        || super::together::protection(reading, drawn, index).is_some()
    {
        return None;
    }
    let name = stored.statement.table.as_deref().unwrap_or_default();
    let meant = reading
        .schemas
        .table(this.effect.site.file, name, stored.store);
    let table = meant.map(|(table, _)| table);
    if looks_elsewhere(found, stored, table.ok()) {
        return None;
    }
    Some(Check {
        site: found.site,
        columns: found.matched.clone(),
        equal: found.equal.clone(),
        fixed: found.fixed.clone(),
        narrowed: found.narrowed.clone(),
        again: again(reading, stored, found, table),
    })
}

/// Whether a read asks for rows in another state than the one in which the insert makes one: it never finds
/// that.
fn looks_elsewhere(asked: &Asked, stored: &Stored, table: Option<&Table>) -> bool {
    asked.fixed.iter().any(|(column, wanted)| {
        let mut set = stored.statement.set.iter();
        let given = set.find(|set| set.column.eq_ignore_ascii_case(column));
        let by_default = || match &table?.column(column)?.fill {
            Fill::Fixed(text) => Some(text.as_str()),
            _ => None,
        };
        let made = match given.map(|set| &set.value) {
            Some(Value::Literal(text)) => Some(text.as_str()),
            Some(_) => None,
            None => by_default(),
        };
        made.is_some_and(|made| !made.eq_ignore_ascii_case(wanted))
    })
}

/// Whether a read looks whether the row is there that an insert makes.
fn asks_for_it(asked: &Asked, this: &Drawn<'_>) -> bool {
    asked.is_read
        && !asked.is_claim
        && !asked.is_remote
        && asked.table == this.table
        && asked.column.is_none()
        && asked.is_existence
        && asked.is_matched
}

/// Whether an insert happens because a row is there: it stands in the arm of `Some`, or behind the
/// end of the arm of none.
fn is_made_of_what_is_there(
    reading: &Reading<'_, '_>,
    happening: &Happening,
    guard: &GuardStep,
) -> bool {
    let is_some = |label: Option<crate::ir::Name>| {
        label.is_some_and(|label| label == "Some" || label == "?Some")
    };
    let moment = &happening.context.moment;
    let mut of_guard = reading.unfolding.decisions.iter().filter(|decision| {
        decision.on.env == guard.on.env
            && std::sync::Arc::ptr_eq(&decision.on.value, &guard.on.value)
    });
    of_guard.any(|decision| {
        let arms = || decision.arms.iter().copied().zip(0..);
        let stands_in = arms().find(|(_, arm)| moment.is_in_arm(decision.branch, *arm));
        match stands_in {
            Some((label, _)) => is_some(label),
            None => {
                let has_some = decision.arms.iter().any(|label| is_some(*label));
                let ends = |wanted: bool| {
                    arms().any(|(label, arm)| {
                        is_some(label) == wanted && reading.unfolding.ends_in(decision.branch, arm)
                    })
                };
                has_some && ends(false) && !ends(true)
            }
        }
    })
}

/// Whether a lock is held that keeps a second worker from passing the check meanwhile.
pub(super) fn is_locked(reading: &Reading<'_, '_>, drawn: &[Drawn<'_>], index: usize) -> bool {
    let this = &drawn[index];
    let at = &this.happening.context.moment;
    // A row that the transaction has changed is its own until it ends.
    let is_changed = drawn.iter().any(|other| {
        other.effect.kind == EffectKind::DbWrite
            && matches!(
                other.effect.action,
                Action::Update | Action::Relative | Action::Upsert
            )
            && other.table == this.table
            && other.effect.in_transaction
            && this.effect.in_transaction
            && other.happening.context.moment.order < at.order
    });
    let named = drawn.iter().any(|other| {
        super::markers::is_lock(&other.effect.target)
            && reading
                .unfolding
                .follows(&other.happening.context.moment, at)
                == Some(Follows::Later)
    });
    let by_statement = || {
        reading.unfolding.happenings.iter().any(|happening| {
            let before = &happening.context.moment;
            before.order < at.order
                && reading
                    .statements(happening)
                    .iter()
                    .any(|said| takes_lock(&said.statement, this.effect.in_transaction))
        })
    };
    is_changed || named || by_statement()
}

/// Whether a statement takes a lock that outlives it, or makes the transaction a serial one.
fn takes_lock(statement: &crate::sql::Statement, in_transaction: bool) -> bool {
    let is_advisory = statement
        .called()
        .iter()
        .any(|function| function.class == FunctionClass::AdvisoryLock);
    let holds_rows = statement.verb == Verb::Lock
        || statement
            .lock
            .as_ref()
            .is_some_and(|lock| lock.strength == Strength::Update);
    let is_serial = statement.isolation.as_deref() == Some("serializable");
    // SQLite's lock on the whole database.
    let is_whole = matches!(
        statement.isolation.as_deref(),
        Some("immediate" | "exclusive")
    );
    is_advisory || is_whole || in_transaction && (holds_rows || is_serial)
}

/// What the schema says of two that both saw no row.
fn again(
    reading: &Reading<'_, '_>,
    stored: &Stored,
    check: &Asked,
    table: Result<&Table, Untold>,
) -> Again {
    let table = match table {
        Ok(table) => table,
        Err(why) => return Again::Untold(why),
    };
    let is_checked = |column: &str| {
        check
            .matched
            .iter()
            .any(|matched| matched.eq_ignore_ascii_case(column) || contains(matched, column))
    };
    let is_equal = |column: &str| {
        let mut equal = check.equal.iter();
        equal.any(|of| of.eq_ignore_ascii_case(column))
    };
    second_create(stored, table, &is_checked, &is_equal, reading.schemas)
}

/// Whether an expression that is checked is over a column: `lower(email)`.
fn contains(expression: &str, column: &str) -> bool {
    expression.contains('(')
        && expression
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| word.eq_ignore_ascii_case(column))
}
