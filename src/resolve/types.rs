//! Types as written to types as known.

use std::sync::Arc;

use crate::ir::{Name, Path, TypeRef};

use super::ids::{FnId, TypeId};
use super::known::Known;
use super::path::{DEPTH, Namespace, Signature, TypeScope, plain};
use super::program::{Def, Owner, Program};
use super::ty::{TraitRef, Ty, TyArgs};

impl Program {
    pub(super) fn resolve_impls(&mut self, known: &Known) {
        for index in 0..self.impls.len() {
            let id = super::ids::ImplId(index as u32);
            let def = &self.impls[index];
            let params = def.generics.names();
            let scope = TypeScope {
                module: def.module,
                self_ty: None,
                params: &params,
                assoc: &[],
            };
            let self_ty = self.type_of(&def.self_ref, scope, known, 0);
            let trait_def = def.trait_.as_ref().and_then(|path| {
                let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
                let (found, used) =
                    self.resolve_names(def.module, &names, path.global, Namespace::Types, known)?;
                (used == names.len()).then_some(found)
            });
            match &self_ty {
                Ty::Adt(target, _) => self.types[target.index()].impls.push(id),
                Ty::Extern(path, _) => {
                    for (name, function) in self.given_by(id, trait_def) {
                        self.extensions
                            .entry((*path, name))
                            .or_default()
                            .push(function);
                    }
                }
                Ty::Param(_) | Ty::Bound(_) => {
                    for (name, function) in self.given_by(id, trait_def) {
                        self.blanket.entry(name).or_default().push(function);
                    }
                }
                _ => {}
            }
            if let Some(Def::Trait(trait_id)) = trait_def {
                self.traits[trait_id.index()].impls.push(id);
            }
            self.impls[index].self_ty = self_ty;
            self.impls[index].trait_def = trait_def;
        }
        for index in 0..self.traits.len() {
            let def = &self.traits[index];
            let scope = TypeScope {
                module: def.module,
                self_ty: None,
                params: &[],
                assoc: &[],
            };
            let parents = def
                .supertraits
                .iter()
                .filter_map(|path| match self.trait_of(path, scope, known, 0) {
                    Some(TraitRef::Local(id)) => Some(id),
                    _ => None,
                })
                .collect();
            self.traits[index].parents = parents;
        }
        for functions in self
            .extensions
            .values_mut()
            .chain(self.blanket.values_mut())
        {
            functions.sort_unstable();
            functions.dedup();
        }
    }

    /// The methods that an impl gives a type: its own, and those that its trait has a body for.
    fn given_by(&self, id: super::ids::ImplId, trait_def: Option<Def>) -> Vec<(Name, FnId)> {
        let own = &self.impls[id.index()].methods;
        let mut given: Vec<(Name, FnId)> = own.iter().map(|(name, id)| (*name, *id)).collect();
        if let Some(Def::Trait(trait_id)) = trait_def {
            let defaults = self.traits[trait_id.index()].methods.iter();
            given.extend(
                defaults
                    .filter(|(name, id)| {
                        !own.contains_key(name) && self.function(**id).function.body.is_some()
                    })
                    .map(|(name, id)| (*name, *id)),
            );
        }
        given
    }

    /// A type as written, as it is known.
    pub(super) fn type_of(
        &self,
        ty: &TypeRef,
        scope: TypeScope<'_>,
        known: &Known,
        depth: u32,
    ) -> Ty {
        if depth > DEPTH {
            return Ty::Unknown;
        }
        let go = |ty: &TypeRef| self.type_of(ty, scope, known, depth + 1);
        match ty {
            TypeRef::Path(path) => self.type_of_path(path, scope, known, depth),
            TypeRef::Tuple(elems) => Ty::Tuple(elems.iter().map(go).collect()),
            TypeRef::Slice(elem) => Ty::wrap("std::vec::Vec", go(elem)),
            TypeRef::Impl(bounds) | TypeRef::Dyn(bounds) => {
                self.bounds_type(bounds, scope, known, depth)
            }
            TypeRef::Fn(_, output) => Ty::Callable(Arc::new(go(output))),
            TypeRef::Never | TypeRef::Infer => Ty::Unknown,
        }
    }

    /// The type behind a list of bounds: a future is its output, a function its result.
    pub(super) fn bounds_type(
        &self,
        bounds: &[Path],
        scope: TypeScope<'_>,
        known: &Known,
        depth: u32,
    ) -> Ty {
        let mut traits = Vec::new();
        for bound in bounds {
            let Some(found) = self.trait_of(bound, scope, known, depth) else {
                continue;
            };
            if let TraitRef::Extern(path, output, _) = &found {
                match path.rsplit("::").next().unwrap_or(path) {
                    "Future" | "IntoFuture" => return output.clone().unwrap_or_default(),
                    "Fn" | "FnMut" | "FnOnce" | "AsyncFn" | "AsyncFnMut" | "AsyncFnOnce" => {
                        return Ty::Callable(Arc::new(output.clone().unwrap_or_default()));
                    }
                    "Iterator" | "IntoIterator" | "Stream" => {
                        return Ty::wrap("std::vec::Vec", output.clone().unwrap_or_default());
                    }
                    "Into" | "From" | "AsRef" | "Borrow" | "Deref" => {
                        let target = bound
                            .segments
                            .last()
                            .and_then(|segment| segment.args.first());
                        return target
                            .map_or(Ty::Unknown, |ty| self.type_of(ty, scope, known, depth + 1));
                    }
                    "Send" | "Sync" | "Sized" | "Unpin" | "Clone" | "Debug" | "Copy" | "Any"
                    | "Default" => continue,
                    _ => {}
                }
            }
            traits.push(found);
        }
        if traits.is_empty() {
            Ty::Unknown
        } else {
            Ty::Bound(traits.into())
        }
    }

