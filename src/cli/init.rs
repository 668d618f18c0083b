//! `cargo retrysafe init`.

use std::io::Write;

use crate::config::TEMPLATE;
use crate::project::{Problem, Request, create_file, locate_root};

use super::arguments::InitCommand;
use super::exit::Exit;

/// What runs the tool for every change.
const SNIPPETS: &str = include_str!("init.txt");

pub(super) fn run(command: &InitCommand) -> Exit {
    match write(command) {
        Ok(shown) => {
            let _ = writeln!(std::io::stderr(), "wrote {shown}");
            // A closed pipe is the reader's decision.
            let _ = std::io::stdout().write_all(SNIPPETS.as_bytes());
            Exit::Clean
        }
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "error: {message}");
            Exit::Unusable
        }
    }
}

/// Writes the file; gives its path.
fn write(command: &InitCommand) -> Result<String, String> {
    let told = |problem: Problem| {
        let at = problem.path.display();
        format!("{}\n  at {at}\n  help: {}", problem.message, problem.remedy)
    };
    let current_dir = std::env::current_dir()
        .map_err(|error| format!("the current folder cannot be read: {error}"))?;
    let request = Request {
        manifest_path: command.manifest_path.clone(),
        current_dir,
        ..Request::default()
    };
    let (root, config) = locate_root(&request).map_err(told)?;
    if let Some(config) = config.filter(|config| !config.table.is_empty()) {
        return Err(format!(
            "the configuration stands in `[{}]` already\n  at {}\n  help: edit it there, or move \
             it to `retrysafe.toml` first",
            config.table.join("."),
            config.path.display()
        ));
    }
    let path = root.join("retrysafe.toml");
    create_file(&path, TEMPLATE).map_err(told)?;
    Ok(path.display().to_string())
}
