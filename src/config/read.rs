//! Reading the file as a whole: first every mistake, then what it says.

use retrysafe_rules::rule::Confidence;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::accept::{RawAccept, read_accept};
use super::calls::{RawCalls, read_calls};
use super::check::check_table;
use super::job::{RawJob, read_job};
use super::level::read_levels;
use super::model::{Config, Placed};
use super::pattern::{FilePattern, NamePattern};
use super::place::{ConfigError, Errors, Lines};
use super::sections::FILE;

/// Reads a configuration.
///
/// # Errors
/// Every mistake, in the order of their places.
pub fn read(text: &str) -> Result<Config, Vec<ConfigError>> {
    read_below(text, &[])
}

/// Reads the configuration that stands in a table of a larger file, such as
/// `[workspace.metadata.retrysafe]` of a manifest; without that table it says nothing.
///
/// # Errors
/// Every mistake, in the order of their places.
pub fn read_below(text: &str, table: &[&str]) -> Result<Config, Vec<ConfigError>> {
    let mut errors = Errors::new(text);
    let root = match DeTable::parse(text) {
        Ok(root) => root,
        Err(error) => {
            errors.push(error.span().unwrap_or(0..0), error.message());
            return Err(errors.found);
        }
    };
    let span = root.span();
    let mut at = Spanned::new(span, DeValue::Table(root.into_inner()));
    for name in table {
        let Some(below) = at.get_ref().get(*name) else {
            return Ok(Config::default());
        };
        at = below.clone();
    }
    let config = read_value(at, &mut errors);
    if errors.found.is_empty() {
        Ok(config)
    } else {
        Err(errors.sorted())
    }
}

fn read_value(value: Spanned<DeValue<'_>>, errors: &mut Errors<'_>) -> Config {
    let span = value.span();
    let Some(table) = value.get_ref().as_table() else {
        errors.push(span, "the configuration is a table");
        return Config::default();
    };
    check_table(table, span, &FILE, errors);
    if !errors.found.is_empty() {
        return Config::default();
    }
    let levels = value.get_ref().get("rules");
    let levels = levels.map_or_else(Vec::new, |rules| read_levels(rules, &errors.lines));
    // What was checked can be read: the shapes have the keys and words of these types.
    let raw = match Raw::deserialize(value.clone().into_deserializer()) {
        Ok(raw) => raw,
        Err(error) => {
            errors.push(error.span().unwrap_or(0..0), error.message());
            return Config::default();
        }
    };
    let calls = match RawCalls::deserialize(value.into_deserializer()) {
        Ok(calls) => calls,
        Err(error) => {
            errors.push(error.span().unwrap_or(0..0), error.message());
            return Config::default();
        }
    };
    let (calls, catalogue) = read_calls(calls, errors);
    let lines = &errors.lines;
    Config {
        levels,
        min_confidence: raw.min_confidence,
        exclude: placed(raw.exclude, lines, |text| FilePattern::new(text).ok()),
        jobs: raw
            .job
            .into_iter()
            .map(|job| read_job(job, lines))
            .collect(),
        accepts: raw
            .accept
            .into_iter()
            .map(|accept| read_accept(accept, lines))
            .collect(),
        calls,
        catalogue,
        audit_columns: names(raw.audit_columns, lines),
        append_only_tables: names(raw.append_only_tables, lines),
        quiet_targets: names(raw.quiet_targets, lines),
        migrations: placed(raw.schema.migrations, lines, |text| Some(text.to_owned())),
    }
}

/// The file as written, without what is read on its own.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Raw {
    min_confidence: Option<Confidence>,
    exclude: Vec<Spanned<String>>,
    job: Vec<Spanned<RawJob>>,
    accept: Vec<Spanned<RawAccept>>,
    audit_columns: Vec<Spanned<String>>,
    append_only_tables: Vec<Spanned<String>>,
    quiet_targets: Vec<Spanned<String>>,
    schema: RawSchema,
}

/// `[schema]` as written.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RawSchema {
    migrations: Vec<Spanned<String>>,
}

fn names(texts: Vec<Spanned<String>>, lines: &Lines<'_>) -> Vec<Placed<NamePattern>> {
    placed(texts, lines, |text| NamePattern::new(text).ok())
}

fn placed<T>(
    texts: Vec<Spanned<String>>,
    lines: &Lines<'_>,
    read: impl Fn(&str) -> Option<T>,
) -> Vec<Placed<T>> {
    let read = |text: Spanned<String>| {
        let place = lines.place(text.span());
        let value = read(text.get_ref())?;
        Some(Placed { value, place })
    };
    texts.into_iter().filter_map(read).collect()
}
