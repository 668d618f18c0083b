//! Versions as `Cargo.lock` resolves them.
//!
//! Reads the four fields it needs instead of going through a resolver's model: three times as fast
//! on the lock files of large workspaces, and a broken file keeps its line.

use std::collections::BTreeMap;
use std::path::Path;

use semver::{Comparator, Op, Version, VersionReq};
use serde::Deserialize;

use super::disk;
use super::manifest::one_line;
use super::problem::{Problem, ProblemKind};

/// A lock file; an empty one knows nothing.
#[derive(Debug, Default)]
pub(super) struct Lock {
    packages: BTreeMap<String, Vec<Locked>>,
}

#[derive(Debug)]
struct Locked {
    version: Version,
    /// Edges, for packages that are read from a path.
    dependencies: Vec<String>,
}

#[derive(Deserialize)]
struct LockTable<'a> {
    #[serde(default, borrow)]
    package: Vec<PackageTable<'a>>,
}

#[derive(Deserialize)]
struct PackageTable<'a> {
    name: &'a str,
    version: Version,
    source: Option<&'a str>,
    #[serde(default)]
    dependencies: Vec<&'a str>,
}

impl Lock {
    /// The lock file in this folder; an empty one where there is none.
    pub(super) fn read(folder: &Path) -> Result<Self, Problem> {
        let path = folder.join("Cargo.lock");
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = disk::read(&path, disk::LARGEST_LOCK)?;
        let table: LockTable<'_> = toml::from_str(&text).map_err(|error| {
            let problem = Problem::unreadable(
                ProblemKind::LockInvalid,
                &path,
                format!("the lock file is not valid: {}", one_line(error.message())),
                "resolve it, or delete it and run `cargo generate-lockfile`",
            );
            match error.span() {
                Some(span) => problem.at(&text, span.start),
                None => problem,
            }
        })?;
        let mut packages: BTreeMap<String, Vec<Locked>> = BTreeMap::new();
        for package in table.package {
            let dependencies = if package.source.is_none() {
                package.dependencies.into_iter().map(String::from).collect()
            } else {
                Vec::new()
            };
            packages
                .entry(package.name.to_owned())
                .or_default()
                .push(Locked {
                    version: package.version,
                    dependencies,
                });
        }
        Ok(Self { packages })
    }

    /// The version of `package` that `owner` uses; without a locked one, the least that its
    /// requirement allows.
    pub(super) fn resolve(
        &self,
        owner: &str,
        package: &str,
        requirement: Option<&str>,
    ) -> Option<Version> {
        let requirement = requirement.and_then(|text| VersionReq::parse(text).ok());
        self.locked(owner, package, requirement.as_ref())
            .or_else(|| lower_bound(requirement.as_ref()?))
    }

    fn locked(
        &self,
        owner: &str,
        package: &str,
        requirement: Option<&VersionReq>,
    ) -> Option<Version> {
        let all = self.packages.get(package)?;
        let fits = |version: &Version| requirement.is_none_or(|wanted| wanted.matches(version));
        // The owner's own edges are what cargo decided; they tell apart versions that all fit.
        let edges: Vec<Version> = self
            .packages
            .get(owner)
            .into_iter()
            .flatten()
            .flat_map(|locked| &locked.dependencies)
            .filter_map(|edge| {
                let mut words = edge.split(' ');
                (words.next() == Some(package)).then(|| words.next())
            })
            .filter_map(|version| match version {
                Some(version) => Version::parse(version).ok(),
                None => all.first().map(|only| only.version.clone()),
            })
            .collect();
        let best = |versions: &[Version]| versions.iter().filter(|v| fits(v)).max().cloned();
        best(&edges)
            // A single edge that does not fit its requirement was patched.
            .or_else(|| (edges.len() == 1).then(|| edges[0].clone()))
            .or_else(|| {
                let versions: Vec<Version> = all.iter().map(|l| l.version.clone()).collect();
                best(&versions)
            })
    }
}

