//! Values that are read, changed in code and written back.

use std::sync::Arc;

use retrysafe_rules::vocabulary::EffectKind;

use crate::ir::{BinaryOp, Site};
use crate::sql::{Placeholder, Value as Sql, Verb};
use crate::timeline::{Bound, V, Value};

use super::super::effect::Reading;
use super::super::effect::asked::Asked;
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
    let is_key = this.effect.kind == EffectKind::Cache;
    // A transaction over a watched key starts again when another has written it.
    if is_key && this.happening.context.retried {
        return None;
    }
    let back = Back {
        reading,
        table: &this.table,
        is_key,
    };
    statement.set.iter().find_map(|set| {
        let Sql::Placeholder(Placeholder::Position(position)) = &set.value else {
            return None;
        };
        let value = stored.bounds.get(position.checked_sub(1)?)?;
        let read = back.computed_from(value, DEPTH)?;
        Some(WrittenBack {
            read,
            column: set.column.clone(),
        })
    })
}

/// What is written back.
struct Back<'r, 'u, 'a> {
    reading: &'r Reading<'u, 'a>,
    table: &'r str,
    /// Whether it is the whole value of a key, as against columns of a row.
    is_key: bool,
}

impl Back<'_, '_, '_> {
    /// The read of the table from whose answer a value is computed.
    fn computed_from(&self, value: &Bound, depth: u32) -> Option<Site> {
        let head = self.reading.unfolding.head(value);
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Operation(BinaryOp::Add | BinaryOp::Subtract, left, right) => [left, right]
                .into_iter()
                .find_map(|part| self.read_of(&at(part))),
            Value::Apply(apply) => match (apply.name.as_str(), &apply.receiver) {
                (
                    "checked_add" | "checked_sub" | "saturating_add" | "saturating_sub"
                    | "wrapping_add" | "wrapping_sub",
                    Some(receiver),
                ) => self.read_of(&at(receiver)),
                // `Some(balance + amount)`, `(balance + amount).to_string()`.
                (_, Some(inner)) if depth > 0 && apply.args.is_empty() => {
                    self.computed_from(&at(inner), depth - 1)
                }
                (_, None) if depth > 0 && apply.args.len() == 1 => {
                    self.computed_from(&at(&apply.args[0]), depth - 1)
                }
                _ => None,
            },
            // A value that was read, of which a part was changed.
            Value::Struct {
                fields,
                base: Some(base),
                ..
            } if self.is_key && !fields.is_empty() => self.read_of(&at(base)),
            _ => None,
        }
    }

    /// The read of the table whose answer a value is: a column of it, or the value of a key.
    fn read_of(&self, value: &Bound) -> Option<Site> {
        let answers = self.reading.answers(value);
        let mut asked = answers.asked.iter();
        let is_it = |asked: &&Asked| {
            asked.is_read && asked.table == self.table && (self.is_key || asked.column.is_some())
        };
        asked.find(is_it).map(|asked| asked.site)
    }
}
