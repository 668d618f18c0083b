//! Methods: whom a method call on a type calls.

use crate::ir::Name;

use super::callee::Callee;
use super::known::Known;
use super::path::TypeScope;
use super::program::{Def, FnId, ImplId, Owner, Program, TraitId, TypeId};
use super::standard::{self, Moves, is_pointer};
use super::ty::{TraitRef, Ty};

/// What a method lookup found: whom it calls, and the type it was found on.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) callee: Callee,
    pub(super) receiver: Ty,
    pub(super) moves: Option<Moves>,
}

/// Names of test doubles, which stand beside the implementation that runs.
const DOUBLES: &[&str] = &[
    "Mock", "Fake", "Noop", "NoOp", "Dummy", "Stub", "InMemory", "Test", "Null", "Spy", "Memory",
];

impl Program {
    /// Whom `receiver.method(…)` calls. `bounds` gives the bounds of type parameters.
    pub(super) fn method(
        &self,
        receiver: &Ty,
        method: Name,
        arguments: usize,
        bounds: &dyn Fn(u32) -> Ty,
        known: &Known,
    ) -> Found {
        let mut at = receiver.clone();
        for _ in 0..12 {
            let found = self.method_on(&at, method, bounds, known);
            if let Some(found) = found {
                return found;
            }
            let next = match &at {
                Ty::Extern(path, args) if is_pointer(path) || known.is_transparent(*path) => {
                    args.first().cloned()
                }
                Ty::Adt(id, args) => self.deref_target(*id, args, known),
                _ => None,
            };
            match next {
                Some(inner) => at = inner,
                None => break,
            }
        }
        if let Some(functions) = self.blanket.get(&method) {
            let functions = functions.clone();
            return Found {
                callee: Callee::Functions {
                    functions,
                    certain: true,
                },
                receiver: at,
                moves: None,
            };
        }
        if let Some(moves) = standard::method(receiver, method) {
            return Found {
                callee: Callee::Standard,
                receiver: receiver.clone(),
                moves: Some(moves),
            };
        }
        let callee = match &at {
            Ty::Extern(path, _) => Callee::Method(*path),
            Ty::Adt(id, _) => Callee::Derived(*id),
            Ty::Bound(traits) => Callee::TraitMethod(foreign(traits)),
            Ty::Param(index) => match bounds(*index) {
                Ty::Bound(traits) => Callee::TraitMethod(foreign(&traits)),
                _ => Callee::Unknown,
            },
            Ty::Unknown => self.by_name(method, arguments).unwrap_or(Callee::Unknown),
            _ => Callee::Unknown,
        };
        Found {
            callee,
            receiver: at,
            moves: None,
        }
    }

    fn method_on(
        &self,
        at: &Ty,
        method: Name,
        bounds: &dyn Fn(u32) -> Ty,
        known: &Known,
    ) -> Option<Found> {
        let found = |callee, moves| {
            Some(Found {
                callee,
                receiver: at.clone(),
                moves,
            })
        };
        let exactly = |function: FnId| Callee::Functions {
            functions: vec![function],
            certain: true,
        };
        match at {
            Ty::Adt(id, _) => self
                .adt_method(*id, method)
                .and_then(|function| found(exactly(function), None)),
            Ty::Extern(path, _) => {
                if let Some(functions) = self.extensions.get(&(*path, method))
                    && !is_pointer(path)
                {
                    let functions = functions.clone();
                    return found(
                        Callee::Functions {
                            functions,
                            certain: true,
                        },
                        None,
                    );
                }
                if let Some(gives) = known.method_returns(*path, method) {
                    let gives = self.given(gives, at);
                    return found(Callee::Method(*path), Some(Moves::Gives(gives)));
                }
                match standard::method(at, method) {
                    // Reborrowing of a pointer is looked at on the inner type first.
                    Some(Moves::Same) if is_pointer(path) && method != "clone" => None,
                    Some(moves) if !known.is_transparent(*path) || method == "clone" => {
                        found(Callee::Standard, Some(moves))
                    }
                    _ => None,
                }
            }
            Ty::Bound(traits) => self
                .bound_method(traits, method)
                .and_then(|callee| found(callee, None)),
            Ty::Param(index) => {
                let Ty::Bound(traits) = bounds(*index) else {
                    return None;
                };
                let declaring = traits.iter().find_map(|bound| match bound {
                    TraitRef::Local(id) => self.declaring_trait(*id, method, 0),
                    TraitRef::Extern(..) => None,
                });
                match declaring {
                    Some(trait_id) => found(
                        Callee::Dispatch {
                            param: *index,
                            trait_id,
                            method,
                        },
                        None,
                    ),
                    None => self
                        .bound_method(&traits, method)
                        .and_then(|callee| found(callee, None)),
                }
            }
            _ => None,
        }
    }

