//! From a request to a project, step by step.
//!
//! Holds the order of the steps alone; each step is a file of its own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::assembly;
use super::config_file::{self, ConfigFile};
use super::lock::Lock;
use super::manifest::ManifestFile;
use super::manifests::{self, Manifests};
use super::members::{self, Units};
use super::migrations;
use super::nested;
use super::package::{Origin, Package, Project};
use super::paths;
use super::problem::{Problem, ProblemKind, Severity};
use super::request::Request;
use super::selection;

/// Loads packages and targets.
///
/// # Errors
///
/// Only when nothing can be analysed at all: no manifest and no path, a root manifest that cannot
/// be read, or no Rust source. Everything else is in [`Project::problems`].
pub fn load(request: &Request) -> Result<Project, Problem> {
    let mut problems = Vec::new();
    let given = existing_paths(request, &mut problems)?;
    let project = match anchor(request, &given)? {
        Some(anchor) => load_workspace(request, &anchor, &given, problems)?,
        None => match nested::manifests(&given).as_slice() {
            [] => load_plain(request, &given, problems)?,
            manifests => load_nested(request, &given, manifests, problems)?,
        },
    };
    let has_source = project.packages.iter().any(|p| !p.targets.is_empty());
    let is_incomplete = |problem: &Problem| problem.severity == Severity::Unreadable;
    if !has_source && !project.problems.iter().any(is_incomplete) {
        let about = given.first().unwrap_or(&project.root);
        return Err(selection::no_rust(about));
    }
    Ok(project)
}

/// The root of the workspace or package that a request names, and its configuration.
///
/// # Errors
///
/// When there is no manifest, or the root's cannot be read.
pub fn locate_root(request: &Request) -> Result<(PathBuf, Option<ConfigFile>), Problem> {
    let mut problems = Vec::new();
    let given = existing_paths(request, &mut problems)?;
    let Some(anchor) = anchor(request, &given)? else {
        return Err(selection::no_rust(&base(request)));
    };
    let mut manifests = Manifests::default();
    let Some(file) = manifests.open(&anchor) else {
        let problem = manifests.problems.pop();
        return Err(problem.unwrap_or_else(|| selection::no_rust(&anchor)));
    };
    let (root, _) = governed_by(&mut manifests, &file);
    let config = config_file::of_root(&root.dir, Some(&root), &mut problems);
    Ok((root.dir.clone(), config))
}

/// The paths of the request that exist, absolute.
fn existing_paths(request: &Request, problems: &mut Vec<Problem>) -> Result<Vec<PathBuf>, Problem> {
    let mut given = Vec::new();
    for path in &request.paths {
        let absolute = paths::absolute(&base(request), path);
        if absolute.exists() {
            given.push(absolute);
        } else {
            problems.push(Problem::unreadable(
                ProblemKind::PathMissing,
                &absolute,
                format!("`{}` does not exist", path.display()),
                "check the path",
            ));
        }
    }
    match problems.first() {
        Some(problem) if given.is_empty() => Err(problem.clone()),
        _ => Ok(given),
    }
}

fn base(request: &Request) -> PathBuf {
    // Without a current folder there is nothing better than the path as given.
    std::path::absolute(&request.current_dir).unwrap_or_else(|_| request.current_dir.clone())
}

/// The manifest the run starts at; `None` when paths without any manifest were given.
fn anchor(request: &Request, given: &[PathBuf]) -> Result<Option<PathBuf>, Problem> {
    if let Some(path) = &request.manifest_path {
        let mut path = paths::absolute(&base(request), path);
        if path.is_dir() {
            path.push("Cargo.toml");
        }
        if path.is_file() {
            return Ok(Some(path));
        }
        return Err(Problem::unreadable(
            ProblemKind::NoManifest,
            &path,
            "the manifest does not exist",
            "point `--manifest-path` to a `Cargo.toml` or its folder",
        ));
    }
    if given.is_empty() {
        let dir = paths::normalise(&base(request));
        return match manifests::nearest(&dir) {
            Some(manifest) => Ok(Some(manifest)),
            None => Err(Problem::unreadable(
                ProblemKind::NoManifest,
                &dir,
                "there is no `Cargo.toml` in this folder or above",
                "name files or folders to analyse them without a manifest",
            )),
        };
    }
    Ok(given.iter().find_map(|path| manifests::nearest(path)))
}

