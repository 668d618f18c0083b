//! Which packages belong to a workspace, and what they inherit.

use super::*;
use crate::project::Origin;

fn workspace(table: &str) -> Tree {
    let tree = Tree::new([]);
    tree.write("Cargo.toml", &format!("[workspace]\n{table}"));
    tree
}

#[test]
fn members_are_listed_by_name_and_by_pattern() {
    let tree = workspace("members = [\"app\", \"crates/*\", \"deep/**/x?\"]\n");
    add_library(&tree, "app", "app", "");
    add_library(&tree, "crates/b", "b", "");
    add_library(&tree, "crates/a", "a", "");
    add_library(&tree, "deep/one/two/x1", "x1", "");
    add_library(&tree, "deep/one/two/x12", "x12", "");
    add_library(&tree, "unlisted", "unlisted", "");
    tree.folder("crates/not-a-package");
    tree.write("crates/README.md", "");
    let project = load_in(&tree, "");
    assert_eq!(names(&project), ["app", "a", "b", "x1"]);
    assert_eq!(project.root, tree.path(""));
    assert_eq!(kinds(&project), []);
}

#[test]
fn excluded_folders_are_no_members_unless_named() {
    let tree = workspace(
        "members = [\"crates/*\", \"crates/c\"]\nexclude = [\"crates/b\", \"crates/c\"]\n",
    );
    for name in ["a", "b", "c"] {
        add_library(&tree, &format!("crates/{name}"), name, "");
    }
    let project = load_in(&tree, "");
    assert_eq!(names(&project), ["a", "c"]);
    assert_eq!(kinds(&project), []);
}

#[test]
fn path_dependencies_below_the_root_are_members_without_being_listed() {
    let tree = workspace("members = [\"app\"]\nexclude = [\"excluded\"]\n");
    add_library(
        &tree,
        "app",
        "app",
        "[dependencies]\na = { path = \"../a\" }\nexcluded = { path = \"../excluded\" }\n",
    );
    add_library(
        &tree,
        "a",
        "a",
        "[dev-dependencies]\nb = { path = \"../b\" }\n",
    );
    add_library(&tree, "b", "b", "");
    add_library(&tree, "excluded", "excluded", "");
    let project = load_in(&tree, "");
    assert_eq!(selected(&project), ["a", "app", "b"]);
    assert_eq!(package(&project, "excluded").origin, Origin::Outside);
}

#[test]
fn what_only_a_package_outside_needs_is_no_member_even_below_the_root() {
    let tree = workspace("members = [\"app\"]\nexclude = [\"excluded\"]\n");
    add_library(
        &tree,
        "app",
        "app",
        "[dependencies]\nexcluded = { path = \"../excluded\" }\n",
    );
    add_library(
        &tree,
        "excluded",
        "excluded",
        "[dependencies]\ndeeper = { path = \"../deeper\" }\n",
    );
    add_library(&tree, "deeper", "deeper", "");
    let project = load_in(&tree, "");
    assert_eq!(names(&project), ["app", "deeper", "excluded"]);
    assert_eq!(selected(&project), ["app"]);
}

#[test]
fn path_dependencies_outside_are_read_but_not_selected() {
    let tree = Tree::new([("ws/Cargo.toml", "[workspace]\nmembers = [\"app\"]\n")]);
    add_library(
        &tree,
        "ws/app",
        "app",
        "[dependencies]\nshared = { path = \"../../shared\" }\n",
    );
    add_library(
        &tree,
        "shared",
        "shared",
        "[dependencies]\ndeeper = { path = \"deeper\" }\n",
    );
    add_library(&tree, "shared/deeper", "deeper", "");
    let project = load_in(&tree, "ws");
    assert_eq!(names(&project), ["app", "shared", "deeper"]);
    assert_eq!(selected(&project), ["app"]);
    let target = project.packages[0].dependencies[0].member;
    assert_eq!(target, Some(1));
}

