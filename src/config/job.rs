//! `[[job]]` entries.

use globset::GlobMatcher;
use retrysafe_rules::grammar::{JobMark, Mark, parse_text};
use retrysafe_rules::vocabulary::Delivery;

use super::entry::{Entry, Errors};

/// A `[[job]]` entry.
#[derive(Debug, Clone)]
pub struct JobRule {
    /// The functions, by path.
    pub path: Option<GlobMatcher>,
    /// The trait, by path.
    pub trait_path: Option<String>,
    /// The method of the trait.
    pub method: Option<String>,
    /// What the entry says of the job.
    pub mark: JobMark,
    /// The line of the entry.
    pub line: usize,
}

const KEYS: &[&str] = &[
    "path", "trait", "method", "key", "delivery", "attempts", "effects", "schedule",
];

/// Reads one entry.
pub(super) fn read_job(entry: &Entry<'_, '_>, errors: &mut Errors<'_>) -> Option<JobRule> {
    entry.check_keys(KEYS, errors);
    let mut rule = JobRule {
        path: None,
        trait_path: entry.text("trait", errors).map(|(text, _)| text),
        method: entry.text("method", errors).map(|(text, _)| text),
        mark: JobMark::default(),
        line: errors.line(entry.at),
    };
    if let Some((pattern, at)) = entry.text("path", errors) {
        // `*` is one segment, `**` any number: as globs over `/`.
        match globset::GlobBuilder::new(&pattern.replace("::", "/"))
            .literal_separator(true)
            .build()
        {
            Ok(glob) => rule.path = Some(glob.compile_matcher()),
            Err(error) => errors.push(at, format!("`{pattern}` is no pattern of paths: {error}")),
        }
    }
    rule.mark.key = entry.text("key", errors).map(|(text, _)| text);
    if let Some((text, at)) = entry.text("delivery", errors) {
        match Delivery::parse(&text) {
            Some(delivery) => rule.mark.delivery = Some(delivery),
            None => errors.unknown_word(
                at,
                "delivery",
                &text,
                Delivery::ALL.iter().map(|word| word.word()),
            ),
        }
    }
    if let Some((count, at)) = entry.number("attempts", errors) {
        match u32::try_from(count) {
            Ok(count) if count > 0 => rule.mark.attempts = Some(count),
            _ => errors.push(at, "`attempts` is a count from 1".to_owned()),
        }
    }
    if let Some((list, at)) = entry.texts("effects", errors) {
        rule.mark.effects = read_effects(&list, at, errors);
    }
    rule.mark.schedule = entry.flag("schedule", errors).unwrap_or(false);
    match (&rule.path, &rule.trait_path, &rule.method) {
        (Some(_), None, None) => {}
        (None, Some(_), Some(_)) => {}
        _ => errors.push(
            entry.at,
            "a `[[job]]` names either a `path` or a `trait` with its `method`".to_owned(),
        ),
    }
    Some(rule)
}

/// `effects = ["email", "db_write(\"invoices\")"]`, in the words of the attribute.
fn read_effects(
    list: &[String],
    at: usize,
    errors: &mut Errors<'_>,
) -> Option<Vec<retrysafe_rules::grammar::Listed>> {
    match parse_text(&format!("job(effects({}))", list.join(", "))).map(|parsed| parsed.mark) {
        Ok(Mark::Job(job)) => job.effects,
        Ok(_) => None,
        Err(found) => {
            for error in found {
                errors.push(at, error.message);
            }
            None
        }
    }
}
