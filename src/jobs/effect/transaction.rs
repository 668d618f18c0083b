//! Whether a call runs on an open transaction.

use std::sync::Arc;

use retrysafe_rules::catalog::{EffectEntry, Part};

use crate::resolve::Ty;
use crate::timeline::{Bound, Happening, Value};

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
        if happening.context.in_closure_transaction || entry.in_transaction {
            return true;
        }
        if let Some(Part::Terminal(index)) = &entry.executor
            && let Some(ty) = operation.terminal.arg_types.get(*index)
            && let Some(answer) = self.is_transaction_type(ty)
        {
            return answer;
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
        match executor {
            Some(executor) => match self.is_transaction(&executor) {
                Some(answer) => answer,
                None => happening.context.in_transaction,
            },
            None => happening.context.in_transaction,
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
