//! Binds in all their spellings as one kind of token. It must not know statements beyond the
//! neighbouring tokens.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::token::Piece;

/// Numbers the binds of a statement.
#[derive(Default)]
pub(super) struct Binds {
    highest: usize,
}

impl Binds {
    /// The mark with its number.
    pub(super) fn place(&mut self, mark: &str) -> String {
        let number = mark
            .trim_start_matches('?')
            .parse::<usize>()
            .unwrap_or(self.highest.saturating_add(1));
        self.highest = self.highest.max(number);
        format!("?{number}")
    }
}

/// `:name`, `@name`, `:1`.
pub(super) fn named(piece: &Piece, next: Option<&Piece>, out: &mut Vec<Piece>) -> usize {
    let touches_left = out
        .last()
        .is_some_and(|before| before.end == piece.start && is_operand(before));
    let in_slice = piece.is(&Token::Colon)
        && out.last().is_some_and(|before| before.is(&Token::LBracket))
        && out
            .iter()
            .rev()
            .nth(1)
            .is_none_or(|before| before.keyword() != Keyword::ARRAY);
    let name = next.filter(|next| next.start == piece.end && !touches_left && !in_slice);
    let Some(next) = name else {
        out.push(piece.clone());
        return 1;
    };
    let mark = if piece.is(&Token::Colon) { ':' } else { '@' };
    let bind = match &next.token.token {
        Token::Word(word) if word.quote_style.is_none() => format!("{mark}{}", word.value),
        Token::Number(number, _) => format!("{mark}{number}"),
        _ => {
            out.push(piece.clone());
            return 1;
        }
    };
    out.push(piece.up_to(next, Token::Placeholder(bind), false));
    2
}

/// `?` as a bind, unless it stands between two operands, where it is a JSON operator.
pub(super) fn question(
    piece: &Piece,
    next: Option<&Piece>,
    out: &mut Vec<Piece>,
    binds: &mut Binds,
) -> usize {
    let between = out.last().is_some_and(is_operand) && next.is_some_and(begins_operand);
    if between {
        out.push(piece.clone());
        return 1;
    }
    let number = next
        .filter(|next| next.start == piece.end)
        .and_then(|next| match &next.token.token {
            Token::Number(number, _) => Some((next, number)),
            _ => None,
        });
    if let (Token::Question, Some((next, number))) = (&piece.token.token, number) {
        let bind = binds.place(&format!("?{number}"));
        out.push(piece.up_to(next, Token::Placeholder(bind), false));
        return 2;
    }
    out.push(piece.with(Token::Placeholder(binds.place("?"))));
    match &piece.token.token {
        Token::QuestionPipe => out.push(piece.with(Token::Pipe)),
        Token::QuestionMarkDash => out.push(piece.with(Token::Minus)),
        Token::QuestionMarkDoubleVerticalBar => out.push(piece.with(Token::StringConcat)),
        Token::QuestionMarkSharp => out.push(piece.with(Token::Sharp)),
        _ => {}
    }
    1
}

/// `>=?`, `=@name`: an operator that swallowed the mark of a bind.
pub(super) fn custom(
    piece: &Piece,
    operator: &str,
    next: Option<&Piece>,
    out: &mut Vec<Piece>,
    binds: &mut Binds,
) -> usize {
    let base = operator
        .strip_suffix(['?', '@'])
        .and_then(|base| match base {
            "=" => Some(Token::Eq),
            "<" => Some(Token::Lt),
            ">" => Some(Token::Gt),
            "<=" => Some(Token::LtEq),
            ">=" => Some(Token::GtEq),
            "<>" | "!=" => Some(Token::Neq),
            "+" => Some(Token::Plus),
            "-" => Some(Token::Minus),
            "*" => Some(Token::Mul),
            "/" => Some(Token::Div),
            "||" => Some(Token::StringConcat),
            _ => None,
        });
    let Some(base) = base else {
        out.push(piece.clone());
        return 1;
    };
    out.push(piece.with(base));
    let mark = Piece {
        start: piece.end - 1,
        ..piece.clone()
    };
    if operator.ends_with('?') {
        question(&mark.with(Token::Question), next, out, binds)
    } else {
        named(&mark.with(Token::AtSign), next, out)
    }
}

/// Whether an operator may follow.
fn is_operand(piece: &Piece) -> bool {
    match &piece.token.token {
        Token::Word(word) => word.quote_style.is_some() || !is_clause_word(word.keyword),
        Token::RParen
        | Token::RBracket
        | Token::RBrace
        | Token::Number(..)
        | Token::Placeholder(_) => true,
        Token::SingleQuotedString(_)
        | Token::EscapedStringLiteral(_)
        | Token::DoubleQuotedString(_) => true,
        _ => false,
    }
}

/// Whether an operand begins here.
fn begins_operand(piece: &Piece) -> bool {
    match &piece.token.token {
        Token::Word(word) => {
            word.quote_style.is_some()
                || matches!(word.keyword, Keyword::NoKeyword | Keyword::ARRAY)
        }
        Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_) | Token::Placeholder(_) => {
            true
        }
        Token::Question | Token::LParen | Token::LBrace => true,
        _ => false,
    }
}

/// Keywords after which a value begins.
fn is_clause_word(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(
        keyword,
        K::SELECT
            | K::DISTINCT
            | K::ALL
            | K::WHERE
            | K::AND
            | K::OR
            | K::NOT
            | K::ON
            | K::HAVING
            | K::BY
            | K::LIMIT
            | K::OFFSET
            | K::FETCH
            | K::TOP
            | K::BETWEEN
            | K::LIKE
            | K::ILIKE
            | K::REGEXP
            | K::GLOB
            | K::IN
            | K::ANY
            | K::IS
            | K::SET
            | K::VALUES
            | K::WHEN
            | K::THEN
            | K::ELSE
            | K::CASE
            | K::RETURNING
            | K::INTERVAL
            | K::FROM
            | K::FOR
            | K::ESCAPE
            | K::AS
            | K::MATCH
            | K::TIMESTAMP
            | K::USING
    )
}
