//! Binds, spliced-in text and other spellings turned into tokens that every dialect's parser accepts.
//! It must not know statements beyond their neighbouring tokens.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::bind::{Binds, custom, named, question};
use super::token::{Piece, keyword, plain_word, quoted_word};

/// The pieces of one statement, mended, and the text spliced into it.
pub(super) struct Mended {
    pub(super) pieces: Vec<Piece>,
    pub(super) holes: Vec<String>,
}

/// The longest stretch in braces that is taken for spliced-in text.
const LONGEST_HOLE: usize = 80;

/// Mends the pieces of one statement.
pub(super) fn mend(pieces: Vec<Piece>, text: &str) -> Mended {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut binds = Binds::default();
    // Where names stand in backticks, double quotes hold text.
    let backticks_name = pieces.iter().any(|piece| piece.is(&Token::Char('`')));
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        let next = pieces.get(at + 1);
        at += match &piece.token.token {
            Token::LBrace => hole(&pieces, at, text, &mut out),
            Token::Char('`') => backticks(&pieces, at, text, &mut out),
            Token::Colon | Token::AtSign => named(piece, next, &mut out),
            Token::Placeholder(mark) if mark.starts_with('?') => {
                let bind = binds.place(mark);
                out.push(piece.with(Token::Placeholder(bind)));
                1
            }
            Token::Question
            | Token::QuestionPipe
            | Token::QuestionMarkDash
            | Token::QuestionMarkDoubleVerticalBar
            | Token::QuestionMarkSharp => question(piece, next, &mut out, &mut binds),
            Token::CustomBinaryOperator(operator) => {
                custom(piece, operator, next, &mut out, &mut binds)
            }
            Token::Word(word) if backticks_name && word.quote_style == Some('"') => {
                out.push(piece.with(Token::SingleQuotedString(word.value.clone())));
                1
            }
            Token::Word(_) if softens_lock(piece, next, &out) => 1,
            Token::Word(_) if ends_bare_select(piece, next, &out) => {
                // `SELECT $1 ON CONFLICT`: without a clause between, `ON` is read as an alias.
                out.extend([keyword("WHERE"), keyword("TRUE")].map(|token| piece.with(token)));
                out.push(piece.clone());
                1
            }
            Token::Word(_) if locks_in_share_mode(&pieces[at..]) => {
                out.extend([piece.with(keyword("FOR")), piece.with(keyword("SHARE"))]);
                4
            }
            Token::Word(_) | Token::Number(..) => {
                if !join_hole(piece, text, &mut out) {
                    out.push(piece.clone());
                }
                1
            }
            Token::LParen if follows_conflict(&out) => conflict_target(&pieces, at, text, &mut out),
            _ => {
                out.push(piece.clone());
                1
            }
        };
    }
    let holes = out
        .iter()
        .filter(|piece| piece.hole)
        .map(|piece| slice(text, piece).to_owned())
        .collect();
    Mended { pieces: out, holes }
}

/// Whether a word is the `ON` of a conflict clause behind a `SELECT` that has no clause.
fn ends_bare_select(piece: &Piece, next: Option<&Piece>, out: &[Piece]) -> bool {
    use Keyword as K;
    if piece.keyword() != K::ON || next.is_none_or(|next| next.keyword() != K::CONFLICT) {
        return false;
    }
    let mut depth = 0usize;
    for before in out.iter().rev() {
        match &before.token.token {
            Token::RParen => depth += 1,
            Token::LParen => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return false,
            },
            _ if depth > 0 => {}
            _ => match before.keyword() {
                K::SELECT => return true,
                K::FROM | K::WHERE | K::VALUES | K::GROUP | K::ORDER | K::LIMIT => return false,
                _ => {}
            },
        }
    }
    false
}

fn slice<'t>(text: &'t str, piece: &Piece) -> &'t str {
    text.get(piece.start..piece.end).unwrap_or_default()
}

/// `{name}`, `{}`, `{0:?}` and the word it may be part of; how many pieces it took.
fn hole(pieces: &[Piece], at: usize, text: &str, out: &mut Vec<Piece>) -> usize {
    let open = &pieces[at];
    let mut end = open.end;
    for (index, piece) in pieces.iter().enumerate().skip(at + 1) {
        let inside = piece.start == end
            && piece.end - open.start <= LONGEST_HOLE
            && !matches!(
                piece.token.token,
                Token::SingleQuotedString(_) | Token::LBrace
            );
        if !inside {
            break;
        }
        end = piece.end;
        if piece.is(&Token::RBrace) {
            let joined = open.up_to(
                piece,
                plain_word(text.get(open.start..end).unwrap_or_default()),
                true,
            );
            if !join_before(&joined, text, out) {
                out.push(joined);
            }
            return index + 1 - at;
        }
    }
    out.push(open.clone());
    1
}

