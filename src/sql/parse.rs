//! Pieces to a parser's tree: one dialect after the other, then repairs. It must not know the model.

use sqlparser::ast;
use sqlparser::dialect::{
    BigQueryDialect, ClickHouseDialect, Dialect, GenericDialect, MySqlDialect, PostgreSqlDialect,
    SQLiteDialect,
};
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;

use super::foreign::{Clause, drop_foreign};
use super::mend::{Mended, mend};
use super::repair::{Failure, Repair, repair};
use super::scan;
use super::token::{Piece, cut};

/// The tree of one statement.
pub(super) struct Parsed {
    pub(super) tree: ast::Statement,
    pub(super) holes: Vec<String>,
    pub(super) unfinished: bool,
    /// What the tree cannot say about a row that is already there.
    pub(super) clause: Clause,
}

/// How many repairs a statement may need.
const MOST_REPAIRS: usize = 8;

/// How many operators a statement may have: each may lie a level deeper in the tree than the one
/// before it, and the tree is dropped recursively.
const MOST_OPERATORS: usize = 4000;

/// The dialect that is tried first.
pub(super) fn first_dialect() -> &'static dyn Dialect {
    &PostgreSqlDialect {}
}

/// The dialect in which a backslash escapes a quote.
pub(super) fn escaping_dialect() -> &'static dyn Dialect {
    &MySqlDialect {}
}

/// The tree of a definition: `text[start..end]`, whole, with places from its beginning.
pub(super) fn definition(text: &str, start: usize, end: usize) -> Result<ast::Statement, String> {
    let (first, error) = cut(text, start, end, first_dialect());
    if let Some(message) = error {
        return Err(message);
    }
    // The first dialect drops such a word without a sound.
    let numbers = |piece: &Piece| {
        matches!(
            piece.keyword(),
            Keyword::AUTO_INCREMENT | Keyword::AUTOINCREMENT
        )
    };
    if first.iter().any(numbers) {
        let dialect = GenericDialect {};
        let pieces = mend(cut(text, start, end, &dialect).0, text).pieces;
        if let Ok(tree) = attempt(&dialect, pieces) {
            return Ok(tree);
        }
    }
    let parsed = parse(text, start, end, first)?;
    match parsed.unfinished {
        false => Ok(parsed.tree),
        true => Err("the text ends before the statement does".to_owned()),
    }
}

/// Parses `text[start..end]`, which `first` holds as cut by the first dialect.
pub(super) fn parse(
    text: &str,
    start: usize,
    end: usize,
    first: Vec<Piece>,
) -> Result<Parsed, String> {
    if first.iter().filter(|piece| deepens(piece)).count() > MOST_OPERATORS {
        return Err("too many operators in one statement".to_owned());
    }
    let Mended { pieces, holes } = mend(first, text);
    let spliced = !holes.is_empty();
    let parsed = |tree| Parsed {
        tree,
        holes,
        unfinished: false,
        clause: Clause::Silent,
    };
    let failure = match attempt(first_dialect(), pieces) {
        Ok(tree) => return Ok(parsed(tree)),
        Err(failure) => failure,
    };
    let message = failure.message.clone();
    let again = |dialect: &dyn Dialect| mend(cut(text, start, end, dialect).0, text).pieces;
    // Prose such as `Delete the user` must not be completed to a statement.
    let plain = scan::begins(&cut(text, start, end, first_dialect()).0);
    let repairable = |failure: &Failure| plain && (spliced || failure.is_at_end());
    if repairable(&failure)
        && let Some((tree, unfinished)) =
            attempt_repaired(first_dialect(), again(first_dialect()), failure)
    {
        return Ok(Parsed {
            unfinished,
            ..parsed(tree)
        });
    }
    let others: [&dyn Dialect; 4] = [
        &GenericDialect {},
        &MySqlDialect {},
        &SQLiteDialect {},
        &ClickHouseDialect {},
    ];
    for dialect in others {
        let pieces = again(dialect);
        match attempt(dialect, pieces) {
            Ok(tree) => return Ok(parsed(tree)),
            Err(failure) if repairable(&failure) => {
                if let Some((tree, unfinished)) = attempt_repaired(dialect, again(dialect), failure)
                {
                    return Ok(Parsed {
                        unfinished,
                        ..parsed(tree)
                    });
                }
            }
            Err(_) => {}
        }
    }
    // The second wants a unit after every INTERVAL, as Spanner does.
    let lenient: [&dyn Dialect; 2] = [&GenericDialect {}, &BigQueryDialect {}];
    for dialect in lenient {
        let mut pieces = again(dialect);
        let Some(clause) = drop_foreign(&mut pieces) else {
            break;
        };
        match attempt(dialect, pieces.clone()) {
            Ok(tree) => {
                return Ok(Parsed {
                    clause,
                    ..parsed(tree)
                });
            }
            Err(failure) if repairable(&failure) => {
                if let Some((tree, unfinished)) = attempt_repaired(dialect, pieces, failure) {
                    return Ok(Parsed {
                        clause,
                        unfinished,
                        ..parsed(tree)
                    });
                }
            }
            Err(_) => {}
        }
    }
    Err(message)
}

fn attempt(dialect: &dyn Dialect, pieces: Vec<Piece>) -> Result<ast::Statement, Failure> {
    let tokens = pieces.into_iter().map(|piece| piece.token).collect();
    let mut parser = Parser::new(dialect).with_tokens_with_locations(tokens);
    let tree = parser
        .parse_statement()
        .map_err(|error| Failure::new(error.to_string()))?;
    let rest = parser.peek_token_ref();
    match rest.token {
        Token::EOF if is_bare_delete(&tree) => Err(Failure::new("Expected: FROM".to_owned())),
        Token::EOF => Ok(tree),
        _ => Err(Failure::new(format!(
            "Expected: end of statement, found: {rest}{}",
            rest.span.start
        ))),
    }
}

/// `DELETE t` without FROM, which parsers accept and prose looks like.
fn is_bare_delete(tree: &ast::Statement) -> bool {
    matches!(tree, ast::Statement::Delete(delete) if matches!(delete.from, ast::FromTable::WithoutKeyword(_)))
}

/// Repairs and tries again, until the statement is read or no repair is left.
fn attempt_repaired(
    dialect: &dyn Dialect,
    mut pieces: Vec<Piece>,
    mut failure: Failure,
) -> Option<(ast::Statement, bool)> {
    let mut unfinished = false;
    for _ in 0..MOST_REPAIRS {
        unfinished |= repair(&mut pieces, &failure)? == Repair::End;
        match attempt(dialect, pieces.clone()) {
            Ok(tree) => return Some((tree, unfinished)),
            Err(next) => failure = next,
        }
    }
    None
}

/// Whether a token may put what follows a level deeper into the tree.
fn deepens(piece: &Piece) -> bool {
    use Keyword as K;
    match &piece.token.token {
        Token::Word(word) => matches!(
            word.keyword,
            K::AND
                | K::OR
                | K::IS
                | K::UNION
                | K::EXCEPT
                | K::INTERSECT
                | K::COLLATE
                | K::LIKE
                | K::AT
                | K::XOR
        ),
        Token::Comma
        | Token::LParen
        | Token::RParen
        | Token::Period
        | Token::SingleQuotedString(_) => false,
        Token::Number(..) | Token::Placeholder(_) | Token::EscapedStringLiteral(_) => false,
        _ => true,
    }
}
