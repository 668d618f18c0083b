//! Definitions inside of blocks: `DO $$ … $$`, where migrations hide what they do only if it is not
//! done yet.

use std::ops::Range;

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::super::token::Piece;

/// The range of the body of a `DO` block.
pub(super) fn body(pieces: &[Piece]) -> Option<Range<usize>> {
    if pieces.first()?.keyword() != Keyword::DO {
        return None;
    }
    let body = pieces
        .iter()
        .find(|piece| matches!(piece.token.token, Token::DollarQuotedString(_)))?;
    let Token::DollarQuotedString(quoted) = &body.token.token else {
        return None;
    };
    let mark = quoted.tag.as_ref().map_or(0, String::len) + 2;
    (body.end >= body.start + 2 * mark).then(|| body.start + mark..body.end - mark)
}

/// The definitions in a body, each with where it begins. Also what is executed as a text.
pub(super) fn statements(body: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in body.split(';') {
        let upper = part.to_ascii_uppercase();
        let begin = ["CREATE ", "ALTER ", "DROP "]
            .iter()
            .filter_map(|word| find_word(&upper, word))
            .min();
        if let Some(begin) = begin {
            let is_text = upper[..begin].trim_end().ends_with('\'');
            let text = &part[begin..];
            let text = match (is_text, text.find('\'')) {
                (true, Some(end)) => &text[..end],
                _ => text,
            };
            found.push((start + begin, text));
        }
        start += part.len() + 1;
    }
    found
}

/// Where a word stands that begins a statement.
fn find_word(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = text[..*at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    })
}