    pub(super) fn trait_of(
        &self,
        path: &Path,
        scope: TypeScope<'_>,
        known: &Known,
        depth: u32,
    ) -> Option<TraitRef> {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        let resolved =
            self.resolve_names(scope.module, &names, path.global, Namespace::Types, known);
        let last = path.segments.last()?;
        match resolved {
            Some((Def::Trait(id), used)) if used == names.len() => Some(TraitRef::Local(id)),
            Some((Def::Extern(canonical), _)) => {
                let output = last
                    .assoc
                    .iter()
                    .find(|(name, _)| matches!(name.as_str(), "Output" | "Item"))
                    .map(|(_, ty)| self.type_of(ty, scope, known, depth + 1));
                let args = last
                    .args
                    .iter()
                    .map(|ty| self.type_of(ty, scope, known, depth + 1))
                    .collect();
                Some(TraitRef::Extern(canonical, output, args))
            }
            _ => None,
        }
    }

    pub(super) fn type_of_path(
        &self,
        path: &Path,
        scope: TypeScope<'_>,
        known: &Known,
        depth: u32,
    ) -> Ty {
        if let Some(name) = path.single() {
            if let Some(index) = scope.params.iter().position(|param| *param == name) {
                return Ty::Param(index as u32);
            }
            if name == "Self" {
                return scope.self_ty.cloned().unwrap_or_default();
            }
        }
        if let [first, second] = path.segments.as_slice()
            && first.name == "Self"
        {
            return scope
                .assoc
                .iter()
                .find(|(name, _)| *name == second.name)
                .map_or(Ty::Unknown, |(_, ty)| {
                    self.type_of(ty, scope, known, depth + 1)
                });
        }
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        let Some((def, used)) =
            self.resolve_names(scope.module, &names, path.global, Namespace::Types, known)
        else {
            return Ty::Unknown;
        };
        if used != names.len() {
            return match def {
                Def::Module(inner) => plain(self.generated(inner, &names[used..])),
                _ => Ty::Unknown,
            };
        }
        let args = || {
            path.segments
                .last()
                .into_iter()
                .flat_map(|segment| &segment.args)
                .map(|ty| self.type_of(ty, scope, known, depth + 1))
                .collect()
        };
        match def {
            Def::Type(id) => Ty::Adt(id, self.with_defaults(id, args(), known, depth)),
            Def::Extern(path) => Ty::Extern(path, args()),
            Def::Alias(id) => {
                let alias = &self.aliases[id.index()];
                let params = alias.item.generics.names();
                let inner = TypeScope {
                    module: alias.module,
                    self_ty: None,
                    params: &params,
                    assoc: &[],
                };
                let given: Vec<Ty> = {
                    let given: TyArgs = args();
                    given.to_vec()
                };
                self.type_of(&alias.item.ty, inner, known, depth + 1)
                    .substitute(&given)
            }
            Def::Trait(id) => Ty::Bound(Arc::from([TraitRef::Local(id)])),
            _ => Ty::Unknown,
        }
    }

    /// The type arguments of a type, with its defaults for those that are not written. A path in a body may
    /// leave them out as well, but then gives no type that is written.
    fn with_defaults(&self, id: TypeId, given: TyArgs, known: &Known, depth: u32) -> TyArgs {
        let def = &self.types[id.index()];
        let params = &def.item.generics.params;
        if given.len() >= params.len() || params.iter().all(|param| param.default.is_none()) {
            return given;
        }
        let scope = TypeScope {
            module: def.module,
            self_ty: None,
            params: &[],
            assoc: &[],
        };
        let left = params.iter().skip(given.len());
        let defaults = left.map(|param| {
            let default = param.default.as_ref();
            default.map_or(Ty::Unknown, |ty| self.type_of(ty, scope, known, depth + 1))
        });
        given.iter().cloned().chain(defaults).collect()
    }

    /// The declared types of a function, with its type parameters as [`Ty::Param`].
    pub(super) fn signature(&self, id: FnId, known: &Known) -> Signature {
        let def = self.function(id);
        let params: Vec<Name> = self
            .generics_of(id)
            .iter()
            .map(|param| param.name)
            .collect();
        let (self_ty, assoc): (Ty, &[(Name, TypeRef)]) = match def.owner {
            Owner::Module => (Ty::Unknown, &[]),
            Owner::Impl(id) => {
                let owner = &self.impls[id.index()];
                (owner.self_ty.clone(), &owner.types)
            }
            Owner::Trait(id) => (Ty::Bound(Arc::from([TraitRef::Local(id)])), &[]),
        };
        let scope = TypeScope {
            module: def.module,
            self_ty: Some(&self_ty),
            params: &params,
            assoc,
        };
        let inputs = def
            .function
            .params
            .iter()
            .map(|param| self.type_of(&param.ty, scope, known, 0))
            .collect();
        let output = def
            .function
            .returns
            .as_ref()
            .map_or_else(Ty::unit, |ty| self.type_of(ty, scope, known, 0));
        Signature {
            params: params.len(),
            self_ty,
            inputs,
            output: unpin(output),
        }
    }
}

/// `Pin<Box<T>>` and `Box<T>` around a future are the future's output.
pub(super) fn unpin(ty: Ty) -> Ty {
    match &ty {
        Ty::Extern(path, args)
            if args.len() == 1 && matches!(path.as_str(), "std::pin::Pin" | "std::boxed::Box") =>
        {
            unpin(args[0].clone())
        }
        Ty::Extern(path, args)
            if path.ends_with("::BoxFuture") || path.ends_with("::LocalBoxFuture") =>
        {
            args.last().cloned().unwrap_or_default()
        }
        _ => ty,
    }
}
