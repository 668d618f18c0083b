//! Reading the file as a whole.

use toml::de::DeTable;

use super::Config;
use super::entry::{ConfigError, Errors, entries};
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
