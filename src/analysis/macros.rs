//! Which `macro_rules!` a call means.
//!
//! Macros are in scope by the order of the text or by their path; neither is followed to the
//! letter. A call means the definition in its own file, else the nearest one in the tree of
//! folders, the last of several: of a pair under `cfg(debug_assertions)`, the released one.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::ir::{FileIr, Item, MacroRules, Name};
use crate::lower::MacroTable;

/// All definitions, by name.
pub(super) struct Macros<'m> {
    defined: FxHashMap<Name, Vec<(usize, &'m MacroRules)>>,
    paths: &'m [PathBuf],
    /// The names of the workspace's crates.
    crates: Vec<&'m str>,
}

impl<'m> Macros<'m> {
    pub(super) fn new(
        files: &'m [Option<FileIr>],
        paths: &'m [PathBuf],
        crates: Vec<&'m str>,
    ) -> Self {
        let mut defined: FxHashMap<Name, Vec<(usize, &MacroRules)>> = FxHashMap::default();
        for (file, ir) in files.iter().enumerate() {
            for rules in ir.iter().flat_map(|ir| &ir.macros) {
                defined.entry(rules.name).or_default().push((file, rules));
            }
        }
        Macros {
            defined,
            paths,
            crates,
        }
    }

    /// The definitions that the calls in a file mean, by the path as it is written.
    pub(super) fn table_of(&self, file: usize, ir: &FileIr) -> MacroTable<'m> {
        let mut table = MacroTable::default();
        let mut open: Vec<Name> = ir
            .called_macros
            .iter()
            .copied()
            .filter(|path| self.may_be_ours(*path, ir))
            .collect();
        while let Some(path) = open.pop() {
            if table.contains_key(&path) {
                continue;
            }
            let name = Name::from(path.rsplit("::").next().unwrap_or(&path));
            if let Some(rules) = self.nearest(name, file) {
                table.insert(path, rules);
                open.extend(&rules.calls);
            }
        }
        table
    }

    /// Whether a written path may lead to a macro of the workspace.
    fn may_be_ours(&self, path: Name, ir: &FileIr) -> bool {
        let is_ours = |first: &str| {
            matches!(first, "crate" | "self" | "super" | "$crate") || self.crates.contains(&first)
        };
        match path.split_once("::") {
            Some((first, _)) => is_ours(first),
            // `use sqlx::query;` makes `query!` that crate's.
            None => !ir.items.iter().any(|item| match item {
                Item::Use(used) => {
                    used.name == Some(path)
                        && used.path.first().is_some_and(|first| !is_ours(first))
                }
                _ => false,
            }),
        }
    }

    fn nearest(&self, name: Name, file: usize) -> Option<&'m MacroRules> {
        let shared = |other: usize| shared_components(&self.paths[file], &self.paths[other]);
        self.defined
            .get(&name)?
            .iter()
            .max_by_key(|(other, _)| (*other == file, shared(*other)))
            .map(|(_, rules)| *rules)
    }
}

fn shared_components(left: &Path, right: &Path) -> usize {
    left.components()
        .zip(right.components())
        .take_while(|(left, right)| left == right)
        .count()
}
