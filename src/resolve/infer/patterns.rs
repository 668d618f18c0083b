//! Patterns: the types of the names that they bind.

use crate::ir::{Name, Pat, PatId, Path};

use super::super::path::Namespace;
use super::super::program::Def;
use super::super::standard::{self};
use super::super::ty::Ty;
use super::Walk;

impl Walk<'_> {
    /// Gives the names of a pattern their types.
    pub(super) fn bind(&mut self, pat: PatId, ty: &Ty) {
        let body = self.body;
        match body.pat(pat) {
            Pat::Bind(local, sub) => {
                let ty = &self
                    .hints
                    .known(*local)
                    .cloned()
                    .unwrap_or_else(|| ty.clone());
                let slot = &mut self.out.locals[local.0 as usize];
                // Alternatives bind the same local: the first type that is known stays.
                if slot.is_unknown() {
                    *slot = ty.clone();
                }
                if let Some(sub) = sub {
                    self.bind(*sub, ty);
                }
            }
            Pat::Tuple(elems) => {
                self.hints.pair(body, elems, ty);
                for (index, elem) in elems.iter().enumerate() {
                    let Some(elem) = elem else { continue };
                    let ty = match ty {
                        Ty::Tuple(types) => types.get(index).cloned().unwrap_or_default(),
                        other => standard::item_of(other),
                    };
                    self.bind(*elem, &ty);
                }
            }
            Pat::TupleStruct(path, elems) => self.bind_tuple_struct(pat, path, elems, ty),
            Pat::Struct(path, fields) => {
                let def = self.pattern_def(pat, path);
                for (name, field) in fields {
                    let field_ty = match def {
                        Some(Def::Variant(id, variant)) => {
                            let args = adt_args(ty, id);
                            self.program
                                .variant_field(id, variant, *name, &args, self.known)
                                .unwrap_or_default()
                        }
                        Some(Def::Type(id)) => {
                            let args = adt_args(ty, id);
                            self.program
                                .variant_field(id, 0, *name, &args, self.known)
                                .unwrap_or_default()
                        }
                        _ => self.program.field_type(ty, *name, self.known),
                    };
                    self.bind(*field, &field_ty);
                }
            }
            Pat::Or(cases) => {
                for case in cases {
                    self.bind(*case, ty);
                }
            }
            Pat::Path(path) => {
                self.pattern_def(pat, path);
            }
            Pat::Literal(_) | Pat::Wild => {}
        }
    }

    pub(super) fn bind_tuple_struct(
        &mut self,
        pat: PatId,
        path: &Path,
        elems: &[Option<PatId>],
        ty: &Ty,
    ) {
        let def = self.pattern_def(pat, path);
        for (index, elem) in elems.iter().enumerate() {
            let Some(elem) = elem else { continue };
            let elem_ty = match def {
                Some(Def::Variant(id, variant)) => {
                    let args = adt_args(ty, id);
                    let name = Name::from(&index.to_string());
                    self.program
                        .variant_field(id, variant, name, &args, self.known)
                        .unwrap_or_default()
                }
                Some(Def::Type(id)) => {
                    let args = adt_args(ty, id);
                    let name = Name::from(&index.to_string());
                    self.program
                        .variant_field(id, 0, name, &args, self.known)
                        .unwrap_or_default()
                }
                Some(Def::Extern(path)) => match path.as_str() {
                    "std::option::Option::Some" | "std::result::Result::Ok" => {
                        standard::success_of(ty)
                    }
                    "std::result::Result::Err" => match ty {
                        Ty::Extern(_, args) => args.get(1).cloned().unwrap_or_default(),
                        _ => Ty::Unknown,
                    },
                    // Extractors: `State(db): State<Db>`.
                    _ => match ty {
                        Ty::Extern(path, args) if self.known.is_transparent(*path) => {
                            args.first().cloned().unwrap_or_default()
                        }
                        _ => Ty::Unknown,
                    },
                },
                _ => Ty::Unknown,
            };
            self.bind(*elem, &elem_ty);
        }
    }

    pub(super) fn pattern_def(&mut self, pat: PatId, path: &Path) -> Option<Def> {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        let def = if names.first().is_some_and(|first| *first == "Self") {
            let Ty::Adt(id, _) = self.self_ty else {
                return None;
            };
            match names.get(1) {
                Some(variant) => self.program.types[id.index()]
                    .variant(*variant)
                    .map(|(index, _)| Def::Variant(id, index)),
                None => Some(Def::Type(id)),
            }
        } else {
            let lookup = |namespace| {
                let (def, used) = self.program.resolve_names(
                    self.module,
                    &names,
                    path.global,
                    namespace,
                    self.known,
                )?;
                (used == names.len()).then_some(def)
            };
            lookup(Namespace::Values).or_else(|| lookup(Namespace::Types))
        };
        if let Some(def) = def {
            self.out.pats.insert(pat, def);
        }
        def
    }
}

pub(super) fn adt_args(ty: &Ty, id: super::super::ids::TypeId) -> Vec<Ty> {
    match ty {
        Ty::Adt(given, args) if *given == id => args.to_vec(),
        Ty::Extern(_, args) => match args.first() {
            Some(inner) => adt_args(inner, id),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}
