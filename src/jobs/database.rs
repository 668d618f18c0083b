//! What a statement does by calling functions that the catalogue knows, whatever client runs it.

use retrysafe_rules::catalog::{CallKind, Idempotent, SqlFunctionEntry};
use retrysafe_rules::vocabulary::Protection;

use crate::resolve::Known;
use crate::sql::{self, Function, Placeholder, Statement, Value};

use super::write::{Binds, Write};

/// The functions that a statement calls and the catalogue knows.
pub(super) fn calls<'s, 'k>(
    statement: &'s Statement,
    known: &'k Known,
) -> Vec<(&'s Function, &'k SqlFunctionEntry)> {
    let called = statement.called().into_iter();
    called
        .filter_map(|function| {
            let entry = known.sql_function(&function.name, function.args.len())?;
            Some((function, entry))
        })
        .collect()
}

/// Whether a SQL text tells a queue that its message is done.
pub(super) fn acknowledges(text: &str, known: &Known) -> bool {
    let statements = sql::read(text).into_iter().flatten();
    statements
        .flat_map(|statement| {
            calls(&statement, known)
                .into_iter()
                .map(|(_, entry)| entry.kind)
                .collect::<Vec<_>>()
        })
        .any(|kind| kind == CallKind::Acknowledge)
}

/// What a call of a function does; nothing for a read or an acknowledgement.
pub(super) fn write(
    function: &Function,
    entry: &SqlFunctionEntry,
    binds: &Binds<'_>,
) -> Option<Write> {
    let CallKind::Effect(kind) = entry.kind else {
        return None;
    };
    let mut write = Write::of_function(kind, entry.action?, target(function, binds));
    if entry.idempotent == Idempotent::Yes {
        write.protection = Some((
            Protection::Natural,
            "the same call again changes nothing more".to_owned(),
        ));
    }
    Some(write)
}

/// What a function acts on: its first argument where that is a fixed text, else its name.
pub(super) fn target(function: &Function, binds: &Binds<'_>) -> String {
    let first = function.args.first().and_then(|value| match value {
        Value::Literal(text) => Some(text.clone()),
        Value::Placeholder(Placeholder::Position(position)) => (binds.text)(*position),
        _ => None,
    });
    first.unwrap_or_else(|| function.name.clone())
}
