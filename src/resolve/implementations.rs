//! Implementations: which functions a call through a trait, or by name alone, may mean.

use crate::ir::Name;

use super::callee::Callee;
use super::ids::{FnId, ImplId, TraitId};
use super::known::Known;
use super::path::TypeScope;
use super::program::{Def, Owner, Program};
use super::standard::is_pointer;
use super::ty::Ty;

/// Names of test doubles, which stand beside the implementation that runs.
const DOUBLES: &[&str] = &[
    "Mock", "Fake", "Noop", "NoOp", "Dummy", "Stub", "InMemory", "Test", "Null", "Spy", "Memory",
];

impl Program {
    /// Every implementation of a trait's method in the workspace, forwarding impls and test
    /// doubles left out where others exist.
    pub fn implementations(&self, trait_id: TraitId, method: Name) -> Vec<FnId> {
        let def = &self.traits[trait_id.index()];
        let mut functions = self.union(&def.impls, method, def.methods.get(&method).copied());
        if functions.is_empty()
            && let Some(declared) = def.methods.get(&method)
        {
            functions.push(*declared);
        }
        functions
    }

    pub(super) fn foreign_implementations(&self, path: Name, method: Name) -> Vec<FnId> {
        let impls: Vec<ImplId> = (0..self.impls.len() as u32)
            .map(ImplId)
            .filter(|id| self.impls[id.index()].trait_def == Some(Def::Extern(path)))
            .collect();
        self.union(&impls, method, None)
    }

    pub(super) fn union(&self, impls: &[ImplId], method: Name, default: Option<FnId>) -> Vec<FnId> {
        let default = default.filter(|id| self.function(*id).function.body.is_some());
        let mut real = Vec::new();
        let mut doubles = Vec::new();
        for impl_id in impls {
            let def = &self.impls[impl_id.index()];
            let forwards = match &def.self_ty {
                Ty::Extern(path, _) => is_pointer(path),
                Ty::Param(_) => true,
                _ => false,
            };
            if forwards {
                continue;
            }
            let Some(function) = def.methods.get(&method).copied().or(default) else {
                continue;
            };
            let name = match &def.self_ty {
                Ty::Adt(id, _) => self.types[id.index()].item.name,
                _ => Name::from(""),
            };
            if DOUBLES.iter().any(|double| name.starts_with(double))
                || name.ends_with("Mock")
                || name.ends_with("Stub")
            {
                doubles.push(function);
            } else {
                real.push(function);
            }
        }
        let mut functions = if real.is_empty() { doubles } else { real };
        functions.sort_unstable();
        functions.dedup();
        functions
    }

    /// The arguments that an impl gives its trait, when it is for this type.
    pub(super) fn arguments_of(&self, id: ImplId, receiver: &Ty, known: &Known) -> Option<Vec<Ty>> {
        let def = &self.impls[id.index()];
        let is_same = match (&def.self_ty, receiver) {
            (Ty::Adt(a, _), Ty::Adt(b, _)) => a == b,
            (Ty::Extern(a, _), Ty::Extern(b, _)) => a == b,
            _ => false,
        };
        if !is_same {
            return None;
        }
        let names = def.generics.names();
        let mut given = vec![Ty::Unknown; names.len()];
        def.self_ty.unify(receiver, &mut given);
        let scope = TypeScope {
            module: def.module,
            self_ty: Some(&def.self_ty),
            params: &names,
            assoc: &def.types,
        };
        let written = &def.trait_.as_ref()?.segments.last()?.args;
        Some(
            written
                .iter()
                .map(|arg| self.type_of(arg, scope, known, 0).substitute(&given))
                .collect(),
        )
    }

