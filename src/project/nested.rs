//! Folders that hold packages without being one: a repository with its service in `backend/`.

use std::path::{Path, PathBuf};

use super::walk;

/// The outermost manifests below each of some folders; none when one of them has none.
pub(super) fn manifests(given: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in given {
        let below = outermost(path);
        if below.is_empty() {
            return Vec::new();
        }
        found.extend(below);
    }
    found.sort();
    found.dedup();
    found
}

fn outermost(dir: &Path) -> Vec<PathBuf> {
    if !dir.is_dir() {
        return Vec::new();
    }
    let is_manifest = |path: &PathBuf| path.file_name().is_some_and(|name| name == "Cargo.toml");
    let mut found: Vec<PathBuf> = walk::files(dir).filter(is_manifest).collect();
    found.sort_by_key(|path| path.components().count());
    let mut outer: Vec<PathBuf> = Vec::new();
    for path in found {
        let is_inner = |known: &PathBuf| known.parent().is_some_and(|dir| path.starts_with(dir));
        if !outer.iter().any(is_inner) {
            outer.push(path);
        }
    }
    outer.sort();
    outer
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    #[test]
    fn only_the_outermost_manifests_count() {
        let package = "[package]\nname = \"a\"\n";
        let tree = Tree::new([
            ("backend/Cargo.toml", package),
            ("backend/crates/a/Cargo.toml", package),
            ("tools/x/Cargo.toml", package),
            ("web/node_modules/y/Cargo.toml", package),
            ("docs/a.md", ""),
        ]);
        let expected = ["backend/Cargo.toml", "tools/x/Cargo.toml"];
        assert_eq!(
            manifests(&[tree.path("")]),
            expected.map(|path| tree.path(path))
        );
        assert!(manifests(&[tree.path(""), tree.path("docs")]).is_empty());
    }
}
