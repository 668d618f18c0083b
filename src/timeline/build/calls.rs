//! Calls: of the workspace's functions, of values, of other crates' functions.

use std::sync::Arc;

use crate::ir::{Expr, ExprId, Name, Place};
use crate::resolve::{Callee, FnId, TypeId};

use super::super::node::{Call, CallTarget, Node};
use super::super::value::{CallId, V, Value, unknown};
use super::Builder;

impl Builder<'_> {
    pub(super) fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId]) -> V {
        match self.callee(id) {
            ours @ (Callee::Functions { .. } | Callee::Dispatch { .. }) => {
                self.call_ours(id, ours, args)
            }
            Callee::Constructor(type_id, variant) => {
                let args = self.values(args);
                self.construct(type_id, variant, args)
            }
            Callee::Value => {
                let called = self.expr(callee);
                let args = self.values(args);
                self.push_call(id, CallTarget::Value(called), args, true)
            }
            Callee::Path(path) => self.foreign_call(id, path, args),
            _ => {
                // A path that leads nowhere may still be a local value or a generated function.
                let args = self.values(args);
                let name = match self.body.expr(callee) {
                    Expr::Path(path) => Name::from(&path.text()),
                    _ => Name::from("?"),
                };
                Arc::new(Value::Struct {
                    def: None,
                    name,
                    fields: args
                        .into_iter()
                        .enumerate()
                        .map(|(i, v)| (Name::from(&i.to_string()), v))
                        .collect(),
                    base: None,
                })
            }
        }
    }

    /// Whom a call calls.
    fn callee(&self, id: ExprId) -> Callee {
        let found = self.inference.callees.get(&id).cloned();
        found.unwrap_or(Callee::Unknown)
    }

    /// A call of functions of the workspace; the receiver of a method is the first argument.
    fn call_ours(&mut self, id: ExprId, callee: Callee, args: &[ExprId]) -> V {
        let values = self.values(args);
        match callee {
            Callee::Functions { functions, certain } => {
                let written = self.written_slots(&functions, args);
                let result = self.push_call(id, CallTarget::Functions(functions), values, certain);
                self.write_out(written);
                result
            }
            Callee::Dispatch {
                param,
                trait_id,
                method,
            } => {
                let target = CallTarget::Dispatch {
                    param,
                    trait_id,
                    method,
                };
                let functions = self.program.implementations(trait_id, method);
                let written = self.written_slots(&functions, args);
                let result = self.push_call(id, target, values, true);
                self.write_out(written);
                result
            }
            _ => unknown(),
        }
    }

    /// The arguments that the callee may write and that are locals here: position and slot.
    fn written_slots(&self, functions: &[FnId], args: &[ExprId]) -> Vec<(u32, usize)> {
        let writes = |position: usize| {
            functions.iter().any(|id| {
                let function = &self.program.function(*id).function;
                match position.checked_sub(usize::from(function.has_self)) {
                    Some(index) => function.params.get(index).is_some_and(|param| param.is_mut),
                    None => function.is_self_mut,
                }
            })
        };
        args.iter()
            .enumerate()
            .filter(|(position, _)| writes(*position))
            .filter_map(|(position, arg)| Some((position as u32, self.slot(*arg)?)))
            .collect()
    }

    /// What the call that was pushed last left in these slots.
    fn write_out(&mut self, written: Vec<(u32, usize)>) {
        let Some(last) = self.out.calls.len().checked_sub(1) else {
            return;
        };
        for (position, slot) in written {
            let before = Arc::clone(&self.locals[slot]);
            self.locals[slot] = Arc::new(Value::Out(CallId(last as u32), position, before));
        }
    }

    fn values(&mut self, args: &[ExprId]) -> Vec<V> {
        args.iter().map(|arg| self.expr(*arg)).collect()
    }

    fn construct(&self, type_id: TypeId, variant: u32, args: Vec<V>) -> V {
        let def = &self.program.types[type_id.index()];
        let name = def
            .item
            .variants
            .get(variant as usize)
            .map_or(def.item.name, |variant| variant.name);
        let fields = args
            .into_iter()
            .enumerate()
            .map(|(index, value)| (Name::from(&index.to_string()), value));
        Arc::new(Value::Struct {
            def: Some(crate::resolve::Def::Variant(type_id, variant)),
            name,
            fields: fields.collect(),
            base: None,
        })
    }

    pub(super) fn push_call(
        &mut self,
        id: ExprId,
        target: CallTarget,
        args: Vec<V>,
        certain: bool,
    ) -> V {
        let call = CallId(self.out.calls.len() as u32);
        let generics = self
            .inference
            .generics
            .get(&id)
            .cloned()
            .unwrap_or_default();
        self.out.calls.push(Call {
            target,
            args,
            generics,
            place: self.place(id),
            certain,
        });
        self.push(Node::Call(call));
        Arc::new(Value::Result(call))
    }

    pub(super) fn method_call(
        &mut self,
        id: ExprId,
        receiver: ExprId,
        method: Name,
        name_place: Place,
        args: &[ExprId],
    ) -> V {
        if tells_of_items(method.as_str()) {
            self.telling.extend(args);
        }
        match self.callee(id) {
            ours @ (Callee::Functions { .. } | Callee::Dispatch { .. }) => {
                let all: Vec<ExprId> = std::iter::once(receiver)
                    .chain(args.iter().copied())
                    .collect();
                self.call_ours(id, ours, &all)
            }
            callee => self.foreign_method(id, &callee, receiver, method, name_place, args),
        }
    }
}

/// Whether a method of collections takes a closure that tells something of an item.
fn tells_of_items(method: &str) -> bool {
    matches!(
        method,
        "retain"
            | "filter"
            | "any"
            | "all"
            | "find"
            | "position"
            | "partition"
            | "take_while"
            | "skip_while"
            | "sort_by"
            | "sort_by_key"
            | "sort_unstable_by"
            | "sort_unstable_by_key"
            | "min_by_key"
            | "max_by_key"
            | "dedup_by_key"
            | "is_some_and"
            | "is_none_or"
            | "is_ok_and"
    )
}
