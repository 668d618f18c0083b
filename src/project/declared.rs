//! Dependencies as a manifest declares them, with what the workspace adds.
//!
//! Knows manifests only: neither which versions are locked nor which packages are read.

use std::path::PathBuf;

use super::manifest::{Dependencies, DependencyEntry, DependencyTable, ManifestFile};
use super::package::DependencyKind;
use super::paths;
use super::problem::{Problem, ProblemKind};

#[derive(Debug)]
pub(super) struct Declared {
    /// The name in the manifest, which is the name in code when it differs from `package`.
    pub(super) key: String,
    pub(super) package: String,
    pub(super) requirement: Option<String>,
    pub(super) path: Option<DeclaredPath>,
    pub(super) features: Vec<String>,
    pub(super) default_features: bool,
    pub(super) optional: bool,
    pub(super) kind: DependencyKind,
    pub(super) platform: Option<String>,
}

#[derive(Debug)]
pub(super) struct DeclaredPath {
    pub(super) dir: PathBuf,
    /// Where the path stands in the package's manifest; in the root's when inherited.
    pub(super) offset: usize,
    pub(super) inherited: bool,
}

/// All dependencies of a package. `root` is the manifest it inherits from.
pub(super) fn declare(
    file: &ManifestFile,
    root: Option<&ManifestFile>,
    problems: &mut Vec<Problem>,
) -> Vec<Declared> {
    let table = &file.table;
    let mut sets: Vec<(DependencyKind, Option<&String>, &Dependencies)> = vec![
        (DependencyKind::Normal, None, &table.dependencies),
        (DependencyKind::Dev, None, &table.dev_dependencies),
        (DependencyKind::Build, None, &table.build_dependencies),
    ];
    for (platform, tables) in &table.target {
        sets.extend([
            (DependencyKind::Normal, Some(platform), &tables.dependencies),
            (
                DependencyKind::Dev,
                Some(platform),
                &tables.dev_dependencies,
            ),
            (
                DependencyKind::Build,
                Some(platform),
                &tables.build_dependencies,
            ),
        ]);
    }
    sets.sort_by_key(|(kind, platform, _)| (*kind, *platform));

    let mut declared = Vec::new();
    for (kind, platform, set) in sets {
        for (key, entry) in set {
            let mut dependency = declare_one(file, root, key, entry, problems);
            dependency.kind = kind;
            dependency.platform = platform.cloned();
            declared.push(dependency);
        }
    }
    declared
}

fn declare_one(
    file: &ManifestFile,
    root: Option<&ManifestFile>,
    key: &str,
    entry: &DependencyEntry,
    problems: &mut Vec<Problem>,
) -> Declared {
    let own = match entry {
        DependencyEntry::Requirement(requirement) => return from_requirement(key, requirement),
        DependencyEntry::Table(table) => table,
    };
    if !own.workspace {
        return from_table(file, key, own, false);
    }
    let inherited = root.and_then(|root| {
        let entry = root.table.workspace.as_ref()?.dependencies.get(key)?;
        Some(match entry {
            DependencyEntry::Requirement(requirement) => from_requirement(key, requirement),
            DependencyEntry::Table(table) => Declared {
                default_features: match (table.default_features, own.default_features) {
                    // A member can switch on what the workspace switched off, never the reverse.
                    (Some(false), Some(true)) | (None, _) => true,
                    (Some(given), _) => given,
                },
                ..from_table(root, key, table, true)
            },
        })
    });
    let mut dependency = inherited.unwrap_or_else(|| {
        problems.push(Problem::unreadable(
            ProblemKind::ManifestInvalid,
            &file.path,
            format!("dependency `{key}` is inherited, but the workspace does not declare it"),
            format!("add `{key}` to `[workspace.dependencies]`"),
        ));
        from_table(file, key, own, false)
    });
    dependency.features.extend(own.features.iter().cloned());
    dependency.features.sort();
    dependency.features.dedup();
    dependency.optional = own.optional;
    dependency
}

fn from_requirement(key: &str, requirement: &str) -> Declared {
    Declared {
        key: key.to_owned(),
        package: key.to_owned(),
        requirement: Some(requirement.to_owned()),
        path: None,
        features: Vec::new(),
        default_features: true,
        optional: false,
        kind: DependencyKind::Normal,
        platform: None,
    }
}

fn from_table(
    file: &ManifestFile,
    key: &str,
    table: &DependencyTable,
    inherited: bool,
) -> Declared {
    let mut features = table.features.clone();
    features.sort();
    features.dedup();
    Declared {
        key: key.to_owned(),
        package: table.package.clone().unwrap_or_else(|| key.to_owned()),
        requirement: table.version.clone(),
        path: table.path.as_ref().map(|path| DeclaredPath {
            dir: paths::absolute(&file.dir, path.get_ref()),
            offset: path.span().start,
            inherited,
        }),
        features,
        default_features: table.default_features.unwrap_or(true),
        optional: table.optional,
        kind: DependencyKind::Normal,
        platform: None,
    }
}