    /// A method of a type: inherent, or of a trait it implements, or that trait's default.
    pub(super) fn adt_method(&self, id: TypeId, method: Name) -> Option<FnId> {
        let def = &self.types[id.index()];
        let mut of_trait = None;
        for impl_id in &def.impls {
            let owner = &self.impls[impl_id.index()];
            if let Some(function) = owner.methods.get(&method) {
                if owner.trait_.is_none() {
                    return Some(*function);
                }
                of_trait = of_trait.or(Some(*function));
            }
        }
        of_trait.or_else(|| {
            def.impls
                .iter()
                .find_map(|impl_id| match self.impls[impl_id.index()].trait_def {
                    Some(Def::Trait(trait_id)) => self.default_method(trait_id, method, 0),
                    _ => None,
                })
        })
    }

    /// A trait's method with a body, its own or of a supertrait.
    fn default_method(&self, trait_id: TraitId, method: Name, depth: u32) -> Option<FnId> {
        let def = &self.traits[trait_id.index()];
        if let Some(function) = def.methods.get(&method) {
            return self
                .function(*function)
                .function
                .body
                .is_some()
                .then_some(*function);
        }
        if depth > 8 {
            return None;
        }
        self.traits[trait_id.index()]
            .parents
            .iter()
            .find_map(|id| self.default_method(*id, method, depth + 1))
    }

    /// The trait, itself or a supertrait, that declares a method.
    pub(super) fn declaring_trait(
        &self,
        trait_id: TraitId,
        method: Name,
        depth: u32,
    ) -> Option<TraitId> {
        if self.traits[trait_id.index()].methods.contains_key(&method) {
            return Some(trait_id);
        }
        if depth > 8 {
            return None;
        }
        self.traits[trait_id.index()]
            .parents
            .iter()
            .find_map(|id| self.declaring_trait(*id, method, depth + 1))
    }

    fn bound_method(&self, traits: &[TraitRef], method: Name) -> Option<Callee> {
        traits.iter().find_map(|bound| match bound {
            TraitRef::Local(id) => {
                let declaring = self.declaring_trait(*id, method, 0)?;
                let functions = self.implementations(declaring, method);
                Some(Callee::Functions {
                    functions,
                    certain: true,
                })
            }
            TraitRef::Extern(path, _, _) => {
                let functions = self.foreign_implementations(*path, method);
                (!functions.is_empty()).then_some(Callee::Functions {
                    functions,
                    certain: true,
                })
            }
        })
    }

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

    fn foreign_implementations(&self, path: Name, method: Name) -> Vec<FnId> {
        let impls: Vec<ImplId> = (0..self.impls.len() as u32)
            .map(ImplId)
            .filter(|id| self.impls[id.index()].trait_def == Some(Def::Extern(path)))
            .collect();
        self.union(&impls, method, None)
    }

