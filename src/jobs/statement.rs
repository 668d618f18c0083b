//! SQL statements as effects.

use std::sync::Arc;

use retrysafe_rules::catalog::{Classify, EffectEntry, Part};
use retrysafe_rules::vocabulary::{Action, EffectKind, Protection};

use crate::resolve::Known;
use crate::sql::{self, FunctionClass, Statement, Value as SqlValue, Verb};
use crate::timeline::{Bound, Unfolding, Value};

use super::database;
use super::part::Operation;
use super::text::fixed;
use super::texts::Texts;
use super::write::{Binds, Write};

/// What a SQL text does.
pub(super) struct Read {
    pub(super) writes: Vec<Write>,
    pub(super) unread: Vec<String>,
}

/// Columns that only say when a row was last touched.
pub(super) const AUDIT: &[&str] = &[
    "updated_at",
    "modified_at",
    "last_seen_at",
    "heartbeat",
    "heartbeat_at",
    "changed_at",
    "last_modified",
    "last_active_at",
    "last_updated",
    "last_updated_at",
    "updated",
    "modified",
];

/// The SQL text of an operation.
pub(super) fn text_of(
    unfolding: &Unfolding<'_>,
    texts: Texts<'_>,
    operation: &Operation,
    entry: &EffectEntry,
) -> Option<String> {
    let subject = entry.subject.clone().unwrap_or(Part::Arg(0, None));
    match entry.classify {
        Some(Classify::SqlPieces) => pieces(unfolding, operation),
        Some(Classify::SqlFile) => {
            let path = fixed(unfolding, &operation.part(unfolding, &subject)?)?;
            texts.read(unfolding, operation.root_env, &path, true)
        }
        _ => {
            let bound = operation.part(unfolding, &subject)?;
            sql_text(unfolding, texts, &bound, 6)
        }
    }
}

/// A text, a text kept in a file, or a statement made of one.
fn sql_text(
    unfolding: &Unfolding<'_>,
    texts: Texts<'_>,
    bound: &Bound,
    depth: u32,
) -> Option<String> {
    let head = unfolding.head(bound);
    if let Value::Apply(apply) = &*head.value {
        let at = |value: &crate::timeline::V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        if apply.is_macro && apply.name == "include_str" {
            let path = fixed(unfolding, &at(apply.args.first()?))?;
            return texts.read(unfolding, head.env, &path, false);
        }
        if let Some(text) = fixed(unfolding, &head) {
            return Some(text);
        }
        if depth > 0 {
            // A prepared or wrapped statement: the text is among what it was made of.
            return apply
                .args
                .iter()
                .chain(&apply.receiver)
                .find_map(|value| sql_text(unfolding, texts, &at(value), depth - 1));
        }
        return None;
    }
    fixed(unfolding, &head)
}

/// A statement put together by a query builder, in order.
fn pieces(unfolding: &Unfolding<'_>, operation: &Operation) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    operation.search(unfolding, &mut |apply, env| {
        let text = |index: usize| {
            apply.args.get(index).and_then(|arg| {
                fixed(
                    unfolding,
                    &Bound {
                        value: Arc::clone(arg),
                        env,
                    },
                )
            })
        };
        match apply.name.as_str() {
            "push" | "new" | "with_arguments" | "push_unseparated" => found.extend(text(0)),
            "push_bind" => found.push("{}".to_owned()),
            "push_values" | "push_tuples" => found.push(" VALUES ({}) ".to_owned()),
            _ => {}
        }
        false
    });
    found.reverse();
    let text = found.join(" ");
    (!text.trim().is_empty()).then_some(text)
}

/// The values bound to a statement, in the order of their positions.
pub(super) fn binds_of(
    unfolding: &Unfolding<'_>,
    operation: &Operation,
    entry: &EffectEntry,
) -> Vec<Bound> {
    let at_root = |value: &crate::timeline::V| Bound {
        value: Arc::clone(value),
        env: operation.root_env,
    };
    if operation.root.is_macro {
        let first = match &entry.subject {
            Some(Part::Arg(index, _)) => index + 1,
            _ => 1,
        };
        return operation
            .root
            .args
            .iter()
            .skip(first)
            .map(at_root)
            .collect();
    }
    let mut binds = Vec::new();
    // Only its own: a value that is bound may come out of a query with binds of its own.
    operation.chain(unfolding, &|_| false, &mut |apply, env| {
        if matches!(apply.name.as_str(), "bind" | "push_bind") {
            binds.extend(apply.args.first().map(|arg| Bound {
                value: Arc::clone(arg),
                env,
            }));
        }
    });
    // The chain is walked from its end.
    binds.reverse();
    if binds.is_empty() && entry.classify == Some(Classify::SqlStatement) {
        binds = binds_of_statement(unfolding, operation, entry).unwrap_or_default();
    }
    if binds.is_empty()
        && let Some(params) = operation.root.args.get(1)
        && let Value::Array(elems) | Value::Tuple(elems) = &*unfolding.head(&at_root(params)).value
    {
        binds.extend(elems.iter().map(at_root));
    }
    binds
}

