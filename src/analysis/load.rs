//! From a project to a program: every file read once, lowered in parallel, put into crates.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{FileId, FileIr, Gap, Mistake, ModuleDecl, Name};
use crate::lower::{MacroTable, ParseError, lower};
use crate::project::{
    DependencyKind, ModuleSite, Package, Problem, ProblemKind, Project, Severity, TargetKind,
    locate_module, read_source,
};
use crate::resolve::{CrateInput, ExternCrate, FileInput, Known, Program};

use super::macros::Macros;

/// A file that was read.
#[derive(Debug)]
pub struct SourceFile {
    /// Where it lies.
    pub path: PathBuf,
    /// The path relative to the workspace root, with `/`.
    pub shown: String,
    /// What could not be read in it.
    pub gaps: Vec<Gap>,
    /// Wrong declarations in it.
    pub mistakes: Vec<Mistake>,
    /// Functions in it.
    pub functions: u32,
    /// Whether what it holds is reported.
    pub selected: bool,
    /// Whether it holds Rust; the others define tables.
    pub is_rust: bool,
}

impl SourceFile {
    /// A file of migrations.
    pub(super) fn of_definitions(path: &Path, root: &Path) -> Self {
        SourceFile {
            path: path.to_path_buf(),
            shown: show(path, root),
            gaps: Vec::new(),
            mistakes: Vec::new(),
            functions: 0,
            selected: false,
            is_rust: false,
        }
    }
}

/// A lowered project.
#[derive(Debug)]
pub struct Loaded {
    /// The files, in the order in which they were found.
    pub files: Vec<SourceFile>,
    /// The definitions.
    pub program: Program,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// A file while its tree is being followed.
struct Pending {
    path: PathBuf,
    owns_directory: bool,
}

struct Files {
    ids: FxHashMap<PathBuf, FileId>,
    paths: Vec<PathBuf>,
    lowered: Vec<Option<FileIr>>,
    children: Vec<Vec<(Vec<Name>, Name, FileId)>>,
    problems: Vec<Problem>,
}

/// Reads and lowers everything that the project's targets reach.
pub fn load_program(project: &Project, known: &Known) -> Loaded {
    let mut files = Files {
        ids: FxHashMap::default(),
        paths: Vec::new(),
        lowered: Vec::new(),
        children: Vec::new(),
        problems: Vec::new(),
    };
    let mut roots: Vec<Pending> = Vec::new();
    for package in &project.packages {
        for target in &package.targets {
            if files.add(&target.root) {
                roots.push(Pending {
                    path: target.root.clone(),
                    owns_directory: true,
                });
            }
        }
    }
    files.follow(roots);
    files.expand_macros(project);
    files.finish(project, known)
}

impl Files {
    /// Whether the file is new.
    fn add(&mut self, path: &Path) -> bool {
        if self.ids.contains_key(path) {
            return false;
        }
        let id = FileId(self.paths.len() as u32);
        self.ids.insert(path.to_owned(), id);
        self.paths.push(path.to_owned());
        self.lowered.push(None);
        self.children.push(Vec::new());
        true
    }

    /// Lowers files in rounds: each round's files name those of the next.
    fn follow(&mut self, roots: Vec<Pending>) {
        let mut frontier = roots;
        while !frontier.is_empty() {
            let outcomes: Vec<Result<FileIr, Problem>> = frontier
                .par_iter()
                .map(|pending| lower_file(&pending.path, &MacroTable::default()))
                .collect();
            let mut next = Vec::new();
            for (pending, outcome) in frontier.into_iter().zip(outcomes) {
                match outcome {
                    Ok(ir) => self.take(&pending, ir, &mut next),
                    Err(problem) => self.problems.push(problem),
                }
            }
            frontier = next;
        }
    }

    fn take(&mut self, pending: &Pending, ir: FileIr, next: &mut Vec<Pending>) {
        let Some(id) = self.ids.get(&pending.path).copied() else {
            return;
        };
        for module in &ir.modules {
            match locate(pending, module) {
                Ok(found) => {
                    let path = found.path.clone();
                    if self.add(&path) {
                        next.push(found);
                    }
                    let child = self.ids[&path];
                    self.children[id.0 as usize].push((module.inline.clone(), module.name, child));
                }
                Err(mut problem) => {
                    problem.line = Some(module.place.line as usize);
                    problem.column = Some(module.place.column as usize + 1);
                    self.problems.push(problem);
                }
            }
        }
        self.lowered[id.0 as usize] = Some(ir);
    }

    /// Lowers files again that call macros of the workspace: now their rules are known.
    fn expand_macros(&mut self, project: &Project) {
        let targets = project.packages.iter().flat_map(|package| &package.targets);
        let crates = targets.map(|target| target.crate_name.as_str()).collect();
        let macros = Macros::new(&self.lowered, &self.paths, crates);
        let expanded: Vec<(usize, FileIr)> = self
            .lowered
            .par_iter()
            .enumerate()
            .filter_map(|(file, ir)| {
                let table = macros.table_of(file, ir.as_ref()?);
                if table.is_empty() {
                    return None;
                }
                Some((file, lower_file(&self.paths[file], &table).ok()?))
            })
            .collect();
        for (file, ir) in expanded {
            self.lowered[file] = Some(ir);
        }
    }