/// The least version that a requirement could mean.
fn lower_bound(requirement: &VersionReq) -> Option<Version> {
    requirement
        .comparators
        .iter()
        .filter(|comparator| !matches!(comparator.op, Op::Less | Op::LessEq))
        .map(|comparator: &Comparator| Version {
            major: comparator.major,
            minor: comparator.minor.unwrap_or(0),
            patch: comparator.patch.unwrap_or(0),
            pre: comparator.pre.clone(),
            build: semver::BuildMetadata::EMPTY,
        })
        .max()
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    fn version(text: &str) -> Option<Version> {
        Some(Version::parse(text).expect("the test writes a version"))
    }

    fn lock(text: &str) -> Result<Lock, Problem> {
        let tree = Tree::new([("Cargo.lock", text)]);
        Lock::read(&tree.path(""))
    }

    const TWO: &str = r#"
version = 4
[[package]]
name = "app"
version = "0.1.0"
dependencies = ["rand 0.8.5", "rand 0.9.1 (registry+https://example.org)", "tokio"]

[[package]]
name = "other"
version = "0.1.0"
dependencies = ["rand 0.8.5"]

[[package]]
name = "rand"
version = "0.8.5"
source = "registry+https://example.org"

[[package]]
name = "rand"
version = "0.9.1"
source = "registry+https://example.org"

[[package]]
name = "tokio"
version = "1.44.2"
source = "registry+https://example.org"
dependencies = ["rand 0.8.5"]
"#;

    #[test]
    fn of_several_locked_versions_the_one_that_fits_the_requirement_is_taken() {
        let lock = lock(TWO).expect("it is valid");
        assert_eq!(lock.resolve("app", "rand", Some("0.8")), version("0.8.5"));
        assert_eq!(lock.resolve("app", "rand", Some("0.9")), version("0.9.1"));
        assert_eq!(lock.resolve("app", "tokio", Some("1")), version("1.44.2"));
    }

    #[test]
    fn of_several_versions_that_fit_the_owners_edge_is_taken() {
        let lock = lock(TWO).expect("it is valid");
        for requirement in ["*", ">=0.8, <0.10"] {
            assert_eq!(
                lock.resolve("other", "rand", Some(requirement)),
                version("0.8.5")
            );
        }
        assert_eq!(lock.resolve("other", "rand", None), version("0.8.5"));
    }

    #[test]
    fn a_package_that_the_lock_does_not_know_yet_takes_a_locked_version_that_fits() {
        let lock = lock(TWO).expect("it is valid");
        assert_eq!(lock.resolve("new", "rand", Some("0.8")), version("0.8.5"));
        assert_eq!(
            lock.resolve("new", "rand", Some("0.10")),
            version("0.10.0"),
            "none fits, so the requirement speaks"
        );
    }

    #[test]
    fn without_a_lock_the_requirement_gives_its_lower_bound() {
        let tree = Tree::new([]);
        let lock = Lock::read(&tree.path("")).expect("no lock file is no problem");
        let bound = |requirement| lock.resolve("app", "x", Some(requirement));
        assert_eq!(bound("1"), version("1.0.0"));
        assert_eq!(bound("^0.8.3"), version("0.8.3"));
        assert_eq!(bound("=2.0.0-rc.1"), version("2.0.0-rc.1"));
        assert_eq!(bound(">=1.2, <2"), version("1.2.0"));
        assert_eq!(bound("1.4.*"), version("1.4.0"));
        assert_eq!(bound("*"), None);
        assert_eq!(bound("<2"), None);
        assert_eq!(bound("not a version"), None);
        assert_eq!(lock.resolve("app", "x", None), None);
    }

    #[test]
    fn a_lock_file_with_conflict_marks_is_a_problem_at_its_line() {
        let problem = lock("version = 4\n<<<<<<< HEAD\n").expect_err("it is not TOML");
        assert_eq!(problem.kind, ProblemKind::LockInvalid);
        assert_eq!(problem.line, Some(2));
    }
}
