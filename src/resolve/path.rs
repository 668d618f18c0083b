//! Paths to definitions, types as written to types as known.

use std::sync::Arc;

use crate::ir::{Name, Path, TypeRef};

use super::known::Known;
use super::program::{AliasId, Def, ExternCrate, FnId, ModuleId, Owner, Program};
use super::ty::{TraitRef, Ty, no_args};

/// How far aliases of aliases and re-exports of re-exports are followed.
const DEPTH: u32 = 16;

/// In which namespace a name is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Namespace {
    Types,
    Values,
}

/// Where a type is written: which names mean `Self` and which are type parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct TypeScope<'a> {
    pub(super) module: ModuleId,
    pub(super) self_ty: Option<&'a Ty>,
    pub(super) params: &'a [Name],
    /// The associated types of the impl around.
    pub(super) assoc: &'a [(Name, TypeRef)],
}

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

    fn resolve_named(&mut self, known: &Known) -> bool {
        let mut changed = false;
        for index in 0..self.modules.len() {
            let module = ModuleId(index as u32);
            let uses = std::mem::take(&mut self.modules[index].uses);
            let mut globs = Vec::new();
            for found in &uses {
                let mut leads = |namespace| {
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
    fn spread_globs(&mut self) -> bool {
        let mut changed = false;
        for index in 0..self.modules.len() {
            for glob in self.modules[index].globs.clone() {
                let Def::Module(inner) = glob else { continue };
                if inner.index() == index {
                    continue;
                }
                let mut handed: Vec<(Name, (Option<Def>, Option<Def>))> = Vec::new();
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
    fn resolve_generated(&mut self, known: &Known) -> bool {
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

    fn resolve_use(
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

    /// Resolves as many names of a path as lead to definitions; says how many that were.
    pub(super) fn resolve_names(
        &self,
        module: ModuleId,
        path: &[Name],
        global: bool,
        namespace: Namespace,
        known: &Known,
    ) -> Option<(Def, usize)> {
        let space = |index: usize| {
            if index + 1 == path.len() {
                namespace
            } else {
                Namespace::Types
            }
        };
        let first = path[0];
        let mut at = match first.as_str() {
            "crate" | "$crate" => Def::Module(self.crate_of(module).root),
            "self" => Def::Module(module),
            "super" => Def::Module(self.module(module).parent.unwrap_or(module)),
            _ if global => self.extern_crate(module, first, known)?,
            _ => self
                .lookup(module, first, space(0), known)
                .filter(|found| path.len() == 1 || !self.shadows_crate(module, first, *found))
                .or_else(|| self.extern_crate(module, first, known))
                .or_else(|| standard_name(first).map(|path| Def::Extern(Name::from(path))))?,
        };
        let mut used = 1;
        while used < path.len() {
            let name = path[used];
            let next = match at {
                Def::Module(inner) if name == "super" => {
                    Some(Def::Module(self.module(inner).parent.unwrap_or(inner)))
                }
                Def::Module(inner) if name == "self" => Some(Def::Module(inner)),
                Def::Module(inner) => self.lookup(inner, name, space(used), known),
                Def::Type(id) => {
                    let def = &self.types[id.index()];
                    def.item
                        .is_enum
                        .then(|| def.variant(name))
                        .flatten()
                        .map(|(index, _)| Def::Variant(id, index))
                }
                Def::Alias(id) => match self.alias_target(id, known) {
                    Some(Def::Type(target)) => self.types[target.index()]
                        .variant(name)
                        .map(|(index, _)| Def::Variant(target, index))
                        .or(Some(Def::Type(target)).filter(|_| false)),
                    _ => None,
                },
                Def::Extern(root) => {
                    // The longest alias wins, so the whole path is asked for at once.
                    let rest: Vec<&str> = path[used..].iter().map(|name| name.as_str()).collect();
                    let whole = known.canonical(&format!("{root}::{}", rest.join("::")));
                    return Some((Def::Extern(whole), path.len()));
                }
                _ => None,
            };
            match next {
                Some(def) => at = def,
                None => break,
            }
            used += 1;
        }
        Some((at, used))
    }

    /// `use uuid::{uuid, Uuid}` imports a macro by the name of its crate: a longer path still means
    /// the crate.
    fn shadows_crate(&self, module: ModuleId, name: Name, found: Def) -> bool {
        matches!(found, Def::Extern(path) if path.contains("::") && path.starts_with(char::is_lowercase))
            && self.crate_of(module).externs.contains_key(&name)
    }

    fn extern_crate(&self, module: ModuleId, name: Name, known: &Known) -> Option<Def> {
        match self.crate_of(module).externs.get(&name) {
            Some(ExternCrate::Local(krate)) => {
                Some(Def::Module(self.crates[krate.0 as usize].root))
            }
            Some(ExternCrate::Foreign(library)) => Some(Def::Extern(*library)),
            None if self.crate_of(module).renamed(self, name).is_some() => {
                let original = self.crate_of(module).renamed(self, name)?;
                self.extern_crate(module, original, known)
            }
            None => match name.as_str() {
                "std" | "core" | "alloc" => Some(Def::Extern(Name::from("std"))),
                // Without a manifest every lower-case first segment may be a crate.
                other
                    if self.crate_of(module).externs.is_empty()
                        && other.starts_with(char::is_lowercase) =>
                {
                    Some(Def::Extern(known.library(other)))
                }
                _ => None,
            },
        }
    }

    /// What a name means in a module.
    pub(super) fn lookup(
        &self,
        module: ModuleId,
        name: Name,
        namespace: Namespace,
        known: &Known,
    ) -> Option<Def> {
        let def = self.module(module);
        let own = match namespace {
            Namespace::Types => def.types.get(&name),
            Namespace::Values => def.values.get(&name),
        };
        if let Some(found) = own {
            return Some(*found);
        }
        if let Some((types, values)) = def.imports.get(&name) {
            let found = match namespace {
                Namespace::Types => types,
                Namespace::Values => values,
            };
            if found.is_some() {
                return *found;
            }
        }
        def.globs.iter().find_map(|glob| match glob {
            Def::Type(id) => self.types[id.index()]
                .variant(name)
                .map(|(index, _)| Def::Variant(*id, index)),
            Def::Extern(path) => known.from_glob(*path, name).map(Def::Extern),
            // Those of modules were handed on to the imports.
            _ => None,
        })
    }

    fn alias_target(&self, id: AliasId, known: &Known) -> Option<Def> {
        let alias = &self.aliases[id.index()];
        match &alias.item.ty {
            TypeRef::Path(path) => {
                let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
                let (def, used) =
                    self.resolve_names(alias.module, &names, path.global, Namespace::Types, known)?;
                (used == names.len()).then_some(def)
            }
            _ => None,
        }
    }

    pub(super) fn resolve_impls(&mut self, known: &Known) {
        for index in 0..self.impls.len() {
            let id = super::program::ImplId(index as u32);
            let def = &self.impls[index];
            let params: Vec<Name> = def.generics.params.iter().map(|param| param.name).collect();
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
                    for (name, function) in &self.impls[index].methods {
                        self.extensions
                            .entry((*path, *name))
                            .or_default()
                            .push(*function);
                    }
                }
                Ty::Param(_) | Ty::Bound(_) => {
                    for (name, function) in &self.impls[index].methods {
                        self.blanket.entry(*name).or_default().push(*function);
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
        }
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

    fn type_of_path(&self, path: &Path, scope: TypeScope<'_>, known: &Known, depth: u32) -> Ty {
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
            Def::Type(id) => Ty::Adt(id, args()),
            Def::Extern(path) => Ty::Extern(path, args()),
            Def::Alias(id) => {
                let alias = &self.aliases[id.index()];
                let params: Vec<Name> = alias
                    .item
                    .generics
                    .params
                    .iter()
                    .map(|param| param.name)
                    .collect();
                let inner = TypeScope {
                    module: alias.module,
                    self_ty: None,
                    params: &params,
                    assoc: &[],
                };
                let given: Vec<Ty> = {
                    let given: super::ty::TyArgs = args();
                    given.to_vec()
                };
                self.type_of(&alias.item.ty, inner, known, depth + 1)
                    .substitute(&given)
            }
            Def::Trait(id) => Ty::Bound(Arc::from([TraitRef::Local(id)])),
            _ => Ty::Unknown,
        }
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
fn unpin(ty: Ty) -> Ty {
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

/// What a function declares.
#[derive(Debug, Clone)]
pub(super) struct Signature {
    pub(super) params: usize,
    pub(super) self_ty: Ty,
    pub(super) inputs: Vec<Ty>,
    pub(super) output: Ty,
}

/// Names that need no import.
fn standard_name(name: Name) -> Option<&'static str> {
    Some(match name.as_str() {
        "Vec" => "std::vec::Vec",
        "String" => "std::string::String",
        "Box" => "std::boxed::Box",
        "Option" => "std::option::Option",
        "Result" => "std::result::Result",
        "Some" => "std::option::Option::Some",
        "None" => "std::option::Option::None",
        "Ok" => "std::result::Result::Ok",
        "Err" => "std::result::Result::Err",
        "Future" => "std::future::Future",
        "IntoFuture" => "std::future::IntoFuture",
        "Iterator" => "std::iter::Iterator",
        "IntoIterator" => "std::iter::IntoIterator",
        "Fn" => "std::ops::Fn",
        "FnMut" => "std::ops::FnMut",
        "FnOnce" => "std::ops::FnOnce",
        "AsyncFn" => "std::ops::AsyncFn",
        "AsyncFnMut" => "std::ops::AsyncFnMut",
        "AsyncFnOnce" => "std::ops::AsyncFnOnce",
        "Into" => "std::convert::Into",
        "From" => "std::convert::From",
        "AsRef" => "std::convert::AsRef",
        "Default" => "std::default::Default",
        "Clone" => "std::clone::Clone",
        "Send" => "std::marker::Send",
        "Sync" => "std::marker::Sync",
        "Sized" => "std::marker::Sized",
        "drop" => "std::mem::drop",
        "str" | "bool" | "char" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8"
        | "i16" | "i32" | "i64" | "i128" | "isize" | "f32" | "f64" => "std::primitive",
        _ => return None,
    })
}

/// The empty list, for callers that only need a path.
pub(super) fn plain(path: Name) -> Ty {
    Ty::Extern(path, no_args())
}
