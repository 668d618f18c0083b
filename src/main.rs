//! Parse, run, exit: everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    cargo_retrysafe::cli::main(std::env::args_os()).into()
}
