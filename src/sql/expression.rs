//! DynamoDB's expressions as SQL text, so that they are read into the same model. It must not know the
//! parser.
//!
//! `SET seen = if_not_exists(seen, :now) ADD tries :one` becomes `"seen" = coalesce("seen", :now),
//! "tries" = "tries" + :one`.

/// What one request says to a table.
#[derive(Debug, Clone, Copy, Default)]
pub struct Request<'r> {
    /// The table.
    pub table: &'r str,
    /// The attributes that name the item, each with the name of its value.
    pub key: &'r [(String, String)],
    /// The attributes of the item that is stored, each with the name of its value; none for an update.
    pub item: &'r [(String, String)],
    /// `update_expression`.
    pub update: Option<&'r str>,
    /// `condition_expression`, `filter_expression` or `key_condition_expression`.
    pub condition: Option<&'r str>,
    /// The names that stand for attributes: `#s` for `status`.
    pub names: &'r [(String, String)],
}

/// A request as a SQL statement; none where it writes nothing.
pub fn statement(request: &Request<'_>) -> Option<String> {
    let table = quoted(request.table);
    if let Some(update) = request.update {
        let set = sets(&words(update, request.names));
        let mut conditions: Vec<String> = request
            .key
            .iter()
            .map(|(name, value)| format!("{} = {value}", quoted(name)))
            .collect();
        conditions.extend(request.condition.map(|text| condition(text, request.names)));
        let filter = match conditions.is_empty() {
            true => String::new(),
            false => format!(" WHERE {}", conditions.join(" AND ")),
        };
        return (!set.is_empty()).then(|| format!("UPDATE {table} SET {}{filter}", set.join(", ")));
    }
    if request.item.is_empty() {
        return None;
    }
    let (columns, values): (Vec<String>, Vec<&str>) = request
        .item
        .iter()
        .map(|(name, value)| (quoted(name), value.as_str()))
        .unzip();
    Some(format!(
        "REPLACE INTO {table} ({}) VALUES ({})",
        columns.join(", "),
        values.join(", ")
    ))
}

/// A condition as one of SQL.
pub fn condition(text: &str, names: &[(String, String)]) -> String {
    let words = words(text, names);
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let of = |name: &str| matches!(word, Word::Call(call) if call.eq_ignore_ascii_case(name));
        let is_null = of("attribute_not_exists");
        if is_null || of("attribute_exists") {
            let end = closing(&words, at + 1);
            let path = written(words.get(at + 2..end).unwrap_or_default());
            let test = if is_null { "IS NULL" } else { "IS NOT NULL" };
            out.push(format!("{path} {test}"));
            at = end + 1;
            continue;
        }
        out.push(word.text());
        at += 1;
    }
    // What is joined by OR must stay together.
    format!("({})", out.join(" "))
}

/// The clauses of an update expression as assignments.
fn sets(words: &[Word]) -> Vec<String> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let clause = match &words[at] {
            Word::Name(name) => name.to_ascii_uppercase(),
            _ => String::new(),
        };
        let end = words[at + 1..]
            .iter()
            .position(|word| matches!(word, Word::Name(name) if is_clause(name)))
            .map_or(words.len(), |length| at + 1 + length);
        for part in parts(&words[at + 1..end]) {
            let (first, rest) = match part.split_first() {
                Some((first, rest)) => (first.text(), written(rest)),
                None => continue,
            };
            match clause.as_str() {
                "SET" => out.push(written(part)),
                "ADD" => out.push(format!("{first} = {first} + {rest}")),
                "DELETE" => out.push(format!("{first} = array_remove({first}, {rest})")),
                "REMOVE" => out.push(format!("{first} = NULL")),
                _ => {}
            }
        }
        at = end;
    }
    out
}

/// A piece of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Word {
    /// The path of an attribute, or a word of the language.
    Name(String),
    /// A function, in front of its bracket.
    Call(String),
    /// `:value`.
    Value(String),
    /// Anything else.
    Sign(String),
}

impl Word {
    fn text(&self) -> String {
        match self {
            Word::Name(name) if is_word(name) => name.to_ascii_uppercase(),
            Word::Name(name) => quoted(name),
            Word::Call(name) if name.eq_ignore_ascii_case("if_not_exists") => "coalesce".to_owned(),
            Word::Call(text) | Word::Value(text) | Word::Sign(text) => text.clone(),
        }
    }
}

