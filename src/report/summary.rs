//! The line at the end of a run.

use retrysafe_rules::rule::Level;
use retrysafe_rules::vocabulary::Protection;

use super::map_text::counted;
use super::model::Report;

/// What was looked at and what came of it, in one line.
pub fn summary_line(report: &Report) -> String {
    let effects: usize = report.jobs.iter().map(|job| job.effects.len()).sum();
    let mut by_protection = Vec::new();
    for protection in Protection::ALL {
        let count = report
            .jobs
            .iter()
            .flat_map(|job| &job.effects)
            .filter(|effect| effect.protection == *protection)
            .count();
        if count > 0 {
            by_protection.push(format!("{count} {protection}"));
        }
    }
    let mut line = counted(report.jobs.len(), "job");
    line.push_str(", ");
    line.push_str(&counted(effects, "effect"));
    if !by_protection.is_empty() {
        line.push_str(&format!(" ({})", by_protection.join(", ")));
    }
    let mut found = Vec::new();
    for level in [Level::Deny, Level::Warn] {
        match report.count(level) {
            0 => {}
            count => found.push(format!("{count} {level}")),
        }
    }
    line.push_str(": ");
    line.push_str(&counted(report.findings.len(), "finding"));
    if !found.is_empty() {
        line.push_str(&format!(" ({})", found.join(", ")));
    }
    if report.accepted > 0 {
        line.push_str(&format!(", {} accepted", report.accepted));
    }
    line.push_str(&format!(
        ", {} in {}, {:.2} s",
        counted(report.gaps.len(), "gap"),
        counted(report.summary.files, "file"),
        report.summary.time.as_secs_f64()
    ));
    line
}

impl Report {
    /// How many findings have a level.
    pub fn count(&self, level: Level) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.level == level)
            .count()
    }
}
