//! From findings to what users see of them.

use retrysafe_rules::rule::Level;
use sha2::{Digest, Sha256};

use crate::analysis::Analysis;
use crate::checks::{Finding, Remark, Spot};
use crate::ir::Site;

use super::model::{FindingReport, Place, Span, SpanReport};

/// Renders findings, with how loud each is.
///
/// `config` is the name of the configuration file as users know it.
pub fn findings(
    analysis: &Analysis,
    config: &str,
    findings: &[(Finding, Level)],
) -> Vec<FindingReport> {
    let mut reports: Vec<FindingReport> = findings
        .iter()
        .map(|(finding, level)| report(analysis, config, finding, *level))
        .collect();
    reports.sort_by(|a, b| {
        (&a.primary, a.rule.word(), &a.message).cmp(&(&b.primary, b.rule.word(), &b.message))
    });
    for index in 0..reports.len() {
        let twins = reports[..index]
            .iter()
            .filter(|earlier| earlier.identity == reports[index].identity)
            .count();
        reports[index].fingerprint = fingerprint(&reports[index].identity, twins);
    }
    reports
}

fn report(analysis: &Analysis, config: &str, finding: &Finding, level: Level) -> FindingReport {
    let primary = match finding.primary {
        Spot::Code(site) => span(analysis, site),
        Spot::Config(place) => Span {
            file: config.to_owned(),
            start: Place {
                line: place.line,
                column: place.column,
            },
            end: Place {
                line: place.end_line,
                column: place.end_column,
            },
        },
    };
    let remarks = |remarks: &[Remark]| {
        remarks
            .iter()
            .map(|remark| SpanReport {
                message: remark.message.clone(),
                span: span(analysis, remark.site),
            })
            .collect()
    };
    let mut jobs = finding.jobs.clone();
    jobs.sort();
    let identity = format!(
        "{}\0{}\0{}\0{}",
        finding.rule,
        primary.file,
        jobs.join("\0"),
        finding.subject
    );
    FindingReport {
        rule: finding.rule,
        level,
        confidence: finding.confidence,
        message: finding.message.clone(),
        label: finding.label.clone(),
        help: finding.help.clone(),
        jobs,
        triggers: finding.triggers.clone(),
        primary,
        related: remarks(&finding.related),
        trace: remarks(&finding.trace),
        fingerprint: String::new(),
        identity,
        accepted: finding.accepted.clone(),
    }
}

fn span(analysis: &Analysis, site: Site) -> Span {
    Span {
        file: analysis.file(site.file).shown.clone(),
        start: Place {
            line: site.place.line,
            column: site.place.column + 1,
        },
        end: Place {
            line: site.place.end_line,
            column: site.place.end_column + 1,
        },
    }
}

/// A name that stays when lines move: of what a finding is about, and which of several alike.
fn fingerprint(identity: &str, twins: usize) -> String {
    let digest = Sha256::digest(format!("{identity}\0{twins}"));
    digest[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
