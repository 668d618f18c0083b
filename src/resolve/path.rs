//! Paths to definitions, types as written to types as known.

use crate::ir::{Name, TypeRef};

use super::ids::{AliasId, ModuleId};
use super::known::Known;
use super::program::{Def, ExternCrate, Program};
use super::ty::{Ty, no_args};

/// How far aliases of aliases and re-exports of re-exports are followed.
pub(super) const DEPTH: u32 = 16;

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
        | "i16" | "i32" | "i64" | "i128" | "isize" => "std::primitive",
        "f32" => "std::primitive::f32",
        "f64" => "std::primitive::f64",
        _ => return None,
    })
}

/// The empty list, for callers that only need a path.
pub(super) fn plain(path: Name) -> Ty {
    Ty::Extern(path, no_args())
}
