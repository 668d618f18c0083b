//! A throw-away folder of files, for tests of this module alone.

use std::fs;
use std::path::PathBuf;

/// Removed from disk when dropped.
pub(super) struct Tree {
    folder: tempfile::TempDir,
}

impl Tree {
    pub(super) fn new<const N: usize>(files: [(&str, &str); N]) -> Self {
        let tree = Self {
            folder: tempfile::tempdir().expect("the temporary folder is writable"),
        };
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        let parent = path.parent().expect("every file lies in the tree");
        fs::create_dir_all(parent).expect("the tree is writable");
        fs::write(path, text).expect("the tree is writable");
    }

    pub(super) fn folder(&self, path: &str) {
        fs::create_dir_all(self.path(path)).expect("the tree is writable");
    }

    /// An absolute path below the tree; the tree itself for an empty one.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        // An absolute path would silently lead out of the tree.
        assert!(!path.starts_with('/'), "`{path}` leaves the tree");
        match path {
            "" => self.folder.path().to_path_buf(),
            _ => self.folder.path().join(path),
        }
    }

    #[cfg(unix)]
    pub(super) fn link(&self, link: &str, to: &str) {
        std::os::unix::fs::symlink(self.path(to), self.path(link)).expect("the tree is writable");
    }
}
