//! Arguments of other crates' functions: how the closures among them run.

use std::sync::Arc;

use retrysafe_rules::catalog::Regime;

use crate::ir::{ExprId, Literal, Name, Place};
use crate::resolve::Ty;

use super::super::node::{CallTarget, Node};
use super::super::value::CallId;
use super::super::value::{V, Value, unknown};
use super::Builder;
use super::order::in_order;

/// How the closures and functions among the arguments of another crate's function run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Runs {
    /// Perhaps once, as in `Option::map`.
    Maybe,
    /// Once per item.
    PerItem,
    /// Under a regime of the catalogue.
    Under(Regime),
    /// In a transaction.
    InTransaction,
    /// As the body of a job: not here.
    Elsewhere,
}

impl Builder<'_> {
    /// The arguments of another crate's function, with what its closures do.
    pub(super) fn arguments(
        &mut self,
        id: ExprId,
        args: &[ExprId],
        runs: Runs,
        receiver: Option<&V>,
        place: Place,
    ) -> Vec<V> {
        let is_detached = runs == Runs::Under(Regime::Spawned) && self.is_dropped(id);
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            if matches!(
                runs,
                Runs::Under(Regime::Spawned | Regime::Retried | Regime::Step)
            ) {
                self.within.push(self.place(*arg));
            }
            let (mut nodes, value) = self.collect(|this| this.expr(*arg));
            if matches!(
                runs,
                Runs::Under(Regime::Spawned | Regime::Retried | Regime::Step)
            ) {
                self.within.pop();
            }
            let callable = matches!(&*value, Value::Closure(_))
                || matches!(&*value, Value::Function(_))
                    && matches!(runs, Runs::Under(_) | Runs::PerItem | Runs::InTransaction);
            if callable && runs != Runs::Elsewhere {
                let input = match runs {
                    Runs::PerItem | Runs::Under(Regime::Loop) => {
                        Arc::new(Value::Item(receiver.map_or_else(unknown, Arc::clone)))
                    }
                    _ => receiver.map_or_else(unknown, Arc::clone),
                };
                let (called, ()) = self.collect(|this| this.invoke(id, &value, vec![input]));
                nodes.extend(called);
            }
            let only_value = nodes.is_empty();
            match runs {
                _ if only_value => {}
                Runs::Under(Regime::Loop) | Runs::PerItem if callable => {
                    self.push(Node::Loop {
                        place,
                        forever: false,
                        takes: false,
                        over: receiver.map(Arc::clone),
                        nodes,
                    });
                }
                Runs::Under(regime) => self.push(Node::Regime {
                    regime,
                    place,
                    is_detached,
                    nodes,
                }),
                Runs::InTransaction if callable => self.push(Node::Transaction { place, nodes }),
                Runs::Maybe if callable => {
                    let arms = vec![
                        super::super::node::Arm {
                            label: None,
                            guard: None,
                            nodes,
                        },
                        super::super::node::Arm {
                            label: None,
                            guard: None,
                            nodes: Vec::new(),
                        },
                    ];
                    self.push(Node::Branch {
                        place,
                        on: unknown(),
                        arms,
                    });
                }
                _ => self.nodes.extend(nodes),
            }
            values.push(value);
        }
        values
    }

    /// Whether the value of a call is dropped where it stands: `spawn(…);`, `let _ = spawn(…);`.
    fn is_dropped(&self, id: ExprId) -> bool {
        let mut at = self.dropped;
        while let Some(dropped) = at {
            if dropped == id {
                return true;
            }
            at = match self.body.expr(dropped) {
                crate::ir::Expr::Same(inner) => Some(*inner),
                _ => None,
            };
        }
        false
    }

    /// Calls a value: a closure of this body or a function.
    pub(super) fn invoke(&mut self, id: ExprId, value: &V, args: Vec<V>) {
        if matches!(&**value, Value::Closure(_) | Value::Function(_)) {
            self.push_call(id, CallTarget::Value(Arc::clone(value)), args, true);
        }
    }

    /// The value of a standard combinator: most hand their receiver on.
    pub(super) fn standard_value(
        &mut self,
        receiver_ty: &Ty,
        method: Name,
        receiver: V,
        args: &[V],
    ) -> V {
        let closure_result = |this: &Self| {
            args.iter().find_map(|arg| match &**arg {
                Value::Closure(id) => this
                    .out
                    .closures
                    .get(id)
                    .map(|closure| Arc::clone(&closure.returns)),
                _ => None,
            })
        };
        match method.as_str() {
            "unwrap_or" | "or" | "chain" => {
                let mut values = vec![receiver];
                values.extend(args.iter().cloned());
                super::super::value::either(values)
            }
            "unwrap_or_else" | "or_else" | "or_insert_with" => {
                let mut values = vec![receiver];
                values.extend(closure_result(self));
                super::super::value::either(values)
            }
            "zip" if args.len() == 1 => {
                let item = |of: &V| Arc::new(Value::Item(Arc::clone(of)));
                let pair = Value::Tuple(vec![item(&receiver), item(&args[0])]);
                Arc::new(Value::Array(vec![Arc::new(pair)]))
            }
            "next" | "pop" | "first" | "last" | "get" | "find" | "nth" | "remove" | "pop_front"
            | "try_next" | "swap_remove" | "max_by_key" | "min_by_key"
                if !is_outcome_ty(receiver_ty) =>
            {
                Arc::new(Value::Item(receiver))
            }
            "map" | "and_then" | "map_or" | "map_or_else" | "then" | "filter_map" | "flat_map"
            | "find_map" => {
                // What the closure gives, in terms of its parameter: an application.
                match args
                    .iter()
                    .find(|arg| matches!(&***arg, Value::Closure(_) | Value::Function(_)))
                {
                    Some(_) => match self.last_invocation() {
                        Some(result) => Arc::new(Value::Result(result)),
                        None => unknown(),
                    },
                    None => receiver,
                }
            }
            // A map grows by what has a name.
            "insert" if is_map(receiver_ty) => match args {
                [name, value] => match &**viewed(name) {
                    Value::Literal(Literal::Str(name)) => Arc::new(Value::Struct {
                        def: None,
                        name: Name::from("map"),
                        fields: vec![(*name, Arc::clone(value))],
                        base: Some(receiver),
                    }),
                    _ => receiver,
                },
                _ => receiver,
            },
            method if method.starts_with("sort") => in_order(receiver),
            _ => receiver,
        }
    }

    /// The call that was pushed last, which is the closure's own.
    pub(super) fn last_invocation(&self) -> Option<CallId> {
        let last = self.out.calls.len().checked_sub(1)?;
        matches!(self.out.calls[last].target, CallTarget::Value(_)).then_some(CallId(last as u32))
    }
}

