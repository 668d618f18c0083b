//! The last resort: verb and table by keywords, for a statement that no dialect's parser accepts.
//! It must not guess: a text that does not plainly begin like a statement yields nothing.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::plain::{after, name_at};
use super::statement::{Projection, Statement, Verb};
use super::token::Piece;

/// Verb and table, if the text begins like a statement.
pub(super) fn read(pieces: &[Piece]) -> Option<Statement> {
    let begin = match pieces.first()?.keyword() {
        Keyword::WITH => body(pieces)?,
        _ => 0,
    };
    let mut statement = Statement {
        approximate: true,
        ..Statement::default()
    };
    match pieces.get(begin)?.keyword() {
        // CockroachDB's spelling.
        _ if pieces[begin]
            .word()
            .is_some_and(|word| word.eq_ignore_ascii_case("UPSERT")) =>
        {
            statement.verb = Verb::Insert;
            statement.table = Some(name_at(pieces, after(pieces, begin + 1, &[Keyword::INTO]))?);
        }
        Keyword::INSERT => {
            let into = pieces
                .iter()
                .skip(begin)
                .take(4)
                .position(|piece| piece.keyword() == Keyword::INTO)?;
            statement.verb = Verb::Insert;
            statement.table = Some(name_at(pieces, begin + into + 1)?);
            let source = [
                Keyword::VALUES,
                Keyword::SELECT,
                Keyword::DEFAULT,
                Keyword::SET,
                Keyword::WITH,
                Keyword::AS,
            ];
            follows(pieces, begin + into + 2, &source)?;
        }
        Keyword::REPLACE if pieces.get(begin + 1)?.keyword() == Keyword::INTO => {
            statement.verb = Verb::Replace;
            statement.table = Some(name_at(pieces, after(pieces, begin + 1, &[Keyword::INTO]))?);
        }
        Keyword::UPDATE => {
            let skipped = [
                Keyword::ONLY,
                Keyword::OR,
                Keyword::IGNORE,
                Keyword::REPLACE,
                Keyword::ABORT,
            ];
            statement.verb = Verb::Update;
            let name = after(pieces, begin + 1, &skipped);
            statement.table = Some(name_at(pieces, name)?);
            follows(pieces, name + 1, &[Keyword::SET])?;
        }
        Keyword::DELETE => {
            let from = pieces
                .iter()
                .skip(begin)
                .take(4)
                .position(|piece| piece.keyword() == Keyword::FROM)?;
            statement.verb = Verb::Delete;
            statement.table = Some(name_at(
                pieces,
                after(pieces, begin + from + 1, &[Keyword::ONLY]),
            )?);
        }
        Keyword::MERGE if pieces.iter().any(|piece| piece.keyword() == Keyword::USING) => {
            statement.verb = Verb::Merge;
            statement.table = Some(name_at(pieces, after(pieces, begin + 1, &[Keyword::INTO]))?);
        }
        Keyword::SELECT => {
            statement.verb = Verb::Select;
            statement.projection = Projection::Columns(Vec::new());
            let table = first_read(pieces, begin)?;
            statement.table = Some(table.clone());
            statement.reads.push(table);
        }
        Keyword::CALL => statement.verb = Verb::Call,
        _ => return None,
    }
    Some(statement)
}

/// Whether the text plainly begins like a statement, however early it ends.
pub(super) fn begins(pieces: &[Piece]) -> bool {
    let head = pieces.get(..6).unwrap_or(pieces);
    let names_cte = head
        .windows(2)
        .any(|pair| pair[0].keyword() == Keyword::AS && pair[1].is(&Token::LParen));
    let is_open = pieces
        .last()
        .is_some_and(|last| matches!(last.token.token, Token::LParen | Token::Comma));
    match head.first().map_or(Keyword::NoKeyword, Piece::keyword) {
        Keyword::WITH if names_cte => true,
        Keyword::SELECT if is_open => true,
        _ => read(pieces).is_some(),
    }
}

/// Whether within a few words one of these follows, or a parenthesis, or spliced-in text, or nothing.
fn follows(pieces: &[Piece], at: usize, expected: &[Keyword]) -> Option<()> {
    let Some(next) = pieces.get(at..).filter(|rest| !rest.is_empty()) else {
        return Some(());
    };
    let fits = |piece: &Piece| {
        matches!(piece.token.token, Token::LParen | Token::LBrace)
            || expected.contains(&piece.keyword())
    };
    next.iter().take(6).any(fits).then_some(())
}

/// The statement that follows the CTEs.
fn body(pieces: &[Piece]) -> Option<usize> {
    let verbs = [
        Keyword::INSERT,
        Keyword::UPDATE,
        Keyword::DELETE,
        Keyword::MERGE,
        Keyword::SELECT,
    ];
    let mut depth = 0usize;
    pieces.iter().position(|piece| {
        match piece.token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && verbs.contains(&piece.keyword())
    })
}

fn first_read(pieces: &[Piece], begin: usize) -> Option<String> {
    let from = pieces
        .iter()
        .skip(begin)
        .position(|piece| piece.keyword() == Keyword::FROM)?;
    name_at(pieces, after(pieces, begin + from + 1, &[Keyword::ONLY]))
}
