//! Small repairs of a statement that was built from parts: spliced-in clauses, a missing end, and
//! clauses of databases that no dialect covers. It must not know the parser's tree.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan};

use super::token::{MISSING, Piece, keyword, plain_word};

/// What a parser said, and where.
pub(super) struct Failure {
    pub(super) message: String,
    pub(super) place: Option<Location>,
}

impl Failure {
    /// Reads the place from the message, which is the only one to tell it.
    pub(super) fn new(message: String) -> Self {
        let place = message.rsplit_once(" at Line: ").and_then(|(_, rest)| {
            let (line, column) = rest.split_once(", Column: ")?;
            let column: String = column.chars().take_while(char::is_ascii_digit).collect();
            Some(Location::new(line.parse().ok()?, column.parse().ok()?))
        });
        Self { message, place }
    }

    /// Whether the text ended too early.
    pub(super) fn is_at_end(&self) -> bool {
        self.message.contains("found: EOF")
    }
}

/// A repair that was made.
#[derive(PartialEq, Eq, Clone, Copy)]
pub(super) enum Repair {
    /// Spliced-in text was given a place in the grammar.
    Splice,
    /// Something was added at the end.
    End,
}

/// One repair at the place of the failure, if there is one to make.
pub(super) fn repair(pieces: &mut Vec<Piece>, failure: &Failure) -> Option<Repair> {
    if failure.is_at_end() {
        return complete(pieces, failure).then_some(Repair::End);
    }
    let place = failure.place?;
    let at = pieces
        .iter()
        .position(|piece| piece.token.span.start == place)?;
    if pieces[at].hole {
        if failure.message.contains("Expected: SET,") {
            let hole = pieces[at].clone();
            let [set, equal] =
                [keyword("SET"), Token::Eq].map(|token| added(&hole, token, pieces.len()));
            pieces.splice(at..=at, [set, hole.clone(), equal, hole]);
            return Some(Repair::Splice);
        }
        place_hole(pieces, at);
        return Some(Repair::Splice);
    }
    let before = at.checked_sub(1).filter(|&before| pieces[before].hole)?;
    if failure.message.contains("Expected: =,") {
        let value = pieces[before].clone();
        pieces.insert(before + 1, added(&value, Token::Eq, pieces.len()));
        pieces.insert(before + 2, value);
    } else if matches!(pieces[at].keyword(), Keyword::AND | Keyword::OR) {
        pieces.insert(
            before,
            added(&pieces[before], keyword("WHERE"), pieces.len()),
        );
    } else {
        pieces.remove(before);
    }
    Some(Repair::Splice)
}

/// A token that the text does not hold, with a place of its own so that a failure there is told from others.
fn added(beside: &Piece, token: Token, number: usize) -> Piece {
    let line = 1_000_000 + u64::try_from(number).unwrap_or_default();
    let place = Location::new(line, 1);
    Piece {
        token: TokenWithSpan::at(token, place, place),
        start: beside.end,
        end: beside.end,
        hole: false,
    }
}

/// Gives spliced-in text at a place where no word may stand what makes it legal there, or drops it.
fn place_hole(pieces: &mut Vec<Piece>, at: usize) {
    let hole = pieces[at].clone();
    let length = pieces.len();
    let solid = |token| added(&hole, token, length);
    let before = at
        .checked_sub(1)
        .map_or(Keyword::NoKeyword, |before| pieces[before].keyword());
    if matches!(before, Keyword::VALUES | Keyword::IN | Keyword::VALUE) {
        pieces.insert(at + 1, solid(Token::RParen));
        pieces.insert(at, solid(Token::LParen));
        return;
    }
    match clause(pieces, at) {
        Keyword::WHERE | Keyword::HAVING | Keyword::ON => pieces.insert(at, solid(keyword("AND"))),
        Keyword::SET => pieces.insert(at, solid(Token::Comma)),
        _ => {
            pieces.remove(at);
        }
    }
}

/// The clause that a place belongs to.
fn clause(pieces: &[Piece], at: usize) -> Keyword {
    use Keyword as K;
    let mut depth = 0usize;
    for piece in pieces[..at].iter().rev() {
        match &piece.token.token {
            Token::RParen => depth += 1,
            Token::LParen => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return K::NoKeyword,
            },
            _ => {}
        }
        let found = piece.keyword();
        let opens = matches!(
            found,
            K::SELECT
                | K::FROM
                | K::WHERE
                | K::HAVING
                | K::ON
                | K::SET
                | K::VALUES
                | K::BY
                | K::LIMIT
                | K::RETURNING
        );
        if depth == 0 && opens {
            return found;
        }
    }
    K::NoKeyword
}

/// Adds what a statement that ends too early still needs.
fn complete(pieces: &mut Vec<Piece>, failure: &Failure) -> bool {
    let Some(last) = pieces.last().cloned() else {
        return false;
    };
    let length = pieces.len();
    let end = |token| added(&last, token, length);
    let missing = Piece {
        hole: true,
        ..added(&last, plain_word(MISSING), length + 1000)
    };
    let ends_missing = last.word() == Some(MISSING);
    let open = open_parentheses(pieces);
    if open == 0 && pieces.len() > 2 && is_insert_without_source(pieces) {
        pieces.extend([
            end(keyword("VALUES")),
            end(Token::LParen),
            missing,
            end(Token::RParen),
        ]);
    } else if open == 0 && !ends_missing && failure.message.contains("Expected: SELECT") {
        pieces.extend([end(keyword("SELECT")), missing]);
    } else if ends_missing && failure.message.contains("Expected: =,") {
        pieces.extend([end(Token::Eq), missing]);
    } else if open > 0 && (ends_missing || failure.message.contains("Expected: ),")) {
        pieces.push(end(Token::RParen));
    } else if ends_missing {
        return false;
    } else {
        pieces.push(missing);
    }
    true
}

fn open_parentheses(pieces: &[Piece]) -> usize {
    let mut depth = 0usize;
    for piece in pieces {
        match piece.token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth
}

fn is_insert_without_source(pieces: &[Piece]) -> bool {
    use Keyword as K;
    let Some(insert) = pieces
        .iter()
        .position(|piece| matches!(piece.keyword(), K::INSERT | K::REPLACE))
    else {
        return false;
    };
    let sources = [
        K::VALUES,
        K::SELECT,
        K::SET,
        K::DEFAULT,
        K::WITH,
        K::TABLE,
        K::FORMAT,
    ];
    !pieces[insert..]
        .iter()
        .any(|piece| sources.contains(&piece.keyword()))
}
