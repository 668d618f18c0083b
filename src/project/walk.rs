//! The files below a folder that count as the project's own.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::paths;

/// All files below a folder, without ignored, hidden and foreign ones. What lies above the folder has no say,
/// so that the answer depends on the folder alone. Links are not followed.
pub(super) fn files(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let base = dir.to_path_buf();
    WalkBuilder::new(dir)
        .parents(false)
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .filter_entry(move |entry| !paths::is_foreign_folder(&base, entry.path()))
        .build()
        .filter_map(Result::ok)
        .map(ignore::DirEntry::into_path)
        .filter(|path| path.is_file())
}
