//! Fields of types.

use crate::ir::Name;

use super::ids::TypeId;
use super::known::Known;
use super::path::TypeScope;
use super::program::Program;
use super::standard::is_pointer;
use super::ty::Ty;

impl Program {
    /// The type of a field, wrappers looked through.
    pub(super) fn field_type(&self, base: &Ty, field: Name, known: &Known) -> Ty {
        match base {
            Ty::Adt(id, args) => {
                let own = self.variant_field(*id, 0, field, args, known);
                match own {
                    Some(ty) => ty,
                    None => match self.deref_target(*id, args, known) {
                        Some(target) => self.field_type(&target, field, known),
                        None => Ty::Unknown,
                    },
                }
            }
            Ty::Tuple(elems) => field
                .parse::<usize>()
                .ok()
                .and_then(|index| elems.get(index).cloned())
                .unwrap_or_default(),
            Ty::Extern(path, args) if is_pointer(path) || known.is_transparent(*path) => {
                match args.first() {
                    // `state.0` of an extractor is the extracted value.
                    Some(inner) if field == "0" && !is_pointer(path) => inner.clone(),
                    Some(inner) => self.field_type(inner, field, known),
                    None => Ty::Unknown,
                }
            }
            // `client.emails`: the catalogue names public fields as it names methods.
            Ty::Extern(path, _) => known
                .method_returns(*path, field)
                .filter(|gives| {
                    gives
                        .extern_path()
                        .is_some_and(|gives| gives.contains("::"))
                })
                .cloned()
                .unwrap_or_default(),
            _ => Ty::Unknown,
        }
    }

    /// The type of a field of a variant; structs have one variant.
    pub(super) fn variant_field(
        &self,
        id: TypeId,
        variant: u32,
        field: Name,
        args: &[Ty],
        known: &Known,
    ) -> Option<Ty> {
        let def = &self.types[id.index()];
        let (_, declared) = def
            .item
            .variants
            .get(variant as usize)?
            .fields
            .iter()
            .find(|(name, _)| *name == field)?;
        let params = def.item.generics.names();
        let self_ty = Ty::Adt(id, args.into());
        let scope = TypeScope {
            module: def.module,
            self_ty: Some(&self_ty),
            params: &params,
            assoc: &[],
        };
        let ty = self.type_of(declared, scope, known, 0);
        // A type parameter that nobody has filled in is as good as its bounds.
        Some(self.close(ty, args, id, known))
    }

    fn close(&self, ty: Ty, args: &[Ty], id: TypeId, known: &Known) -> Ty {
        let def = &self.types[id.index()];
        let params = def.item.generics.names();
        let scope = TypeScope {
            module: def.module,
            self_ty: None,
            params: &params,
            assoc: &[],
        };
        let filled: Vec<Ty> = def
            .item
            .generics
            .params
            .iter()
            .enumerate()
            .map(|(index, param)| match args.get(index) {
                Some(given) if !given.is_unknown() => given.clone(),
                _ => self.bounds_type(&param.bounds, scope, known, 0),
            })
            .collect();
        ty.substitute(&filled)
    }

    /// The target of a type's `Deref`.
    pub(super) fn deref_target(&self, id: TypeId, args: &[Ty], known: &Known) -> Option<Ty> {
        self.types[id.index()].impls.iter().find_map(|impl_id| {
            let def = &self.impls[impl_id.index()];
            let is_deref = def.trait_.as_ref()?.last()? == "Deref";
            if !is_deref {
                return None;
            }
            let (_, target) = def.types.iter().find(|(name, _)| *name == "Target")?;
            let params = def.generics.names();
            let scope = TypeScope {
                module: def.module,
                self_ty: Some(&def.self_ty),
                params: &params,
                assoc: &[],
            };
            Some(self.type_of(target, scope, known, 0).substitute(args))
        })
    }
}
