//! Values that are read, changed in code and written back.

use std::sync::Arc;

use crate::ir::{BinaryOp, Site};
use crate::sql::{Placeholder, Value as Sql, Verb};
use crate::timeline::{Bound, V, Value};

use super::super::effect::Reading;
use super::super::repeats::WrittenBack;
use super::drawn::Drawn;

/// How deep a computation is looked into.
const DEPTH: u32 = 6;

/// The column that an update computes from what it was.
pub(super) fn computed(
    reading: &Reading<'_, '_>,
    drawn: &[Drawn<'_>],
    index: usize,
) -> Option<WrittenBack> {
    let this = &drawn[index];
    let stored = this.effect.stored.as_ref()?;
    let statement = &stored.statement;
    if statement.verb != Verb::Update || statement.is_conditional().is_some() {
        return None;
    }
    statement.set.iter().find_map(|set| {
        let Sql::Placeholder(Placeholder::Position(position)) = &set.value else {
            return None;
        };
        let value = stored.bounds.get(position.checked_sub(1)?)?;
        let read = computed_from(reading, value, &this.table, DEPTH)?;
        Some(WrittenBack {
            read,
            column: set.column.clone(),
        })
    })
}

/// The read of a table from whose answer a value is computed.
fn computed_from(
    reading: &Reading<'_, '_>,
    value: &Bound,
    table: &str,
    depth: u32,
) -> Option<Site> {
    let head = reading.unfolding.head(value);
    let at = |value: &V| Bound {
        value: Arc::clone(value),
        env: head.env,
    };
    match &*head.value {
        Value::Operation(BinaryOp::Add | BinaryOp::Subtract, left, right) => [left, right]
            .into_iter()
            .find_map(|part| read_of(reading, &at(part), table)),
        Value::Apply(apply) => match (apply.name.as_str(), &apply.receiver) {
            (
                "checked_add" | "checked_sub" | "saturating_add" | "saturating_sub"
                | "wrapping_add" | "wrapping_sub",
                Some(receiver),
            ) => read_of(reading, &at(receiver), table),
            // `Some(balance + amount)`, `(balance + amount).to_string()`.
            (_, Some(inner)) if depth > 0 && apply.args.is_empty() => {
                computed_from(reading, &at(inner), table, depth - 1)
            }
            (_, None) if depth > 0 && apply.args.len() == 1 => {
                computed_from(reading, &at(&apply.args[0]), table, depth - 1)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The read of a table whose answer a value is a column of.
fn read_of(reading: &Reading<'_, '_>, value: &Bound, table: &str) -> Option<Site> {
    let answers = reading.answers(value);
    let mut asked = answers.asked.iter();
    asked
        .find(|asked| asked.is_read && asked.table == table && asked.column.is_some())
        .map(|asked| asked.site)
}
