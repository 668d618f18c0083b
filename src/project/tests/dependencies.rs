//! Dependencies as the code of a package names them, with their versions.

use semver::Version;

use super::*;
use crate::project::{Dependency, DependencyKind};

fn app(dependencies: &str) -> Tree {
    let tree = Tree::new([]);
    add_library(&tree, "", "app", dependencies);
    tree
}

fn dependencies(tree: &Tree) -> Vec<Dependency> {
    let mut project = load_in(tree, "");
    project.packages.swap_remove(0).dependencies
}

#[test]
fn a_dependency_is_named_in_code_as_renamed_else_as_its_package() {
    let tree = app(
        "[dependencies]\nasync-nats = \"0.38\"\nold-rand = { package = \"rand\", version = \"0.8\" }\n",
    );
    let found = dependencies(&tree);
    let named: Vec<_> = found
        .iter()
        .map(|d| (d.extern_name.as_str(), d.package.as_str(), d.renamed))
        .collect();
    assert_eq!(
        named,
        [
            ("async_nats", "async-nats", false),
            ("old_rand", "rand", true)
        ]
    );
}

#[test]
fn a_dependency_on_a_package_that_is_read_is_named_as_its_library() {
    let tree = app(
        "[dependencies]\nshort = { path = \"short\" }\nrenamed = { path = \"short\", package = \"short\" }\n",
    );
    add_library(&tree, "short", "short", "[lib]\nname = \"the_long_name\"\n");
    let found = dependencies(&tree);
    assert_eq!(found[0].extern_name, "renamed");
    assert_eq!(found[1].extern_name, "the_long_name");
    assert!(
        found
            .iter()
            .all(|d| d.lib_name.as_deref() == Some("the_long_name"))
    );
}

#[test]
fn kinds_platforms_and_options_are_kept() {
    let tree = app(r#"[dependencies]
a = { version = "1", optional = true, features = ["z", "y"], default-features = false }
[dev-dependencies]
b = "1"
[build-dependencies]
c = "1"
[target.'cfg(unix)'.dependencies]
d = "1"
[target.x86_64-pc-windows-msvc.dev-dependencies]
e = "1"
"#);
    let found = dependencies(&tree);
    let shape: Vec<_> = found
        .iter()
        .map(|d| (d.package.as_str(), d.kind, d.platform.as_deref()))
        .collect();
    assert_eq!(
        shape,
        [
            ("a", DependencyKind::Normal, None),
            ("d", DependencyKind::Normal, Some("cfg(unix)")),
            ("b", DependencyKind::Dev, None),
            ("e", DependencyKind::Dev, Some("x86_64-pc-windows-msvc")),
            ("c", DependencyKind::Build, None),
        ]
    );
    assert!(found[0].optional && !found[0].default_features);
    assert_eq!(found[0].features, ["y", "z"]);
}

#[test]
fn versions_come_from_the_lock_file_of_the_workspace() {
    let tree = Tree::new([
        ("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n"),
        (
            "Cargo.lock",
            r#"version = 4
[[package]]
name = "a"
version = "0.1.0"
dependencies = ["sqlx 0.7.4"]
[[package]]
name = "b"
version = "0.1.0"
dependencies = ["sqlx 0.8.6"]
[[package]]
name = "sqlx"
version = "0.7.4"
source = "registry+https://example.org"
[[package]]
name = "sqlx"
version = "0.8.6"
source = "registry+https://example.org"
"#,
        ),
    ]);
    add_library(&tree, "a", "a", "[dependencies]\nsqlx = \"0.7\"\n");
    add_library(
        &tree,
        "b",
        "b",
        "[dependencies]\nsqlx = { git = \"https://example.org/x\" }\n",
    );
    let project = load_in(&tree, "a");
    let version = |name| package(&project, name).dependencies[0].version.clone();
    assert_eq!(version("a"), Some(Version::new(0, 7, 4)));
    assert_eq!(version("b"), Some(Version::new(0, 8, 6)));
}

#[test]
fn a_patch_with_a_path_is_read_in_place_of_the_package() {
    let tree = app(
        "[dependencies]\nqueue = \"1\"\n[patch.crates-io]\nqueue = { path = \"patched\" }\n[workspace]\n",
    );
    add_library(&tree, "patched", "queue", "");
    let project = load_in(&tree, "");
    assert_eq!(selected(&project), ["app"]);
    assert_eq!(package(&project, "app").dependencies[0].member, Some(1));
}

#[test]
fn features_that_are_on_by_default_are_followed() {
    let tree = app(r#"[features]
default = ["a"]
a = ["b", "dep:x", "y/z"]
b = ["a"]
off = []
"#);
    let project = load_in(&tree, "");
    assert_eq!(project.packages[0].default_features, ["a", "b", "default"]);
    assert_eq!(project.packages[0].features.len(), 4);
}
