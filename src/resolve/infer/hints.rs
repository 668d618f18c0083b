//! Types that only a later use tells: `let (tx, rx) = channel(8)` says nothing of the item, the
//! field or parameter that takes one of the ends does. A body with such a pair is inferred
//! again with what its uses told.

use rustc_hash::FxHashMap;

use crate::ir::{Body, LocalId, Pat, PatId};

use super::super::ty::Ty;

/// What the uses of a body's pairs tell.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// Locals bound together, whose type argument is the same and not known.
    pub(super) pairs: Vec<Vec<(LocalId, Ty)>>,
    /// What a use says of the type argument of a local.
    pub(super) learned: FxHashMap<LocalId, Ty>,
    /// What the pass before found out.
    pub(super) types: FxHashMap<LocalId, Ty>,
}

impl Hints {
    /// Whether something is left to be told by uses.
    pub(super) fn is_open(&self) -> bool {
        !self.pairs.is_empty()
    }

    pub(super) fn known(&self, local: LocalId) -> Option<&Ty> {
        self.types.get(&local)
    }

    /// Notes a tuple pattern whose parts all lack their type argument.
    pub(super) fn pair(&mut self, body: &Body, elems: &[Option<PatId>], ty: &Ty) {
        let Ty::Tuple(types) = ty else { return };
        if types.is_empty() || !types.iter().all(lacks_argument) {
            return;
        }
        let locals = elems.iter().zip(&**types).filter_map(|(elem, ty)| {
            let Pat::Bind(local, None) = body.pat((*elem)?) else {
                return None;
            };
            Some((*local, ty.clone()))
        });
        self.pairs.push(locals.collect());
    }
}

/// Whether a type lacks its only type argument.
pub(super) fn lacks_argument(ty: &Ty) -> bool {
    matches!(ty, Ty::Extern(_, args) if args.len() == 1 && args[0].is_unknown())
}
