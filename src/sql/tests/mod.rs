//! Statements and what is read from them.

mod claims;
mod inserts;
mod selects;
mod texts;
mod updates;

use super::{Assignment, Condition, Placeholder, Statement, Test, Value, read};

/// The only statement of a text, which must be read whole.
fn one(text: &str) -> Statement {
    let mut all = read(text);
    assert_eq!(all.len(), 1, "not one statement: {text}\n{all:?}");
    let statement = all
        .remove(0)
        .unwrap_or_else(|unread| panic!("{text}: {unread:?}"));
    assert!(!statement.approximate, "only approximate: {text}");
    statement
}

fn table(text: &str) -> String {
    one(text).table.expect("the statement has a table")
}

fn bind(position: usize) -> Value {
    Value::Placeholder(Placeholder::Position(position))
}

fn named(name: &str) -> Value {
    Value::Placeholder(Placeholder::Named(name.to_owned()))
}

fn literal(text: &str) -> Value {
    Value::Literal(text.to_owned())
}

fn own(column: &str) -> Value {
    Value::Column(column.to_owned())
}

fn set(column: &str, value: Value) -> Assignment {
    Assignment {
        column: column.to_owned(),
        value,
    }
}

fn when(column: &str, test: Test, value: Value) -> Condition {
    Condition {
        column: Some(column.to_owned()),
        test,
        value,
        ..Condition::default()
    }
}
