//! What is reported: by the manifest a run starts at, by `-p`, `--exclude`, `--workspace`, by paths.
//!
//! Everything else stays in the project so that calls resolve.

use std::path::{Path, PathBuf};

use globset::{Glob, GlobMatcher};

use super::loose;
use super::manifest::ManifestFile;
use super::manifests;
use super::members;
use super::package::{Origin, Package};
use super::paths;
use super::problem::{Problem, ProblemKind, Severity};
use super::request::Request;

/// Marks what a run reports that starts at `anchor`, the manifest it was pointed to.
pub(super) fn by_manifest(packages: &mut [Package], root: &ManifestFile, anchor: &Path) {
    // A virtual root stands for all of its members, whatever `default-members` says of builds: a
    // job left out silently would be called clean.
    let is_virtual = anchor == root.path && root.table.package.is_none();
    let defaults = (anchor == root.path)
        .then(|| root.table.workspace.as_ref()?.default_members.as_ref())
        .flatten();
    let folders: Vec<PathBuf> = match defaults {
        Some(patterns) if !is_virtual => patterns
            .iter()
            .flat_map(|pattern| members::expand(&root.dir, pattern))
            .collect(),
        _ => Vec::new(),
    };
    for package in packages {
        package.selected |= package.origin == Origin::Member
            && (is_virtual
                || if folders.is_empty() {
                    package.manifest == anchor
                } else {
                    folders.contains(&package.dir)
                });
    }
}

/// Says that members are not reported, as in a run of cargo at a root that is a package itself.
pub(super) fn left_out(packages: &[Package], root: &Path) -> Option<Problem> {
    let others = packages
        .iter()
        .filter(|package| package.origin == Origin::Member && !package.selected)
        .filter(|package| !package.targets.is_empty())
        .count();
    let what = match others {
        0 => return None,
        1 => "another member of the workspace is".to_owned(),
        count => format!("{count} other members of the workspace are"),
    };
    Some(Problem::note(
        ProblemKind::MembersLeftOut,
        root,
        format!("{what} read but not reported"),
        "pass `--workspace` for the jobs of all members",
    ))
}

/// Applies `--workspace`, `-p` and `--exclude` to what is selected.
pub(super) fn by_name(
    packages: &mut [Package],
    request: &Request,
    has_paths: bool,
    root: &Path,
    problems: &mut Vec<Problem>,
) {
    if request.workspace {
        for package in packages.iter_mut() {
            package.selected |= package.origin == Origin::Member;
        }
    }
    if !request.packages.is_empty() {
        let before: Vec<bool> = packages.iter().map(|package| package.selected).collect();
        for package in packages.iter_mut() {
            package.selected = false;
        }
        for spec in &request.packages {
            let spec = PackageSpec::parse(spec);
            let mut known = false;
            for (package, was_selected) in packages.iter_mut().zip(&before) {
                if spec.matches(package) {
                    known = true;
                    // With paths, both have to agree; otherwise a name may reach any package.
                    package.selected |= !has_paths || *was_selected;
                }
            }
            if !known {
                problems.push(unknown(packages, root, spec.text, "-p"));
            }
        }
    }
    for spec in &request.exclude {
        let spec = PackageSpec::parse(spec);
        let mut known = false;
        for package in packages.iter_mut() {
            if spec.matches(package) {
                known = true;
                package.selected = false;
            }
        }
        if !known {
            let problem = unknown(packages, root, spec.text, "--exclude");
            problems.push(Problem {
                severity: Severity::Note,
                ..problem
            });
        }
    }
}

/// Marks what lies at the given paths and returns what reports are limited to.
///
/// Folders with a manifest stand for it. Others are looked up in their package; where there is
/// none they become one.
pub(super) fn by_paths(
    packages: &mut Vec<Package>,
    root: Option<&ManifestFile>,
    given: &[PathBuf],
    problems: &mut Vec<Problem>,
) -> Vec<PathBuf> {
    let mut limited = false;
    let mut focus = Vec::new();
    let mut plain = Vec::new();
    for path in given {
        let manifest = match manifests::nearest(path) {
            Some(manifest) => manifest,
            None => {
                plain.push(path.clone());
                focus.push(path.clone());
                continue;
            }
        };
        let root = root.filter(|root| root.path == manifest);
        let owner = packages.iter().position(|p| p.manifest == manifest);
        if root.is_none() && owner.is_none() {
            problems.push(Problem::unreadable(
                ProblemKind::OtherWorkspace,
                path,
                "this path belongs to another workspace than the rest of the run",
                "analyse it in a run of its own",
            ));
            continue;
        }
        let dir = manifest.parent().unwrap_or(Path::new("")).to_path_buf();
        if *path == dir || *path == manifest {
            match root {
                Some(root) => by_manifest(packages, root, &manifest),
                None => select(packages, owner),
            }
            focus.push(dir);
            continue;
        }
        limited = true;
        focus.push(path.clone());
        let below = select_below(packages, path);
        match owner {
            Some(index) if holds_target(&packages[index], path) || !below => {
                select(packages, owner);
                add_unreached(&mut packages[index], path);
            }
            None if !below => plain.push(path.clone()),
            _ => {}
        }
    }
    let loose = add_loose(packages, &plain, problems);
    if limited || loose {
        focus.sort();
        focus.dedup();
        focus
    } else {
        Vec::new()
    }
}

