//! Manifests read once each, and which workspace root governs one.
//!
//! Does not decide who is a member beyond what `exclude` says: that needs all members at hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::manifest::{ManifestFile, WorkspaceTable};
use super::paths;
use super::problem::{Problem, Severity};

/// Reads manifests and remembers them; what is wrong with one is told once.
#[derive(Debug, Default)]
pub(super) struct Manifests {
    seen: BTreeMap<PathBuf, Option<Rc<ManifestFile>>>,
    pub(super) problems: Vec<Problem>,
}

impl Manifests {
    /// The manifest at this path; `None` after a problem was noted.
    pub(super) fn open(&mut self, path: &Path) -> Option<Rc<ManifestFile>> {
        self.open_as(path, Severity::Unreadable)
    }

    fn open_as(&mut self, path: &Path, severity: Severity) -> Option<Rc<ManifestFile>> {
        if let Some(known) = self.seen.get(path) {
            return known.clone();
        }
        let read = match ManifestFile::read(path) {
            Ok(file) => Some(Rc::new(file)),
            Err(problem) => {
                self.problems.push(Problem {
                    severity,
                    ..problem
                });
                None
            }
        };
        self.seen.insert(path.to_path_buf(), read.clone());
        read
    }

    /// The manifest of the workspace that governs `file`: itself, the one it names, or the nearest
    /// above that does not exclude it. `None` when it stands alone.
    pub(super) fn root_of(&mut self, file: &Rc<ManifestFile>) -> Option<Rc<ManifestFile>> {
        if file.table.workspace.is_some() {
            return Some(Rc::clone(file));
        }
        let named = file
            .table
            .package
            .as_ref()
            .and_then(|p| p.workspace.as_ref());
        if let Some(folder) = named {
            let path = paths::absolute(&file.dir, folder).join("Cargo.toml");
            return self
                .open(&path)
                .filter(|root| root.table.workspace.is_some());
        }
        for folder in file.dir.ancestors().skip(1) {
            let path = folder.join("Cargo.toml");
            if !path.is_file() {
                continue;
            }
            // What stands above need not concern this package, so it cannot make the run fail.
            let Some(above) = self.open_as(&path, Severity::Note) else {
                continue;
            };
            if let Some(workspace) = &above.table.workspace {
                return (!is_excluded(&above.dir, workspace, &file.dir)).then_some(above);
            }
        }
        None
    }
}

/// Whether `exclude` keeps a folder out. Both lists are plain path prefixes to cargo here, and a
/// folder that `members` names without a pattern is in whatever `exclude` says.
pub(super) fn is_excluded(root: &Path, workspace: &WorkspaceTable, dir: &Path) -> bool {
    let covers = |entry: &str| dir.starts_with(paths::absolute(root, entry));
    workspace.exclude.iter().any(|entry| covers(entry))
        && !workspace
            .members
            .iter()
            .any(|entry| covers(entry.get_ref()))
}

/// The nearest `Cargo.toml` at or above a file or folder.
pub(super) fn nearest(path: &Path) -> Option<PathBuf> {
    path.ancestors()
        .filter(|folder| folder.is_dir())
        .map(|folder| folder.join("Cargo.toml"))
        .find(|manifest| manifest.is_file())
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    fn root_of(tree: &Tree, manifest: &str) -> Option<PathBuf> {
        let mut manifests = Manifests::default();
        let file = manifests.open(&tree.path(manifest)).expect("it is valid");
        manifests.root_of(&file).map(|root| root.path.clone())
    }

    const PACKAGE: &str = "[package]\nname = \"a\"\n";

    #[test]
    fn the_root_is_found_upward_past_manifests_that_are_none() {
        let tree = Tree::new([
            ("Cargo.toml", "[workspace]\nmembers = [\"a/b\"]\n"),
            ("a/Cargo.toml", "[package]\nname = \"between\"\n"),
            ("a/b/Cargo.toml", PACKAGE),
        ]);
        assert_eq!(
            root_of(&tree, "a/b/Cargo.toml"),
            Some(tree.path("Cargo.toml"))
        );
    }

    #[test]
    fn a_package_may_name_a_root_elsewhere() {
        let tree = Tree::new([
            ("ws/Cargo.toml", "[workspace]\nmembers = [\"../a\"]\n"),
            (
                "a/Cargo.toml",
                "[package]\nname = \"a\"\nworkspace = \"../ws\"\n",
            ),
        ]);
        assert_eq!(
            root_of(&tree, "a/Cargo.toml"),
            Some(tree.path("ws/Cargo.toml"))
        );
    }

    #[test]
    fn an_excluded_package_has_no_root_unless_it_is_named_as_a_member() {
        let tree = Tree::new([
            ("Cargo.toml", "[workspace]\nexclude = [\"a\"]\n"),
            ("a/Cargo.toml", PACKAGE),
        ]);
        assert_eq!(root_of(&tree, "a/Cargo.toml"), None);
        tree.write(
            "Cargo.toml",
            "[workspace]\nmembers = [\"a\"]\nexclude = [\"./a\"]\n",
        );
        assert_eq!(
            root_of(&tree, "a/Cargo.toml"),
            Some(tree.path("Cargo.toml"))
        );
    }

    #[test]
    fn a_broken_manifest_above_is_a_note_and_told_once() {
        let tree = Tree::new([("Cargo.toml", "oops"), ("a/Cargo.toml", PACKAGE)]);
        let mut manifests = Manifests::default();
        let file = manifests
            .open(&tree.path("a/Cargo.toml"))
            .expect("it is valid");
        assert!(manifests.root_of(&file).is_none());
        assert!(manifests.root_of(&file).is_none());
        assert_eq!(manifests.problems.len(), 1);
        assert_eq!(manifests.problems[0].severity, Severity::Note);
    }
}