    fn union(&self, impls: &[ImplId], method: Name, default: Option<FnId>) -> Vec<FnId> {
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

    /// The only method of a name that a call with so many arguments can mean.
    fn by_name(&self, method: Name, arguments: usize) -> Option<Callee> {
        if is_common(&method) {
            return None;
        }
        let candidates: Vec<FnId> = self
            .by_name
            .get(&method)?
            .iter()
            .copied()
            .filter(|id| {
                let function = &self.function(*id).function;
                function.has_self && function.params.len() == arguments
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

    /// A type that the catalogue says a method gives, seen from its receiver.
    pub(super) fn given(&self, gives: &Ty, receiver: &Ty) -> Ty {
        match gives {
            Ty::Extern(word, args) if args.is_empty() => match word.as_str() {
                "self" => receiver.clone(),
                "item" => receiver.first_arg(),
                _ => gives.clone(),
            },
            Ty::Extern(path, args) => Ty::Extern(
                *path,
                args.iter().map(|arg| self.given(arg, receiver)).collect(),
            ),
            other => other.clone(),
        }
    }

    /// The bounds of a function's type parameter as a type.
    pub(super) fn param_bounds(&self, function: FnId, index: u32, known: &Known) -> Ty {
        let generics = self.generics_of(function);
        let params: Vec<Name> = generics.iter().map(|param| param.name).collect();
        let Some(param) = generics.get(index as usize) else {
            return Ty::Unknown;
        };
        let scope = TypeScope {
            module: self.function(function).module,
            self_ty: None,
            params: &params,
            assoc: &[],
        };
        self.bounds_type(&param.bounds, scope, known, 0)
    }
}

fn foreign(traits: &[TraitRef]) -> Vec<Name> {
    traits
        .iter()
        .filter_map(|bound| match bound {
            TraitRef::Extern(path, _, _) => Some(*path),
            TraitRef::Local(_) => None,
        })
        .collect()
}

/// Method names that half of all types have: no evidence by themselves.
fn is_common(name: &str) -> bool {
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

impl Program {
    /// Traits of other crates that a module has in scope by name.
    pub fn imported_traits(&self, module: super::program::ModuleId, known: &Known) -> Vec<Name> {
        let def = self.module(module);
        let mut names: Vec<Name> = def
            .imports
            .values()
            .filter_map(|(types, _)| match types {
                Some(Def::Extern(path)) => Some(*path),
                _ => None,
            })
            .collect();
        for glob in &def.globs {
            match glob {
                Def::Extern(path) => names.extend(known.exports(*path)),
                // `use super::*` hands the traits of the parent on.
                Def::Module(inner) if *inner != module => names.extend(
                    self.module(*inner)
                        .imports
                        .values()
                        .filter_map(|(types, _)| match types {
                            Some(Def::Extern(path)) => Some(*path),
                            _ => None,
                        }),
                ),
                _ => {}
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The traits of other crates that a type implements.
    pub fn foreign_traits_of(&self, id: TypeId) -> Vec<Name> {
        self.types[id.index()]
            .impls
            .iter()
            .filter_map(|impl_id| match self.impls[impl_id.index()].trait_def {
                Some(Def::Extern(path)) => Some(path),
                _ => None,
            })
            .collect()
    }

    /// The macros that a type derives, by canonical path.
    pub fn derives_of(&self, id: TypeId, known: &Known) -> Vec<Name> {
        let def = &self.types[id.index()];
        def.item
            .derives
            .iter()
            .map(|path| {
                let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
                let found = self.resolve_names(
                    def.module,
                    &names,
                    path.global,
                    super::path::Namespace::Types,
                    known,
                );
                match found {
                    Some((Def::Extern(path), used)) if used == names.len() => path,
                    _ => Name::from(&path.text()),
                }
            })
            .collect()
    }

    /// The canonical path behind a path to something of another crate, or the path as written.
    pub fn canonical_path(
        &self,
        path: &crate::ir::Path,
        module: super::program::ModuleId,
        known: &Known,
    ) -> Name {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        for namespace in [
            super::path::Namespace::Values,
            super::path::Namespace::Types,
        ] {
            let found = self.resolve_names(module, &names, path.global, namespace, known);
            if let Some((Def::Extern(canonical), used)) = found
                && used == names.len()
            {
                return canonical;
            }
        }
        Name::from(&path.text())
    }

    /// A type written in a module, type parameters left unknown.
    pub fn written_type(
        &self,
        ty: &crate::ir::TypeRef,
        module: super::program::ModuleId,
        known: &Known,
    ) -> Ty {
        self.type_of(
            ty,
            TypeScope {
                module,
                self_ty: None,
                params: &[],
                assoc: &[],
            },
            known,
            0,
        )
    }
}
