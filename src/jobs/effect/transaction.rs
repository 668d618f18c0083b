//! Whether a call runs on an open transaction.

use std::sync::Arc;

use retrysafe_rules::catalog::{EffectEntry, Part};

use crate::ir::{Name, TypeRef};
use crate::resolve::{Def, Ty};
use crate::timeline::{Bound, Happening, Value};

use super::super::input::{show_type, struct_fields};
use super::super::part::Operation;
use super::Reading;

impl Reading<'_, '_> {
    /// Whether the call runs on an open transaction, or between begin and commit.
    pub(super) fn in_transaction(
        &self,
        happening: &Happening,
        operation: &Operation,
        entry: &EffectEntry,
    ) -> bool {
        self.runs_in_transaction(happening, operation, entry)
            .unwrap_or(happening.context.in_transaction)
    }

    /// The same, as far as what it runs on tells.
    fn runs_in_transaction(
        &self,
        happening: &Happening,
        operation: &Operation,
        entry: &EffectEntry,
    ) -> Option<bool> {
        if happening.context.in_closure_transaction || entry.in_transaction {
            return Some(true);
        }
        if let Some(Part::Terminal(index)) = &entry.executor
            && let Some(ty) = operation.terminal.arg_types.get(*index)
            && let Some(answer) = self.is_transaction_type(ty)
        {
            return Some(answer);
        }
        let executor = match &entry.executor {
            Some(part) => operation.part(self.unfolding, part),
            // A statement given to `tx.execute(query)`.
            None => None,
        };
        // `tx.execute(query)`: the statement was made elsewhere, and the receiver runs it.
        let executor = executor.or_else(|| {
            let receiver = operation.terminal.receiver.as_ref()?;
            let receiver = Bound {
                value: Arc::clone(receiver),
                env: operation.env,
            };
            let apart = !Arc::ptr_eq(&operation.root, &operation.terminal)
                && !self.leads_to(&receiver, &operation.root);
            apart.then_some(receiver)
        });
        self.is_transaction(&executor?)
    }

    /// Whether the call certainly runs on a pool, where each statement commits by itself.
    pub(in crate::jobs) fn runs_on_pool(&self, operation: &Operation, entry: &EffectEntry) -> bool {
        let typed = match &entry.executor {
            Some(Part::Terminal(index)) => operation.terminal.arg_types.get(*index),
            _ => None,
        };
        if typed.is_some_and(|ty| self.is_transaction_type(ty) == Some(false)) {
            return true;
        }
        let executor = entry.executor.as_ref();
        let executor = executor.and_then(|part| operation.part(self.unfolding, part));
        executor.is_some_and(|executor| {
            let heads = self.unfolding.heads(&executor, &mut 60);
            !heads.is_empty() && heads.iter().all(|head| self.is_pool(head))
        })
    }

    /// Whether a parameter or field is a pool, by its type.
    fn is_pool(&self, head: &Bound) -> bool {
        let is_named = |ty: &TypeRef| matches!(ty, TypeRef::Path(path) if path.last().is_some_and(|last| last.ends_with("Pool")));
        match &*head.value {
            Value::Param(index) => self
                .param(head, *index)
                .is_some_and(|param| is_named(&param.ty)),
            Value::Struct {
                def: Some(Def::Type(id)),
                ..
            } => {
                let program = self.unfolding.timelines().program();
                program.types[id.index()].item.name.ends_with("Pool")
            }
            Value::Field(_, name) if name.contains("pool") => true,
            Value::Field(base, name) => {
                let base = self.unfolding.head(&Bound {
                    value: Arc::clone(base),
                    env: head.env,
                });
                self.field_type(&base, *name)
                    .is_some_and(|ty| ty.ends_with("Pool"))
            }
            _ => false,
        }
    }

    /// The type of a field of a parameter, as it is written.
    fn field_type(&self, base: &Bound, field: Name) -> Option<String> {
        let Value::Param(index) = &*base.value else {
            return None;
        };
        let program = self.unfolding.timelines().program();
        let function = self.unfolding.function(base.env)?;
        match self.param(base, *index) {
            Some(param) => {
                let TypeRef::Path(path) = &param.ty else {
                    return None;
                };
                let fields = struct_fields(program, function, path.last()?)?;
                fields
                    .into_iter()
                    .find(|of| field == of.name.as_str())
                    .map(|of| of.ty)
            }
            None => program.owner_field(function, field).map(show_type),
        }
    }

    /// Whether a type says that it is a transaction, or that it is something to begin one on.
    pub(super) fn is_transaction_type(&self, ty: &Ty) -> Option<bool> {
        let path = ty.extern_path()?;
        let known = self.unfolding.timelines().known();
        let names = |list: &[String]| list.iter().any(|name| path == name.as_str());
        known.transactions.iter().find_map(|of| {
            if names(&of.entry.types) {
                Some(true)
            } else if names(&of.entry.receivers) && path.ends_with("Pool") {
                Some(false)
            } else {
                None
            }
        })
    }

    /// Whether a value is a transaction; `None` when that is not known.
    pub(super) fn is_transaction(&self, bound: &Bound) -> Option<bool> {
        let mut frontier = vec![bound.clone()];
        let mut answer = None;
        for _ in 0..40 {
            let Some(at) = frontier.pop() else { break };
            let mut steps = 120;
            for head in self.unfolding.heads(&at, &mut steps) {
                match &*head.value {
                    Value::Apply(apply) if apply.begins => return Some(true),
                    Value::Struct { .. }
                        if self.unfolding.gives_transaction(&head.value, head.env) =>
                    {
                        return Some(true);
                    }
                    Value::Apply(apply) => match &apply.receiver {
                        Some(receiver) => frontier.push(Bound {
                            value: Arc::clone(receiver),
                            env: head.env,
                        }),
                        None => answer = Some(false),
                    },
                    Value::Field(_, name) | Value::Path(name) if name.contains("pool") => {
                        answer = Some(false)
                    }
                    _ => {}
                }
            }
        }
        answer
    }
}
