//! Statements whose first words say all that the model wants: transactions, settings, definitions.
//! It must not know the parser.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use super::statement::{Function, FunctionClass, Statement, Value, Verb};
use super::token::Piece;

/// The statement, if its first word decides that no parser is needed.
pub(super) fn read(pieces: &[Piece], text: &str) -> Option<Statement> {
    let first = pieces.first()?;
    let second = pieces.get(1).map_or(Keyword::NoKeyword, Piece::keyword);
    if !is_plain(pieces) {
        return None;
    }
    let mut statement = Statement {
        verb: verb(first, second)?,
        ..Statement::default()
    };
    match statement.verb {
        Verb::Ddl => define(pieces, &mut statement),
        Verb::Truncate => {
            let names = after(
                pieces,
                1,
                &[Keyword::TABLE, Keyword::ONLY, Keyword::IF, Keyword::EXISTS],
            );
            statement.table = name_at(pieces, names);
        }
        Verb::Lock => {
            statement.table = name_at(
                pieces,
                after(pieces, 1, &[Keyword::TABLE, Keyword::TABLES, Keyword::ONLY]),
            );
        }
        Verb::Copy => copy(pieces, &mut statement),
        Verb::Begin | Verb::Set => statement.isolation = isolation(pieces, text),
        Verb::Notify => statement.functions.push(notify(pieces)),
        _ => {}
    }
    statement.holes = holes(pieces, text);
    Some(statement)
}

/// Whether words that prose begins with as well are followed by what a statement needs.
fn is_plain(pieces: &[Piece]) -> bool {
    use Keyword as K;
    let keyword = |at: usize| pieces.get(at).map_or(K::NoKeyword, Piece::keyword);
    match keyword(0) {
        // Two words in a row are prose, unless the second is an option.
        K::TRUNCATE if keyword(1) != K::TABLE => {
            !pieces.get(1..).unwrap_or_default().windows(2).any(|pair| {
                let option = [
                    K::RESTART,
                    K::CONTINUE,
                    K::IDENTITY,
                    K::CASCADE,
                    K::RESTRICT,
                ]
                .contains(&pair[1].keyword());
                pair[0].word().is_some()
                    && pair[1].word().is_some()
                    && !option
                    && pair[0].keyword() != K::ONLY
            })
        }
        K::NOTIFY => {
            pieces.len() == 2 || pieces.get(2).is_some_and(|piece| piece.is(&Token::Comma))
        }
        K::COPY => pieces.iter().enumerate().any(|(at, piece)| {
            let file = matches!(
                pieces.get(at + 1).map(|next| &next.token.token),
                Some(Token::SingleQuotedString(_))
            );
            let stream = matches!(keyword(at + 1), K::STDIN | K::STDOUT | K::PROGRAM);
            matches!(piece.keyword(), K::FROM | K::TO) && (file || stream)
        }),
        K::LOCK => {
            keyword(1) == K::TABLE
                || keyword(1) == K::TABLES
                || pieces.len() == 2
                || keyword(2) == K::IN
        }
        _ => true,
    }
}

fn verb(first: &Piece, second: Keyword) -> Option<Verb> {
    use Keyword as K;
    Some(match first.keyword() {
        K::BEGIN => Verb::Begin,
        K::START if second == K::TRANSACTION => Verb::Begin,
        K::COMMIT | K::END => Verb::Commit,
        K::ROLLBACK if second == K::TO => Verb::Other,
        K::ROLLBACK | K::ABORT => Verb::Rollback,
        K::SET | K::RESET | K::PRAGMA => Verb::Set,
        K::NOTIFY => Verb::Notify,
        K::TRUNCATE => Verb::Truncate,
        K::LOCK => Verb::Lock,
        K::COPY => Verb::Copy,
        K::CREATE
        | K::ALTER
        | K::DROP
        | K::GRANT
        | K::REVOKE
        | K::COMMENT
        | K::REFRESH
        | K::VACUUM
        | K::ANALYZE => Verb::Ddl,
        K::OPTIMIZE | K::RENAME | K::ATTACH | K::DETACH | K::CLUSTER => Verb::Ddl,
        K::SAVEPOINT
        | K::RELEASE
        | K::LISTEN
        | K::UNLISTEN
        | K::SHOW
        | K::USE
        | K::EXPLAIN
        | K::DESCRIBE
        | K::DO => Verb::Other,
        K::DECLARE
        | K::FETCH
        | K::CLOSE
        | K::OPEN
        | K::PREPARE
        | K::EXECUTE
        | K::DEALLOCATE
        | K::DISCARD
        | K::KILL => Verb::Other,
        K::FLUSH | K::UNLOCK | K::LOAD => Verb::Other,
        _ => match first.word()?.to_ascii_uppercase().as_str() {
            "REINDEX" | "SECURITY" => Verb::Ddl,
            "CHECKPOINT" | "DELIMITER" | "MOVE" => Verb::Other,
            _ => return None,
        },
    })
}

