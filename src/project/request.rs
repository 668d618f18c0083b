//! What the user asked to be analysed.

use std::path::PathBuf;

/// What to load, as given on the command line.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// `--manifest-path`: a manifest or its folder.
    pub manifest_path: Option<PathBuf>,
    /// Files and folders; only what lies in them is reported.
    pub paths: Vec<PathBuf>,
    /// `-p`: names, `name@version` or globs.
    pub packages: Vec<String>,
    /// `--exclude`: the same.
    pub exclude: Vec<String>,
    /// `--workspace`: every member is reported, wherever the run starts.
    pub workspace: bool,
    /// Where the run starts; relative paths count from here.
    pub current_dir: PathBuf,
}