/// The values that a statement was made with: `Statement::from_sql_and_values(backend, text, values)`.
fn binds_of_statement(
    unfolding: &Unfolding<'_>,
    operation: &Operation,
    entry: &EffectEntry,
) -> Option<Vec<Bound>> {
    let subject = entry.subject.clone().unwrap_or(Part::Arg(0, None));
    let made = unfolding.head(&operation.part(unfolding, &subject)?);
    let Value::Apply(apply) = &*made.value else {
        return None;
    };
    let lists = apply.args.iter().map(|arg| {
        unfolding.head(&Bound {
            value: Arc::clone(arg),
            env: made.env,
        })
    });
    lists.into_iter().find_map(|list| match &*list.value {
        Value::Array(elems) | Value::Tuple(elems) => Some(
            elems
                .iter()
                .map(|value| Bound {
                    value: Arc::clone(value),
                    env: list.env,
                })
                .collect(),
        ),
        _ => None,
    })
}

/// The statements of a SQL text that an operation runs.
pub(super) fn statements(text: &str, entry: &EffectEntry) -> Vec<Result<Statement, sql::Unread>> {
    let mut statements = sql::read(text);
    let inserts = statements.iter_mut().flatten();
    let inserts = inserts.filter(|found| found.verb == Verb::Insert && found.conflict.is_none());
    if entry.overwrites {
        inserts.for_each(|insert| insert.conflict = Some(OVERWRITE));
    }
    statements
}

/// What is there of the same key is overwritten.
const OVERWRITE: sql::Conflict = sql::Conflict {
    target: sql::ConflictTarget::Any,
    action: sql::ConflictAction::Replace,
};

/// Reads a SQL text that an operation runs.
pub(super) fn read(text: &str, entry: &EffectEntry, known: &Known, binds: &Binds<'_>) -> Read {
    let mut read = Read {
        writes: Vec::new(),
        unread: Vec::new(),
    };
    for outcome in statements(text, entry) {
        match outcome {
            Ok(statement) => {
                let calls = database::calls(&statement, known);
                // A procedure that the catalogue knows is not one of which nothing is known.
                let is_told = statement.verb == Verb::Call && !calls.is_empty();
                if !is_told {
                    let all = statement.written();
                    for written in &all {
                        let write = write_of(written, binds);
                        read.writes.extend(
                            write.map(|write| fenced(write, written, &all, &statement.reads)),
                        );
                    }
                }
                let calls = calls.into_iter();
                read.writes.extend(
                    calls.filter_map(|(function, entry)| database::write(function, entry, binds)),
                );
            }
            Err(unread) => read
                .unread
                .push(format!("SQL that is not understood: {}", unread.message)),
        }
    }
    read
}

fn write_of(statement: &Statement, binds: &Binds<'_>) -> Option<Write> {
    if statement.is_temporary() {
        return None;
    }
    let table = statement.table.clone().unwrap_or_else(|| "?".to_owned());
    let relative = statement.is_relative();
    let (action, protection) = match statement.verb {
        Verb::Insert if statement.conflict.is_some() => {
            let action = if relative {
                Action::Relative
            } else {
                Action::Upsert
            };
            let replaces =
                |conflict: &sql::Conflict| conflict.action == sql::ConflictAction::Replace;
            let evidence = match statement.conflict.as_ref().is_some_and(replaces) {
                true => "replaces by key",
                false => "names its conflict",
            };
            let protection = (!relative).then(|| (Protection::Upsert, evidence.to_owned()));
            (action, protection)
        }
        Verb::Insert => (Action::Create, not_exists(statement)),
        Verb::Copy => (Action::Append, None),
        Verb::Replace | Verb::Merge => (
            Action::Upsert,
            Some((Protection::Upsert, "replaces by key".to_owned())),
        ),
        Verb::Update => update(statement, relative, binds),
        Verb::Delete | Verb::Truncate => (
            Action::Delete,
            Some((
                Protection::Natural,
                "deleting twice changes nothing".to_owned(),
            )),
        ),
        Verb::Notify => return Some(signal(table)),
        Verb::Call => (Action::Call, None),
        _ => {
            return statement
                .functions
                .iter()
                .find(|function| function.writes())
                .map(|function| function_of(function, binds));
        }
    };
    Some(Write {
        kind: EffectKind::DbWrite,
        action,
        table,
        columns: columns_of(statement),
        protection,
        statement: Some(statement.clone()),
    })
}

