//! The crate roots of a package: what the manifest says, and what cargo finds by itself.
//!
//! Tests, examples, benches and build scripts are never jobs and are left out.

use std::path::{Path, PathBuf};

use toml::Spanned;

use super::disk;
use super::manifest::{BinTable, LibTable, ManifestFile};
use super::package::{Target, TargetKind};
use super::paths;
use super::problem::{Problem, ProblemKind};

/// The targets of a package, the library first.
pub(super) fn find(
    file: &ManifestFile,
    name: &str,
    edition: &str,
    problems: &mut Vec<Problem>,
) -> Vec<Target> {
    let known_problems = problems.len();
    let package = file.table.package.as_ref();
    let mut targets = Vec::new();
    let autolib = package.and_then(|p| p.autolib).unwrap_or(true);
    targets.extend(library(file, name, autolib, problems));
    let autobins = package.and_then(|p| p.autobins);
    targets.extend(binaries(file, name, edition, autobins, problems));
    if targets.is_empty() && problems.len() == known_problems {
        problems.push(Problem::note(
            ProblemKind::NoTargets,
            &file.path,
            format!("package `{name}` has neither a library nor a binary"),
            "add `src/lib.rs` or `src/main.rs` if it should be analysed",
        ));
    }
    targets
}

fn library(
    file: &ManifestFile,
    package: &str,
    autolib: bool,
    problems: &mut Vec<Problem>,
) -> Option<Target> {
    let usual = file.dir.join("src").join("lib.rs");
    let default = LibTable::default();
    let table = match &file.table.lib {
        Some(table) => table,
        None if autolib && usual.is_file() => &default,
        None => return None,
    };
    let crate_name = paths::identifier(table.name.as_deref().unwrap_or(package));
    let root = match &table.path {
        Some(path) => stated_root(file, path, problems)?,
        None if usual.is_file() => usual,
        None => {
            // Before `lib.rs` was the rule, a library was found by its own name.
            let old = file.dir.join("src").join(format!("{crate_name}.rs"));
            if !old.is_file() {
                problems.push(missing(file, &usual, None));
                return None;
            }
            old
        }
    };
    let is_macro = table.proc_macro || table.crate_type.iter().any(|kind| kind == "proc-macro");
    Some(Target {
        kind: if is_macro {
            TargetKind::ProcMacro
        } else {
            TargetKind::Lib
        },
        crate_name,
        root,
    })
}

/// Binaries in the order of their names.
fn binaries(
    file: &ManifestFile,
    package: &str,
    edition: &str,
    autobins: Option<bool>,
    problems: &mut Vec<Problem>,
) -> Vec<Target> {
    let found = discover(&file.dir, package);
    let mut binaries: Vec<(String, PathBuf)> = Vec::new();
    let stated = file.table.bin.as_deref();
    for table in stated.unwrap_or_default() {
        if let Some(root) = stated_binary(file, table, &found, problems) {
            binaries.push((table.name.get_ref().clone(), root));
        }
    }
    // In the first edition, stating one binary meant stating all.
    let discovers = autobins.unwrap_or(edition != "2015" || stated.is_none());
    if discovers {
        let is_stated = |(name, root): &(String, PathBuf)| {
            stated
                .unwrap_or_default()
                .iter()
                .any(|table| table.name.get_ref() == name)
                || binaries.iter().any(|(_, stated)| stated == root)
        };
        let rest: Vec<_> = found.into_iter().filter(|one| !is_stated(one)).collect();
        binaries.extend(rest);
    }
    binaries.sort();
    binaries
        .into_iter()
        .map(|(name, root)| Target {
            kind: TargetKind::Bin,
            crate_name: paths::identifier(&name),
            root,
        })
        .collect()
}

/// The binaries that cargo finds by itself.
fn discover(dir: &Path, package: &str) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let main = dir.join("src").join("main.rs");
    if main.is_file() {
        found.push((package.to_owned(), main));
    }
    for entry in disk::list(&dir.join("src").join("bin")) {
        let name = paths::last_name(&entry);
        if name.starts_with('.') {
            continue;
        }
        if paths::is_rust(&entry) && entry.is_file() {
            found.push((name.trim_end_matches(".rs").to_owned(), entry));
        } else {
            let main = entry.join("main.rs");
            if main.is_file() {
                found.push((name, main));
            }
        }
    }
    found
}

fn stated_binary(
    file: &ManifestFile,
    table: &BinTable,
    found: &[(String, PathBuf)],
    problems: &mut Vec<Problem>,
) -> Option<PathBuf> {
    if let Some(path) = &table.path {
        return stated_root(file, path, problems);
    }
    let name = table.name.get_ref();
    if let Some((_, root)) = found.iter().find(|(other, _)| other == name) {
        return Some(root.clone());
    }
    // A single binary may still take the package's `main.rs` under a name of its own.
    let main = file.dir.join("src").join("main.rs");
    let only = file.table.bin.as_ref().is_some_and(|bins| bins.len() == 1);
    if only && main.is_file() {
        return Some(main);
    }
    let usual = file.dir.join("src").join("bin").join(format!("{name}.rs"));
    problems.push(missing(file, &usual, Some(table.name.span().start)));
    None
}

fn stated_root(
    file: &ManifestFile,
    path: &Spanned<String>,
    problems: &mut Vec<Problem>,
) -> Option<PathBuf> {
    let root = paths::absolute(&file.dir, path.get_ref());
    if root.is_file() {
        return Some(root);
    }
    problems.push(missing(file, &root, Some(path.span().start)));
    None
}

fn missing(file: &ManifestFile, root: &Path, offset: Option<usize>) -> Problem {
    let shown = root.strip_prefix(&file.dir).unwrap_or(root);
    let problem = Problem::unreadable(
        ProblemKind::TargetMissing,
        &file.path,
        format!("the target's source `{}` does not exist", shown.display()),
        "create the file or correct its `path`",
    );
    match offset {
        Some(offset) => problem.at(&file.text, offset),
        None => problem,
    }
}
