//! What can be said on the command line.

use std::path::PathBuf;

use clap::{ArgMatches, Args, ColorChoice, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use retrysafe_rules::rule::{Confidence, Level};

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
    /// Find what goes wrong when a job runs twice; what runs when no command is named
    Check(CheckCommand),
    /// The side-effect map of every job
    Map(MapCommand),
    /// The jobs found, where, why each counts as a job, and how often it may run
    Jobs(JobsCommand),
    /// Write a commented `retrysafe.toml`, and print snippets for CI
    Init(InitCommand),
    /// What a rule is about, why it matters, and what to do
    Explain {
        /// The rule
        rule: String,
    },
    /// Every rule, with its level
    Rules,
    /// The JSON Schema of an output or of the configuration
    Schema {
        /// Of what
        #[arg(value_enum, default_value_t = SchemaOf::Report)]
        of: SchemaOf,
    },
    /// Completions for a shell, on standard output
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Debug, Args)]
pub(super) struct CheckCommand {
    #[command(flatten)]
    pub(super) selection: Selection,
    /// The format
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    pub(super) format: CheckFormat,
    #[command(flatten)]
    pub(super) levels: LevelFlag,
    /// How sure a finding must be to be shown
    #[arg(long, value_enum, value_name = "CONFIDENCE")]
    pub(super) min_confidence: Option<Sureness>,
    /// End in 1 when more than so many things could not be understood
    #[arg(long, value_name = "N")]
    pub(super) max_gaps: Option<usize>,
    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    Human,
    Short,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SchemaOf {
    Report,
    Map,
    Config,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Sureness {
    Low,
    Medium,
    High,
}

impl From<Sureness> for Confidence {
    fn from(sureness: Sureness) -> Confidence {
        match sureness {
            Sureness::Low => Confidence::Low,
            Sureness::Medium => Confidence::Medium,
            Sureness::High => Confidence::High,
        }
    }
}

/// How loud rules are.
#[derive(Debug, Args)]
#[command(next_help_heading = "Levels")]
pub(super) struct LevelFlag {
    /// Do not show a rule, or a family of rules
    #[arg(short = 'A', long, value_name = "RULE")]
    allow: Vec<String>,
    /// Show a rule, or a family of rules
    #[arg(short = 'W', long, value_name = "RULE")]
    warn: Vec<String>,
    /// Let findings of a rule, or a family of rules, fail the run
    #[arg(short = 'D', long, value_name = "RULE")]
    deny: Vec<String>,
    /// Show what is off by default as well
    #[arg(long)]
    pub(super) pedantic: bool,
    /// Where each flag stood, by its name and its position among those of that name.
    #[arg(skip)]
    order: Vec<(usize, Level, String)>,
}

impl LevelFlag {
    /// Learns the order in which the flags were given: later ones win.
    pub(super) fn learn_order(&mut self, matches: &ArgMatches) {
        let flags = [
            ("allow", Level::Allow, &self.allow),
            ("warn", Level::Warn, &self.warn),
            ("deny", Level::Deny, &self.deny),
        ];
        for (id, level, names) in flags {
            let places = matches.indices_of(id).into_iter().flatten();
            let named = places.zip(names);
            self.order
                .extend(named.map(|(at, name)| (at, level, name.clone())));
        }
        self.order.sort_by_key(|(at, ..)| *at);
    }

    /// The levels that flags ask for, in the order in which they were given.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (Level, String)> + '_ {
        self.order
            .iter()
            .map(|(_, level, name)| (*level, name.clone()))
    }
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
