//! From manifests to packages: inheritance, targets, features, and dependencies as resolved.
//!
//! Which packages there are is decided before, which are reported after.

use std::collections::BTreeMap;

use semver::Version;

use super::config_file;
use super::declared::Declared;
use super::lock::Lock;
use super::manifest::{Inheritable, ManifestFile, PackageTable, WorkspacePackage};
use super::members::{Unit, Units};
use super::package::{Dependency, Package, Target, TargetKind};
use super::paths;
use super::problem::{Problem, ProblemKind};
use super::targets;

/// Builds the packages, in the order of the units.
pub(super) fn build(units: &Units, lock: &Lock, problems: &mut Vec<Problem>) -> Vec<Package> {
    let mut packages: Vec<Package> = units
        .units
        .iter()
        .filter_map(|unit| {
            let table = unit.file.table.package.as_ref()?;
            Some(package(unit, table, problems))
        })
        .collect();
    let known: Vec<Known> = packages.iter().map(Known::of).collect();
    for (unit, package) in units.units.iter().zip(&mut packages) {
        package.dependencies = unit
            .declared
            .iter()
            .map(|declared| {
                let member = units.target_of(declared);
                let target = member.and_then(|index| known.get(index));
                dependency(&package.name, declared, member, target, lock)
            })
            .collect();
    }
    note_duplicates(&packages, problems);
    packages
}

/// What a dependent needs to know of a package that is read from source.
struct Known {
    lib_name: Option<String>,
    version: Option<Version>,
}

impl Known {
    fn of(package: &Package) -> Self {
        let is_library =
            |target: &&Target| matches!(target.kind, TargetKind::Lib | TargetKind::ProcMacro);
        Self {
            lib_name: package
                .targets
                .iter()
                .find(is_library)
                .map(|target| target.crate_name.clone()),
            version: package.version.clone(),
        }
    }
}

fn package(unit: &Unit, table: &PackageTable, problems: &mut Vec<Problem>) -> Package {
    let file = &unit.file;
    let inherited = unit
        .root
        .as_ref()
        .and_then(|root| root.table.workspace.as_ref())
        .map(|workspace| &workspace.package);
    let version = text(file, "version", table.version.as_ref(), inherited, problems);
    let edition = text(file, "edition", table.edition.as_ref(), inherited, problems)
        // What cargo assumes of a manifest that does not say.
        .unwrap_or_else(|| "2015".to_owned());
    let targets = targets::find(file, &table.name, &edition, problems);
    let (metadata, config) = config_file::of_package(file, problems).unzip();
    Package {
        name: table.name.clone(),
        version: version.and_then(|version| Version::parse(&version).ok()),
        dir: file.dir.clone(),
        manifest: file.path.clone(),
        edition,
        targets,
        dependencies: Vec::new(),
        features: file.table.features.clone(),
        default_features: default_features(&file.table.features),
        metadata,
        config,
        selected: false,
        origin: unit.origin,
        migrations: Vec::new(),
    }
}

fn text(
    file: &ManifestFile,
    field: &str,
    value: Option<&Inheritable>,
    inherited: Option<&WorkspacePackage>,
    problems: &mut Vec<Problem>,
) -> Option<String> {
    match value? {
        Inheritable::Given(text) => Some(text.clone()),
        Inheritable::Inherited => {
            let found = inherited.and_then(|package| match field {
                "version" => package.version.clone(),
                _ => package.edition.clone(),
            });
            if found.is_none() {
                problems.push(Problem::unreadable(
                    ProblemKind::ManifestInvalid,
                    &file.path,
                    format!("`{field}` is inherited, but the workspace does not state it"),
                    format!("add `{field}` to `[workspace.package]`"),
                ));
            }
            found
        }
    }
}

/// The package's own features that are on without being asked for.
fn default_features(features: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut on: Vec<String> = Vec::new();
    let mut waiting = vec!["default"];
    while let Some(name) = waiting.pop() {
        let Some(implied) = features.get(name) else {
            // `dep:x`, `x/y` and implicit features of optional dependencies are no keys here.
            continue;
        };
        if !on.iter().any(|known| known == name) {
            on.push(name.to_owned());
            waiting.extend(implied.iter().map(String::as_str));
        }
    }
    on.sort();
    on
}

fn dependency(
    owner: &str,
    declared: &Declared,
    member: Option<usize>,
    target: Option<&Known>,
    lock: &Lock,
) -> Dependency {
    let renamed = declared.key != declared.package;
    let lib_name = target.and_then(|known| known.lib_name.clone());
    let extern_name = match &lib_name {
        Some(name) if !renamed => name.clone(),
        _ => paths::identifier(&declared.key),
    };
    let version = target
        .and_then(|known| known.version.clone())
        .or_else(|| lock.resolve(owner, &declared.package, declared.requirement.as_deref()));
    Dependency {
        extern_name,
        package: declared.package.clone(),
        renamed,
        lib_name,
        version,
        member,
        kind: declared.kind,
        features: declared.features.clone(),
        default_features: declared.default_features,
        optional: declared.optional,
        platform: declared.platform.clone(),
    }
}

fn note_duplicates(packages: &[Package], problems: &mut Vec<Problem>) {
    let mut first: BTreeMap<&str, &Package> = BTreeMap::new();
    for package in packages {
        if let Some(other) = first.get(package.name.as_str()) {
            problems.push(Problem::note(
                ProblemKind::DuplicateName,
                &package.manifest,
                format!(
                    "package name `{}` is also used by {}",
                    package.name,
                    other.manifest.display()
                ),
                "rename one of them, or exclude it",
            ));
        } else {
            first.insert(&package.name, package);
        }
    }
}