fn is_clause(name: &str) -> bool {
    ["SET", "ADD", "REMOVE", "DELETE"]
        .iter()
        .any(|clause| name.eq_ignore_ascii_case(clause))
}

fn is_word(name: &str) -> bool {
    ["AND", "OR", "NOT", "BETWEEN", "IN"]
        .iter()
        .any(|word| name.eq_ignore_ascii_case(word))
}

fn words(text: &str, names: &[(String, String)]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let in_name =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '[' | ']' | '#');
        let is_name = first.is_alphabetic() || matches!(first, '_' | '#');
        let is_value = first == ':';
        let length = match is_name || is_value {
            true => rest[first.len_utf8()..]
                .find(|c| !in_name(c))
                .map_or(rest.len(), |length| length + first.len_utf8()),
            false => {
                let pair = rest.get(..2).unwrap_or_default();
                match matches!(pair, "<>" | "<=" | ">=") {
                    true => 2,
                    false => first.len_utf8(),
                }
            }
        };
        let (word, behind) = rest.split_at(length);
        rest = behind.trim_start();
        words.push(match (is_name, is_value) {
            (true, _) if rest.starts_with('(') && !is_word(word) => Word::Call(word.to_owned()),
            (true, _) => Word::Name(named(word, names)),
            (_, true) => Word::Value(word.to_owned()),
            _ => Word::Sign(word.to_owned()),
        });
    }
    words
}

/// A path with the names that stand for its attributes put in.
fn named(path: &str, names: &[(String, String)]) -> String {
    let step = |step: &str| {
        let mut names = names.iter();
        let found = names.find(|(short, _)| short == step);
        found.map_or_else(|| step.to_owned(), |(_, name)| name.clone())
    };
    path.split('.').map(step).collect::<Vec<_>>().join(".")
}

/// The parts that commas separate, those in brackets left together.
fn parts(words: &[Word]) -> Vec<&[Word]> {
    let mut depth = 0i32;
    words
        .split(|word| {
            match word {
                Word::Sign(sign) if sign == "(" => depth += 1,
                Word::Sign(sign) if sign == ")" => depth -= 1,
                _ => {}
            }
            depth == 0 && *word == Word::Sign(",".to_owned())
        })
        .collect()
}

/// The position of the bracket that closes the one at a position.
fn closing(words: &[Word], open: usize) -> usize {
    let mut depth = 0i32;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word {
            Word::Sign(sign) if sign == "(" => depth += 1,
            Word::Sign(sign) if sign == ")" => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    words.len()
}

fn written(words: &[Word]) -> String {
    let texts: Vec<String> = words.iter().map(Word::text).collect();
    texts.join(" ")
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
        of.iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn updates_become_assignments() {
        let names = pairs(&[("#s", "status")]);
        let key = pairs(&[("id", ":key")]);
        let text = statement(&Request {
            table: "orders",
            key: &key,
            update: Some(
                "SET #s = :done, total = if_not_exists(total, :zero) + :n ADD tries :one REMOVE lease",
            ),
            condition: Some("#s = :open AND attribute_not_exists(done_at)"),
            names: &names,
            ..Request::default()
        });
        assert_eq!(
            text.as_deref(),
            Some(
                "UPDATE \"orders\" SET \"status\" = :done, \"total\" = coalesce ( \"total\" , :zero ) + :n, \
                 \"tries\" = \"tries\" + :one, \"lease\" = NULL WHERE \"id\" = :key AND \
                 (\"status\" = :open AND \"done_at\" IS NULL)"
            )
        );
    }

    #[test]
    fn items_replace_those_of_the_same_key() {
        let item = pairs(&[("id", ":0"), ("total", ":1")]);
        let text = statement(&Request {
            table: "orders",
            item: &item,
            ..Request::default()
        });
        assert_eq!(
            text.as_deref(),
            Some("REPLACE INTO \"orders\" (\"id\", \"total\") VALUES (:0, :1)")
        );
    }

    #[test]
    fn texts_that_end_anywhere_are_read() {
        let text = "SET #s.a[0] = if_not_exists(n, :zero) + :n, m = :m ADD é :one DELETE x :y (OR) <> , REMOVE";
        let ends = text.char_indices().map(|(at, _)| at);
        for end in ends {
            for part in [&text[..end], &text[end..]] {
                let _ = statement(&Request {
                    table: "t",
                    update: Some(part),
                    condition: Some(part),
                    ..Request::default()
                });
            }
        }
    }
}