/// The first place from `at` on that holds none of `skipped`.
pub(super) fn after(pieces: &[Piece], at: usize, skipped: &[Keyword]) -> usize {
    let rest = pieces.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .take_while(|piece| skipped.contains(&piece.keyword()))
        .count()
}

/// The dotted name that begins at a place, without quotes.
pub(super) fn name_at(pieces: &[Piece], at: usize) -> Option<String> {
    let mut name = String::new();
    let mut rest = pieces.get(at..)?.iter().peekable();
    while let Some(piece) = rest.next() {
        match &piece.token.token {
            Token::Word(word) => name.push_str(&word.value),
            Token::LBrace => {
                // Not yet mended: `{`, `name`, `}`.
                name.push('{');
                for inside in rest.by_ref() {
                    match &inside.token.token {
                        Token::Word(word) => name.push_str(&word.value),
                        Token::Number(number, _) => name.push_str(number),
                        Token::RBrace => break,
                        _ => return None,
                    }
                }
                name.push('}');
            }
            _ => return None,
        }
        match rest.peek() {
            Some(next) if next.is(&Token::Period) => {
                name.push('.');
                rest.next();
            }
            Some(next) if next.start == piece.end && matches!(next.token.token, Token::LBrace) => {}
            _ => break,
        }
    }
    (!name.is_empty() && !name.ends_with('.')).then_some(name)
}

fn define(pieces: &[Piece], statement: &mut Statement) {
    let head = pieces.get(..6).unwrap_or(pieces);
    let Some(table) = head
        .iter()
        .position(|piece| piece.keyword() == Keyword::TABLE)
    else {
        return;
    };
    let skipped = [
        Keyword::IF,
        Keyword::NOT,
        Keyword::EXISTS,
        Keyword::ONLY,
        Keyword::CONCURRENTLY,
    ];
    statement.table = name_at(pieces, after(pieces, table + 1, &skipped));
    let marked = head[..table]
        .iter()
        .any(|piece| matches!(piece.keyword(), Keyword::TEMP | Keyword::TEMPORARY));
    statement.temporary = marked || statement.table.as_deref().is_some_and(is_session_table);
}

/// Whether a table's name alone says that it lives in the session only.
pub(super) fn is_session_table(table: &str) -> bool {
    let lower = table.to_ascii_lowercase();
    lower.starts_with("pg_temp.") || lower.starts_with("temp.") || lower.starts_with('#')
}

fn copy(pieces: &[Piece], statement: &mut Statement) {
    let name = name_at(pieces, 1);
    let mut depth = 0usize;
    let outward = pieces.iter().skip(1).find_map(|piece| {
        match piece.token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        match piece.keyword() {
            Keyword::TO if depth == 0 => Some(true),
            Keyword::FROM if depth == 0 => Some(false),
            _ => None,
        }
    });
    if outward == Some(true) {
        statement.reads.extend(name.clone());
    }
    statement.table = name;
}

fn isolation(pieces: &[Piece], text: &str) -> Option<String> {
    // SQLite says so at once.
    let second = pieces
        .get(1)
        .and_then(Piece::word)
        .map(str::to_ascii_lowercase);
    if let Some(mode) = second.filter(|word| word == "immediate" || word == "exclusive") {
        return Some(mode);
    }
    let level = pieces.iter().position(|piece| {
        piece
            .word()
            .is_some_and(|word| word.eq_ignore_ascii_case("LEVEL"))
    })?;
    let words = pieces.get(level + 1..)?;
    let takes_two = words
        .first()
        .is_some_and(|word| matches!(word.keyword(), Keyword::READ | Keyword::REPEATABLE));
    let last = words.get(usize::from(takes_two))?;
    let written = text.get(words.first()?.start..last.end)?;
    Some(
        written
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .to_ascii_lowercase(),
    )
}

fn notify(pieces: &[Piece]) -> Function {
    let args = pieces
        .iter()
        .skip(1)
        .filter_map(|piece| match &piece.token.token {
            Token::Word(word) => Some(Value::Literal(word.value.clone())),
            Token::SingleQuotedString(payload) => Some(Value::Literal(payload.clone())),
            _ => None,
        });
    Function {
        name: "notify".to_owned(),
        class: FunctionClass::Notify,
        args: args.collect(),
    }
}

/// Text in braces, found before anything is mended.
fn holes(pieces: &[Piece], text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (index, piece) in pieces
        .iter()
        .enumerate()
        .filter(|(_, piece)| piece.is(&Token::LBrace))
    {
        if let Some(close) = pieces
            .iter()
            .skip(index + 1)
            .take(4)
            .find(|piece| piece.is(&Token::RBrace))
        {
            found.extend(text.get(piece.start..close.end).map(str::to_owned));
        }
    }
    found
}