fn select(packages: &mut [Package], index: Option<usize>) {
    if let Some(package) = index.and_then(|index| packages.get_mut(index)) {
        package.selected = true;
    }
}

/// Selects the members in a folder that is no package itself, such as `crates/`.
fn select_below(packages: &mut [Package], folder: &Path) -> bool {
    let mut any = false;
    for package in packages {
        if package.origin == Origin::Member && package.dir.starts_with(folder) {
            package.selected = true;
            any = true;
        }
    }
    any
}

fn holds_target(package: &Package, path: &Path) -> bool {
    package
        .targets
        .iter()
        .any(|target| target.root.starts_with(path))
}

/// Whoever names an example or a test wants it analysed, although no target reaches it.
fn add_unreached(package: &mut Package, path: &Path) {
    let files = if path.is_dir() {
        let is_reachable = package
            .targets
            .iter()
            .filter_map(|target| target.root.parent())
            .any(|source| path.starts_with(source) || source.starts_with(path));
        if is_reachable {
            return;
        }
        loose::rust_files(path)
    } else if paths::is_rust(path) {
        vec![path.to_path_buf()]
    } else {
        return;
    };
    for target in loose::targets(files) {
        if !package
            .targets
            .iter()
            .any(|known| known.root == target.root)
        {
            package.targets.push(target);
        }
    }
}

/// Turns paths without a manifest into packages; files of one folder share one.
fn add_loose(packages: &mut Vec<Package>, plain: &[PathBuf], problems: &mut Vec<Problem>) -> bool {
    let mut sorted = plain.to_vec();
    sorted.sort();
    sorted.dedup();
    let mut any = false;
    let mut covered: Vec<PathBuf> = Vec::new();
    let (folders, files): (Vec<_>, Vec<_>) = sorted.into_iter().partition(|path| path.is_dir());
    for folder in folders {
        if covered.iter().any(|other| folder.starts_with(other)) {
            continue;
        }
        match loose::package(&folder, None) {
            Some(package) => packages.push(package),
            None => problems.push(no_rust(&folder)),
        }
        any = true;
        covered.push(folder);
    }
    let mut by_folder: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
    for file in files {
        if !paths::is_rust(&file) {
            problems.push(no_rust(&file));
            continue;
        }
        if covered.iter().any(|folder| file.starts_with(folder)) {
            continue;
        }
        any = true;
        let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
        match by_folder.last_mut() {
            Some((last, files)) if *last == folder => files.push(file),
            _ => by_folder.push((folder, vec![file])),
        }
    }
    for (folder, files) in by_folder {
        packages.extend(loose::package(&folder, Some(files)));
    }
    any
}

pub(super) fn no_rust(path: &Path) -> Problem {
    let message = if path.is_dir() {
        "there is no Rust source in this folder"
    } else {
        "this is not a Rust source file"
    };
    Problem::note(
        ProblemKind::NoRust,
        path,
        message,
        "name a folder or file with Rust source",
    )
}

fn unknown(packages: &[Package], root: &Path, spec: &str, flag: &str) -> Problem {
    /// More would hide the message.
    const SHOWN: usize = 12;
    let mut names: Vec<&str> = packages
        .iter()
        .filter(|package| package.origin == Origin::Member)
        .map(|package| package.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    names.truncate(SHOWN);
    Problem::unreadable(
        ProblemKind::PackageMissing,
        root,
        format!("`{flag} {spec}` matches no package of the workspace"),
        format!("choose from: {}{more}", names.join(", ")),
    )
}

/// `name`, `name@version`, or a glob over names.
struct PackageSpec<'a> {
    text: &'a str,
    name: &'a str,
    version: Option<&'a str>,
    glob: Option<GlobMatcher>,
}

impl<'a> PackageSpec<'a> {
    fn parse(text: &'a str) -> Self {
        let (name, version) = match text.split_once('@') {
            Some((name, version)) => (name, Some(version)),
            None => (text, None),
        };
        let glob = members::has_wildcard(name)
            .then(|| Glob::new(name).ok())
            .flatten()
            .map(|glob| glob.compile_matcher());
        Self {
            text,
            name,
            version,
            glob,
        }
    }

    fn matches(&self, package: &Package) -> bool {
        let by_name = match &self.glob {
            // A pattern is a way to say which members, not to reach for what they depend on.
            Some(glob) => package.origin != Origin::Outside && glob.is_match(&package.name),
            None => package.name == self.name,
        };
        let by_version = self.version.is_none_or(|wanted| {
            package.version.as_ref().is_some_and(|version| {
                let version = version.to_string();
                version == wanted
                    || version
                        .strip_prefix(wanted)
                        .is_some_and(|rest| rest.starts_with('.'))
            })
        });
        by_name && by_version
    }
}
