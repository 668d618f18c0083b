//! `retrysafe.toml`: what a workspace says of its own jobs.

use globset::{Glob, GlobMatcher};
use retrysafe_rules::grammar::JobMark;

/// The configuration of a workspace.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Its `[[job]]` entries.
    pub jobs: Vec<JobRule>,
}

/// A `[[job]]` entry.
#[derive(Debug, Clone)]
pub struct JobRule {
    /// The functions, by path.
    pub path: Option<GlobMatcher>,
    /// The trait, by path.
    pub trait_path: Option<String>,
    /// The method of the trait.
    pub method: Option<String>,
    /// What the entry says of the job.
    pub mark: JobMark,
    /// The line of the entry.
    pub line: usize,
}

/// A glob over paths of functions.
pub fn matcher(pattern: &str) -> Result<GlobMatcher, globset::Error> {
    Ok(Glob::new(pattern)?.compile_matcher())
}
