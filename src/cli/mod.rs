//! The command line: one file per subcommand, the exit codes in one place.

mod arguments;
mod check;
mod completions;
mod exit;
mod explain;
mod init;
mod jobs;
mod map;
mod output;
mod run;
mod schema;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches};

use arguments::{Arguments, Command};

pub use exit::Exit;

/// Runs the command line, and says how it ended.
pub fn main(args: impl IntoIterator<Item = OsString>) -> Exit {
    let args = with_command(without_subcommand_word(args));
    let matches = match Arguments::command().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => {
            // Help and version are no errors; clap knows where each goes.
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Unusable
            } else {
                Exit::Clean
            };
        }
    };
    let arguments = match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return Exit::Unusable;
        }
    };
    match arguments.command {
        Command::Check(mut command) => {
            if let Some((_, matches)) = matches.subcommand() {
                command.levels.learn_order(matches);
            }
            check::run(&command)
        }
        Command::Explain { rule } => explain::explain(&rule),
        Command::Rules => explain::rules(),
        Command::Schema { of } => schema::run(of),
        Command::Map(command) => map::run(&command),
        Command::Jobs(command) => jobs::run(&command),
        Command::Init(command) => init::run(&command),
        Command::Completions { shell } => completions::run(shell),
    }
}

/// `cargo retrysafe map` calls the binary with the word `retrysafe` in front.
fn without_subcommand_word(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    if args.get(1).is_some_and(|word| word == "retrysafe") {
        args.remove(1);
    }
    args
}

/// `cargo retrysafe src` and `cargo retrysafe --format json` are checks.
fn with_command(mut args: Vec<OsString>) -> Vec<OsString> {
    let is_said = args.get(1).is_some_and(|word| {
        let word = word.to_string_lossy();
        let is_command = Arguments::command()
            .get_subcommands()
            .any(|command| command.get_name() == word);
        is_command || matches!(&*word, "help" | "-h" | "--help" | "-V" | "--version")
    });
    if !is_said {
        let at = args.len().min(1);
        args.insert(at, OsString::from("check"));
    }
    args
}
