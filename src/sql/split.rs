//! Where one statement ends and the next begins. It must not know what they say.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::token::Piece;

/// The pieces of each statement, without the semicolons between them.
pub(super) fn split(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let mut statements = Vec::new();
    let mut current: Vec<Piece> = Vec::new();
    let mut body = Body::default();
    for piece in pieces {
        if piece.is(&Token::SemiColon) && !body.is_open() {
            if !current.is_empty() {
                statements.push(std::mem::take(&mut current));
            }
            body = Body::default();
            continue;
        }
        body.note(current.len(), &piece);
        current.push(piece);
    }
    if !current.is_empty() {
        statements.push(current);
    }
    statements
}

/// Whether we are inside `BEGIN … END` of a trigger, function or procedure, where semicolons separate its own statements.
#[derive(Default)]
struct Body {
    creates: bool,
    routine: bool,
    depth: usize,
    after_end: bool,
}

impl Body {
    fn is_open(&self) -> bool {
        self.depth > 0
    }

    fn note(&mut self, index: usize, piece: &Piece) {
        let keyword = piece.keyword();
        if index == 0 {
            self.creates = keyword == Keyword::CREATE;
        }
        if !self.creates {
            return;
        }
        let closes_inner = std::mem::take(&mut self.after_end)
            && piece.word().is_some_and(|word| {
                ["IF", "LOOP", "WHILE", "REPEAT"]
                    .iter()
                    .any(|end| word.eq_ignore_ascii_case(end))
            });
        match keyword {
            Keyword::TRIGGER | Keyword::FUNCTION | Keyword::PROCEDURE => self.routine = true,
            Keyword::BEGIN if self.routine => self.depth += 1,
            Keyword::CASE if self.depth > 0 => self.depth += 1,
            Keyword::END => {
                self.depth = self.depth.saturating_sub(1);
                self.after_end = true;
            }
            _ if closes_inner => self.depth += 1,
            _ => {}
        }
    }
}