#[test]
fn a_package_that_is_no_workspace_stands_alone_with_what_it_needs() {
    let tree = Tree::new([]);
    add_library(
        &tree,
        "app",
        "app",
        "[dependencies]\nb = { path = \"../b\" }\n",
    );
    add_library(&tree, "b", "b", "");
    let project = load_in(&tree, "app/src");
    assert_eq!(names(&project), ["app", "b"]);
    assert_eq!(selected(&project), ["app"]);
    assert_eq!(project.root, tree.path("app"));
}

#[test]
fn version_edition_and_dependencies_are_inherited() {
    let tree = workspace(
        r#"members = ["app", "lib"]
[workspace.package]
version = "3.1.0"
edition = "2021"
[workspace.dependencies]
lib = { path = "lib" }
short = "2"
long = { version = "1.5", package = "real-long", features = ["b"], default-features = false }
"#,
    );
    tree.write(
        "app/Cargo.toml",
        r#"[package]
name = "app"
version.workspace = true
edition = { workspace = true }
[dependencies]
lib.workspace = true
short = { workspace = true, optional = true }
long = { workspace = true, features = ["a", "b"] }
"#,
    );
    tree.write("app/src/main.rs", "");
    add_library(&tree, "lib", "lib", "");
    let project = load_in(&tree, "");
    let app = package(&project, "app");
    assert_eq!(app.version, Some(semver::Version::new(3, 1, 0)));
    assert_eq!(app.edition, "2021");
    assert_eq!(package(&project, "lib").edition, "2015");
    let [lib, long, short] = app.dependencies.as_slice() else {
        panic!("{:?}", app.dependencies);
    };
    assert_eq!(lib.member, Some(1));
    assert_eq!(lib.version, Some(semver::Version::new(0, 1, 0)));
    assert_eq!(
        (long.extern_name.as_str(), long.package.as_str()),
        ("long", "real-long")
    );
    assert_eq!(long.features, ["a", "b"]);
    assert_eq!(long.version, Some(semver::Version::new(1, 5, 0)));
    assert!(!long.default_features && long.renamed);
    assert!(short.optional && short.default_features);
}

#[test]
fn a_member_can_switch_default_features_on_but_not_off() {
    let tree = workspace(
        r#"members = ["app"]
[workspace.dependencies]
a = { version = "1", default-features = false }
b = { version = "1", default-features = false }
c = "1"
d = { version = "1" }
"#,
    );
    add_library(
        &tree,
        "app",
        "app",
        r#"[dependencies]
a = { workspace = true, default-features = true }
b = { workspace = true }
c = { workspace = true, default-features = false }
d = { workspace = true, default-features = false }
"#,
    );
    let project = load_in(&tree, "");
    let on: Vec<bool> = project.packages[0]
        .dependencies
        .iter()
        .map(|dependency| dependency.default_features)
        .collect();
    assert_eq!(on, [true, false, true, true]);
}

#[test]
fn a_package_outside_inherits_from_its_own_workspace() {
    let tree = Tree::new([
        (
            "other/Cargo.toml",
            "[workspace]\nmembers = [\"x\"]\npackage.version = \"9.0.0\"\n",
        ),
        (
            "other/x/Cargo.toml",
            "[package]\nname = \"x\"\nversion.workspace = true\n",
        ),
        ("other/x/src/lib.rs", ""),
    ]);
    add_library(
        &tree,
        "app",
        "app",
        "[dependencies]\nx = { path = \"../other/x\" }\n",
    );
    let project = load_in(&tree, "app");
    assert_eq!(
        package(&project, "x").version,
        Some(semver::Version::new(9, 0, 0))
    );
    assert_eq!(kinds(&project), []);
}

#[test]
fn what_is_inherited_but_not_stated_is_a_problem_and_the_rest_goes_on() {
    let tree = workspace("members = [\"app\"]\n");
    tree.write(
        "app/Cargo.toml",
        "[package]\nname = \"app\"\nversion.workspace = true\n[dependencies]\nx.workspace = true\n",
    );
    tree.write("app/src/lib.rs", "");
    let project = load_in(&tree, "");
    assert_eq!(
        kinds(&project),
        [ProblemKind::ManifestInvalid, ProblemKind::ManifestInvalid]
    );
    assert_eq!(package(&project, "app").dependencies[0].extern_name, "x");
}

