//! Imports: what every `use` of the program leads to.

use crate::ir::Name;

use super::ids::ModuleId;
use super::known::Known;
use super::path::Namespace;
use super::program::{Def, Program};

/// A name that a glob import hands on: the type and the value it stands for.
type Handed = (Name, (Option<Def>, Option<Def>));

impl Program {
    pub(super) fn resolve_imports(&mut self, known: &Known) {
        // A name may be imported from a module whose own imports come later, or that something
        // generated stands behind: rounds, until nothing changes.
        for _ in 0..8 {
            let named = self.resolve_named(known);
            let spread = self.spread_globs();
            if !named && !spread && !self.resolve_generated(known) {
                break;
            }
        }
    }

    pub(super) fn resolve_named(&mut self, known: &Known) -> bool {
        let mut changed = false;
        for index in 0..self.modules.len() {
            let module = ModuleId(index as u32);
            let uses = std::mem::take(&mut self.modules[index].uses);
            let mut globs = Vec::new();
            for found in &uses {
                let leads = |namespace| {
                    self.resolve_use(module, &found.path, found.global, namespace, known)
                };
                match found.name {
                    Some(name) => {
                        let types = leads(Namespace::Types);
                        let values = leads(Namespace::Values);
                        let entry = self.modules[index].imports.entry(name).or_default();
                        let merged = (types.or(entry.0), values.or(entry.1));
                        changed |= *entry != merged;
                        *entry = merged;
                    }
                    None => globs.extend(leads(Namespace::Types)),
                }
            }
            changed |= self.modules[index].globs != globs;
            self.modules[index].globs = globs;
            self.modules[index].uses = uses;
        }
        changed
    }

    /// Hands the names of modules on to those that import all of them.
    pub(super) fn spread_globs(&mut self) -> bool {
        let mut changed = false;
        for index in 0..self.modules.len() {
            for glob in self.modules[index].globs.clone() {
                let Def::Module(inner) = glob else { continue };
                if inner.index() == index {
                    continue;
                }
                let mut handed: Vec<Handed> = Vec::new();
                let from = &self.modules[inner.index()];
                handed.extend(
                    from.types
                        .iter()
                        .map(|(name, def)| (*name, (Some(*def), None))),
                );
                handed.extend(
                    from.values
                        .iter()
                        .map(|(name, def)| (*name, (None, Some(*def)))),
                );
                handed.extend(from.imports.iter().map(|(name, defs)| (*name, *defs)));
                let into = &mut self.modules[index].imports;
                for (name, (types, values)) in handed {
                    let entry = into.entry(name).or_default();
                    let merged = (entry.0.or(types), entry.1.or(values));
                    changed |= *entry != merged;
                    *entry = merged;
                }
            }
        }
        changed
    }

    /// A name imported from a module of ours that does not declare it is made by a macro or a
    /// derive; it stands for itself, by the names that lead to it.
    pub(super) fn resolve_generated(&mut self, known: &Known) -> bool {
        let mut changed = false;
        for index in 0..self.modules.len() {
            let module = ModuleId(index as u32);
            let uses = std::mem::take(&mut self.modules[index].uses);
            for found in &uses {
                let Some(name) = found.name else { continue };
                if self.modules[index].imports.get(&name) != Some(&(None, None)) {
                    continue;
                }
                let resolved =
                    self.resolve_names(module, &found.path, found.global, Namespace::Types, known);
                if let Some((Def::Module(inner), used)) = resolved
                    && used < found.path.len()
                {
                    let def = Def::Extern(self.generated(inner, &found.path[used..]));
                    self.modules[index]
                        .imports
                        .insert(name, (Some(def), Some(def)));
                    changed = true;
                }
            }
            self.modules[index].uses = uses;
        }
        changed
    }

    /// The path by which something that a macro made in a module is known.
    pub(super) fn generated(&self, module: ModuleId, rest: &[Name]) -> Name {
        let mut text = self.module(module).name.to_string();
        for name in rest {
            text.push_str("::");
            text.push_str(name);
        }
        Name::from(&text)
    }

    pub(super) fn resolve_use(
        &self,
        module: ModuleId,
        path: &[Name],
        global: bool,
        namespace: Namespace,
        known: &Known,
    ) -> Option<Def> {
        if path.is_empty() {
            return None;
        }
        let (def, used) = self.resolve_names(module, path, global, namespace, known)?;
        (used == path.len()).then_some(def)
    }

    /// `use uuid::{uuid, Uuid}` imports a macro by the name of its crate: a longer path still means
    /// the crate.
    pub(super) fn shadows_crate(&self, module: ModuleId, name: Name, found: Def) -> bool {
        matches!(found, Def::Extern(path) if path.contains("::") && path.starts_with(char::is_lowercase))
            && self.crate_of(module).externs.contains_key(&name)
    }
}
