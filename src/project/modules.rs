//! Where the file behind `mod name;` lies.
//!
//! The language's rules only. Conditional compilation, macros and what stands in the file are
//! the caller's business.

use std::path::{Path, PathBuf};

use super::paths;
use super::problem::{Problem, ProblemKind};

/// A `mod name;` and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct ModuleSite<'a> {
    /// The file that holds the declaration.
    pub file: &'a Path,
    /// Whether modules of this file lie beside it: true for a crate root, a `mod.rs`, and a file
    /// that was reached through `#[path]`.
    pub owns_directory: bool,
    /// The names of the inline modules around the declaration, outermost first.
    pub inline: &'a [String],
    /// The `#[path]` of each of them, which names a folder. May be shorter than `inline`: what
    /// it does not reach has none.
    pub inline_paths: &'a [Option<String>],
    /// The declared name; `r#` is dropped.
    pub name: &'a str,
    /// The value of the declaration's `#[path]`.
    pub path_attr: Option<&'a str>,
}

/// The file behind a module declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedModule {
    /// The file, without `.` and `..`.
    pub path: PathBuf,
    /// What [`ModuleSite::owns_directory`] is for declarations in that file.
    pub owns_directory: bool,
}

/// Finds the file behind `mod name;`.
///
/// When both `name.rs` and `name/mod.rs` exist, which the compiler refuses, the first is taken.
///
/// # Errors
///
/// [`ProblemKind::ModuleMissing`] as a note: the declaration may be switched off by a `cfg`, or
/// its file written by a build script.
pub fn locate_module(site: &ModuleSite<'_>) -> Result<LocatedModule, Problem> {
    if let Some(attr) = site.path_attr {
        let base = if site.inline.is_empty() {
            // The only case in which a file's own name plays no part even if it owns no folder.
            folder_of(site.file)
        } else {
            search_folder(site)
        };
        let path = paths::absolute(&base, attr);
        if path.is_file() {
            return Ok(LocatedModule {
                path,
                owns_directory: true,
            });
        }
        return Err(missing(
            &path,
            site.name,
            "correct the `#[path]` or create the file",
        ));
    }
    let name = plain(site.name);
    let folder = search_folder(site);
    let beside = folder.join(format!("{name}.rs"));
    if beside.is_file() {
        return Ok(LocatedModule {
            path: beside,
            owns_directory: false,
        });
    }
    let inside = folder.join(name).join("mod.rs");
    if inside.is_file() {
        return Ok(LocatedModule {
            path: inside,
            owns_directory: true,
        });
    }
    let remedy = format!("create it, or `{}`", inside.display());
    Err(missing(&beside, site.name, &remedy))
}

/// The folder in which `name.rs` is looked for.
fn search_folder(site: &ModuleSite<'_>) -> PathBuf {
    let mut folder = folder_of(site.file);
    let mut own_name = (!site.owns_directory)
        .then(|| site.file.file_stem())
        .flatten();
    for (position, name) in site.inline.iter().enumerate() {
        if let Some(Some(attr)) = site.inline_paths.get(position) {
            // A folder given outright replaces the step through the file's own name.
            own_name = None;
            folder.push(attr);
        } else {
            folder.extend(own_name.take());
            folder.push(plain(name));
        }
    }
    folder.extend(own_name);
    paths::normalise(&folder)
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).to_path_buf()
}

fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

