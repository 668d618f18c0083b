//! `retrysafe.toml`: what a workspace says of its own jobs.
//!
//! The file is read as a whole: every mistake in it is told at once, each at its own place.
//! It knows nothing of the code that is analysed.

mod entry;
mod job;
mod read;

pub use entry::ConfigError;
pub use job::JobRule;
pub use read::read;

/// The configuration of a workspace.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Its `[[job]]` entries.
    pub jobs: Vec<JobRule>,
    /// Sections that are known words but that nothing reads yet, with their lines.
    pub unread: Vec<(String, usize)>,
}
