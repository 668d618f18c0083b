//! What a run reports.

use super::*;

/// A workspace with a root package when `root` says so.
fn workspace(root: &str) -> Tree {
    let tree = Tree::new([("src/lib.rs", "")]);
    tree.write(
        "Cargo.toml",
        &format!("{root}\n[workspace]\nmembers = [\"crates/*\"]\n"),
    );
    for name in ["api", "job-a", "job-b"] {
        add_library(&tree, &format!("crates/{name}"), name, "");
    }
    tree
}

const ROOT: &str = "[package]\nname = \"root\"\n";

fn names_of(request: &Request) -> Vec<String> {
    let project = load(request).expect("the tree can be analysed");
    selected(&project).into_iter().map(String::from).collect()
}

#[test]
fn a_virtual_root_stands_for_all_members_whatever_is_built_by_default() {
    let tree = workspace("");
    assert_eq!(selected(&load_in(&tree, "")), ["api", "job-a", "job-b"]);
    tree.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"crates/*\"]\ndefault-members = [\"crates/api\"]\n",
    );
    assert_eq!(
        selected(&load_in(&tree, "crates")),
        ["api", "job-a", "job-b"]
    );
}

#[test]
fn a_package_manifest_selects_its_package_and_all_members_are_read() {
    let tree = workspace(ROOT);
    let project = load_in(&tree, "");
    assert_eq!(selected(&project), ["root"]);
    assert_eq!(project.packages.len(), 4);
    let project = load_in(&tree, "crates/api");
    assert_eq!(selected(&project), ["api"]);
    assert_eq!(project.packages.len(), 4);
    assert_eq!(project.root, tree.path(""));
}

#[test]
fn what_a_root_package_leaves_out_is_said() {
    let tree = workspace(ROOT);
    let project = load_in(&tree, "");
    assert_eq!(kinds(&project), [ProblemKind::MembersLeftOut]);
    let note = &project.problems[0];
    assert_eq!(note.severity, crate::project::Severity::Note);
    assert_eq!(
        note.message,
        "3 other members of the workspace are read but not reported"
    );
    let by_path = load_paths(&tree, &[""]).expect("it is there");
    assert_eq!(kinds(&by_path), [ProblemKind::MembersLeftOut]);
    assert!(kinds(&load_in(&tree, "crates/api")).is_empty());
    let everything = Request {
        workspace: true,
        ..request(&tree, "")
    };
    assert!(
        load(&everything)
            .expect("the tree can be analysed")
            .problems
            .is_empty()
    );
}

#[test]
fn default_members_are_what_a_root_package_stands_for() {
    let tree = workspace(ROOT);
    tree.write(
        "Cargo.toml",
        &format!("{ROOT}[workspace]\nmembers = [\"crates/*\"]\ndefault-members = [\".\", \"crates/job-*\"]\n"),
    );
    assert_eq!(selected(&load_in(&tree, "")), ["root", "job-a", "job-b"]);
    assert_eq!(selected(&load_in(&tree, "crates/api")), ["api"]);
}

#[test]
fn the_manifest_may_be_given_as_file_or_folder() {
    let tree = workspace("");
    for path in ["crates/api", "crates/api/Cargo.toml", "crates/x/../api/"] {
        let request = Request {
            manifest_path: Some(path.into()),
            ..request(&tree, "")
        };
        assert_eq!(names_of(&request), ["api"], "{path}");
    }
}

#[test]
fn a_manifest_that_does_not_exist_is_an_error() {
    let tree = workspace("");
    for path in ["nowhere", "crates", "crates/api/src/lib.rs/Cargo.toml"] {
        let request = Request {
            manifest_path: Some(path.into()),
            ..request(&tree, "")
        };
        let problem = load(&request).expect_err("there is no such manifest");
        assert_eq!(problem.kind, ProblemKind::NoManifest, "{path}");
    }
}

#[test]
fn packages_are_chosen_by_name_version_and_pattern_from_wherever_the_run_starts() {
    let tree = workspace(ROOT);
    let chosen = |specs: &[&str]| {
        names_of(&Request {
            packages: specs.iter().map(ToString::to_string).collect(),
            ..request(&tree, "crates/api")
        })
    };
    assert_eq!(chosen(&["job-b"]), ["job-b"]);
    assert_eq!(chosen(&["job-*"]), ["job-a", "job-b"]);
    assert_eq!(chosen(&["root", "job-a@0.1"]), ["root", "job-a"]);
    assert_eq!(chosen(&["job-a@0.2"]), [""; 0]);
}

#[test]
fn the_whole_workspace_without_some_can_be_chosen() {
    let tree = workspace(ROOT);
    let all = Request {
        workspace: true,
        ..request(&tree, "crates/api")
    };
    assert_eq!(names_of(&all), ["root", "api", "job-a", "job-b"]);
    let some = Request {
        exclude: vec!["job-*".into(), "api".into()],
        ..all
    };
    assert_eq!(names_of(&some), ["root"]);
}

#[test]
fn a_name_that_matches_nothing_is_a_problem_that_lists_the_names() {
    let tree = workspace("");
    let project = load(&Request {
        packages: vec!["jobs".into()],
        exclude: vec!["none-*".into()],
        ..request(&tree, "")
    })
    .expect("there is something to analyse");
    assert_eq!(kinds(&project), [ProblemKind::PackageMissing; 2]);
    let [choice, exclusion] = project.problems.as_slice() else {
        unreachable!("two kinds were just compared");
    };
    assert_eq!(choice.remedy, "choose from: api, job-a, job-b");
    assert_eq!(choice.severity, crate::project::Severity::Unreadable);
    assert_eq!(exclusion.severity, crate::project::Severity::Note);
    assert_eq!(selected(&project), [""; 0]);
}

#[test]
fn a_pattern_does_not_reach_for_dependencies_but_a_name_does() {
    let tree = Tree::new([]);
    add_library(
        &tree,
        "app",
        "app",
        "[dependencies]\nb = { path = \"../b\" }\n",
    );
    add_library(&tree, "b", "b", "");
    let chosen = |spec: &str| {
        names_of(&Request {
            packages: vec![spec.into()],
            ..request(&tree, "app")
        })
    };
    assert_eq!(chosen("*"), ["app"]);
    assert_eq!(chosen("b"), ["b"]);
}
