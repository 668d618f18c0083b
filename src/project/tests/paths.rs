//! Files and folders given by the user, with and without a manifest around them.

use super::*;
use crate::project::{Origin, TargetKind};

fn workspace() -> Tree {
    let tree = Tree::new([
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
        ("scripts/fix.rs", ""),
        ("crates/a/src/jobs/one.rs", ""),
        ("crates/a/examples/demo.rs", ""),
        ("crates/a/examples/more/main.rs", ""),
    ]);
    add_library(&tree, "crates/a", "a", "");
    add_library(&tree, "crates/b", "b", "");
    tree
}

fn loaded(tree: &Tree, paths: &[&str]) -> Project {
    load_paths(tree, paths).expect("the tree can be analysed")
}

fn roots(tree: &Tree, package: &Package) -> Vec<(TargetKind, String, String)> {
    package
        .targets
        .iter()
        .map(|target| {
            let root = target.root.strip_prefix(tree.path(""));
            let root = root
                .expect("the targets lie in the tree")
                .display()
                .to_string();
            (target.kind, target.crate_name.clone(), root)
        })
        .collect()
}

#[test]
fn a_folder_with_a_manifest_stands_for_that_manifest() {
    let tree = workspace();
    for path in ["crates/a", "crates/a/Cargo.toml"] {
        let project = loaded(&tree, &[path]);
        assert_eq!(selected(&project), ["a"]);
        assert_eq!(project.root, tree.path(""));
        assert!(project.focus.is_empty(), "nothing is left out");
    }
    assert_eq!(selected(&loaded(&tree, &["."])), ["a", "b"]);
}

#[test]
fn a_file_or_folder_in_a_package_selects_it_and_limits_the_report() {
    let tree = workspace();
    for path in ["crates/a/src/jobs/one.rs", "crates/a/src/jobs"] {
        let project = loaded(&tree, &[path]);
        assert_eq!(selected(&project), ["a"]);
        assert_eq!(project.focus, [tree.path(path)]);
        assert_eq!(project.packages.len(), 2, "the others are read");
    }
}

#[test]
fn a_whole_package_beside_a_single_file_stays_whole() {
    let tree = workspace();
    let project = loaded(&tree, &["crates/b", "crates/a/src/jobs"]);
    assert_eq!(selected(&project), ["a", "b"]);
    assert_eq!(
        project.focus,
        [tree.path("crates/a/src/jobs"), tree.path("crates/b")]
    );
}

#[test]
fn a_folder_above_packages_selects_them() {
    let tree = workspace();
    tree.write(
        "Cargo.toml",
        "[package]\nname = \"root\"\n[workspace]\nmembers = [\"crates/*\"]\n",
    );
    tree.write("src/lib.rs", "");
    let project = loaded(&tree, &["crates"]);
    assert_eq!(selected(&project), ["a", "b"]);
    assert_eq!(project.focus, [tree.path("crates")]);
}

#[test]
fn a_named_example_is_offered_as_a_root_of_its_package() {
    let tree = workspace();
    let example = |name: &str, file: &str| (TargetKind::Loose, name.to_owned(), file.to_owned());
    let project = loaded(&tree, &["crates/a/examples"]);
    let found = roots(&tree, package(&project, "a"));
    assert_eq!(
        found[1..],
        [
            example("demo", "crates/a/examples/demo.rs"),
            example("more", "crates/a/examples/more/main.rs")
        ]
    );
    let project = loaded(&tree, &["crates/a/examples/demo.rs"]);
    let found = roots(&tree, package(&project, "a"));
    assert_eq!(found[1..], [example("demo", "crates/a/examples/demo.rs")]);
}

#[test]
fn a_file_in_a_workspace_but_in_no_package_becomes_one() {
    let tree = workspace();
    let project = loaded(&tree, &["scripts"]);
    assert_eq!(selected(&project), ["scripts"]);
    assert_eq!(package(&project, "scripts").origin, Origin::Loose);
    assert_eq!(project.root, tree.path(""));
}

