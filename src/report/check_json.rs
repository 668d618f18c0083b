//! The findings as JSON, version 1: fields are only added.

use retrysafe_rules::rule::Level;
use serde_json::{Value, json};

use super::model::{FindingReport, Report};

/// The report of a check as JSON.
pub fn check_json(report: &Report) -> String {
    let effects: usize = report.jobs.iter().map(|job| job.effects.len()).sum();
    let object = json!({
        "version": 1,
        "tool": { "name": "cargo-retrysafe", "version": env!("CARGO_PKG_VERSION") },
        "summary": {
            "files": report.summary.files,
            "functions": report.summary.functions,
            "jobs": report.jobs.len(),
            "effects": effects,
            "gaps": report.gaps.len(),
            "findings": {
                "deny": report.count(Level::Deny),
                "warn": report.count(Level::Warn),
                "allow": report.count(Level::Allow) + report.count(Level::Note),
            },
            "accepted": report.accepted,
            "baselined": 0,
        },
        "findings": report.findings.iter().map(finding).collect::<Vec<Value>>(),
        "gaps": report.gaps,
        "problems": report.problems,
    });
    let mut text = serde_json::to_string_pretty(&object).unwrap_or_default();
    text.push('\n');
    text
}

fn finding(finding: &FindingReport) -> Value {
    json!({
        "rule": finding.rule,
        "family": finding.rule.family(),
        "level": finding.level,
        "confidence": finding.confidence.word(),
        "message": finding.message,
        "help": finding.help,
        "jobs": finding.jobs,
        "triggers": finding.triggers,
        "primary": finding.primary,
        "related": finding.related,
        "trace": finding.trace,
        "fingerprint": finding.fingerprint,
        "accepted": finding.accepted,
    })
}
