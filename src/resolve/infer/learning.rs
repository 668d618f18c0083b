//! What the uses of a local tell of its type, and the second pass that knows it.

use crate::ir::{Expr, ExprId, LocalId, Name};

use super::super::program::Def;
use super::super::ty::Ty;
use super::hints::lacks_argument;
use super::{Inference, Walk};

impl Walk<'_> {
    /// Takes from a use what the type argument of a local must be.
    pub(super) fn learn(&mut self, used: ExprId, declared: &Ty) {
        let Some(local) = self.local_of(used) else {
            return;
        };
        let known = &self.out.locals[local.0 as usize];
        if lacks_argument(known)
            && known.extern_path() == declared.extern_path()
            && !matches!(declared.first_arg(), Ty::Unknown | Ty::Param(_))
        {
            self.hints
                .learned
                .entry(local)
                .or_insert_with(|| declared.first_arg());
        }
    }

    /// Takes from a call on a local what its type argument must be.
    pub(super) fn learn_item(&mut self, receiver: ExprId, item: &Ty) {
        if let Some(local) = self.local_of(receiver)
            && !item.is_unknown()
            && lacks_argument(&self.out.locals[local.0 as usize])
        {
            self.hints
                .learned
                .entry(local)
                .or_insert_with(|| item.clone());
        }
    }

    /// The same for the fields of a struct literal.
    pub(super) fn learn_fields(&mut self, literal: ExprId, fields: &[(Name, ExprId)]) {
        let (id, variant) = match self.out.structs.get(&literal) {
            Some(Def::Type(id)) => (*id, 0),
            Some(Def::Variant(id, variant)) => (*id, *variant),
            _ => return,
        };
        for (name, value) in fields {
            let declared = self
                .program
                .variant_field(id, variant, *name, &[], self.known);
            if let Some(declared) = declared {
                self.learn(*value, &declared);
            }
        }
    }

    /// Prepares a second pass, when the uses told something.
    pub(super) fn start_again(&mut self) -> bool {
        let pairs = std::mem::take(&mut self.hints.pairs);
        for pair in pairs {
            let told = pair
                .iter()
                .find_map(|(local, _)| self.hints.learned.get(local));
            let Some(item) = told else { continue };
            for (local, ty) in &pair {
                if let Some(path) = ty.extern_path() {
                    self.hints
                        .types
                        .insert(*local, Ty::wrap(&path, item.clone()));
                }
            }
        }
        if self.hints.types.is_empty() {
            return false;
        }
        self.out = Inference::of(self.body);
        true
    }

    /// The local that an expression hands on, as it is or as a clone.
    fn local_of(&self, id: ExprId) -> Option<LocalId> {
        match self.body.expr(id) {
            Expr::Local(local) => Some(*local),
            Expr::Same(inner) => self.local_of(*inner),
            Expr::MethodCall {
                receiver, method, ..
            } if method == "clone" => self.local_of(*receiver),
            _ => None,
        }
    }
}