fn load_workspace(
    request: &Request,
    anchor: &Path,
    given: &[PathBuf],
    mut problems: Vec<Problem>,
) -> Result<Project, Problem> {
    let mut manifests = Manifests::default();
    let Some(file) = manifests.open(anchor) else {
        let problem = manifests.problems.pop();
        return Err(problem.unwrap_or_else(|| selection::no_rust(anchor)));
    };
    let (root, units) = governed_by(&mut manifests, &file);
    problems.append(&mut manifests.problems);
    let lock = Lock::read(&root.dir).unwrap_or_else(|problem| {
        problems.push(problem);
        Lock::default()
    });
    let mut packages = assembly::build(&units, &lock, &mut problems);
    let focus = if given.is_empty() {
        selection::by_manifest(&mut packages, &root, anchor);
        Vec::new()
    } else {
        selection::by_paths(&mut packages, Some(&root), given, &mut problems)
    };
    let asked_for = request.workspace || !request.packages.is_empty();
    let is_root = match given {
        [] => anchor == root.path,
        [only] => *only == root.dir || *only == root.path,
        _ => false,
    };
    if !asked_for && is_root {
        problems.extend(selection::left_out(&packages, &root.path));
    }
    let has_paths = !given.is_empty();
    selection::by_name(&mut packages, request, has_paths, &root.path, &mut problems);
    let config = config_file::of_root(&root.dir, Some(&root), &mut problems);
    let members = packages
        .iter()
        .filter(|package| package.origin == Origin::Member);
    let below = members.filter(|package| package.manifest != root.path);
    problems.extend(
        below
            .filter_map(|package| package.config.as_ref())
            .map(config_file::in_member),
    );
    let migrations = assign_migrations(&root.dir, &mut packages);
    Ok(Project {
        root: root.dir.clone(),
        packages,
        focus,
        migrations,
        problems,
        config,
    })
}

/// The root of the workspace that a package belongs to, or the package itself.
fn governed_by(manifests: &mut Manifests, file: &Rc<ManifestFile>) -> (Rc<ManifestFile>, Units) {
    if let Some(root) = manifests
        .root_of(file)
        .filter(|root| root.path != file.path)
    {
        let told = manifests.problems.len();
        let units = members::gather(manifests, &root);
        let is_member = units
            .at(&file.dir)
            .is_some_and(|index| units.units[index].origin == Origin::Member);
        if is_member {
            return (root, units);
        }
        // What is wrong with a workspace that is not analysed does not matter.
        manifests.problems.truncate(told);
        manifests.problems.push(Problem::note(
            ProblemKind::NotAMember,
            &file.path,
            format!(
                "this package is no member of the workspace at {} and is analysed alone",
                root.dir.display()
            ),
            "list it in `members` or in `exclude` of the workspace",
        ));
    }
    let units = members::gather(manifests, file);
    (Rc::clone(file), units)
}

/// The workspaces and packages below folders that are none, as one project.
///
/// # Errors
///
/// When none of them can be read.
fn load_nested(
    request: &Request,
    given: &[PathBuf],
    manifests: &[PathBuf],
    problems: Vec<Problem>,
) -> Result<Project, Problem> {
    let root = paths::common_ancestor(given.iter()).unwrap_or_else(|| base(request));
    let mut project = Project {
        config: config_file::of_root(&root, None, &mut Vec::new()),
        root,
        packages: Vec::new(),
        focus: Vec::new(),
        migrations: Vec::new(),
        problems,
    };
    let mut unread = None;
    for manifest in manifests {
        let dir = manifest.parent().unwrap_or(Path::new("")).to_path_buf();
        let loaded = match load_workspace(request, manifest, &[dir], Vec::new()) {
            Ok(loaded) => loaded,
            Err(problem) => {
                project.problems.push(problem.clone());
                unread = Some(problem);
                continue;
            }
        };
        for package in loaded.packages {
            let mut known = project.packages.iter_mut();
            match known.find(|known| known.manifest == package.manifest) {
                Some(known) => known.selected |= package.selected,
                None => project.packages.push(package),
            }
        }
        project.problems.extend(loaded.problems);
        project.config = project.config.or(loaded.config);
    }
    // Seen from here, what lies beside the workspaces belongs to all of them.
    for package in &mut project.packages {
        package.migrations.clear();
    }
    project.migrations = assign_migrations(&project.root, &mut project.packages);
    match unread {
        Some(problem) if project.packages.is_empty() => Err(problem),
        _ => Ok(project),
    }
}

fn load_plain(
    request: &Request,
    given: &[PathBuf],
    mut problems: Vec<Problem>,
) -> Result<Project, Problem> {
    let mut packages = Vec::new();
    let focus = selection::by_paths(&mut packages, None, given, &mut problems);
    let root = paths::common_ancestor(packages.iter().map(|package| &package.dir));
    let Some(root) = root else {
        let problem = problems.into_iter().next();
        return Err(problem.unwrap_or_else(|| selection::no_rust(&base(request))));
    };
    selection::by_name(&mut packages, request, true, &root, &mut problems);
    let config = config_file::of_root(&root, None, &mut problems);
    for package in &mut packages {
        package.migrations = migrations::find(&package.dir, &BTreeSet::new());
    }
    Ok(Project {
        root,
        packages,
        focus,
        migrations: Vec::new(),
        problems,
        config,
    })
}

/// Gives every migration folder to the innermost package around it; returns those in none.
fn assign_migrations(root: &Path, packages: &mut [Package]) -> Vec<PathBuf> {
    let dirs: BTreeSet<PathBuf> = packages.iter().map(|p| p.dir.clone()).collect();
    let mut found = migrations::find(root, &dirs);
    for dir in dirs.iter().filter(|dir| !dir.starts_with(root)) {
        found.extend(migrations::find(dir, &dirs));
    }
    found.sort();
    found.dedup();
    let mut rest = Vec::new();
    for folder in found {
        let owner = packages
            .iter_mut()
            .filter(|package| folder.starts_with(&package.dir))
            .max_by_key(|package| package.dir.components().count());
        match owner {
            Some(package) => package.migrations.push(folder),
            None => rest.push(folder),
        }
    }
    rest
}
