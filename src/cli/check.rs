//! `cargo retrysafe check`, which is also what `cargo retrysafe` alone does.

use retrysafe_rules::rule::{Confidence, Level};
use retrysafe_rules::vocabulary::nearest;

use crate::accept::judged;
use crate::checks::{Finding, Levels, settle};
use crate::config::LevelOf;
use crate::project::read_source;
use crate::report::{Report, check_json, findings, human, short, summary_line};

use super::arguments::{CheckCommand, CheckFormat, LevelFlag};
use super::exit::Exit;
use super::run::{Analysed, Outcome};
use super::{output, run};

pub(super) fn run(command: &CheckCommand) -> Exit {
    let levels = match levels_of(&command.levels) {
        Ok(levels) => levels,
        Err(message) => {
            return output::finish("", &run::unusable(message, "flags"), &command.common);
        }
    };
    let mut analysed = match run::analysed(&command.selection, &command.common) {
        Ok(analysed) => analysed,
        Err(outcome) => {
            let text = match command.format {
                CheckFormat::Json => check_json(&outcome.report),
                _ => String::new(),
            };
            return output::finish(&text, &outcome, &command.common);
        }
    };
    let report = checked(command, levels, &mut analysed);
    let root = analysed.root.clone();
    let source = |file: &str| read_source(&root.join(file)).ok();
    let text = match command.format {
        CheckFormat::Json => check_json(&report),
        CheckFormat::Short => short(&report),
        CheckFormat::Human => human(&report, &source),
    };
    let outcome = outcome(command, report);
    output::finish(&text, &outcome, &command.common)
}

/// The report with its findings.
fn checked(command: &CheckCommand, levels: Levels, analysed: &mut Analysed) -> Report {
    let found = judged(&mut analysed.analysis, &analysed.config);
    let (analysis, config) = (&analysed.analysis, &analysed.config);
    let levels = levels.configured(config);
    let least = command
        .min_confidence
        .map(Confidence::from)
        .or(config.min_confidence)
        .unwrap_or(Confidence::Medium);
    let is_wanted = |finding: &Finding| {
        let by_job = finding.jobs.iter().any(|job| (analysed.wanted)(job));
        by_job || finding.jobs.is_empty() && command.selection.job.is_none()
    };
    let mut shown = Vec::new();
    let mut accepted = 0;
    for finding in settle(found) {
        let level = levels.of(&finding);
        let is_shown = matches!(level, Level::Warn | Level::Deny)
            && finding.confidence >= least
            && is_wanted(&finding);
        if !is_shown {
            continue;
        }
        accepted += usize::from(finding.accepted.is_some());
        if finding.accepted.is_none() || command.common.verbose {
            shown.push((finding, level));
        }
    }
    let mut report = analysed.report();
    report.findings = findings(analysis, &analysed.config_name, &shown);
    report.accepted = accepted;
    report
}

fn outcome(command: &CheckCommand, report: Report) -> Outcome {
    let line = summary_line(&report);
    let denied = report
        .findings
        .iter()
        .any(|finding| finding.level == Level::Deny && finding.accepted.is_none());
    let too_many = command
        .max_gaps
        .is_some_and(|most| report.gaps.len() > most);
    let gaps: Vec<String> = report
        .gaps
        .iter()
        .filter(|_| command.common.gaps)
        .map(|gap| {
            format!(
                "gap: {} ({})\n  at {}:{}:{}",
                gap.message, gap.kind, gap.file, gap.start.line, gap.start.column
            )
        })
        .collect();
    let mut outcome = run::finish(report, &command.selection, &command.common);
    if outcome.exit == Exit::Clean && (denied || too_many) {
        outcome.exit = Exit::Findings;
    }
    outcome.notes.extend(gaps);
    if too_many && let Some(most) = command.max_gaps {
        outcome.notes.push(format!(
            "more gaps than the {most} that `--max-gaps` allows"
        ));
    }
    if !command.common.quiet {
        outcome.notes.push(line);
    }
    outcome
}

/// The levels that flags ask for, in their order.
fn levels_of(flags: &LevelFlag) -> Result<Levels, String> {
    let mut levels = Levels::default();
    if flags.pedantic {
        levels = levels.pedantic();
    }
    for (level, name) in flags.in_order() {
        let of = LevelOf::parse(&name).ok_or_else(|| {
            let words = LevelOf::words();
            let hint = match nearest(&name, words) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`cargo retrysafe rules` lists them".to_owned(),
            };
            format!("there is no rule or family `{name}`; {hint}")
        })?;
        levels = levels.asked(of, level);
    }
    Ok(levels)
}
