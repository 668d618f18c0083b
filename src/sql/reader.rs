//! The door: text in, statements out. It must not know the parser's tree.

use super::name::same_table;
use super::split::split;
use super::statement::{Statement, Unread, Verb};
use super::token::{Piece, cut};
use super::{lower, parse, plain, scan};

/// Reads SQL text statement by statement; one unreadable statement costs one `Err`, the others are still read.
pub fn read(text: &str) -> Vec<Result<Statement, Unread>> {
    let (pieces, error) = cut(text, 0, text.len(), parse::first_dialect());
    let (pieces, error) = match error {
        // A string that the first dialect finds unterminated may end in one with backslash escapes.
        Some(message) => match cut(text, 0, text.len(), parse::escaping_dialect()) {
            (pieces, None) => (pieces, None),
            _ => (pieces, Some(message)),
        },
        None => (pieces, None),
    };
    let mut results: Vec<_> = Vec::new();
    let statements = split(pieces);
    let last = statements.len();
    for (index, pieces) in statements.into_iter().enumerate() {
        let broken = error.as_deref().filter(|_| index + 1 == last);
        results.push(read_one(text, pieces, broken));
    }
    if let (Some(message), 0) = (error, last) {
        results.push(Err(Unread {
            start: 0,
            end: text.len(),
            message,
        }));
    }
    mark_temporary(&mut results);
    results
}

/// One statement; `broken` says why its text could not be cut to the end.
fn read_one(text: &str, pieces: Vec<Piece>, broken: Option<&str>) -> Result<Statement, Unread> {
    let start = pieces.first().map_or(0, |piece| piece.start);
    let end = if broken.is_some() {
        text.len()
    } else {
        pieces.last().map_or(0, |piece| piece.end)
    };
    let located = |mut statement: Statement| {
        locate(&mut statement, start, end);
        statement
    };
    if let Some(statement) = plain::read(&pieces, text) {
        return Ok(located(statement));
    }
    let failure = match broken {
        Some(message) => message.to_owned(),
        None => match parse::parse(text, start, end, pieces) {
            Ok(parsed) => return Ok(located(lower::lower(parsed))),
            Err(message) => message,
        },
    };
    let (pieces, _) = cut(text, start, end, parse::first_dialect());
    scan::read(&pieces).map(located).ok_or(Unread {
        start,
        end,
        message: failure,
    })
}

fn locate(statement: &mut Statement, start: usize, end: usize) {
    statement.start = start;
    statement.end = end;
    for nested in &mut statement.nested {
        locate(nested, start, end);
    }
}

/// Writes to a table that an earlier statement of the same text created for the session.
fn mark_temporary(results: &mut [Result<Statement, Unread>]) {
    let mut tables: Vec<String> = Vec::new();
    for statement in results.iter_mut().flatten() {
        if statement.verb == Verb::Ddl {
            tables.extend(statement.table.clone().filter(|_| statement.temporary));
        } else if !tables.is_empty() {
            mark(statement, &tables);
        }
    }
}

fn mark(statement: &mut Statement, tables: &[String]) {
    let known = |table: &String| tables.iter().any(|temporary| same_table(temporary, table));
    statement.temporary |=
        statement.verb != Verb::Select && statement.table.as_ref().is_some_and(known);
    for nested in &mut statement.nested {
        mark(nested, tables);
    }
}
