//! Which packages belong to a project: listed members, path dependencies below the root, and
//! what is only read because they need it.
//!
//! Does not choose what is reported; that is `selection`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use globset::GlobBuilder;
use walkdir::WalkDir;

use super::declared::{self, Declared};
use super::disk;
use super::manifest::{DependencyEntry, ManifestFile};
use super::manifests::{Manifests, is_excluded};
use super::package::Origin;
use super::paths;
use super::problem::{Problem, ProblemKind};

/// A package's manifest with what it inherits.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) file: Rc<ManifestFile>,
    pub(super) root: Option<Rc<ManifestFile>>,
    pub(super) declared: Vec<Declared>,
    pub(super) origin: Origin,
}

/// The packages of a project, and which folder is which of them.
#[derive(Debug, Default)]
pub(super) struct Units {
    pub(super) units: Vec<Unit>,
    /// From a folder as written to the same with symbolic links followed: two ways to one folder
    /// are one package.
    identities: BTreeMap<PathBuf, PathBuf>,
    /// From the latter to the place in `units`. A folder without a readable package is there too,
    /// so that it is opened once.
    places: BTreeMap<PathBuf, Option<usize>>,
    /// Packages that `[patch]` replaces by a folder.
    patches: BTreeMap<String, PathBuf>,
}

impl Units {
    /// The package in a folder.
    pub(super) fn at(&self, dir: &Path) -> Option<usize> {
        let identity = match self.identities.get(dir) {
            Some(identity) => identity.clone(),
            None => follow_links(dir),
        };
        *self.places.get(&identity)?
    }

    fn identify(&mut self, dir: &Path) -> PathBuf {
        self.identities
            .entry(dir.to_path_buf())
            .or_insert_with(|| follow_links(dir))
            .clone()
    }

    /// The package a dependency is read from.
    pub(super) fn target_of(&self, declared: &Declared) -> Option<usize> {
        match &declared.path {
            Some(path) => self.at(&path.dir),
            None => self.at(self.patches.get(&declared.package)?),
        }
    }
}

fn follow_links(dir: &Path) -> PathBuf {
    fs::canonicalize(dir).unwrap_or_else(|_| dir.to_path_buf())
}

/// Collects the packages of the project whose root manifest this is.
pub(super) fn gather(manifests: &mut Manifests, root: &Rc<ManifestFile>) -> Units {
    let mut gatherer = Gatherer {
        manifests,
        root,
        units: Units::default(),
        waiting: VecDeque::new(),
        outside: VecDeque::new(),
        asked: BTreeSet::new(),
    };
    gatherer.add_listed();
    gatherer.follow();
    let mut units = gatherer.units;
    sort(&mut units);
    units
}

struct Gatherer<'a> {
    manifests: &'a mut Manifests,
    root: &'a Rc<ManifestFile>,
    units: Units,
    /// Folders that become members.
    waiting: VecDeque<PathBuf>,
    /// Folders that are read only.
    outside: VecDeque<PathBuf>,
    /// Folders of path dependencies met so far; most are named many times.
    asked: BTreeSet<PathBuf>,
}

