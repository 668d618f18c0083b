//! What the rest of the tool sees of a project: packages, targets, dependencies.
//!
//! Plain data. How it is found is the business of the files beside this one.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::config_file::ConfigFile;
use super::problem::Problem;

/// Everything that was found, and what could not be.
#[derive(Debug)]
pub struct Project {
    /// The workspace root, absolute; reported paths are relative to it.
    pub root: PathBuf,
    /// Members first, in the order of their folders; then path dependencies outside of the
    /// workspace, then code without a manifest.
    pub packages: Vec<Package>,
    /// Only what lies in these files and folders is reported; everything when empty.
    pub focus: Vec<PathBuf>,
    /// Folders of migrations below the root that lie in no package.
    pub migrations: Vec<PathBuf>,
    /// What could not be read or looks wrong.
    pub problems: Vec<Problem>,
    /// `retrysafe.toml` at the root, or `[workspace.metadata.retrysafe]`.
    pub config: Option<ConfigFile>,
}

/// A package, or a plain folder treated as one.
#[derive(Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version, inherited or its own.
    pub version: Option<semver::Version>,
    /// Its folder, absolute.
    pub dir: PathBuf,
    /// Its manifest, absolute; for a folder without one, where it would be.
    pub manifest: PathBuf,
    /// Its edition, inherited or its own.
    pub edition: String,
    /// Library first, then binaries by name, then loose files.
    pub targets: Vec<Target>,
    /// Its dependencies in the order of kind, platform and name.
    pub dependencies: Vec<Dependency>,
    /// `[features]` as written.
    pub features: BTreeMap<String, Vec<String>>,
    /// Its own features that `default` switches on, directly or through others; sorted.
    pub default_features: Vec<String>,
    /// `[package.metadata.retrysafe]`.
    pub metadata: Option<toml::Table>,
    /// The same as text, so that a problem in it can be shown in the manifest.
    pub config: Option<ConfigFile>,
    /// Whether its jobs are reported; the others are read so that calls resolve.
    pub selected: bool,
    /// How it came to be here.
    pub origin: Origin,
    /// Folders that hold SQL migrations.
    pub migrations: Vec<PathBuf>,
}

/// How a package came to be part of the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A member of the workspace, or the package itself where there is no workspace.
    Member,
    /// A path dependency or patch that is no member.
    Outside,
    /// A plain folder or file without a manifest.
    Loose,
}

/// A crate root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// What it builds.
    pub kind: TargetKind,
    /// The crate's name as code spells it.
    pub crate_name: String,
    /// The root file, absolute.
    pub root: PathBuf,
}

/// What a target builds. Tests, examples, benches and build scripts are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetKind {
    /// A library.
    Lib,
    /// A library that runs inside the compiler.
    ProcMacro,
    /// A binary.
    Bin,
    /// A file that was asked for and may be a root or a module: drop it when another target's
    /// `mod` reaches it.
    Loose,
}

/// A dependency as its package sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The name in code: as renamed, else the library's.
    pub extern_name: String,
    /// The package's name at its source.
    pub package: String,
    /// Whether the manifest renames it. When it does not and `lib_name` is unknown, the library
    /// may still be called differently than its package.
    pub renamed: bool,
    /// The library's own name, where its manifest was read.
    pub lib_name: Option<String>,
    /// As `Cargo.lock` resolves it, else the lower bound of the requirement.
    pub version: Option<semver::Version>,
    /// The index into [`Project::packages`] when it is read from source.
    pub member: Option<usize>,
    /// For what it is needed.
    pub kind: DependencyKind,
    /// The features asked for, sorted.
    pub features: Vec<String>,
    /// Whether its default features are on.
    pub default_features: bool,
    /// Whether it is there only when a feature asks for it.
    pub optional: bool,
    /// The `cfg(…)` or target triple it is limited to.
    pub platform: Option<String>,
}

/// For what a dependency is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DependencyKind {
    /// The package itself.
    Normal,
    /// Its tests, examples and benches.
    Dev,
    /// Its build script.
    Build,
}