#[test]
fn the_workspace_of_a_member_is_found_upward_and_where_the_member_says() {
    let tree = workspace("members = [\"a/deep\", \"../elsewhere\"]\n");
    add_library(&tree, "a/deep", "deep", "");
    add_library(&tree, "other", "other", "");
    let project = load_in(&tree, "a/deep/src");
    assert_eq!(project.root, tree.path(""));

    let tree = Tree::new([("ws/Cargo.toml", "[workspace]\nmembers = [\"../app\"]\n")]);
    add_library(&tree, "app", "app", "workspace = \"../ws\"\n");
    let project = load_in(&tree, "app");
    assert_eq!(project.root, tree.path("ws"));
    assert_eq!(selected(&project), ["app"]);
}

#[test]
fn a_package_below_a_workspace_that_does_not_list_it_is_analysed_alone_with_a_note() {
    let tree = workspace("members = [\"app\", \"gone\"]\n");
    add_library(&tree, "app", "app", "");
    add_library(&tree, "fixtures/one", "one", "");
    let project = load_in(&tree, "fixtures/one");
    assert_eq!(project.root, tree.path("fixtures/one"));
    assert_eq!(selected(&project), ["one"]);
    assert_eq!(kinds(&project), [ProblemKind::NotAMember]);
}

#[cfg(unix)]
#[test]
fn links_that_loop_end_and_two_ways_to_one_package_are_one() {
    let tree = workspace("members = [\"crates/*\", \"deep/**\"]\n");
    add_library(&tree, "crates/a", "a", "");
    add_library(&tree, "deep/x/b", "b", "");
    tree.link("crates/again", "crates/a");
    tree.link("crates/up", "");
    tree.link("crates/self", "crates/self");
    tree.link("deep/x/loop", "deep");
    let project = load_in(&tree, "");
    assert_eq!(names(&project), ["a", "b"]);
    assert_eq!(kinds(&project), []);
}

#[test]
fn migrations_go_to_the_innermost_package_and_else_to_the_project() {
    let tree = workspace("members = [\"app\", \"app/store\"]\n");
    add_library(&tree, "app", "app", "");
    add_library(&tree, "app/store", "store", "");
    for folder in ["migrations", "app/db/migrations", "app/store/migrations"] {
        tree.write(&format!("{folder}/1.sql"), "");
    }
    let project = load_in(&tree, "");
    assert_eq!(project.migrations, [tree.path("migrations")]);
    assert_eq!(
        package(&project, "app").migrations,
        [tree.path("app/db/migrations")]
    );
    assert_eq!(
        package(&project, "store").migrations,
        [tree.path("app/store/migrations")]
    );
}

#[test]
fn migrations_of_packages_outside_the_root_are_found() {
    let tree = Tree::new([("store/migrations/1.sql", "")]);
    add_library(
        &tree,
        "app",
        "app",
        "[dependencies]\nstore = { path = \"../store\" }\n",
    );
    add_library(&tree, "store", "store", "");
    let project = load_in(&tree, "app");
    assert_eq!(
        package(&project, "store").migrations,
        [tree.path("store/migrations")]
    );
}

#[test]
fn metadata_of_the_package_and_of_the_workspace_are_kept() {
    let tree = workspace(
        "members = [\"app\"]\n[workspace.metadata.retrysafe]\nmin_confidence = \"low\"\n",
    );
    add_library(
        &tree,
        "app",
        "app",
        "[package.metadata.retrysafe]\nexclude = [\"x\"]\n",
    );
    let project = load_in(&tree, "");
    let config = project.config.as_ref().expect("the workspace has metadata");
    assert_eq!(config.path, tree.path("Cargo.toml"));
    assert_eq!(config.table, ["workspace", "metadata", "retrysafe"]);
    let app = package(&project, "app");
    assert!(
        app.metadata
            .as_ref()
            .is_some_and(|m| m.contains_key("exclude"))
    );
    assert_eq!(
        app.config.as_ref().map(|config| &config.path),
        Some(&app.manifest)
    );
    let note = project
        .problems
        .iter()
        .find(|problem| problem.path == app.manifest);
    let note = note.expect("a member's configuration does not count, which is said");
    assert_eq!(note.kind, ProblemKind::ConfigShadowed);
}
