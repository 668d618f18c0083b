//! One line per finding.

use std::fmt::Write;

use super::model::Report;

/// The findings, one line each: place, level, rule, message.
pub fn short(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let accepted = match &finding.accepted {
            Some(reason) => format!(" (accepted: {reason})"),
            None => String::new(),
        };
        let _ = writeln!(
            text,
            "{}:{}:{}: {}[{}] {}{accepted}",
            finding.primary.file,
            finding.primary.start.line,
            finding.primary.start.column,
            finding.level,
            finding.rule,
            finding.message
        );
    }
    text
}
