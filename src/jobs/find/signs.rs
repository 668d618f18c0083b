//! What speaks for the implementors of a trait being jobs.

use crate::ir::{Name, TypeRef};
use crate::resolve::{ImplId, Program, TraitDef, Ty};

/// What speaks for a trait's implementors being jobs.
pub(super) struct Signs {
    pub(super) stored: bool,
    named: bool,
    boxed: bool,
    bounded: bool,
    pub(super) driven: bool,
}

impl Signs {
    pub(super) fn read(program: &Program, def: &TraitDef, impls: &[ImplId], driven: bool) -> Signs {
        let stored = impls.iter().any(|id| is_stored(program, *id));
        let named = impls
            .iter()
            .any(|id| !program.impls[id.index()].consts.is_empty())
            || def.methods.keys().any(is_name);
        Signs {
            stored,
            named,
            boxed: is_boxed(program, def.name),
            bounded: is_bound(program, def.name),
            driven,
        }
    }

    pub(super) fn any(&self) -> bool {
        self.stored || self.named || self.boxed || self.bounded || self.driven
    }

    pub(super) fn text(&self) -> &'static str {
        if self.stored {
            "whose implementors are serialised"
        } else if self.driven {
            "to whose implementors a worker hands its work"
        } else if self.named {
            "whose implementors have a name"
        } else if self.boxed {
            "whose implementors are boxed"
        } else {
            "whose implementors are handed to generic code"
        }
    }
}

/// Whether a trait object of the trait stands in some field, signature or return.
fn is_boxed(program: &Program, name: Name) -> bool {
    let in_types = program
        .types
        .iter()
        .flat_map(|def| &def.item.variants)
        .flat_map(|variant| &variant.fields)
        .any(|(_, ty)| mentions_dyn(ty, name));
    in_types
        || program.functions.iter().any(|def| {
            def.function
                .params
                .iter()
                .any(|param| mentions_dyn(&param.ty, name))
                || def
                    .function
                    .returns
                    .as_ref()
                    .is_some_and(|ty| mentions_dyn(ty, name))
        })
}

/// Whether some type or function is generic over implementors of the trait.
fn is_bound(program: &Program, name: Name) -> bool {
    let bound = |generics: &crate::ir::Generics| {
        generics
            .params
            .iter()
            .flat_map(|param| &param.bounds)
            .any(|path| path.last() == Some(name))
    };
    program.types.iter().any(|def| bound(&def.item.generics))
        || program
            .functions
            .iter()
            .any(|def| bound(&def.function.generics))
}

fn mentions_dyn(ty: &TypeRef, name: Name) -> bool {
    match ty {
        TypeRef::Dyn(bounds) => bounds.iter().any(|bound| bound.last() == Some(name)),
        TypeRef::Path(path) => path
            .segments
            .iter()
            .flat_map(|segment| &segment.args)
            .any(|arg| mentions_dyn(arg, name)),
        TypeRef::Slice(inner) => mentions_dyn(inner, name),
        TypeRef::Tuple(elems) => elems.iter().any(|elem| mentions_dyn(elem, name)),
        _ => false,
    }
}

/// Whether an implementor is written down and read back: it is the payload itself.
pub(super) fn is_stored(program: &Program, id: ImplId) -> bool {
    match &program.impls[id.index()].self_ty {
        Ty::Adt(id, _) => program.types[id.index()].item.derives.iter().any(|path| {
            path.last()
                .is_some_and(|last| last == "Deserialize" || last == "Serialize")
        }),
        _ => false,
    }
}

/// Whether a method gives the name under which an implementor is known.
fn is_name(method: &Name) -> bool {
    matches!(method.as_str(), "name" | "kind" | "queue" | "job_type")
        || method.ends_with("_name")
        || method.ends_with("_kind")
}
