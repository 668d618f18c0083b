//! What a function gives, by its type as written.

use crate::ir::{Path, TypeRef};

/// Whether a type as written is an outcome, or something that leads to one.
pub(super) fn gives_outcome(ty: Option<&TypeRef>) -> bool {
    fn of_path(path: &Path) -> bool {
        path.segments.iter().any(|segment| {
            segment.name.ends_with("Result")
                || segment.args.iter().any(|arg| gives_outcome(Some(arg)))
                || segment.assoc.iter().any(|(_, ty)| gives_outcome(Some(ty)))
        })
    }
    match ty {
        Some(TypeRef::Path(path)) => of_path(path),
        Some(TypeRef::Impl(paths) | TypeRef::Dyn(paths)) => paths.iter().any(of_path),
        Some(TypeRef::Fn(_, gives)) => gives_outcome(Some(gives)),
        _ => false,
    }
}
