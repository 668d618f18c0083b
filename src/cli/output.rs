//! Where output goes: reports to standard output or a file, the rest to standard error.

use std::io::{IsTerminal, Write};

use anstream::{AutoStream, ColorChoice as Choice};
use clap::ColorChoice;

use crate::project::write_output;

use super::arguments::Common;
use super::exit::Exit;
use super::run::Outcome;

/// The width of a line when standard output is no terminal.
const WIDTH: usize = 100;

/// The width of a line of text.
pub(super) fn width(common: &Common) -> usize {
    let terminal = common.output.is_none() && std::io::stdout().is_terminal();
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse::<usize>().ok());
    let measured = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let width = if terminal {
        measured.or(columns)
    } else {
        columns
    };
    width.unwrap_or(WIDTH).clamp(60, 200)
}

/// Prints a rendered report and what stands beside it; gives the exit code.
pub(super) fn finish(text: &str, outcome: &Outcome, common: &Common) -> Exit {
    let choice = match common.color {
        ColorChoice::Auto => Choice::Auto,
        ColorChoice::Always => Choice::Always,
        ColorChoice::Never => Choice::Never,
    };
    let mut errors = AutoStream::new(std::io::stderr(), choice);
    for problem in &outcome.report.problems {
        if common.quiet && !problem.unreadable {
            continue;
        }
        let place = match problem.start {
            Some(place) => format!("{}:{}:{}", problem.file, place.line, place.column),
            None => problem.file.clone(),
        };
        let word = if problem.unreadable { "error" } else { "note" };
        let _ = writeln!(
            errors,
            "{word}: {}\n  at {place}\n  help: {}",
            problem.message, problem.help
        );
    }
    if !common.quiet || outcome.exit != Exit::Clean {
        for note in &outcome.notes {
            let _ = writeln!(errors, "{note}");
        }
    }
    match &common.output {
        Some(path) => {
            let plain = anstream::adapter::strip_str(text).to_string();
            if let Err(problem) = write_output(path, &plain) {
                let _ = writeln!(
                    errors,
                    "error: {}\n  at {}",
                    problem.message,
                    path.display()
                );
                return Exit::Unusable;
            }
        }
        None => {
            let mut out = AutoStream::new(std::io::stdout(), choice);
            // A closed pipe is the reader's decision.
            let _ = out.write_all(text.as_bytes());
        }
    }
    outcome.exit
}
