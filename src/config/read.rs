//! Reading the file, with the place of every value.

use retrysafe_rules::vocabulary::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Config;
use super::job::read_job;

/// The words at the top of the file.
const SECTIONS: &[&str] = &[
    "job",
    "effect",
    "source",
    "stable",
    "step",
    "guard",
    "accept",
    "rules",
    "schema",
    "audit_columns",
    "append_only_tables",
    "quiet_targets",
    "exclude",
    "min_confidence",
];

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

/// Reads a configuration.
///
/// # Errors
/// Every mistake, in the order of their places.
pub fn read(text: &str) -> Result<Config, Vec<ConfigError>> {
    let mut errors = Errors {
        text,
        found: Vec::new(),
    };
    let table = match DeTable::parse(text) {
        Ok(table) => table.into_inner(),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            errors.push(at, error.message().to_owned());
            return Err(errors.found);
        }
    };
    let mut config = Config::default();
    for (key, value) in &table {
        let word: &str = key.get_ref();
        if !SECTIONS.contains(&word) {
            errors.unknown_word(key.span().start, "key", word, SECTIONS.iter().copied());
        } else if word == "job" {
            for entry in entries(value, &mut errors) {
                config.jobs.extend(read_job(&entry, &mut errors));
            }
        } else {
            config
                .unread
                .push((word.to_owned(), errors.line(key.span().start)));
        }
    }
    if errors.found.is_empty() {
        return Ok(config);
    }
    errors.found.sort_by_key(|error| (error.line, error.column));
    Err(errors.found)
}

/// The mistakes found so far.
pub(super) struct Errors<'t> {
    text: &'t str,
    found: Vec<ConfigError>,
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

fn entries<'t, 'v>(value: &'v Spanned<DeValue<'t>>, errors: &mut Errors<'_>) -> Vec<Entry<'t, 'v>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_entry_says_which_functions_are_jobs() {
        let config = read(
            "[[job]]\npath = \"crate::jobs::*\"\nattempts = 3\neffects = [\"email\", 'db_write(\"a\")']\n\n\
             [[job]]\ntrait = \"crate::Job\"\nmethod = \"run\"\n",
        )
        .expect("the file is right");
        assert_eq!(config.jobs.len(), 2);
        let first = &config.jobs[0];
        assert!(
            first
                .path
                .as_ref()
                .is_some_and(|path| path.is_match("crate/jobs/send"))
        );
        assert_eq!((first.mark.attempts, first.line), (Some(3), 1));
        assert_eq!(first.mark.effects.as_ref().map(Vec::len), Some(2));
        assert_eq!(config.jobs[1].method.as_deref(), Some("run"));
    }

    #[test]
    fn every_mistake_is_told_at_its_place() {
        let errors = read("jobs = 1\n[[job]]\npath = 3\nattemps = 2\n[[job]]\nmethod = \"run\"\n")
            .expect_err("nothing of it is right");
        let told: Vec<(usize, usize, &str)> = errors
            .iter()
            .map(|error| (error.line, error.column, error.message.as_str()))
            .collect();
        assert_eq!(told[0], (1, 1, "unknown key `jobs`; did you mean `job`?"));
        assert!(
            told.iter()
                .any(|(line, _, message)| *line == 3 && *message == "`path` is a text")
        );
        assert!(
            told.iter().any(
                |(line, _, message)| *line == 4 && message.contains("did you mean `attempts`?")
            ),
            "{told:?}"
        );
        assert!(
            told.iter()
                .any(|(line, _, message)| *line >= 5 && message.contains("names either a `path`"))
        );
    }

    #[test]
    fn text_that_is_no_toml_is_one_mistake_with_its_place() {
        let errors = read("[[job]\npath = 1\n").expect_err("the bracket is missing");
        assert_eq!((errors.len(), errors[0].line), (1, 1));
    }
}
