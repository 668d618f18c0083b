//! Methods: whom a method call on a type calls.

use crate::ir::Name;

use super::callee::Callee;
use super::ids::{FnId, TraitId, TypeId};
use super::known::Known;
use super::path::TypeScope;
use super::program::{Def, Program};
use super::standard::{self, Moves, is_pointer};
use super::ty::{TraitRef, Ty};

/// What a method lookup found: whom it calls, and the type it was found on.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) callee: Callee,
    pub(super) receiver: Ty,
    pub(super) moves: Option<Moves>,
}

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
    pub(super) fn default_method(
        &self,
        trait_id: TraitId,
        method: Name,
        depth: u32,
    ) -> Option<FnId> {
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
            Ty::Tuple(parts) => Ty::Tuple(
                parts
                    .iter()
                    .map(|part| self.given(part, receiver))
                    .collect(),
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
