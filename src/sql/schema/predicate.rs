//! Whether a row is one that a partial index is about.

use super::super::statement::{Condition, Test, Value};
use super::given::Given;

/// Whether all conditions hold for a row; none where that depends on what is not known.
pub(super) fn holds(conditions: &[Condition], given: &dyn Fn(&str) -> Given) -> Option<bool> {
    all(conditions.iter().map(|condition| one(condition, given)))
}

fn one(condition: &Condition, given: &dyn Fn(&str) -> Given) -> Option<bool> {
    if !condition.arms.is_empty() {
        return any(condition.arms.iter().map(|arm| one(arm, given)));
    }
    if !condition.parts.is_empty() {
        return holds(&condition.parts, given);
    }
    let value = given(condition.column.as_deref()?);
    let is = |literal: &Value| match (&value, literal) {
        (Given::Text(text), Value::Literal(literal)) => Some(same_text(text, literal)),
        (Given::Null, Value::Literal(_)) => Some(false),
        _ => None,
    };
    match condition.test {
        Test::IsNull => value.is_null(),
        Test::IsNotNull => value.is_null().map(|is_null| !is_null),
        Test::Eq => is(&condition.value),
        // NULL differs from nothing.
        Test::NotEq if value == Given::Null => Some(false),
        Test::NotEq => is(&condition.value).map(|is_it| !is_it),
        Test::In => match &condition.value {
            Value::List(values) => any(values.iter().map(is)),
            _ => None,
        },
        Test::NotIn => match &condition.value {
            Value::List(values) => any(values.iter().map(is)).map(|is_one| !is_one),
            _ => None,
        },
        _ => None,
    }
}

fn all(mut parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    parts
        .try_fold(Some(true), |so_far, part| match part {
            Some(false) => Err(()),
            Some(true) => Ok(so_far),
            None => Ok(None),
        })
        .unwrap_or(Some(false))
}

fn any(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(parts.map(|part| part.map(|holds| !holds))).map(|none| !none)
}

/// Whether two constants are the same; booleans are spelt in several ways.
fn same_text(one: &str, other: &str) -> bool {
    let plain = |text: &str| match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "1" => "true".to_owned(),
        "false" | "f" | "0" => "false".to_owned(),
        _ => text.to_owned(),
    };
    plain(one) == plain(other)
}