#[test]
fn a_plain_folder_becomes_a_package_with_all_its_files_as_roots() {
    let tree = Tree::new([
        (".gitignore", "extra.rs\n"),
        ("my-code/src/main.rs", ""),
        ("my-code/src/lib.rs", ""),
        ("my-code/src/jobs/mod.rs", ""),
        ("my-code/extra.rs", ""),
        ("my-code/notes.txt", ""),
        ("my-code/target/debug/build/out.rs", ""),
        ("my-code/.hidden/x.rs", ""),
        ("my-code/.gitignore", "generated/\n"),
        ("my-code/generated/x.rs", ""),
        ("my-code/migrations/1.sql", ""),
    ]);
    let project = loaded(&tree, &["my-code"]);
    assert_eq!(project.root, tree.path("my-code"));
    let package = package(&project, "my-code");
    let expected = [
        (TargetKind::Lib, "my_code", "my-code/src/lib.rs"),
        (TargetKind::Bin, "my_code", "my-code/src/main.rs"),
        (TargetKind::Loose, "extra", "my-code/extra.rs"),
        (TargetKind::Loose, "jobs", "my-code/src/jobs/mod.rs"),
    ];
    let expected = expected.map(|(kind, name, root)| (kind, name.to_owned(), root.to_owned()));
    assert_eq!(roots(&tree, package), expected);
    assert_eq!(package.migrations, [tree.path("my-code/migrations")]);
    assert!(package.selected && package.dependencies.is_empty());
}

#[test]
fn plain_files_of_one_folder_are_one_package_and_their_neighbours_stay_out() {
    let tree = Tree::new([
        ("x/a.rs", ""),
        ("x/b.rs", ""),
        ("x/c.rs", ""),
        ("y/d.rs", ""),
    ]);
    let project = loaded(&tree, &["x/b.rs", "x/a.rs", "y/d.rs"]);
    assert_eq!(names(&project), ["x", "y"]);
    assert_eq!(project.packages[0].targets.len(), 2);
    assert_eq!(project.root, tree.path(""));
    assert_eq!(project.focus.len(), 3);
}

#[test]
fn a_file_inside_a_folder_that_was_given_too_is_taken_once() {
    let tree = Tree::new([("x/a.rs", ""), ("x/y/b.rs", "")]);
    let project = loaded(&tree, &["x/y/b.rs", "x", "x/y"]);
    assert_eq!(names(&project), ["x"]);
    assert_eq!(project.packages[0].targets.len(), 2);
}

#[cfg(unix)]
#[test]
fn links_in_a_plain_folder_do_not_loop() {
    let tree = Tree::new([("x/a.rs", "")]);
    tree.link("x/loop", "x");
    assert_eq!(loaded(&tree, &["x"]).packages[0].targets.len(), 1);
}

#[test]
fn a_path_of_another_workspace_is_a_problem_and_the_rest_goes_on() {
    let tree = workspace();
    add_library(&tree, "other", "other", "[workspace]\n");
    let project = loaded(&tree, &["crates/a", "other/src"]);
    assert_eq!(kinds(&project), [ProblemKind::OtherWorkspace]);
    assert_eq!(selected(&project), ["a"]);
}

#[test]
fn a_folder_without_rust_is_an_error_of_its_own_kind() {
    let tree = Tree::new([("docs/a.md", "")]);
    for path in ["docs", "docs/a.md"] {
        let problem = load_paths(&tree, &[path]).expect_err("there is no Rust");
        assert_eq!(problem.kind, ProblemKind::NoRust, "{path}");
        assert_eq!(problem.path, tree.path(path));
    }
}

#[test]
fn a_package_without_any_source_is_an_error_of_the_same_kind() {
    let tree = Tree::new([("Cargo.toml", "[package]\nname = \"a\"\n")]);
    let problem = load(&request(&tree, "")).expect_err("there is no Rust");
    assert_eq!(problem.kind, ProblemKind::NoRust);
}

#[test]
fn a_path_that_does_not_exist_is_a_problem_beside_those_that_do() {
    let tree = workspace();
    let project = loaded(&tree, &["crates/a", "nowhere"]);
    assert_eq!(kinds(&project), [ProblemKind::PathMissing]);
    let problem = load_paths(&tree, &["nowhere"]).expect_err("nothing is left");
    assert_eq!(problem.kind, ProblemKind::PathMissing);
    assert_eq!(problem.message, "`nowhere` does not exist");
}
