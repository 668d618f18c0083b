//! Calls: of the workspace's functions, of values, of other crates' functions.

use std::sync::Arc;

use retrysafe_rules::catalog::{Argument, Regime, Shape};

use crate::ir::{Expr, ExprId, Name, Place};
use crate::resolve::{CallShape, Callee, Ty, TypeId};

use super::super::node::{Call, CallId, CallTarget, Node, Sighting};
use super::super::value::{Apply, V, Value, unknown};
use super::Builder;

/// How the closures and functions among the arguments of another crate's function run.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Runs {
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
    pub(super) fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId]) -> V {
        let found = self
            .inference
            .callees
            .get(&id)
            .cloned()
            .unwrap_or(Callee::Unknown);
        match found {
            Callee::Functions { functions, certain } => {
                let args = self.values(args);
                self.push_call(id, CallTarget::Functions(functions), args, certain)
            }
            Callee::Dispatch {
                param,
                trait_id,
                method,
            } => {
                let args = self.values(args);
                self.push_call(
                    id,
                    CallTarget::Dispatch {
                        param,
                        trait_id,
                        method,
                    },
                    args,
                    true,
                )
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

    fn push_call(&mut self, id: ExprId, target: CallTarget, args: Vec<V>, certain: bool) -> V {
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
        let found = self
            .inference
            .callees
            .get(&id)
            .cloned()
            .unwrap_or(Callee::Unknown);
        match found {
            Callee::Functions { functions, certain } => {
                let mut values = vec![self.expr(receiver)];
                values.extend(args.iter().map(|arg| self.expr(*arg)));
                self.push_call(id, CallTarget::Functions(functions), values, certain)
            }
            Callee::Dispatch {
                param,
                trait_id,
                method,
            } => {
                let mut values = vec![self.expr(receiver)];
                values.extend(args.iter().map(|arg| self.expr(*arg)));
                self.push_call(
                    id,
                    CallTarget::Dispatch {
                        param,
                        trait_id,
                        method,
                    },
                    values,
                    true,
                )
            }
            callee => self.foreign_method(id, &callee, receiver, method, name_place, args),
        }
    }

    fn shape<'s>(
        &'s self,
        callee: &Callee,
        receiver: &Ty,
        method: Name,
        arguments: usize,
        derives: &'s [Name],
        bounds: &'s [Name],
    ) -> CallShape<'s> {
        let user_type = match receiver {
            Ty::Adt(type_id, _) => Some((self.program.types[type_id.index()].item.name, derives)),
            _ => None,
        };
        CallShape {
            method: Some(method),
            receiver: receiver.extern_path(),
            user_type,
            bounds,
            unknown_receiver: receiver.is_unknown()
                || receiver.is_opaque()
                || matches!(callee, Callee::Unknown),
            imported: &self.imported,
            arguments,
            ..CallShape::default()
        }
    }

    fn foreign_method(
        &mut self,
        id: ExprId,
        callee: &Callee,
        receiver: ExprId,
        method: Name,
        name_place: Place,
        args: &[ExprId],
    ) -> V {
        let receiver_ty = self
            .inference
            .receivers
            .get(&id)
            .cloned()
            .unwrap_or_default();
        let derives = match &receiver_ty {
            Ty::Adt(type_id, _) => self.program.derives_of(*type_id, self.known),
            _ => Vec::new(),
        };
        let bounds: Vec<Name> = match callee {
            Callee::TraitMethod(traits) => traits.clone(),
            // What a type of ours implements of another crate gives it that crate's methods.
            _ => match &receiver_ty {
                Ty::Adt(type_id, _) => self.program.foreign_traits_of(*type_id),
                _ => Vec::new(),
            },
        };
        let shape = self.shape(callee, &receiver_ty, method, args.len(), &derives, &bounds);
        let versions = &self.program.crate_of(self.module).versions;
        let effect = self.known.effects_of(&shape, versions);
        let jobs = self.known.jobs_of(&shape, versions);
        let wrapper = self
            .known
            .wrapper_of(&shape)
            .map(|entry| (entry.regime, entry.argument));
        let transaction = self.transaction_method(&receiver_ty, &bounds, method);

        let runs = if let Some((regime, _)) = wrapper {
            Runs::Under(regime)
        } else if transaction == Some(TransactionPart::Closure) {
            Runs::InTransaction
        } else if !jobs.is_empty() {
            Runs::Elsewhere
        } else if runs_per_item(&receiver_ty, &method) {
            Runs::PerItem
        } else {
            Runs::Maybe
        };

        let wraps_receiver = matches!(wrapper, Some((_, Argument::Receiver)));
        let receiver_place = self.place(receiver);
        let (receiver_nodes, value) = self.collect(|this| this.expr(receiver));
        if wraps_receiver && let Runs::Under(regime) = runs {
            let (called, ()) = self.collect(|this| this.invoke(id, &value, Vec::new()));
            let mut nodes = receiver_nodes;
            nodes.extend(called);
            if !nodes.is_empty() {
                self.push(Node::Regime {
                    regime,
                    place: receiver_place,
                    nodes,
                });
            }
        } else {
            self.nodes.extend(receiver_nodes);
        }

        let values = self.arguments(id, args, runs, Some(&value), name_place);
        let arg_types = args
            .iter()
            .map(|arg| self.inference.ty(*arg).clone())
            .collect();
        let standard = matches!(callee, Callee::Standard);
        let joins = matches!(method.as_str(), "join" | "concat" | "push_str" | "push");
        if standard && effect.is_none() && jobs.is_empty() && !joins {
            return self.standard_value(&receiver_ty, method, value, &values);
        }
        let end = self.place(id);
        let path = match receiver_ty.extern_path() {
            Some(path) => Name::from(&format!("{path}::{method}")),
            None => match &receiver_ty {
                Ty::Adt(type_id, _) => Name::from(&format!(
                    "{}::{method}",
                    self.program.types[type_id.index()].item.name
                )),
                _ => match bounds.first() {
                    Some(bound) => Name::from(&format!("{bound}::{method}")),
                    None => method,
                },
            },
        };
        // A builder of another crate can only be made happen by a method of that crate.
        let terminal_of = receiver_ty.extern_path();
        let apply = Arc::new(Apply {
            path,
            name: method,
            is_macro: false,
            receiver: Some(value),
            receiver_ty,
            args: values,
            arg_types,
            generics: self.turbofish(id),
            place: name_place.to(end),
            effect,
            is_terminal: self.known.is_terminal(method, terminal_of),
            begins: transaction == Some(TransactionPart::Begin),
            ends: transaction == Some(TransactionPart::End),
            takes: self.takes_message(&jobs),
        });
        self.record(&apply, jobs, transaction.is_some());
        Arc::new(Value::Apply(apply))
    }

    /// Whether a call is the one around which the loop of a consumer stands.
    fn takes_message(&self, jobs: &[crate::resolve::JobId]) -> bool {
        jobs.iter().any(|id| {
            let entry = &self.known.job(*id).entry;
            entry.shape == Shape::Loop && !entry.needs_effect
        })
    }

    fn turbofish(&self, id: ExprId) -> Vec<Ty> {
        let generics = match self.body.expr(id) {
            Expr::MethodCall { generics, .. } => generics.as_slice(),
            Expr::Call { callee, .. } => match self.body.expr(*callee) {
                Expr::Path(path) => path
                    .segments
                    .last()
                    .map_or(&[][..], |segment| &segment.args),
                _ => &[],
            },
            _ => &[],
        };
        generics
            .iter()
            .map(|ty| self.program.written_type(ty, self.module, self.known))
            .collect()
    }

    /// Pushes what the catalogue knows of a call.
    fn record(
        &mut self,
        apply: &Arc<Apply>,
        jobs: Vec<crate::resolve::JobId>,
        transactional: bool,
    ) {
        if apply.effect.is_some() || apply.is_terminal || transactional {
            self.push(Node::Extern(Arc::clone(apply)));
        }
        if !jobs.is_empty() {
            self.out.sightings.push(Sighting {
                jobs,
                apply: Arc::clone(apply),
                loops: self.loops.clone(),
                within: self.within.clone(),
                generics: apply.generics.clone(),
            });
        }
    }

    pub(super) fn foreign_macro(&mut self, id: ExprId, path: Name, args: Vec<V>) -> V {
        let shape = CallShape {
            path: Some(path),
            is_macro: true,
            arguments: args.len(),
            ..CallShape::default()
        };
        let versions = &self.program.crate_of(self.module).versions;
        let effect = self.known.effects_of(&shape, versions);
        let jobs = self.known.jobs_of(&shape, versions);
        let name = Name::from(path.rsplit("::").next().unwrap_or(&path));
        // A macro of the workspace or of an unknown crate runs the closures it is given.
        if effect.is_none() {
            for arg in &args {
                if matches!(&**arg, Value::Closure(_)) {
                    self.invoke(id, arg, Vec::new());
                }
            }
        }
        let apply = Arc::new(Apply {
            path,
            name,
            is_macro: true,
            receiver: None,
            receiver_ty: Ty::Unknown,
            arg_types: vec![Ty::Unknown; args.len()],
            args,
            generics: Vec::new(),
            place: self.place(id),
            effect,
            is_terminal: false,
            begins: false,
            ends: false,
            takes: false,
        });
        self.record(&apply, jobs, false);
        Arc::new(Value::Apply(apply))
    }

    fn foreign_call(&mut self, id: ExprId, path: Name, args: &[ExprId]) -> V {
        match path.as_str() {
            "std::result::Result::Ok"
            | "std::option::Option::Some"
            | "std::sync::Arc::new"
            | "std::boxed::Box::new"
            | "std::boxed::Box::pin"
            | "std::sync::Arc::clone"
            | "std::rc::Rc::new"
            | "std::string::String::from"
            | "std::pin::Pin::new"
            | "std::borrow::Cow::Borrowed"
            | "std::borrow::Cow::Owned"
            | "std::clone::Clone::clone"
            | "std::convert::From::from"
            | "std::convert::Into::into"
            | "std::sync::Mutex::new"
            | "std::sync::RwLock::new"
            | "tokio::sync::Mutex::new"
            | "tokio::sync::RwLock::new" => {
                return args.first().map_or_else(unknown, |arg| self.expr(*arg));
            }
            _ => {}
        }
        let shape = CallShape {
            path: Some(path),
            arguments: args.len(),
            ..CallShape::default()
        };
        let versions = &self.program.crate_of(self.module).versions;
        let effect = self.known.effects_of(&shape, versions);
        let jobs = self.known.jobs_of(&shape, versions);
        let wrapper = self.known.wrapper_of(&shape).map(|entry| entry.regime);
        let runs = match wrapper {
            Some(regime) => Runs::Under(regime),
            None if !jobs.is_empty() => Runs::Elsewhere,
            None => Runs::Maybe,
        };
        let values = self.arguments(id, args, runs, None, self.place(id));
        let name = Name::from(path.rsplit("::").next().unwrap_or(&path));
        let arg_types = args
            .iter()
            .map(|arg| self.inference.ty(*arg).clone())
            .collect();
        if runs == Runs::Under(Regime::Timeout) {
            return values.last().cloned().unwrap_or_else(unknown);
        }
        let apply = Arc::new(Apply {
            path,
            name,
            is_macro: false,
            receiver: None,
            receiver_ty: Ty::Unknown,
            args: values,
            arg_types,
            generics: self.turbofish(id),
            place: self.place(id),
            effect,
            is_terminal: false,
            begins: false,
            ends: false,
            takes: false,
        });
        self.record(&apply, jobs, false);
        Arc::new(Value::Apply(apply))
    }

    /// The arguments of another crate's function, with what its closures do.
    fn arguments(
        &mut self,
        id: ExprId,
        args: &[ExprId],
        runs: Runs,
        receiver: Option<&V>,
        place: Place,
    ) -> Vec<V> {
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
                        nodes,
                    });
                }
                Runs::Under(regime) => self.push(Node::Regime {
                    regime,
                    place,
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

    /// Calls a value: a closure of this body or a function.
    fn invoke(&mut self, id: ExprId, value: &V, args: Vec<V>) {
        if matches!(&**value, Value::Closure(_) | Value::Function(_)) {
            self.push_call(id, CallTarget::Value(Arc::clone(value)), args, true);
        }
    }

    /// The value of a standard combinator: most hand their receiver on.
    fn standard_value(&mut self, receiver_ty: &Ty, method: Name, receiver: V, args: &[V]) -> V {
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
            "next" | "pop" | "first" | "last" | "get" | "find" | "nth" | "remove" | "pop_front"
            | "try_next" | "swap_remove" | "max_by_key" | "min_by_key"
                if !super::super::build::calls::is_outcome_ty(receiver_ty) =>
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
            _ => receiver,
        }
    }

    /// The call that was pushed last, which is the closure's own.
    fn last_invocation(&self) -> Option<CallId> {
        let last = self.out.calls.len().checked_sub(1)?;
        matches!(self.out.calls[last].target, CallTarget::Value(_)).then_some(CallId(last as u32))
    }

    /// `x.await`: a future that was made by another crate's builder happens here.
    pub(super) fn awaited(&mut self, inner: ExprId) -> V {
        self.expr(inner)
    }

    fn transaction_method(
        &self,
        receiver: &Ty,
        bounds: &[Name],
        method: Name,
    ) -> Option<TransactionPart> {
        let path = receiver.extern_path();
        self.known.transactions.iter().find_map(|of| {
            let entry = &of.entry;
            let by_type = path.is_some_and(|path| {
                entry
                    .receivers
                    .iter()
                    .chain(&entry.types)
                    .any(|known| path == known.as_str())
            });
            let by_trait = entry
                .traits
                .iter()
                .any(|known| bounds.iter().any(|bound| bound == known.as_str()));
            if !by_type && !by_trait {
                return None;
            }
            let has = |list: &[String]| list.iter().any(|name| method == name.as_str());
            if has(&entry.closure) {
                Some(TransactionPart::Closure)
            } else if has(&entry.begin) {
                Some(TransactionPart::Begin)
            } else if has(&entry.commit) || has(&entry.rollback) {
                Some(TransactionPart::End)
            } else {
                None
            }
        })
    }
}

/// What a method is to a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TransactionPart {
    Begin,
    End,
    Closure,
}

/// `Option` and `Result`.
pub(super) fn is_outcome_ty(ty: &Ty) -> bool {
    ty.extern_path()
        .is_some_and(|path| path.ends_with("::Option") || path.ends_with("Result"))
}

/// Whether a closure given to a method runs once per item.
fn runs_per_item(receiver: &Ty, method: &str) -> bool {
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
