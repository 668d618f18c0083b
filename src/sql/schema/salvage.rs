//! What can be saved of a definition that no parser accepts as a whole: its parts, one by one.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::super::parse;
use super::super::plain::{after, name_at};
use super::super::token::Piece;
use super::change::Change;
use super::define::changes;
use super::model::Origin;

/// The changes of a definition's parts; none where its head is not understood.
pub(super) fn salvage(
    text: &str,
    pieces: &[Piece],
    at: &dyn Fn(usize) -> Origin,
) -> Option<Vec<Change>> {
    match (pieces.first()?.keyword(), pieces.get(1)?.keyword()) {
        (Keyword::CREATE, _) if is_index(pieces) => index(text, pieces, at),
        (Keyword::CREATE, _) => table(text, pieces, at),
        (Keyword::ALTER, Keyword::TABLE) => alter(text, pieces, at),
        (Keyword::DROP, Keyword::INDEX) => {
            let skipped = [Keyword::CONCURRENTLY, Keyword::IF, Keyword::EXISTS];
            let name = name_at(pieces, after(pieces, 2, &skipped))?;
            Some(vec![Change::DropIndex(name)])
        }
        _ => None,
    }
}

fn is_index(pieces: &[Piece]) -> bool {
    let head = pieces.iter().take(3);
    head.into_iter()
        .any(|piece| piece.keyword() == Keyword::INDEX)
}

/// A table by its elements; those that are not understood leave it partial.
fn table(text: &str, pieces: &[Piece], at: &dyn Fn(usize) -> Origin) -> Option<Vec<Change>> {
    let open = position(pieces, 0, &Token::LParen)?;
    let close = closing(pieces, open)?;
    let head = &text[pieces.first()?.start..pieces[open].start];
    let mut whole: Option<Change> = None;
    let mut is_partial = false;
    for parts in elements(&pieces[open + 1..close]) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            continue;
        };
        // `LIKE other INCLUDING ALL`: what is included makes no difference here.
        let element = match name_at(parts, 1) {
            Some(other) if first.keyword() == Keyword::LIKE => format!("LIKE {other}"),
            _ => text[first.start..last.end].to_owned(),
        };
        let made = one(&format!("{head} ({element})"), at(first.start));
        match (made.map(|mut changes| changes.pop()), &mut whole) {
            (
                Some(Some(Change::Create { table: part, .. })),
                Some(Change::Create { table, .. }),
            ) => {
                table.columns.extend(part.columns);
                table.uniques.extend(part.uniques);
            }
            (Some(Some(first)), whole @ None) => *whole = Some(first),
            // Only a key or a column that says UNIQUE is a loss.
            _ => is_partial |= says_key(parts),
        }
    }
    let mut whole = whole?;
    if let Change::Create { table, .. } = &mut whole {
        table.is_partial |= is_partial;
        table.origin = at(pieces.first()?.start);
    }
    Some(vec![whole])
}

/// An index without what stands behind its columns, but for its predicate.
fn index(text: &str, pieces: &[Piece], at: &dyn Fn(usize) -> Origin) -> Option<Vec<Change>> {
    let open = position(pieces, 0, &Token::LParen)?;
    let close = closing(pieces, open)?;
    let start = pieces.first()?.start;
    let head = &text[start..pieces[close].end];
    let condition = pieces[close..]
        .iter()
        .find(|piece| piece.keyword() == Keyword::WHERE)
        .map_or("", |piece| {
            &text[piece.start..pieces.last().map_or(piece.end, |last| last.end)]
        });
    one(&format!("{head} {condition}"), at(start))
}

/// A change of a table by its steps.
fn alter(text: &str, pieces: &[Piece], at: &dyn Fn(usize) -> Origin) -> Option<Vec<Change>> {
    let first_step = pieces.iter().skip(2).position(|piece| {
        use Keyword as K;
        matches!(
            piece.keyword(),
            K::ADD | K::DROP | K::RENAME | K::ALTER | K::CHANGE | K::MODIFY
        )
    })? + 2;
    let head = &text[pieces.first()?.start..pieces[first_step].start];
    let mut found = Vec::new();
    for step in elements(&pieces[first_step..]) {
        let (Some(first), Some(last)) = (step.first(), step.last()) else {
            continue;
        };
        let statement = format!("{head} {}", &text[first.start..last.end]);
        match one(&statement, at(first.start)) {
            Some(mut changes) => found.append(&mut changes),
            None if says_key(step) => return None,
            None => {}
        }
    }
    Some(found)
}

/// The changes of one statement put together anew.
fn one(statement: &str, origin: Origin) -> Option<Vec<Change>> {
    let tree = parse::definition(statement, 0, statement.len()).ok()?;
    // It is one line of the source, whatever it was put together from.
    Some(changes(&tree, origin))
}

fn says_key(pieces: &[Piece]) -> bool {
    pieces
        .iter()
        .any(|piece| matches!(piece.keyword(), Keyword::UNIQUE | Keyword::PRIMARY))
}

fn position(pieces: &[Piece], from: usize, token: &Token) -> Option<usize> {
    let rest = pieces.get(from..)?;
    rest.iter()
        .position(|piece| piece.is(token))
        .map(|at| at + from)
}

/// The closing bracket of one that opens.
fn closing(pieces: &[Piece], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, piece) in pieces.iter().enumerate().skip(open) {
        match piece.token.token {
            Token::LParen => depth += 1,
            Token::RParen => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts between the commas of the outermost level.
fn elements(pieces: &[Piece]) -> Vec<&[Piece]> {
    let mut depth = 0usize;
    pieces
        .split(|piece| {
            match piece.token.token {
                Token::LParen => depth += 1,
                Token::RParen => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && piece.is(&Token::Comma)
        })
        .collect()
}
