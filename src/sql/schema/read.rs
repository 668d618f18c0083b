//! The door: the text of migrations in, changes out.

use sqlparser::keywords::Keyword;

use super::super::split::split;
use super::super::statement::Unread;
use super::super::token::{Piece, cut};
use super::super::{parse, scan};
use super::change::Change;
use super::define::changes;
use super::model::Origin;
use super::{routine, salvage};

/// What a text defines.
#[derive(Debug, Default)]
pub struct Definitions {
    /// What it changes, in order.
    pub changes: Vec<Change>,
    /// How many statements it holds.
    pub statements: usize,
    /// Definitions that could not be read.
    pub unread: Vec<Unread>,
}

/// Reads the definitions in a text, statement by statement.
pub fn define(text: &str, source: u32) -> Definitions {
    let mut found = Definitions::default();
    let text = &without_commands(text);
    let lines = Lines::of(text);
    for statement in statements(text) {
        found.statements += 1;
        let at = |byte: usize| Origin {
            source,
            line: lines.at(byte),
        };
        match statement {
            Ok(pieces) => one(text, &pieces, &at, &mut found),
            Err(unread) => found.unread.push(unread),
        }
    }
    found
}

/// Reads one statement.
fn one(text: &str, pieces: &[Piece], at: &dyn Fn(usize) -> Origin, found: &mut Definitions) {
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
        return;
    };
    let (start, end) = (first.start, last.end);
    if let Some(body) = routine::body(pieces) {
        for (offset, inner) in routine::statements(&text[body.clone()]) {
            let start = body.start + offset;
            let (pieces, _) = cut(text, start, start + inner.len(), parse::first_dialect());
            // What a block does that is not understood is its own affair.
            let mut inside = Definitions::default();
            one(text, &pieces, at, &mut inside);
            found.changes.append(&mut inside.changes);
        }
        return;
    }
    if !defines(pieces) {
        return;
    }
    match parse::definition(text, start, end) {
        Ok(tree) => found.changes.extend(changes(&tree, at(start))),
        Err(message) => match salvage::salvage(text, pieces, at) {
            Some(mut saved) => found.changes.append(&mut saved),
            None => found.unread.push(Unread {
                start,
                end,
                message,
            }),
        },
    }
}

/// Whether a statement is about tables, indexes or types.
fn defines(pieces: &[Piece]) -> bool {
    use Keyword as K;
    let keyword = |at: usize| pieces.get(at).map_or(K::NoKeyword, Piece::keyword);
    let is_word = |at: usize, word: &str| {
        pieces
            .get(at)
            .and_then(Piece::word)
            .is_some_and(|given| given.eq_ignore_ascii_case(word))
    };
    match keyword(0) {
        K::CREATE => {
            let mut at = 1;
            while matches!(
                keyword(at),
                K::OR | K::REPLACE | K::UNIQUE | K::GLOBAL | K::LOCAL | K::UNLOGGED
            ) {
                at += 1;
            }
            let is_enum = keyword(at) == K::TYPE
                && pieces
                    .iter()
                    .take(8)
                    .any(|piece| piece.keyword() == K::ENUM);
            let is_index = keyword(at) == K::INDEX && keyword(at - 1) == K::UNIQUE;
            keyword(at) == K::TABLE || is_index || is_enum
        }
        K::ALTER => match keyword(1) {
            K::TABLE => !is_about_rights(pieces),
            K::INDEX => pieces.iter().any(|piece| piece.keyword() == K::RENAME),
            K::TYPE => {
                let mut words = 3..pieces.len().min(8);
                words.any(|at| is_word(at - 1, "ADD") && is_word(at, "VALUE"))
            }
            _ => false,
        },
        K::DROP => matches!(keyword(1), K::TABLE | K::INDEX | K::SCHEMA),
        K::RENAME => keyword(1) == K::TABLE,
        _ => false,
    }
}

/// Changes of a table that leave columns and keys alone.
fn is_about_rights(pieces: &[Piece]) -> bool {
    use Keyword as K;
    let touches = |piece: &Piece| {
        matches!(
            piece.keyword(),
            K::ADD | K::DROP | K::RENAME | K::ALTER | K::CHANGE | K::MODIFY
        )
    };
    !pieces.iter().skip(2).any(touches)
}

/// The statements of a text. Where a text cannot be cut into tokens, each statement is tried alone.
fn statements(text: &str) -> Vec<Result<Vec<Piece>, Unread>> {
    let dialects = [parse::first_dialect(), parse::escaping_dialect()];
    for dialect in dialects {
        if let (pieces, None) = cut(text, 0, text.len(), dialect) {
            return split(pieces).into_iter().map(Ok).collect();
        }
    }
    let mut found = Vec::new();
    let mut start = 0;
    for (end, _) in text.match_indices(";\n").chain([(text.len(), "")]) {
        let cuts = dialects.map(|dialect| cut(text, start, end, dialect));
        let whole = cuts.iter().find(|(_, error)| error.is_none());
        match whole {
            Some((pieces, _)) => found.extend(split(pieces.clone()).into_iter().map(Ok)),
            None => {
                let (pieces, message) = &cuts[0];
                if scan::begins(pieces) || defines(pieces) {
                    found.push(Err(Unread {
                        start,
                        end,
                        message: message.clone().unwrap_or_default(),
                    }));
                }
            }
        }
        start = (end + 1).min(text.len());
    }
    found
}

/// The text without the commands of a client, byte for byte as long: `\connect`, `DELIMITER`, and the
/// rows behind `COPY … FROM stdin`.
fn without_commands(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut in_rows = false;
    for line in text.split_inclusive('\n') {
        let begins_rows = line.starts_with("COPY ") && line.to_lowercase().contains("from stdin");
        let is_command = line.starts_with('\\') || line.trim_start().starts_with("DELIMITER");
        if in_rows || is_command || begins_rows {
            in_rows = (in_rows || begins_rows) && line.trim_end() != "\\.";
            kept.extend(
                line.bytes()
                    .map(|byte| if byte == b'\n' { '\n' } else { ' ' }),
            );
        } else {
            kept.push_str(line);
        }
    }
    kept
}

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Lines(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The line of a byte, from 1.
    fn at(&self, byte: usize) -> u32 {
        let before = self.0.partition_point(|newline| *newline < byte);
        u32::try_from(before + 1).unwrap_or(u32::MAX)
    }
}
