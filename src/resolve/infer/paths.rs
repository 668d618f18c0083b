//! Paths in expressions: what they lead to, and its type.

use crate::ir::{ExprId, Name, Path, TypeRef};

use super::super::ids::{ConstId, FnId};
use super::super::path::{Namespace, TypeScope, plain};
use super::super::program::Def;
use super::super::ty::{Ty, no_args};
use super::Walk;

impl Walk<'_> {
    pub(super) fn path(&mut self, id: ExprId, path: &Path) -> Ty {
        match self.resolve_value(path) {
            Some((def, None)) => {
                self.out.defs.insert(id, def);
                match def {
                    Def::Function(function) => self
                        .made_by_attribute(function)
                        .unwrap_or_else(|| self.value_type(def)),
                    _ => self.value_type(def),
                }
            }
            Some((def, Some(name))) => {
                let owner = self.def_type(def, path);
                if let Some(function) = self.associated(&owner, name) {
                    self.out.defs.insert(id, Def::Function(function));
                    return self.value_type(Def::Function(function));
                }
                if let Some(constant) = self.associated_const(&owner, name) {
                    self.out.defs.insert(id, Def::Const(constant));
                    return self.value_type(Def::Const(constant));
                }
                Ty::Unknown
            }
            None => match self.constant_of(path) {
                Some(constant) => {
                    self.out.defs.insert(id, Def::Const(constant));
                    self.value_type(Def::Const(constant))
                }
                None => Ty::Unknown,
            },
        }
    }

    /// `Self::NAME` and `<T as Trait>::NAME`: of the impl, else the trait's default.
    pub(super) fn constant_of(&self, path: &Path) -> Option<ConstId> {
        let name = path.last()?;
        let owner = match &path.qself {
            Some(qself) => self.written(qself),
            None if path.segments.len() == 2 => {
                let mut prefix = path.clone();
                prefix.segments.pop();
                self.written(&TypeRef::Path(prefix))
            }
            None => return None,
        };
        let traits: Vec<super::super::ids::TraitId> = match &owner {
            Ty::Adt(id, _) => {
                if let Some(found) = self.associated_const(&owner, name) {
                    return Some(found);
                }
                self.program.types[id.index()]
                    .impls
                    .iter()
                    .filter_map(|id| match self.program.impls[id.index()].trait_def {
                        Some(Def::Trait(id)) => Some(id),
                        _ => None,
                    })
                    .collect()
            }
            Ty::Bound(bounds) => bounds
                .iter()
                .filter_map(|bound| match bound {
                    super::super::ty::TraitRef::Local(id) => Some(*id),
                    super::super::ty::TraitRef::Extern(..) => None,
                })
                .collect(),
            _ => return None,
        };
        traits
            .into_iter()
            .find_map(|id| self.program.traits[id.index()].consts.get(&name).copied())
    }

    /// An attribute may make a value of its own of a function (`#[sqlxmq::job]`); it is known by
    /// the attribute's path.
    pub(super) fn made_by_attribute(&self, function: FnId) -> Option<Ty> {
        let def = self.program.function(function);
        def.function
            .attributes
            .iter()
            .map(|attribute| {
                self.program
                    .canonical_path(&attribute.path, def.module, self.known)
            })
            .find(|path| self.known.is_receiver(*path))
            .map(plain)
    }

    pub(super) fn value_type(&self, def: Def) -> Ty {
        match def {
            Def::Const(id) => {
                let def = &self.program.consts[id.index()];
                let self_ty = def
                    .owner
                    .map(|owner| self.program.impls[owner.index()].self_ty.clone());
                let scope = TypeScope {
                    module: def.module,
                    self_ty: self_ty.as_ref(),
                    params: &[],
                    assoc: &[],
                };
                self.program.type_of(&def.item.ty, scope, self.known, 0)
            }
            Def::Variant(id, _) | Def::Type(id) => Ty::Adt(id, no_args()),
            Def::Function(id) => {
                let signature = self.program.signature(id, self.known);
                let unknown = vec![Ty::Unknown; signature.params];
                Ty::Callable(std::sync::Arc::new(signature.output.substitute(&unknown)))
            }
            Def::Extern(path) => match path.as_str() {
                "std::option::Option::None" => Ty::wrap("std::option::Option", Ty::Unknown),
                _ => self
                    .known
                    .returns(path)
                    .cloned()
                    .unwrap_or_else(|| extern_value(path)),
            },
            _ => Ty::Unknown,
        }
    }

    /// What a path in value position leads to: a definition, or a type and the name of an
    /// associated item.
    pub(super) fn resolve_value(&self, path: &Path) -> Option<(Def, Option<Name>)> {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        if path.qself.is_some() {
            return None;
        }
        let first = *names.first()?;
        if first == "Self" || self.params.contains(&first) {
            return None;
        }
        let (def, used) = self.program.resolve_names(
            self.module,
            &names,
            path.global,
            Namespace::Values,
            self.known,
        )?;
        if used == names.len() {
            Some((def, None))
        } else if let Def::Module(inner) = def {
            Some((
                Def::Extern(self.program.generated(inner, &names[used..])),
                None,
            ))
        } else if used + 1 == names.len() {
            Some((def, Some(names[used])))
        } else {
            None
        }
    }

    pub(super) fn def_type(&self, def: Def, path: &Path) -> Ty {
        match def {
            Def::Type(_) | Def::Alias(_) | Def::Trait(_) => {
                let mut prefix = path.clone();
                prefix.segments.pop();
                self.written(&TypeRef::Path(prefix))
            }
            Def::Extern(path) => plain(path),
            _ => Ty::Unknown,
        }
    }

    pub(super) fn associated(&self, owner: &Ty, name: Name) -> Option<FnId> {
        match owner {
            Ty::Adt(id, _) => self
                .program
                .adt_method(*id, name)
                .or_else(|| self.program.blanket.get(&name)?.first().copied()),
            Ty::Extern(path, _) => self
                .program
                .extensions
                .get(&(*path, name))
                .and_then(|found| found.first().copied()),
            _ => None,
        }
    }

    pub(super) fn associated_const(&self, owner: &Ty, name: Name) -> Option<ConstId> {
        let Ty::Adt(id, _) = owner else { return None };
        self.program.types[id.index()]
            .impls
            .iter()
            .find_map(|impl_id| {
                self.program.impls[impl_id.index()]
                    .consts
                    .get(&name)
                    .copied()
            })
    }

    pub(super) fn macro_path(&self, path: &Path) -> Name {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        let resolved = self.program.resolve_names(
            self.module,
            &names,
            path.global,
            Namespace::Values,
            self.known,
        );
        match resolved {
            Some((Def::Extern(path), used)) if used == names.len() => path,
            _ => Name::from(&path.text()),
        }
    }

    pub(super) fn struct_literal(&mut self, id: ExprId, path: &Path) -> Ty {
        if path.single().is_some_and(|name| name == "Self") {
            if let Ty::Adt(type_id, _) = &self.self_ty {
                self.out.structs.insert(id, Def::Type(*type_id));
            }
            return self.self_ty.clone();
        }
        if let [first, second] = path.segments.as_slice()
            && first.name == "Self"
            && let Ty::Adt(type_id, _) = &self.self_ty
        {
            if let Some((index, _)) = self.program.types[type_id.index()].variant(second.name) {
                self.out.structs.insert(id, Def::Variant(*type_id, index));
            }
            return self.self_ty.clone();
        }
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        let resolved = self.program.resolve_names(
            self.module,
            &names,
            path.global,
            Namespace::Types,
            self.known,
        );
        let Some((def, used)) = resolved else {
            return Ty::Unknown;
        };
        if used != names.len() {
            return Ty::Unknown;
        }
        self.out.structs.insert(id, def);
        match def {
            Def::Variant(id, _) => Ty::Adt(id, no_args()),
            _ => self.written(&TypeRef::Path(path.clone())),
        }
    }
}

pub(super) fn extern_value(path: Name) -> Ty {
    let last = path.rsplit("::").next().unwrap_or(&path);
    if last.starts_with(char::is_uppercase)
        && !last
            .chars()
            .all(|c| c.is_uppercase() || c == '_' || c.is_numeric())
    {
        plain(path)
    } else {
        Ty::Unknown
    }
}