/// What a conversion without arguments is of: `"name".to_owned()`.
fn viewed(value: &V) -> &V {
    match &**value {
        Value::Apply(apply) if apply.args.is_empty() => match &apply.receiver {
            Some(receiver) => viewed(receiver),
            None => value,
        },
        _ => value,
    }
}

fn is_map(ty: &Ty) -> bool {
    ty.extern_path()
        .is_some_and(|path| path.starts_with("std::") && path.ends_with("Map"))
}

/// `Option` and `Result`.
pub(super) fn is_outcome_ty(ty: &Ty) -> bool {
    ty.extern_path()
        .is_some_and(|path| path.ends_with("::Option") || path.ends_with("Result"))
}

/// Whether a closure given to a method runs once per item.
pub(super) fn runs_per_item(receiver: &Ty, method: &str) -> bool {
    let is_collection = receiver
        .extern_path()
        .is_some_and(|path| path.starts_with("std::vec") || path.starts_with("std::collections"));
    is_collection
        && matches!(
            method,
            "map"
                | "for_each"
                | "filter_map"
                | "flat_map"
                | "try_for_each"
                | "fold"
                | "try_fold"
                | "filter"
                | "then"
                | "for_each_concurrent"
                | "try_for_each_concurrent"
                | "and_then"
                | "inspect"
                | "any"
                | "all"
                | "find_map"
        )
}
