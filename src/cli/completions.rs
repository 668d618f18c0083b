//! `cargo retrysafe completions`.

use clap::CommandFactory;
use clap_complete::Shell;

use super::arguments::Arguments;
use super::exit::Exit;

pub(super) fn run(shell: Shell) -> Exit {
    let mut command = Arguments::command();
    clap_complete::generate(
        shell,
        &mut command,
        "cargo-retrysafe",
        &mut std::io::stdout(),
    );
    Exit::Clean
}