/// Joins spliced-in text to what touches it on the left: `tmp_{n}`, `${n}`, `:{name}`.
fn join_before(hole: &Piece, text: &str, out: &mut Vec<Piece>) -> bool {
    let Some(before) = out.last().filter(|before| before.end == hole.start) else {
        return false;
    };
    let whole = text.get(before.start..hole.end).unwrap_or_default();
    let joined = match &before.token.token {
        Token::Word(word) if word.quote_style.is_none() => {
            before.up_to(hole, plain_word(whole), true)
        }
        Token::Placeholder(_) | Token::Colon | Token::AtSign | Token::Question => {
            before.up_to(hole, Token::Placeholder(whole.to_owned()), false)
        }
        _ => return false,
    };
    out.pop();
    out.push(joined);
    true
}

/// Joins a word or number to spliced-in text that it touches: `{prefix}_jobs`.
fn join_hole(piece: &Piece, text: &str, out: &mut Vec<Piece>) -> bool {
    let Some(before) = out
        .last()
        .filter(|before| before.hole && before.end == piece.start)
    else {
        return false;
    };
    let whole = text.get(before.start..piece.end).unwrap_or_default();
    let joined = before.up_to(piece, plain_word(whole), true);
    out.pop();
    out.push(joined);
    true
}

/// A name in backticks, which the first dialect does not know.
fn backticks(pieces: &[Piece], at: usize, text: &str, out: &mut Vec<Piece>) -> usize {
    let open = &pieces[at];
    let close = pieces
        .iter()
        .skip(at + 1)
        .take(40)
        .position(|piece| piece.is(&Token::Char('`')));
    let Some(length) = close else {
        out.push(open.clone());
        return 1;
    };
    let last = &pieces[at + 1 + length];
    let name = text.get(open.end..last.start).unwrap_or_default();
    out.push(open.up_to(last, quoted_word(name), false));
    length + 2
}

/// `NO KEY` and `KEY` of `FOR NO KEY UPDATE` and `FOR KEY SHARE`, which the parser does not know.
fn softens_lock(piece: &Piece, next: Option<&Piece>, out: &[Piece]) -> bool {
    let locks = out
        .last()
        .is_some_and(|before| before.keyword() == Keyword::FOR);
    let next = next.map_or(Keyword::NoKeyword, Piece::keyword);
    let word = piece.keyword();
    locks
        && ((word == Keyword::NO && next == Keyword::KEY)
            || (word == Keyword::KEY && matches!(next, Keyword::UPDATE | Keyword::SHARE)))
}

/// MySQL's older spelling of `FOR SHARE`.
fn locks_in_share_mode(rest: &[Piece]) -> bool {
    let words = ["LOCK", "IN", "SHARE", "MODE"];
    let spelled = |(piece, word): (&Piece, &str)| {
        piece.word().is_some_and(|it| it.eq_ignore_ascii_case(word))
    };
    rest.len() >= words.len() && rest.iter().zip(words).all(spelled)
}

fn follows_conflict(out: &[Piece]) -> bool {
    matches!(out, [.., on, conflict] if on.keyword() == Keyword::ON && conflict.keyword() == Keyword::CONFLICT)
}

/// `ON CONFLICT (lower(email), tenant)`: the parser accepts names only, so an expression becomes one.
fn conflict_target(pieces: &[Piece], at: usize, text: &str, out: &mut Vec<Piece>) -> usize {
    let mut depth = 0usize;
    let mut element: Vec<&Piece> = Vec::new();
    for (index, piece) in pieces.iter().enumerate().skip(at) {
        match piece.token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        let closes = depth == 0;
        let separates = closes || index == at || (depth == 1 && piece.is(&Token::Comma));
        if !separates {
            element.push(piece);
            continue;
        }
        match element.as_slice() {
            [] => {}
            [only] => out.push((*only).clone()),
            [first, .., last] => {
                let written = text.get(first.start..last.end).unwrap_or_default();
                let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
                let hole = first.is(&Token::LBrace) && last.is(&Token::RBrace);
                out.push(first.up_to(last, plain_word(written), hole));
            }
        }
        element.clear();
        out.push(piece.clone());
        if closes {
            return index + 1 - at;
        }
    }
    // An unclosed list: leave the rest as it is.
    out.extend(element.into_iter().cloned());
    pieces.len() - at
}
