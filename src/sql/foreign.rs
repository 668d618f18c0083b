//! Clauses of databases that no dialect of the parser covers, taken away before it looks. It must
//! not know the parser's tree.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::token::{Piece, keyword};

/// What the clauses taken away said about a row that is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clause {
    /// CQL's `IF NOT EXISTS`: it stays as it is.
    OnlyIfAbsent,
    /// Spanner's `INSERT OR UPDATE`, CockroachDB's `UPSERT`: it gets the new values.
    Upsert,
    /// Nothing.
    Silent,
}

/// Takes such clauses away, if there are any.
pub(super) fn drop_foreign(pieces: &mut Vec<Piece>) -> Option<Clause> {
    use Keyword as K;
    let mut found = None;
    if let Some(insert) = upsert(pieces) {
        pieces[0] = insert;
        if pieces.get(1).is_some_and(|piece| piece.keyword() == K::OR) {
            pieces.drain(1..3);
        }
        found = Some(Clause::Upsert);
    }
    let mut at = 1;
    while at < pieces.len() {
        let next = pieces.get(at + 1).map_or(K::NoKeyword, Piece::keyword);
        let calls = pieces
            .get(at + 1)
            .is_some_and(|piece| piece.is(&Token::LParen));
        let says = |at: usize, word: &str| {
            pieces
                .get(at)
                .and_then(Piece::word)
                .is_some_and(|it| it.eq_ignore_ascii_case(word))
        };
        let length = match pieces[at].keyword() {
            K::IF if next == K::NOT => 3,
            K::IF if next == K::EXISTS => 2,
            K::IF if !calls => 0,
            K::USING if says(at + 1, "TTL") || next == K::TIMESTAMP => 3,
            _ if says(at, "ALLOW") && says(at + 1, "FILTERING") => 2,
            _ => {
                at += 1;
                continue;
            }
        };
        let clause = if length == 3 && next == K::NOT {
            Clause::OnlyIfAbsent
        } else {
            Clause::Silent
        };
        found = found
            .filter(|found| *found != Clause::Silent)
            .or(Some(clause));
        if length == 0 {
            // A condition that must hold besides WHERE's.
            pieces[at] = pieces[at].with(keyword("AND"));
        } else {
            pieces.drain(at..(at + length).min(pieces.len()));
        }
    }
    found
}

/// A plain INSERT in place of the first word, if the statement overwrites what it finds.
fn upsert(pieces: &[Piece]) -> Option<Piece> {
    let first = pieces.first()?;
    let word = |at: usize| pieces.get(at).map_or(Keyword::NoKeyword, Piece::keyword);
    let spanner =
        word(0) == Keyword::INSERT && word(1) == Keyword::OR && word(2) == Keyword::UPDATE;
    let cockroach = first
        .word()
        .is_some_and(|word| word.eq_ignore_ascii_case("UPSERT"));
    (spanner || cockroach).then(|| first.with(keyword("INSERT")))
}
