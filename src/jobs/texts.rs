//! Texts that code names by path.

use std::path::Path;

use crate::ir::{FileId, Place};
use crate::timeline::{EnvId, Unfolding};

/// Reads texts that code names by path: SQL files. Given by the caller, who may open files.
#[derive(Clone, Copy)]
pub struct Texts<'t> {
    /// Reads a path relative to a file of the project, or to the package it belongs to.
    pub read: &'t (dyn Fn(FileId, &Path, bool) -> Option<String> + Sync),
}

impl std::fmt::Debug for Texts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Texts")
    }
}

impl Texts<'_> {
    /// The text at a path relative to the package, or to the source file that names it.
    pub(super) fn read(
        self,
        unfolding: &Unfolding<'_>,
        env: EnvId,
        path: &str,
        of_package: bool,
    ) -> Option<String> {
        let file = unfolding.site(env, Place::default()).file;
        (self.read)(file, Path::new(path), of_package)
    }
}
