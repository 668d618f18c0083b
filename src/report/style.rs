//! Colours and widths of texts for people.

use anstyle::{AnsiColor, Style};
use retrysafe_rules::catalog::Attempts;
use retrysafe_rules::vocabulary::{Delivery, JobKind, Protection};

use super::model::JobReport;

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();

/// The colour of a protection: what is open, what is not told, what holds.
pub(super) fn protection_style(protection: Protection) -> Style {
    match protection {
        Protection::None => AnsiColor::Red.on_default().bold(),
        Protection::Unknown => AnsiColor::Yellow.on_default(),
        _ => AnsiColor::Green.on_default(),
    }
}

/// Puts text in a style.
pub(super) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Cuts a text to a width, the end replaced by `…`.
pub(super) fn cut(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// Pads a text to a width.
pub(super) fn pad(text: &str, width: usize) -> String {
    let length = text.chars().count();
    format!("{text}{}", " ".repeat(width.saturating_sub(length)))
}

/// How often a job may run, in words.
pub(super) fn runs(job: &JobReport) -> String {
    let delivery = match job.delivery {
        Delivery::AtLeastOnce => "at least once",
        Delivery::AtMostOnce => "at most once",
        Delivery::Repeated => "again on every turn",
        Delivery::Unknown => "runs not told",
    };
    match job.attempts {
        Attempts::Count(1) => delivery.to_owned(),
        Attempts::Count(count) => format!("{delivery}, up to {count} attempts"),
        Attempts::Unlimited if job.delivery == Delivery::Repeated => delivery.to_owned(),
        Attempts::Unlimited => format!("{delivery}, without end"),
        Attempts::Unknown => delivery.to_owned(),
    }
}

/// The kind of a job and what runs it.
pub(super) fn kind(job: &JobReport) -> String {
    match &job.framework {
        Some(framework) => format!("{} · {framework}", job.kind),
        None if job.kind == JobKind::Queue => format!("{} · made in the house", job.kind),
        None => job.kind.to_string(),
    }
}