impl Gatherer<'_> {
    fn add_listed(&mut self) {
        let root = self.root;
        if root.table.package.is_some() {
            self.add(Rc::clone(root), Origin::Member);
        } else {
            // A link back to the virtual root is not a package either.
            let identity = self.units.identify(&root.dir);
            self.units.places.insert(identity, None);
        }
        let Some(workspace) = &root.table.workspace else {
            return;
        };
        for entry in &workspace.members {
            let pattern = entry.get_ref();
            let is_pattern = has_wildcard(pattern);
            let folders = if is_pattern {
                expand(&root.dir, pattern)
            } else {
                vec![paths::absolute(&root.dir, pattern)]
            };
            let mut found = false;
            for dir in folders {
                if is_pattern && is_excluded(&root.dir, workspace, &dir) {
                    found = true;
                } else if dir.join("Cargo.toml").is_file() {
                    found = true;
                    self.waiting.push_back(dir);
                }
            }
            if !found {
                let problem = if is_pattern {
                    Problem::note(
                        ProblemKind::MemberMissing,
                        &root.path,
                        format!("no package matches the member pattern `{pattern}`"),
                        "correct the pattern or remove it",
                    )
                } else {
                    Problem::unreadable(
                        ProblemKind::MemberMissing,
                        &root.path,
                        format!("workspace member `{pattern}` has no manifest"),
                        "correct the path or remove the member",
                    )
                };
                let problem = problem.at(&root.text, entry.span().start);
                self.manifests.problems.push(problem);
            }
        }
        for (key, entry) in root.table.patch.values().flatten() {
            let DependencyEntry::Table(table) = entry else {
                continue;
            };
            if let Some(path) = &table.path {
                let dir = paths::absolute(&root.dir, path.get_ref());
                let package = table.package.as_ref().unwrap_or(key).clone();
                self.outside.push_back(dir.clone());
                self.units.patches.insert(package, dir);
            }
        }
    }

    /// Members before what lies outside: whoever is reached both ways is a member.
    fn follow(&mut self) {
        loop {
            if let Some(dir) = self.waiting.pop_front() {
                self.open(&dir, Origin::Member);
            } else if let Some(dir) = self.outside.pop_front() {
                self.open(&dir, Origin::Outside);
            } else {
                return;
            }
        }
    }

    fn open(&mut self, dir: &Path, origin: Origin) {
        let identity = self.units.identify(dir);
        if self.units.places.contains_key(&identity) {
            return;
        }
        match self.manifests.open(&dir.join("Cargo.toml")) {
            Some(file) => self.add(file, origin),
            None => {
                self.units.places.insert(identity, None);
            }
        }
    }

    fn add(&mut self, file: Rc<ManifestFile>, origin: Origin) {
        let identity = self.units.identify(&file.dir);
        if file.table.package.is_none() {
            self.units.places.insert(identity, None);
            if !Rc::ptr_eq(&file, self.root) {
                self.manifests.problems.push(Problem::note(
                    ProblemKind::ManifestInvalid,
                    &file.path,
                    "this is listed as a package but has no `[package]`",
                    "list its members instead, or exclude it",
                ));
            }
            return;
        }
        let root = match origin {
            Origin::Member => Some(Rc::clone(self.root)),
            _ => self.manifests.root_of(&file),
        };
        let declared = declared::declare(&file, root.as_deref(), &mut self.manifests.problems);
        for dependency in &declared {
            let Some(path) = &dependency.path else {
                continue;
            };
            if !self.asked.insert(path.dir.clone()) {
                continue;
            }
            if path.dir.join("Cargo.toml").is_file() {
                if origin == Origin::Member && self.is_implied(&path.dir) {
                    self.waiting.push_back(path.dir.clone());
                } else {
                    self.outside.push_back(path.dir.clone());
                }
            } else {
                let holder = match &root {
                    Some(root) if path.inherited => root,
                    _ => &file,
                };
                let problem = Problem::unreadable(
                    ProblemKind::MemberMissing,
                    &holder.path,
                    format!("path dependency `{}` has no manifest", dependency.key),
                    "correct the path or remove the dependency",
                )
                .at(&holder.text, path.offset);
                self.manifests.problems.push(problem);
            }
        }
        let index = self.units.units.len();
        self.units.places.insert(identity, Some(index));
        self.units.units.push(Unit {
            file,
            root,
            declared,
            origin,
        });
    }

    /// Path dependencies below a workspace's root are members without being listed.
    fn is_implied(&self, dir: &Path) -> bool {
        self.root.table.workspace.as_ref().is_some_and(|workspace| {
            dir.starts_with(&self.root.dir) && !is_excluded(&self.root.dir, workspace, dir)
        })
    }
}

/// Members before the rest, each by folder, so that nothing depends on the order of discovery.
fn sort(units: &mut Units) {
    let mut order: Vec<usize> = (0..units.units.len()).collect();
    order.sort_by_key(|&index| {
        let unit = &units.units[index];
        (unit.origin, unit.file.dir.clone())
    });
    let mut places = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        places[old] = new;
    }
    for place in units.places.values_mut().flatten() {
        *place = places[*place];
    }
    let mut sorted: Vec<(usize, Unit)> = places.into_iter().zip(units.units.drain(..)).collect();
    sorted.sort_by_key(|(place, _)| *place);
    units.units = sorted.into_iter().map(|(_, unit)| unit).collect();
}

pub(super) fn has_wildcard(pattern: &str) -> bool {
    pattern.contains(['*', '?', '['])
}

/// The folders a pattern of `members` or `default-members` names.
pub(super) fn expand(root: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut folders = vec![root.to_path_buf()];
    for component in Path::new(pattern).components() {
        let part = component.as_os_str().to_string_lossy();
        folders = match component {
            Component::Normal(_) if part == "**" => {
                folders.iter().flat_map(|dir| below(root, dir)).collect()
            }
            Component::Normal(_) if has_wildcard(&part) => {
                let Ok(glob) = GlobBuilder::new(&part).literal_separator(true).build() else {
                    return Vec::new();
                };
                let matcher = glob.compile_matcher();
                folders
                    .iter()
                    .flat_map(|dir| disk::list(dir))
                    .filter(|entry| matcher.is_match(paths::last_name(entry)) && entry.is_dir())
                    .collect()
            }
            _ => folders.iter().map(|dir| dir.join(&*part)).collect(),
        };
    }
    folders
        .iter_mut()
        .for_each(|dir| *dir = paths::normalise(dir));
    folders.sort();
    folders.dedup();
    folders
}

/// A folder and all below. Links are not followed, so this ends; and nothing above the root is
/// walked, so that a manifest cannot send the tool through the whole disk.
fn below(root: &Path, dir: &Path) -> Vec<PathBuf> {
    if !paths::normalise(dir).starts_with(root) {
        return Vec::new();
    }
    WalkDir::new(dir)
        .into_iter()
        .filter_entry(|entry| {
            entry.file_type().is_dir() && !paths::is_foreign_folder(dir, entry.path())
        })
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .collect()
}
