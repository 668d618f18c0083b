//! The list of jobs as text.

use std::fmt::Write;

use super::map_text::counted;
use super::model::Report;
use super::style::{BOLD, DIM, cut, kind, paint, runs};

/// The jobs, where they are, why each counts as one, and how often it may run.
pub fn jobs_text(report: &Report, width: usize) -> String {
    let mut text = String::new();
    for job in &report.jobs {
        let _ = writeln!(
            text,
            "{}  {}",
            paint(BOLD, &job.name),
            paint(DIM, &format!("{}:{}", job.file, job.line))
        );
        let _ = writeln!(text, "  {} · {}", kind(job), runs(job));
        let _ = writeln!(
            text,
            "  {}",
            paint(DIM, &cut(&job.why, width.saturating_sub(2).max(40)))
        );
    }
    let _ = writeln!(
        text,
        "{}{} in {}, {:.2} s",
        if report.jobs.is_empty() { "" } else { "\n" },
        counted(report.jobs.len(), "job"),
        counted(report.summary.files, "file"),
        report.summary.time.as_secs_f64(),
    );
    text
}
