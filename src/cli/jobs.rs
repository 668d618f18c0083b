//! `cargo retrysafe jobs`.

use crate::report::{jobs_json, jobs_text};

use super::arguments::{JobsCommand, JobsFormat};
use super::exit::Exit;
use super::{output, run};

pub(super) fn run(command: &JobsCommand) -> Exit {
    let outcome = run::run(&command.selection, &command.common);
    let text = match command.format {
        JobsFormat::Json => jobs_json(&outcome.report, command.common.gaps),
        JobsFormat::Text if outcome.report.jobs.is_empty() => String::new(),
        JobsFormat::Text => jobs_text(&outcome.report, output::width(&command.common)),
    };
    output::finish(&text, &outcome, &command.common)
}
