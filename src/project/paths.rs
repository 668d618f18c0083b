//! Arithmetic on paths as text: no disk, no symlinks.
//!
//! Cargo compares packages by such paths too, so two spellings of one folder are one package.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// `path` seen from `base`, without `.` and `..`.
pub(super) fn absolute(base: &Path, path: impl AsRef<Path>) -> PathBuf {
    normalise(&base.join(path))
}

/// The path without `.` and, where a folder stands before it, without `..`.
pub(super) fn normalise(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match clean.components().next_back() {
                Some(Component::Normal(_)) => {
                    clean.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => clean.push(".."),
            },
            other => clean.push(other),
        }
    }
    clean
}

/// The deepest folder that all paths share.
pub(super) fn common_ancestor<'a>(mut paths: impl Iterator<Item = &'a PathBuf>) -> Option<PathBuf> {
    let mut shared = paths.next()?.clone();
    for path in paths {
        while !path.starts_with(&shared) {
            if !shared.pop() {
                return None;
            }
        }
    }
    Some(shared)
}

/// A name as code would spell it: `-` and whatever else cannot stand in an identifier become `_`.
pub(super) fn identifier(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect()
}

/// The last segment as text.
pub(super) fn last_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

pub(super) fn is_rust(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("rs"))
}

/// Folders that hold products, other people's code or a tool's state, never the project's source.
/// A `target` below a `src` is a module, anywhere else it is cargo's.
/// Only what lies below `base` counts: where the project itself stands says nothing.
pub(super) fn is_foreign_folder(base: &Path, path: &Path) -> bool {
    let Ok(path) = path.strip_prefix(base) else {
        return false;
    };
    let Some(name) = path.file_name().and_then(OsStr::to_str) else {
        return false;
    };
    match name {
        "node_modules" => true,
        "target" => !path.components().any(|part| part.as_os_str() == "src"),
        _ => name.starts_with('.'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_but_never_above_the_root() {
        assert_eq!(absolute(Path::new("/a/b"), "../c/./d"), Path::new("/a/c/d"));
        assert_eq!(normalise(Path::new("/../../a")), Path::new("/a"));
        assert_eq!(normalise(Path::new("../a/../..")), Path::new("../.."));
    }

    #[test]
    fn the_common_ancestor_is_a_folder_not_a_shared_prefix_of_letters() {
        let paths = [PathBuf::from("/a/bc"), PathBuf::from("/a/bd")];
        assert_eq!(common_ancestor(paths.iter()), Some(PathBuf::from("/a")));
    }

    #[test]
    fn a_target_folder_is_foreign_unless_it_is_a_module() {
        let foreign = |path: &str| is_foreign_folder(Path::new("/usr/src"), Path::new(path));
        assert!(foreign("/usr/src/app/target"));
        assert!(!foreign("/usr/src/app/src/target"));
        assert!(foreign("/usr/src/app/.git"));
        assert!(!foreign("/usr/src/app"));
    }

    #[test]
    fn package_names_become_identifiers() {
        assert_eq!(identifier("my-app 2"), "my_app_2");
    }
}
