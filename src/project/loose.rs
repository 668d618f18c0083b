//! Rust code without a manifest: a plain folder or file taken as a package.
//!
//! Which of its files are modules of others is not known here, so all are offered as roots.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::package::{Origin, Package, Target, TargetKind};
use super::paths;
use super::walk;

/// A package made of a folder, or of single files in it. Files count only when they are Rust.
pub(super) fn package(dir: &Path, files: Option<Vec<PathBuf>>) -> Option<Package> {
    let name = match paths::last_name(dir) {
        name if name.is_empty() => "root".to_owned(),
        name => name,
    };
    let whole = files.is_none();
    let files = files.unwrap_or_else(|| rust_files(dir));
    if files.is_empty() {
        return None;
    }
    let mut targets: Vec<Target> = files
        .into_iter()
        .map(|root| {
            let kind = if whole {
                usual_root(dir, &root)
            } else {
                TargetKind::Loose
            };
            Target {
                kind,
                crate_name: if kind == TargetKind::Loose {
                    crate_name(&root)
                } else {
                    paths::identifier(&name)
                },
                root,
            }
        })
        .collect();
    targets.sort_by(|a, b| (a.kind, &a.root).cmp(&(b.kind, &b.root)));
    Some(Package {
        name,
        version: None,
        dir: dir.to_path_buf(),
        manifest: dir.join("Cargo.toml"),
        edition: "2024".to_owned(),
        targets,
        dependencies: Vec::new(),
        features: BTreeMap::new(),
        default_features: Vec::new(),
        metadata: None,
        config: None,
        selected: true,
        origin: Origin::Loose,
        migrations: Vec::new(),
    })
}

/// Files of a package that no target of it can be expected to reach, as roots of their own.
pub(super) fn targets(files: Vec<PathBuf>) -> impl Iterator<Item = Target> {
    files.into_iter().map(|root| Target {
        kind: TargetKind::Loose,
        crate_name: crate_name(&root),
        root,
    })
}

/// All Rust files below a folder, in order.
pub(super) fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = walk::files(dir)
        .filter(|path| paths::is_rust(path))
        .collect();
    files.sort();
    files
}

/// Where cargo would look for a root, and the same without `src`.
fn usual_root(dir: &Path, file: &Path) -> TargetKind {
    let kind = match file.file_name().and_then(OsStr::to_str) {
        Some("lib.rs") => TargetKind::Lib,
        Some("main.rs") => TargetKind::Bin,
        _ => return TargetKind::Loose,
    };
    let parent = file.parent();
    if parent == Some(dir) || parent == Some(&dir.join("src")) {
        kind
    } else {
        TargetKind::Loose
    }
}

/// A file's own name, or its folder's where the file's says nothing.
fn crate_name(root: &Path) -> String {
    let stem = root
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let name = match (stem.as_str(), root.parent()) {
        ("lib" | "main" | "mod", Some(folder)) if folder.file_name().is_some() => {
            paths::last_name(folder)
        }
        _ => stem,
    };
    paths::identifier(&name)
}
