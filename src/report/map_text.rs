//! The map as text: the face of the product.

use std::fmt::Write;

use retrysafe_rules::vocabulary::{Protection, Repeat, Section};

use super::model::{EffectReport, JobReport, Report};
use super::style::{BOLD, DIM, cut, kind, pad, paint, protection_style, runs};

/// How the text is laid out.
#[derive(Debug, Clone, Copy)]
pub struct MapStyle {
    /// The width of a line in characters.
    pub width: usize,
    /// Whether routes and evidence are shown.
    pub verbose: bool,
    /// Whether what was not understood is listed.
    pub gaps: bool,
}

/// Columns of an effect that have a fixed width.
struct Columns {
    action: usize,
    kind: usize,
    target: usize,
    protection: usize,
}

/// The map of every job.
pub fn map_text(report: &Report, style: MapStyle) -> String {
    let mut text = String::new();
    for job in &report.jobs {
        write_job(&mut text, job, style);
    }
    if style.gaps && !report.gaps.is_empty() {
        let _ = writeln!(text, "{}", paint(BOLD, "not understood"));
        for gap in &report.gaps {
            let place = format!("{}:{}", gap.file, gap.start.line);
            let _ = writeln!(
                text,
                "  {} {} {}",
                pad(gap.kind, 17),
                gap.message,
                paint(DIM, &place)
            );
        }
        text.push('\n');
    }
    text.push_str(&summary(report, style.width));
    text.push('\n');
    text
}

fn write_job(text: &mut String, job: &JobReport, style: MapStyle) {
    let _ = writeln!(text, "{}", paint(BOLD, &job.name));
    let _ = writeln!(text, "  {} · {}", kind(job), runs(job));
    let place = format!("{}:{}", job.file, job.line);
    let why = cut(
        &job.why,
        style
            .width
            .saturating_sub(place.chars().count() + 5)
            .max(30),
    );
    let _ = writeln!(text, "  {}", paint(DIM, &format!("{place} · {why}")));
    if let Some(key) = &job.key {
        let _ = writeln!(text, "  key `{key}`");
    }
    if !job.inputs.is_empty() {
        let _ = writeln!(text, "\n  inputs");
        let width = job
            .inputs
            .iter()
            .map(|input| input.name.chars().count())
            .max()
            .unwrap_or(0);
        for input in &job.inputs {
            let _ = writeln!(
                text,
                "    {}  {}",
                pad(&input.name, width),
                paint(DIM, &input.ty)
            );
        }
    }
    let columns = Columns::of(job, style.width);
    for (section, title) in [
        (Section::Writes, "writes"),
        (Section::ExternalCalls, "external calls"),
        (Section::Outputs, "outputs"),
    ] {
        let mut effects = job
            .effects
            .iter()
            .filter(|effect| effect.section == section)
            .peekable();
        if effects.peek().is_none() {
            continue;
        }
        let _ = writeln!(text, "\n  {title}");
        for effect in effects {
            write_effect(text, effect, &columns, style);
        }
    }
    if let Some(rest) = rest_of(job) {
        let _ = writeln!(text, "\n  {}", paint(DIM, &rest));
    }
    text.push('\n');
}

impl Columns {
    fn of(job: &JobReport, width: usize) -> Columns {
        let longest =
            |of: &dyn Fn(&EffectReport) -> usize| job.effects.iter().map(of).max().unwrap_or(0);
        let action = longest(&|effect| effect.action.word().len());
        let kind = longest(&|effect| effect.kind.word().len());
        let protection = longest(&|effect| effect.protection.word().len());
        let place = longest(&|effect| place(effect).chars().count()).min(40);
        let fixed = 4 + action + 1 + kind + 1 + 2 + protection + 2 + place;
        let wanted = longest(&|effect| effect.target.chars().count());
        let target = wanted.min(width.saturating_sub(fixed).max(16));
        Columns {
            action,
            kind,
            target,
            protection,
        }
    }
}

fn place(effect: &EffectReport) -> String {
    format!("{}:{}", effect.file, effect.line)
}

fn write_effect(text: &mut String, effect: &EffectReport, columns: &Columns, style: MapStyle) {
    let protection = pad(effect.protection.word(), columns.protection);
    let target = pad(&cut(&effect.target, columns.target), columns.target);
    let used =
        4 + columns.action + 1 + columns.kind + 1 + columns.target + 2 + columns.protection + 2;
    let place = shorten_path(&place(effect), style.width.saturating_sub(used).max(12));
    let mut marks = Vec::new();
    match effect.repeat {
        Repeat::Once => {}
        Repeat::Loop => marks.push("per item"),
        Repeat::Spawned => marks.push("spawned"),
        Repeat::Retried => marks.push("retried in process"),
    }
    if effect.in_transaction {
        marks.push("in transaction");
    }
    let line = format!(
        "    {} {} {target}  {}  {}",
        pad(effect.action.word(), columns.action),
        pad(effect.kind.word(), columns.kind),
        paint(protection_style(effect.protection), &protection),
        paint(DIM, &place),
    );
    let _ = writeln!(text, "{}", line.trim_end());
    let detail = |text: &mut String, said: &str| {
        let _ = writeln!(
            text,
            "    {} {}",
            " ".repeat(columns.action),
            paint(DIM, said)
        );
    };
    let open = matches!(effect.protection, Protection::None);
    if !marks.is_empty() {
        detail(text, &marks.join(", "));
    }
    if style.verbose || open && effect.key.is_some() {
        detail(text, &effect.evidence);
    }
    if style.verbose {
        detail(text, &format!("by {}", effect.route.join(" → ")));
        detail(text, &format!("calls {}", effect.api));
    }
}

/// Cuts a path from its front, since its end tells more.
fn shorten_path(path: &str, width: usize) -> String {
    let length = path.chars().count();
    if length <= width {
        return path.to_owned();
    }
    let tail: String = path.chars().skip(length + 1 - width).collect();
    format!("…{tail}")
}

/// The last line, or two where one is too narrow: jobs, effects by protection, gaps, files, time.
pub(super) fn summary(report: &Report, width: usize) -> String {
    let effects: Vec<&EffectReport> = report.jobs.iter().flat_map(|job| &job.effects).collect();
    let count = |wanted: Protection| {
        effects
            .iter()
            .filter(|effect| effect.protection == wanted)
            .count()
    };
    let (none, unknown) = (count(Protection::None), count(Protection::Unknown));
    let protected = effects.len() - none - unknown;
    let found = format!(
        "{}, {}: {protected} protected, {none} unprotected, {unknown} not told;",
        counted(report.jobs.len(), "job"),
        counted(effects.len(), "effect"),
    );
    let read = format!(
        "{}; {} in {:.2} s",
        counted(report.gaps.len(), "gap"),
        counted(report.summary.files, "file"),
        report.summary.time.as_secs_f64(),
    );
    let fits = found.chars().count() + 1 + read.chars().count() <= width;
    format!("{found}{}{read}", if fits { " " } else { "\n" })
}

/// What is to be said where the effects end: that there are none, or that there may be more.
pub(super) fn rest_of(job: &JobReport) -> Option<String> {
    let gaps = || format!("{} on its routes, see `--gaps`", counted(job.gaps, "gap"));
    match (job.effects.is_empty(), job.gaps) {
        (true, 0) => Some("no effects found".to_owned()),
        (true, _) => Some(format!("no effects found, but {}", gaps())),
        (false, 0) => None,
        (false, _) => Some(gaps()),
    }
}

pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
