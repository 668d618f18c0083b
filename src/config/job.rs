//! `[[job]]` entries.

use retrysafe_rules::grammar::JobMark;
use retrysafe_rules::vocabulary::Delivery;
use serde::Deserialize;
use toml::Spanned;

use super::pattern::FunctionPattern;
use super::place::{ConfigPlace, Lines};
use super::texts::listed;

/// A `[[job]]` entry.
#[derive(Debug, Clone)]
pub struct JobRule {
    /// The functions, by path.
    pub path: Option<FunctionPattern>,
    /// The trait, by path.
    pub trait_path: Option<String>,
    /// The method of the trait.
    pub method: Option<String>,
    /// What the entry says of the job.
    pub mark: JobMark,
    /// Where the entry begins: its header, or the table.
    pub place: ConfigPlace,
}

/// An entry as written.
#[derive(Deserialize)]
pub(super) struct RawJob {
    path: Option<String>,
    #[serde(rename = "trait")]
    trait_path: Option<String>,
    method: Option<String>,
    key: Option<String>,
    delivery: Option<Delivery>,
    attempts: Option<u32>,
    effects: Option<Vec<String>>,
    #[serde(default)]
    schedule: bool,
}

/// Reads an entry that was checked.
pub(super) fn read_job(raw: Spanned<RawJob>, lines: &Lines<'_>) -> JobRule {
    let place = lines.place(raw.span());
    let raw = raw.into_inner();
    let effects = raw.effects.map(|list| {
        let effects = list.iter().filter_map(|text| listed(text).ok());
        effects.flatten().collect()
    });
    JobRule {
        path: raw.path.and_then(|text| FunctionPattern::new(&text).ok()),
        trait_path: raw.trait_path,
        method: raw.method,
        mark: JobMark {
            key: raw.key,
            effects,
            delivery: raw.delivery,
            attempts: raw.attempts,
            schedule: raw.schedule,
        },
        place,
    }
}
