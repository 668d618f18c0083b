//! Every fixture, with the facts noted in it: jobs, effects, gaps. Those that are annotated with
//! findings instead are for `tests/findings.rs`.

use libtest_mimic::{Arguments, Trial};

#[path = "harness/mod.rs"]
mod harness;
#[path = "harness/facts.rs"]
mod noted;

/// The folders of packages that are annotated with findings.
const OF_FINDINGS: &[&str] = &["rules", "rules-open", "acceptance"];

fn main() {
    let arguments = Arguments::from_args();
    let mut packages: Vec<_> = walkdir::WalkDir::new(harness::fixtures())
        .min_depth(1)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| {
            let name = entry.file_name();
            entry.depth() > 1 || !OF_FINDINGS.iter().any(|folder| name == *folder)
        })
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name() == "Cargo.toml")
        .filter_map(|entry| entry.path().parent().map(std::path::Path::to_owned))
        .collect();
    // A workspace is one fixture: its members are analysed with it.
    let roots = packages.clone();
    packages.retain(|path| {
        !roots
            .iter()
            .any(|other| other != path && path.starts_with(other))
    });
    let trials = packages
        .into_iter()
        .map(|path| {
            let name = path
                .strip_prefix(harness::fixtures())
                .unwrap_or(&path)
                .display()
                .to_string();
            Trial::test(name, move || noted::compare(&path).map_err(Into::into))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}
