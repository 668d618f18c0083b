//! Text cut into tokens with their byte ranges. It must not know what a statement is.

use sqlparser::ast::Ident;
use sqlparser::dialect::Dialect;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer, Word};

/// A token that is no white space and no comment.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) token: TokenWithSpan,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it is spliced-in text such as `{table}`.
    pub(super) hole: bool,
}

/// Text that a finished statement would still contain.
pub(super) const MISSING: &str = "{…}";

impl Piece {
    /// The keyword, if it is an unquoted one.
    pub(super) fn keyword(&self) -> Keyword {
        match &self.token.token {
            Token::Word(word) => word.keyword,
            _ => Keyword::NoKeyword,
        }
    }

    /// The text of a word, quoted or not.
    pub(super) fn word(&self) -> Option<&str> {
        match &self.token.token {
            Token::Word(word) => Some(&word.value),
            _ => None,
        }
    }

    /// Whether it is exactly this token.
    pub(super) fn is(&self, token: &Token) -> bool {
        self.token.token == *token
    }

    /// The same place with another token.
    pub(super) fn with(&self, token: Token) -> Piece {
        Piece {
            token: TokenWithSpan::new(token, self.token.span),
            ..*self
        }
    }

    /// One piece from here to the end of `last`.
    pub(super) fn up_to(&self, last: &Piece, token: Token, hole: bool) -> Piece {
        let span = self.token.span.union(&last.token.span);
        Piece {
            token: TokenWithSpan::new(token, span),
            start: self.start,
            end: last.end,
            hole,
        }
    }
}

/// An unquoted word that is no keyword, whatever it says.
pub(super) fn plain_word(value: impl Into<String>) -> Token {
    Token::Word(Word {
        value: value.into(),
        quote_style: None,
        keyword: Keyword::NoKeyword,
    })
}

/// A keyword.
pub(super) fn keyword(value: &str) -> Token {
    Token::make_keyword(value)
}

/// A quoted word.
pub(super) fn quoted_word(value: &str) -> Token {
    let ident = Ident::with_quote('"', value);
    Token::Word(Word {
        value: ident.value,
        quote_style: ident.quote_style,
        keyword: Keyword::NoKeyword,
    })
}

/// Cuts `text[from..to]`. The ranges count from the beginning of `text`; after an error the pieces before it remain.
pub(super) fn cut(
    text: &str,
    from: usize,
    to: usize,
    dialect: &dyn Dialect,
) -> (Vec<Piece>, Option<String>) {
    let part = text.get(from..to).unwrap_or_default();
    let mut tokens = Vec::with_capacity(part.len() / 4);
    let error = Tokenizer::new(dialect, part)
        .tokenize_with_location_into_buf(&mut tokens)
        .err()
        .map(|error| error.to_string());
    let mut cursor = Cursor::new(part);
    let mut pieces = Vec::with_capacity(tokens.len() / 2 + 1);
    for token in tokens {
        if matches!(token.token, Token::Whitespace(_)) {
            continue;
        }
        let start = from + cursor.seek(token.span.start);
        let end = from + cursor.seek(token.span.end);
        pieces.push(Piece {
            token,
            start,
            end,
            hole: false,
        });
    }
    (pieces, error)
}

/// Turns lines and columns, which count characters, into bytes. Linear as long as it moves forward.
struct Cursor<'t> {
    text: &'t str,
    line_starts: Vec<usize>,
    line: u64,
    column: u64,
    byte: usize,
}

impl<'t> Cursor<'t> {
    fn new(text: &'t str) -> Self {
        let mut line_starts = vec![0];
        line_starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        Self {
            text,
            line_starts,
            line: 1,
            column: 1,
            byte: 0,
        }
    }

    fn seek(&mut self, to: Location) -> usize {
        if to.line != self.line || to.column < self.column {
            let index = usize::try_from(to.line.saturating_sub(1)).unwrap_or(usize::MAX);
            let Some(&start) = self.line_starts.get(index) else {
                return self.text.len();
            };
            self.line = to.line;
            self.column = 1;
            self.byte = start;
        }
        let rest = self.text.get(self.byte..).unwrap_or_default();
        let mut chars = rest.chars();
        while self.column < to.column {
            let Some(next) = chars.next() else { break };
            self.byte += next.len_utf8();
            self.column += 1;
        }
        self.byte
    }
}
