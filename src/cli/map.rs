//! `cargo retrysafe map`.

use crate::report::{MapStyle, map_json, map_markdown, map_text};

use super::arguments::{MapCommand, MapFormat};
use super::exit::Exit;
use super::{output, run};

pub(super) fn run(command: &MapCommand) -> Exit {
    let outcome = run::run(&command.selection, &command.common);
    let report = &outcome.report;
    let gaps = command.common.gaps;
    let text = match command.format {
        MapFormat::Json => map_json(report, gaps),
        _ if report.jobs.is_empty() => String::new(),
        MapFormat::Markdown => map_markdown(report, gaps),
        MapFormat::Text => {
            let width = output::width(&command.common);
            map_text(
                report,
                MapStyle {
                    width,
                    verbose: command.common.verbose,
                    gaps,
                },
            )
        }
    };
    output::finish(&text, &outcome, &command.common)
}
