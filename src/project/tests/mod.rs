//! Whole trees on disk, loaded as a user would.

mod dependencies;
mod paths;
mod problems;
mod selection;
mod targets;
mod workspaces;

use super::tree::Tree;
use super::{Package, Problem, ProblemKind, Project, Request, load};

fn request(tree: &Tree, folder: &str) -> Request {
    Request {
        current_dir: tree.path(folder),
        ..Request::default()
    }
}

/// Loads as a run without arguments in this folder would.
fn load_in(tree: &Tree, folder: &str) -> Project {
    load(&request(tree, folder)).expect("the tree can be analysed")
}

/// Loads these paths, given from the top of the tree.
fn load_paths(tree: &Tree, paths: &[&str]) -> Result<Project, Problem> {
    load(&Request {
        paths: paths.iter().map(Into::into).collect(),
        ..request(tree, "")
    })
}

fn package<'a>(project: &'a Project, name: &str) -> &'a Package {
    let found = project.packages.iter().find(|p| p.name == name);
    found.unwrap_or_else(|| panic!("`{name}` is not among {:?}", names(project)))
}

fn names(project: &Project) -> Vec<&str> {
    project.packages.iter().map(|p| p.name.as_str()).collect()
}

fn selected(project: &Project) -> Vec<&str> {
    project
        .packages
        .iter()
        .filter(|package| package.selected)
        .map(|package| package.name.as_str())
        .collect()
}

fn kinds(project: &Project) -> Vec<ProblemKind> {
    project
        .problems
        .iter()
        .map(|problem| problem.kind)
        .collect()
}

/// A package with an empty library, in a folder given as `""` or `"a/b"`.
fn add_library(tree: &Tree, folder: &str, name: &str, rest: &str) {
    let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n{rest}");
    let below = |file: &str| match folder {
        "" => file.to_owned(),
        _ => format!("{folder}/{file}"),
    };
    tree.write(&below("Cargo.toml"), &manifest);
    tree.write(&below("src/lib.rs"), "");
}
