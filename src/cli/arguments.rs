//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// What happens if this job runs twice?
#[derive(Debug, Parser)]
#[command(
    name = "cargo retrysafe",
    bin_name = "cargo retrysafe",
    version,
    about,
    max_term_width = 100
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// The side-effect map of every job
    Map(MapCommand),
    /// The jobs found, where, why each counts as a job, and how often it may run
    Jobs(JobsCommand),
    /// Write a commented `retrysafe.toml`, and print snippets for CI
    Init(InitCommand),
    /// Completions for a shell, on standard output
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Debug, Args)]
pub(super) struct MapCommand {
    #[command(flatten)]
    pub(super) selection: Selection,
    /// The format
    #[arg(long, value_enum, default_value_t = MapFormat::Text)]
    pub(super) format: MapFormat,
    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(Debug, Args)]
pub(super) struct JobsCommand {
    #[command(flatten)]
    pub(super) selection: Selection,
    /// The format
    #[arg(long, value_enum, default_value_t = JobsFormat::Text)]
    pub(super) format: JobsFormat,
    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(Debug, Args)]
pub(super) struct InitCommand {
    /// The manifest of the package or workspace to write it for
    #[arg(long, value_name = "PATH")]
    pub(super) manifest_path: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum MapFormat {
    Text,
    Json,
    Markdown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum JobsFormat {
    Text,
    Json,
}

/// What is analysed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(super) struct Selection {
    /// Files and folders: packages, or plain Rust code without a manifest
    pub(super) paths: Vec<PathBuf>,
    /// The manifest to start from
    #[arg(long, value_name = "PATH")]
    pub(super) manifest_path: Option<PathBuf>,
    /// Packages to report on, by name or glob
    #[arg(short, long, value_name = "SPEC")]
    pub(super) package: Vec<String>,
    /// Packages to leave out
    #[arg(long, value_name = "SPEC")]
    pub(super) exclude: Vec<String>,
    /// Every member of the workspace
    #[arg(long, alias = "all")]
    pub(super) workspace: bool,
    /// Jobs to report on, by a glob over their names
    #[arg(long, value_name = "GLOB")]
    pub(super) job: Option<String>,
    /// The configuration file; `retrysafe.toml` at the workspace root otherwise
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
}

/// How it is said.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Common {
    /// Where to write, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// When to use colours
    #[arg(long, default_value_t = ColorChoice::Auto)]
    pub(super) color: ColorChoice,
    /// Show the route to each effect and what its protection rests on
    #[arg(short, long)]
    pub(super) verbose: bool,
    /// Say nothing on standard error but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// List what could not be understood
    #[arg(long)]
    pub(super) gaps: bool,
    /// End in 0 when there is no job
    #[arg(long)]
    pub(super) allow_no_jobs: bool,
    /// End in what the rest deserves when some input cannot be read
    #[arg(long)]
    pub(super) keep_going: bool,
}
