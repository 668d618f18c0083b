//! The map as Markdown, for a document or a pull request.

use std::fmt::Write;

use retrysafe_rules::vocabulary::{Repeat, Section};

use super::map_text::rest_of;
use super::model::{EffectReport, JobReport, Report};
use super::style::{kind, runs};

/// The map of every job, one heading each.
pub fn map_markdown(report: &Report, with_gaps: bool) -> String {
    let mut text = String::from("# Side-effect map\n");
    for job in &report.jobs {
        write_job(&mut text, job);
    }
    if with_gaps && !report.gaps.is_empty() {
        text.push_str("\n## Not understood\n\n");
        for gap in &report.gaps {
            let _ = writeln!(
                text,
                "- {}: {} (`{}:{}`)",
                gap.kind, gap.message, gap.file, gap.start.line
            );
        }
    }
    text
}

fn write_job(text: &mut String, job: &JobReport) {
    let _ = writeln!(text, "\n## `{}`\n", job.name);
    let _ = writeln!(
        text,
        "{} · {} · `{}:{}`  ",
        kind(job),
        runs(job),
        job.file,
        job.line
    );
    let _ = writeln!(text, "{}", job.why);
    if let Some(key) = &job.key {
        let _ = writeln!(text, "\nKey: `{key}`");
    }
    if !job.inputs.is_empty() {
        text.push_str("\n**Inputs:** ");
        let inputs: Vec<String> = job
            .inputs
            .iter()
            .map(|input| format!("`{}: {}`", input.name, input.ty))
            .collect();
        let _ = writeln!(text, "{}", inputs.join(", "));
    }
    if let Some(rest) = rest_of(job) {
        let _ = writeln!(text, "\n_{rest}_");
    }
    if job.effects.is_empty() {
        return;
    }
    text.push_str("\n| section | effect | target | protection | evidence | where |\n| --- | --- | --- | --- | --- | --- |\n");
    for section in Section::ALL {
        for effect in job
            .effects
            .iter()
            .filter(|effect| effect.section == *section)
        {
            write_effect(text, effect);
        }
    }
}

fn write_effect(text: &mut String, effect: &EffectReport) {
    let mut circumstances = String::new();
    match effect.repeat {
        Repeat::Once => {}
        Repeat::Loop => circumstances.push_str(", per item"),
        Repeat::Spawned => circumstances.push_str(", spawned"),
        Repeat::Retried => circumstances.push_str(", retried in process"),
    }
    if effect.in_transaction {
        circumstances.push_str(", in transaction");
    }
    let _ = writeln!(
        text,
        "| {} | {} {}{circumstances} | `{}` | {} | {} | `{}:{}` |",
        effect.section.word().replace('_', " "),
        effect.action,
        effect.kind,
        escape(&effect.target),
        effect.protection,
        escape(&effect.evidence),
        effect.file,
        effect.line,
    );
}

/// A cell must hold neither a bar nor a line break.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
