//! Tables of the file, with the place of every value and of every mistake.

use retrysafe_rules::vocabulary::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A mistake in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, with the nearest valid word.
    pub message: String,
}

/// The mistakes found so far.
pub(super) struct Errors<'t> {
    pub(super) text: &'t str,
    pub(super) found: Vec<ConfigError>,
}

impl Errors<'_> {
    pub(super) fn push(&mut self, at: usize, message: String) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        self.found.push(ConfigError {
            line: self.line(at),
            column,
            message,
        });
    }

    pub(super) fn line(&self, at: usize) -> usize {
        self.text
            .get(..at)
            .unwrap_or(self.text)
            .matches('\n')
            .count()
            + 1
    }

    pub(super) fn unknown_word<'w>(
        &mut self,
        at: usize,
        what: &str,
        word: &str,
        words: impl Iterator<Item = &'w str> + Clone,
    ) {
        let message = match nearest(word, words.clone()) {
            Some(near) => format!("unknown {what} `{word}`; did you mean `{near}`?"),
            None => format!(
                "unknown {what} `{word}`; it is one of {}",
                words.collect::<Vec<_>>().join(", ")
            ),
        };
        self.push(at, message);
    }
}

/// A table of the file.
pub(super) struct Entry<'t, 'v> {
    pub(super) table: &'v DeTable<'t>,
    pub(super) at: usize,
}

pub(super) fn entries<'t, 'v>(
    value: &'v Spanned<DeValue<'t>>,
    errors: &mut Errors<'_>,
) -> Vec<Entry<'t, 'v>> {
    match value.get_ref() {
        DeValue::Array(items) => items
            .iter()
            .filter_map(|item| match item.get_ref() {
                DeValue::Table(table) => Some(Entry {
                    table,
                    at: item.span().start,
                }),
                _ => {
                    errors.push(item.span().start, "this is no table".to_owned());
                    None
                }
            })
            .collect(),
        _ => {
            errors.push(
                value.span().start,
                "write a list of tables: `[[job]]`".to_owned(),
            );
            Vec::new()
        }
    }
}

impl Entry<'_, '_> {
    pub(super) fn check_keys(&self, keys: &[&str], errors: &mut Errors<'_>) {
        for (key, _) in self.table {
            let word: &str = key.get_ref();
            if !keys.contains(&word) {
                errors.unknown_word(key.span().start, "key", word, keys.iter().copied());
            }
        }
    }

    fn get(&self, key: &str) -> Option<&Spanned<DeValue<'_>>> {
        self.table
            .iter()
            .find(|(name, _)| name.get_ref() == key)
            .map(|(_, value)| value)
    }

    pub(super) fn text(&self, key: &str, errors: &mut Errors<'_>) -> Option<(String, usize)> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::String(text) => Some((text.to_string(), value.span().start)),
            _ => {
                errors.push(value.span().start, format!("`{key}` is a text"));
                None
            }
        }
    }

    pub(super) fn number(&self, key: &str, errors: &mut Errors<'_>) -> Option<(i64, usize)> {
        let value = self.get(key)?;
        let number = match value.get_ref() {
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        if number.is_none() {
            errors.push(value.span().start, format!("`{key}` is a number"));
        }
        number.map(|number| (number, value.span().start))
    }

    pub(super) fn flag(&self, key: &str, errors: &mut Errors<'_>) -> Option<bool> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => {
                errors.push(value.span().start, format!("`{key}` is true or false"));
                None
            }
        }
    }

    pub(super) fn texts(&self, key: &str, errors: &mut Errors<'_>) -> Option<(Vec<String>, usize)> {
        let value = self.get(key)?;
        let DeValue::Array(items) = value.get_ref() else {
            errors.push(value.span().start, format!("`{key}` is a list of texts"));
            return None;
        };
        let mut texts = Vec::new();
        for item in items.iter() {
            match item.get_ref() {
                DeValue::String(text) => texts.push(text.to_string()),
                _ => errors.push(item.span().start, format!("`{key}` is a list of texts")),
            }
        }
        Some((texts, value.span().start))
    }
}
