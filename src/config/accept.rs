//! `[[accept]]` entries.

use retrysafe_rules::grammar::AcceptMark;
use serde::Deserialize;
use toml::Spanned;

use super::pattern::{FilePattern, JobPattern};
use super::place::{ConfigPlace, Lines};

/// An `[[accept]]` entry. Whether its rule exists and its reason says enough is for
/// [`check_accept`](retrysafe_rules::grammar::check_accept) to tell: what it misses is a finding.
#[derive(Debug, Clone)]
pub struct AcceptEntry {
    /// The rule, as written.
    pub rule: String,
    /// Files, by path.
    pub path: Option<FilePattern>,
    /// Jobs, by name.
    pub job: Option<JobPattern>,
    /// Why a duplicate is fine.
    pub reason: Option<String>,
    /// Where the entry begins: its header, or the table.
    pub place: ConfigPlace,
    /// Where the rule is named.
    pub rule_place: ConfigPlace,
}

impl AcceptEntry {
    /// The entry as the attribute of the same name.
    pub fn mark(&self) -> AcceptMark {
        AcceptMark {
            rule: self.rule.clone(),
            reason: self.reason.clone(),
        }
    }

    /// Whether it is about a job, by its name, and a finding in a file, by the path from the
    /// workspace root; where it names both, both must fit.
    pub fn covers(&self, file: &str, job: &str) -> bool {
        let in_file = self.path.as_ref().is_none_or(|path| path.means(file));
        let of_job = self.job.as_ref().is_none_or(|pattern| pattern.means(job));
        in_file && of_job
    }
}

/// An entry as written.
#[derive(Deserialize)]
pub(super) struct RawAccept {
    rule: Spanned<String>,
    path: Option<String>,
    job: Option<String>,
    reason: Option<String>,
}

/// Reads an entry that was checked.
pub(super) fn read_accept(raw: Spanned<RawAccept>, lines: &Lines<'_>) -> AcceptEntry {
    let place = lines.place(raw.span());
    let raw = raw.into_inner();
    AcceptEntry {
        rule_place: lines.place(raw.rule.span()),
        rule: raw.rule.into_inner(),
        path: raw.path.and_then(|text| FilePattern::new(&text).ok()),
        job: raw.job.and_then(|text| JobPattern::new(&text).ok()),
        reason: raw.reason,
        place,
    }
}
