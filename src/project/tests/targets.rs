//! Which crate roots a package has.

use super::*;
use crate::project::TargetKind::{self, Bin, Lib, ProcMacro};

fn tree(manifest: &str, files: &[&str]) -> Tree {
    let tree = Tree::new([]);
    tree.write(
        "Cargo.toml",
        &format!("[package]\nname = \"my-app\"\nedition = \"2021\"\n{manifest}"),
    );
    for file in files {
        tree.write(file, "");
    }
    tree
}

fn targets(tree: &Tree) -> Vec<(TargetKind, String, String)> {
    let project = load_in(tree, "");
    project.packages[0]
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

fn expect(tree: &Tree, expected: &[(TargetKind, &str, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(kind, name, root)| (*kind, name.to_string(), root.to_string()))
        .collect();
    assert_eq!(targets(tree), expected);
}

#[test]
fn the_usual_files_are_found_and_tests_examples_benches_and_build_scripts_are_not() {
    let tree = tree(
        "",
        &[
            "build.rs",
            "src/lib.rs",
            "src/main.rs",
            "src/bin/one-shot.rs",
            "src/bin/two/main.rs",
            "src/bin/two/part.rs",
            "src/bin/.hidden.rs",
            "src/bin/three/other.rs",
            "tests/it.rs",
            "examples/e.rs",
            "benches/b.rs",
        ],
    );
    expect(
        &tree,
        &[
            (Lib, "my_app", "src/lib.rs"),
            (Bin, "my_app", "src/main.rs"),
            (Bin, "one_shot", "src/bin/one-shot.rs"),
            (Bin, "two", "src/bin/two/main.rs"),
        ],
    );
}

#[test]
fn names_and_paths_of_the_manifest_are_respected() {
    let tree = tree(
        r#"[lib]
name = "other"
path = "lib/root.rs"
[[bin]]
name = "worker"
path = "worker/../worker/main.rs"
[[bin]]
name = "named"
"#,
        &[
            "lib/root.rs",
            "worker/main.rs",
            "src/bin/named.rs",
            "src/bin/found.rs",
        ],
    );
    expect(
        &tree,
        &[
            (Lib, "other", "lib/root.rs"),
            (Bin, "found", "src/bin/found.rs"),
            (Bin, "named", "src/bin/named.rs"),
            (Bin, "worker", "worker/main.rs"),
        ],
    );
}

#[test]
fn a_binary_that_takes_main_under_its_own_name_is_found_once() {
    let tree = tree(
        "[[bin]]\nname = \"server\"\npath = \"src/main.rs\"\n",
        &["src/main.rs"],
    );
    expect(&tree, &[(Bin, "server", "src/main.rs")]);
}

#[test]
fn nothing_is_discovered_where_the_manifest_forbids_it() {
    let tree = tree(
        "autobins = false\nautolib = false\n[[bin]]\nname = \"one\"\n",
        &[
            "src/lib.rs",
            "src/main.rs",
            "src/bin/one.rs",
            "src/bin/two.rs",
        ],
    );
    expect(&tree, &[(Bin, "one", "src/bin/one.rs")]);
}

#[test]
fn in_the_first_edition_one_stated_binary_means_that_all_are() {
    let tree = tree(
        "[[bin]]\nname = \"one\"\n",
        &["src/bin/one.rs", "src/bin/two.rs"],
    );
    let first = "[package]\nname = \"my-app\"\n[[bin]]\nname = \"one\"\n";
    assert_eq!(targets(&tree).len(), 2);
    tree.write("Cargo.toml", first);
    expect(&tree, &[(Bin, "one", "src/bin/one.rs")]);
}

#[test]
fn two_targets_may_share_a_file() {
    let tree = tree(
        "[lib]\npath = \"src/main.rs\"\n[[bin]]\nname = \"again\"\npath = \"src/main.rs\"\n",
        &["src/main.rs"],
    );
    expect(
        &tree,
        &[
            (Lib, "my_app", "src/main.rs"),
            (Bin, "again", "src/main.rs"),
        ],
    );
}

#[test]
fn a_procedural_macro_is_told_apart() {
    for table in ["proc-macro = true", "crate-type = [\"proc-macro\"]"] {
        let tree = tree(&format!("[lib]\n{table}\n"), &["src/lib.rs"]);
        expect(&tree, &[(ProcMacro, "my_app", "src/lib.rs")]);
    }
}

#[test]
fn a_target_without_its_file_is_a_problem_at_its_place() {
    let tree = tree(
        "[lib]\n[[bin]]\nname = \"a\"\npath = \"a.rs\"\n[[bin]]\nname = \"b\"\n",
        &["src/bin/c.rs"],
    );
    let project = load_in(&tree, "");
    assert_eq!(kinds(&project), [ProblemKind::TargetMissing; 3]);
    let lines: Vec<_> = project.problems.iter().map(|p| p.line).collect();
    assert_eq!(lines, [None, Some(7), Some(9)]);
    assert_eq!(project.packages[0].targets.len(), 1, "the rest goes on");
}

#[test]
fn a_package_without_targets_is_a_note_beside_others() {
    let tree = tree("[workspace]\nmembers = [\"empty\"]\n", &["src/lib.rs"]);
    tree.write("empty/Cargo.toml", "[package]\nname = \"empty\"\n");
    let project = load_in(&tree, "");
    assert_eq!(kinds(&project), [ProblemKind::NoTargets]);
    assert_eq!(project.problems[0].severity, crate::project::Severity::Note);
}