fn missing(path: &Path, name: &str, remedy: &str) -> Problem {
    Problem::note(
        ProblemKind::ModuleMissing,
        path,
        format!("the file of module `{name}` does not exist"),
        remedy,
    )
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    struct Case<'a> {
        file: &'a str,
        owns: bool,
        inline: &'a [&'a str],
        paths: &'a [Option<&'a str>],
        name: &'a str,
        attr: Option<&'a str>,
    }

    const PLAIN: Case<'static> = Case {
        file: "src/lib.rs",
        owns: true,
        inline: &[],
        paths: &[],
        name: "b",
        attr: None,
    };

    /// Locates with the expected file as the only one on disk, so that nothing else can be found.
    fn locate(case: &Case<'_>, expected: &str) -> bool {
        let tree = Tree::new([(expected, "")]);
        let file = tree.path(case.file);
        let inline: Vec<String> = case.inline.iter().map(ToString::to_string).collect();
        let inline_paths: Vec<Option<String>> = case
            .paths
            .iter()
            .map(|path| path.map(ToString::to_string))
            .collect();
        let site = ModuleSite {
            file: &file,
            owns_directory: case.owns,
            inline: &inline,
            inline_paths: &inline_paths,
            name: case.name,
            path_attr: case.attr,
        };
        let found = locate_module(&site).expect("the expected file is where the rules put it");
        assert_eq!(found.path, tree.path(expected));
        found.owns_directory
    }

    #[test]
    fn a_module_of_a_root_lies_beside_it() {
        assert!(!locate(&PLAIN, "src/b.rs"));
        assert!(locate(&PLAIN, "src/b/mod.rs"));
    }

    #[test]
    fn a_module_of_a_plain_file_lies_in_the_folder_of_its_name() {
        let case = Case {
            file: "src/a.rs",
            owns: false,
            ..PLAIN
        };
        assert!(!locate(&case, "src/a/b.rs"));
        assert!(locate(&case, "src/a/b/mod.rs"));
    }

    #[test]
    fn a_module_of_a_mod_rs_lies_beside_it() {
        let case = Case {
            file: "src/a/mod.rs",
            ..PLAIN
        };
        assert!(!locate(&case, "src/a/b.rs"));
    }

    #[test]
    fn inline_modules_add_their_names() {
        let around = ["x", "y"];
        let root = Case {
            inline: &around,
            ..PLAIN
        };
        assert!(!locate(&root, "src/x/y/b.rs"));
        let plain = Case {
            file: "src/a.rs",
            owns: false,
            inline: &around,
            ..PLAIN
        };
        assert!(!locate(&plain, "src/a/x/y/b.rs"));
    }

    #[test]
    fn a_path_attribute_counts_from_the_folder_of_the_file_and_owns_its_folder() {
        for (file, owns) in [("src/a.rs", false), ("src/mod.rs", true)] {
            let case = Case {
                file,
                owns,
                attr: Some("other/../thread.rs"),
                ..PLAIN
            };
            assert!(locate(&case, "src/thread.rs"));
        }
    }

    #[test]
    fn a_path_attribute_inside_inline_modules_counts_from_their_folder() {
        let around = ["x"];
        let plain = Case {
            file: "src/a.rs",
            owns: false,
            inline: &around,
            attr: Some("other.rs"),
            ..PLAIN
        };
        assert!(locate(&plain, "src/a/x/other.rs"));
        let owner = Case {
            file: "src/a/mod.rs",
            owns: true,
            ..plain
        };
        assert!(locate(&owner, "src/a/x/other.rs"));
    }

    #[test]
    fn a_path_attribute_on_an_inline_module_names_its_folder() {
        let around = ["thread", "x"];
        let folders = [Some("thread_files")];
        let case = Case {
            file: "src/a.rs",
            owns: false,
            inline: &around,
            paths: &folders,
            ..PLAIN
        };
        assert!(!locate(&case, "src/thread_files/x/b.rs"));
        let case = Case {
            attr: Some("tls.rs"),
            inline: &around[..1],
            ..case
        };
        assert!(locate(&case, "src/thread_files/tls.rs"));
    }

    #[test]
    fn a_path_attribute_on_an_inner_inline_module_keeps_the_outer_folders() {
        let around = ["x", "y"];
        let folders = [None, Some("z")];
        let case = Case {
            file: "src/a.rs",
            owns: false,
            inline: &around,
            paths: &folders,
            ..PLAIN
        };
        assert!(!locate(&case, "src/a/x/z/b.rs"));
    }

    #[test]
    fn a_raw_name_is_looked_for_without_its_prefix() {
        let case = Case {
            name: "r#type",
            ..PLAIN
        };
        assert!(!locate(&case, "src/type.rs"));
    }

    #[test]
    fn a_module_without_a_file_is_a_note_that_names_both_places() {
        let tree = Tree::new([("src/lib.rs", "mod b;")]);
        let file = tree.path("src/lib.rs");
        let site = ModuleSite {
            file: &file,
            owns_directory: true,
            inline: &[],
            inline_paths: &[],
            name: "b",
            path_attr: None,
        };
        let problem = locate_module(&site).expect_err("there is no such file");
        assert_eq!(problem.kind, ProblemKind::ModuleMissing);
        assert_eq!(problem.path, tree.path("src/b.rs"));
        assert!(problem.remedy.contains("mod.rs"), "{}", problem.remedy);
    }
}