    /// The implementation of a trait's method for a known type, or all of them.
    pub fn dispatch(&self, ty: &Ty, trait_id: TraitId, method: Name) -> Vec<FnId> {
        if let Ty::Adt(id, _) = ty {
            let of_type = self.types[id.index()].impls.iter().find_map(|impl_id| {
                let def = &self.impls[impl_id.index()];
                (def.trait_def == Some(Def::Trait(trait_id)))
                    .then(|| {
                        def.methods
                            .get(&method)
                            .copied()
                            .or_else(|| self.default_method(trait_id, method, 0))
                    })
                    .flatten()
            });
            if let Some(function) = of_type {
                return vec![function];
            }
        }
        self.implementations(trait_id, method)
    }

    /// Whether a method is there for another crate, or for generated code, to call: a client of the
    /// same name is no caller of it.
    fn serves_foreign_trait(&self, owner: Owner) -> bool {
        let Owner::Impl(id) = owner else {
            return false;
        };
        let def = &self.impls[id.index()];
        def.trait_.is_some() && !matches!(def.trait_def, Some(Def::Trait(_)))
    }

    /// The only method of a name that a call with so many arguments can mean.
    pub(super) fn by_name(&self, method: Name, arguments: usize) -> Option<Callee> {
        if is_common(&method) {
            return None;
        }
        let candidates: Vec<FnId> = self
            .by_name
            .get(&method)?
            .iter()
            .copied()
            .filter(|id| {
                let def = self.function(*id);
                def.function.has_self
                    && def.function.params.len() == arguments
                    && !self.serves_foreign_trait(def.owner)
            })
            .collect();
        let functions = match candidates.as_slice() {
            [] => return None,
            [only] => vec![*only],
            [first, ..] => {
                // Several implementations of one trait count as one.
                let trait_of = |id: &FnId| match self.function(*id).owner {
                    Owner::Impl(id) => self.impls[id.index()].trait_def,
                    _ => None,
                };
                let Some(Def::Trait(shared)) = trait_of(first) else {
                    return None;
                };
                if candidates
                    .iter()
                    .any(|id| trait_of(id) != Some(Def::Trait(shared)))
                {
                    return None;
                }
                self.implementations(shared, method)
            }
        };
        Some(Callee::Functions {
            functions,
            certain: false,
        })
    }
}

/// Method names that half of all types have: no evidence by themselves.
pub(super) fn is_common(name: &str) -> bool {
    name.len() < 4
        || matches!(
            name,
            "clone"
                | "into"
                | "iter"
                | "next"
                | "push"
                | "insert"
                | "remove"
                | "send"
                | "recv"
                | "read"
                | "write"
                | "lock"
                | "open"
                | "close"
                | "name"
                | "kind"
                | "init"
                | "build"
                | "start"
                | "stop"
                | "join"
                | "spawn"
                | "parse"
                | "from"
                | "then"
                | "filter"
                | "find"
                | "take"
                | "skip"
                | "count"
                | "last"
                | "first"
                | "contains"
                | "extend"
                | "update"
                | "delete"
                | "create"
                | "save"
                | "load"
                | "fetch"
                | "execute"
                | "commit"
                | "rollback"
                | "begin"
                | "handle"
                | "process"
                | "call"
                | "poll"
                | "wait"
                | "flush"
                | "with"
                | "apply"
                | "path"
                | "method"
                | "status"
                | "body"
                | "header"
                | "headers"
                | "query"
                | "json"
                | "text"
                | "bytes"
                | "data"
                | "value"
                | "values"
                | "keys"
                | "entry"
                | "exec"
                | "reset"
                | "clear"
                | "drain"
                | "retain"
                | "split"
                | "replace"
                | "trim"
                | "format"
                | "display"
                | "as_str"
                | "as_bytes"
                | "as_ref"
                | "as_mut"
                | "to_string"
                | "to_vec"
                | "to_owned"
                | "unwrap"
                | "expect"
                | "map_err"
                | "and_then"
                | "or_else"
                | "is_some"
                | "is_none"
                | "is_empty"
                | "get_or_insert"
                | "notify"
                | "timeout"
                | "retry"
                | "finish"
                | "complete"
                | "error"
                | "publish"
                | "subscribe"
                | "register"
                | "select"
                | "state"
        )
}