    fn finish(mut self, project: &Project, known: &Known) -> Loaded {
        let reached: FxHashSet<FileId> = self
            .children
            .iter()
            .flatten()
            .map(|(_, _, child)| *child)
            .collect();
        let mut crates = Vec::new();
        let mut libraries: FxHashMap<usize, u32> = FxHashMap::default();
        for (index, package) in project.packages.iter().enumerate() {
            for target in &package.targets {
                let Some(root) = self.ids.get(&target.root).copied() else {
                    continue;
                };
                if target.kind == TargetKind::Loose && reached.contains(&root) {
                    continue;
                }
                if matches!(target.kind, TargetKind::Lib | TargetKind::ProcMacro) {
                    libraries.insert(index, crates.len() as u32);
                }
                crates.push((index, target, root));
            }
        }
        let inputs: Vec<CrateInput> = crates
            .iter()
            .map(|(index, target, root)| {
                let package = &project.packages[*index];
                let own_library = (target.kind == TargetKind::Bin).then_some(*index);
                CrateInput {
                    name: Name::from(&target.crate_name),
                    package: *index,
                    selected: package.selected,
                    root: *root,
                    externs: externs(package, own_library, project, &libraries, known),
                    versions: package
                        .dependencies
                        .iter()
                        .filter_map(|dependency| {
                            Some((Name::from(&dependency.package), dependency.version.clone()?))
                        })
                        .collect(),
                }
            })
            .collect();

        let mut shown = Vec::with_capacity(self.paths.len());
        let mut inputs_of_files = Vec::with_capacity(self.paths.len());
        for (index, path) in self.paths.iter().enumerate() {
            let mut ir = self.lowered[index].take().unwrap_or_default();
            let selected = project
                .packages
                .iter()
                .any(|package| package.selected && path.starts_with(&package.dir));
            let in_focus = project.focus.is_empty()
                || project.focus.iter().any(|focus| path.starts_with(focus));
            shown.push(SourceFile {
                shown: show(path, &project.root),
                path: path.clone(),
                gaps: std::mem::take(&mut ir.gaps),
                mistakes: std::mem::take(&mut ir.mistakes),
                functions: ir.functions,
                selected: selected && in_focus,
                is_rust: true,
            });
            inputs_of_files.push(FileInput {
                items: ir.items,
                children: std::mem::take(&mut self.children[index]),
            });
        }
        let program = Program::build(inputs, inputs_of_files, known);
        Loaded {
            files: shown,
            program,
            problems: self.problems,
        }
    }
}

fn lower_file(path: &Path, macros: &MacroTable<'_>) -> Result<FileIr, Problem> {
    let text = read_source(path)?;
    lower(&text, macros).map_err(|ParseError { place, message }| Problem {
        kind: ProblemKind::Unreadable,
        path: path.to_owned(),
        line: Some(place.line as usize),
        column: Some(place.column as usize + 1),
        message: format!("this is not Rust that can be parsed: {message}"),
        remedy: "make `cargo check` accept the file; the rest is analysed without it".to_owned(),
        severity: Severity::Unreadable,
    })
}

fn locate(pending: &Pending, module: &ModuleDecl) -> Result<Pending, Problem> {
    let inline: Vec<String> = module.inline.iter().map(ToString::to_string).collect();
    let found = locate_module(&ModuleSite {
        file: &pending.path,
        owns_directory: pending.owns_directory,
        inline: &inline,
        inline_paths: &[],
        name: &module.name,
        path_attr: module.path.as_deref(),
    })?;
    Ok(Pending {
        path: found.path,
        owns_directory: found.owns_directory,
    })
}

/// What the names of dependencies stand for in a crate of the package.
fn externs(
    package: &Package,
    own_library: Option<usize>,
    project: &Project,
    libraries: &FxHashMap<usize, u32>,
    known: &Known,
) -> FxHashMap<Name, ExternCrate> {
    let local = |index: usize| {
        libraries
            .get(&index)
            .map(|krate| ExternCrate::Local(crate::resolve::CrateId(*krate)))
    };
    let mut externs = FxHashMap::default();
    for dependency in package
        .dependencies
        .iter()
        .filter(|dependency| dependency.kind != DependencyKind::Build)
    {
        let library = dependency
            .lib_name
            .as_deref()
            .map_or_else(|| known.library(&dependency.package), Name::from);
        let meaning = dependency
            .member
            .and_then(local)
            .unwrap_or(ExternCrate::Foreign(library));
        let name = if dependency.renamed || dependency.lib_name.is_some() {
            Name::from(&dependency.extern_name)
        } else {
            // The library may be called differently than its package.
            externs
                .entry(Name::from(&dependency.extern_name))
                .or_insert(meaning);
            library
        };
        externs.insert(name, meaning);
    }
    if let Some(index) = own_library
        && let Some(meaning) = local(index)
        && let Some(target) = project.packages[index]
            .targets
            .iter()
            .find(|target| target.kind == TargetKind::Lib)
    {
        externs.insert(Name::from(&target.crate_name), meaning);
    }
    // Every manifest lends the standard library; an empty list would mean "no manifest".
    externs.insert(Name::from("std"), ExternCrate::Foreign(Name::from("std")));
    if package.origin == crate::project::Origin::Loose {
        externs.clear();
    }
    externs
}

fn show(path: &Path, root: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = relative
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/").replace("//", "/")
}