/// A change by what was, where the same statement moves on what it is taken from: the second time there
/// is nothing left to take.
fn fenced(mut write: Write, statement: &Statement, all: &[&Statement], reads: &[String]) -> Write {
    let moves_on = |other: &&&Statement| {
        matches!(other.verb, Verb::Update | Verb::Delete)
            && other.table != statement.table
            && other
                .table
                .as_ref()
                .is_some_and(|table| reads.contains(table))
    };
    if write.action == Action::Relative
        && write.protection.is_none()
        && let Some(source) = all.iter().find(moves_on)
    {
        let source = source.table.as_deref().unwrap_or("?");
        let why = format!("takes what it adds out of `{source}` in the same statement");
        write.protection = Some((Protection::Conditional, why));
    }
    write
}

/// The columns that a statement sets, those of its conflict clause included.
fn columns_of(statement: &Statement) -> Vec<String> {
    let on_conflict = statement
        .conflict
        .iter()
        .flat_map(|conflict| match &conflict.action {
            sql::ConflictAction::Update { set, .. } => set.as_slice(),
            _ => &[],
        });
    let set = statement.set.iter().chain(on_conflict);
    set.map(|assignment| assignment.column.clone()).collect()
}

fn not_exists(statement: &Statement) -> Option<(Protection, String)> {
    // A racy guard: what the schema says of it is told elsewhere.
    let tested = statement
        .filter
        .iter()
        .any(|condition| condition.test == sql::Test::NotExists);
    tested.then(|| {
        (
            Protection::Unknown,
            "inserted only where no row exists".to_owned(),
        )
    })
}

/// What an update that is repeated does, by its statement.
pub(super) fn update(
    statement: &Statement,
    relative: bool,
    binds: &Binds<'_>,
) -> (Action, Option<(Protection, String)>) {
    if let Some(column) = statement.is_conditional() {
        let action = if relative {
            Action::Relative
        } else {
            Action::Update
        };
        return (
            action,
            Some((
                Protection::Conditional,
                format!("only while `{column}` is as it was"),
            )),
        );
    }
    if relative {
        return (Action::Relative, None);
    }
    let varies = statement
        .set
        .iter()
        .filter(|assignment| !AUDIT.contains(&assignment.column.as_str()))
        .find_map(|assignment| Some((&assignment.column, varying(&assignment.value, binds)?)));
    match varies {
        Some((column, why)) => (
            Action::Update,
            Some((
                Protection::None,
                format!("`{column}` is set anew on every attempt: it is {why}"),
            )),
        ),
        None => (
            Action::Update,
            Some((Protection::Natural, "sets the same values again".to_owned())),
        ),
    }
}

/// Why an upsert does not find on the second attempt what the first one made.
pub(super) fn elusive(statement: &Statement, binds: &Binds<'_>) -> Option<(Protection, String)> {
    let mut filter = statement.filter.iter();
    filter.find_map(|condition| {
        let column = condition.column.as_ref()?;
        let why = varying(&condition.value, binds).filter(|_| condition.test == sql::Test::Eq)?;
        let why = format!("it looks for what is there by `{column}`, which is {why}");
        Some((Protection::None, why))
    })
}

/// Why a value differs between attempts.
fn varying(value: &SqlValue, binds: &Binds<'_>) -> Option<&'static str> {
    if value.any(&|part| matches!(part, SqlValue::Clock)) {
        return Some("a clock reading");
    }
    if value.any(&|part| matches!(part, SqlValue::Random)) {
        return Some("random");
    }
    value
        .placeholders()
        .into_iter()
        .find_map(|placeholder| match placeholder {
            sql::Placeholder::Position(position) => (binds.unstable)(*position),
            sql::Placeholder::Named(_) => None,
        })
}

fn function_of(function: &sql::Function, binds: &Binds<'_>) -> Write {
    let target = database::target(function, binds);
    match function.class {
        FunctionClass::Notify => signal(target),
        _ => Write::of_function(EffectKind::DbWrite, Action::Relative, target),
    }
}

/// A signal to other sessions: nobody keeps it, and who hears it reads what there is.
fn signal(channel: String) -> Write {
    let mut write = Write::of_function(EffectKind::Publish, Action::Send, channel);
    write.protection = Some((
        Protection::Natural,
        "a signal that nobody keeps: hearing it twice changes nothing".to_owned(),
    ));
    write
}
