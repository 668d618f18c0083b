//! Parts that cannot be read do not take the rest with them.

use super::*;
use crate::project::Severity;

fn workspace(members: &str) -> Tree {
    let tree = Tree::new([]);
    tree.write("Cargo.toml", &format!("[workspace]\nmembers = {members}\n"));
    add_library(&tree, "good", "good", "");
    tree
}

#[test]
fn without_a_manifest_there_is_nothing_to_load() {
    let tree = Tree::new([("src/main.rs", "")]);
    let problem = load(&request(&tree, "")).expect_err("there is no manifest");
    assert_eq!(problem.kind, ProblemKind::NoManifest);
    assert_eq!(problem.severity, Severity::Unreadable);
}

#[test]
fn a_root_manifest_that_does_not_parse_is_an_error_with_its_place() {
    let tree = Tree::new([("Cargo.toml", "[workspace]\nmembers = [\n")]);
    let problem = load(&request(&tree, "")).expect_err("it is not TOML");
    assert_eq!(problem.kind, ProblemKind::ManifestInvalid);
    assert!(problem.line.is_some_and(|line| line >= 2), "{problem:?}");
    assert!(problem.column.is_some() && !problem.remedy.is_empty());
}

#[test]
fn a_member_manifest_that_does_not_parse_is_a_problem_and_the_rest_goes_on() {
    let tree = workspace("[\"bad\", \"good\"]");
    tree.write("bad/Cargo.toml", "[package]\nname = 3\n");
    let project = load_in(&tree, "");
    assert_eq!(selected(&project), ["good"]);
    let [problem] = project.problems.as_slice() else {
        panic!("{:?}", project.problems);
    };
    assert_eq!(problem.kind, ProblemKind::ManifestInvalid);
    assert_eq!(problem.path, tree.path("bad/Cargo.toml"));
    assert_eq!((problem.line, problem.column), (Some(2), Some(8)));
    assert_eq!(problem.severity, Severity::Unreadable);
}

#[test]
fn a_member_that_does_not_exist_is_a_problem_at_its_entry() {
    let tree = workspace("[\"good\", \"gone\", \"none/*\"]");
    let project = load_in(&tree, "");
    assert_eq!(selected(&project), ["good"]);
    assert_eq!(kinds(&project), [ProblemKind::MemberMissing; 2]);
    let place = |problem: &Problem| (problem.line, problem.column, problem.severity);
    assert_eq!(
        place(&project.problems[0]),
        (Some(2), Some(20), Severity::Unreadable)
    );
    assert_eq!(
        place(&project.problems[1]),
        (Some(2), Some(28), Severity::Note)
    );
}

#[test]
fn a_path_dependency_that_does_not_exist_is_told_once_where_the_path_stands() {
    let tree = workspace("[\"good\", \"b\"]\ndependencies.gone = { path = \"gone\" }");
    let inherits = "[dependencies]\ngone.workspace = true\n";
    add_library(&tree, "good", "good", inherits);
    add_library(&tree, "b", "b", inherits);
    let project = load_in(&tree, "");
    let [problem] = project.problems.as_slice() else {
        panic!("{:?}", project.problems);
    };
    assert_eq!(problem.kind, ProblemKind::MemberMissing);
    assert_eq!(problem.path, tree.path("Cargo.toml"));
    assert_eq!((problem.line, problem.column), (Some(3), Some(30)));
}

#[test]
fn a_manifest_that_is_not_text_is_a_problem() {
    let tree = workspace("[\"good\", \"bad\"]");
    tree.folder("bad");
    std::fs::write(tree.path("bad/Cargo.toml"), b"name = \"\xff\"").expect("the tree is writable");
    let project = load_in(&tree, "");
    assert_eq!(kinds(&project), [ProblemKind::NotText]);
    assert_eq!(selected(&project), ["good"]);
}

#[test]
fn a_lock_file_that_does_not_parse_leaves_the_requirements() {
    let tree = workspace("[\"good\"]");
    add_library(&tree, "good", "good", "[dependencies]\nx = \"1.2\"\n");
    tree.write("Cargo.lock", "version = 4\n<<<<<<< HEAD\n");
    let project = load_in(&tree, "");
    assert_eq!(kinds(&project), [ProblemKind::LockInvalid]);
    let version = &project.packages[0].dependencies[0].version;
    assert_eq!(*version, Some(semver::Version::new(1, 2, 0)));
}

#[test]
fn two_packages_of_one_name_are_a_note() {
    let tree = workspace("[\"good\", \"again\"]");
    add_library(&tree, "again", "good", "");
    let project = load_in(&tree, "");
    assert_eq!(names(&project), ["good", "good"]);
    assert_eq!(kinds(&project), [ProblemKind::DuplicateName]);
    assert_eq!(project.problems[0].severity, Severity::Note);
}

#[test]
fn a_member_without_a_package_table_is_a_note() {
    let tree = workspace("[\"good\", \"virtual\"]");
    tree.write("virtual/Cargo.toml", "[workspace]\n");
    let project = load_in(&tree, "");
    assert_eq!(kinds(&project), [ProblemKind::ManifestInvalid]);
    assert_eq!(names(&project), ["good"]);
}

#[test]
fn a_workspace_of_which_nothing_can_be_read_is_never_called_empty() {
    let tree = Tree::new([("Cargo.toml", "[workspace]\nmembers = [\"gone\"]\n")]);
    let project = load_in(&tree, "");
    assert_eq!(kinds(&project), [ProblemKind::MemberMissing]);
    assert!(project.packages.is_empty());
}

#[test]
fn no_cut_of_a_manifest_makes_loading_panic() {
    let manifest = r#"[package]
name = "é"
version.workspace = true
metadata.retrysafe = { a = 1 }
[lib]
path = "src/lib.rs"
[[bin]]
name = "b"
[dependencies]
c = { workspace = true, features = ["x"] }
d = { path = "../d" }
[workspace]
members = ["[", "**/a[", "/", "..", ""]
default-members = ["*"]
[workspace.metadata.retrysafe.x]
[[workspace.metadata.retrysafe.y]]
"#;
    let tree = Tree::new([("src/lib.rs", "")]);
    for end in (0..=manifest.len()).filter(|&end| manifest.is_char_boundary(end)) {
        tree.write("Cargo.toml", &manifest[..end]);
        let result = load(&request(&tree, ""));
        assert!(result.is_ok() || result.is_err_and(|problem| !problem.remedy.is_empty()));
    }
}

#[test]
fn a_member_pattern_cannot_send_the_tool_through_the_disk() {
    let tree = Tree::new([("ws/Cargo.toml", "[workspace]\nmembers = [\"../**\"]\n")]);
    add_library(&tree, "elsewhere", "elsewhere", "");
    let project = load(&request(&tree, "ws"));
    let problem = project.expect_err("no package is found below the root");
    assert_eq!(problem.kind, ProblemKind::NoRust);
}
