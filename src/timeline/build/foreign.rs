//! Calls of other crates' functions, methods and macros.

use std::sync::Arc;

use retrysafe_rules::catalog::{Argument, Regime, Shape, SourceKind};

use crate::ir::{Expr, ExprId, Name, Place};
use crate::resolve::{CallShape, Callee, Ty};

use super::super::node::{Feed, Node, Sighting};
use super::super::value::{Apply, Looseness, V, Value, unknown};
use super::Builder;
use super::arguments::{Runs, runs_per_item};
use super::order::{in_order, is_hashed, is_sorted};
use super::unread::begins_with_effect;

/// What a method is to a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TransactionPart {
    Begin,
    End,
    Closure,
}

impl Builder<'_> {
    pub(super) fn shape<'s>(
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

    pub(super) fn foreign_method(
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
        let loosens = is_hashed(&receiver_ty) && self.loosens(&shape);
        let versions = &self.program.crate_of(self.module).versions;
        let effect = self.known.effects_of(&shape, versions);
        let jobs = self.known.jobs_of(&shape, versions);
        let is_random = is_filling(&method) && self.is_random(&shape);
        let feeds = self.known.feeds(&shape);
        let is_claim = self.known.is_claim(&shape);
        let wrapper = self
            .known
            .wrapper_of(&shape)
            .map(|entry| (entry.regime, entry.argument, entry.tracked));
        let transaction = self.transaction_method(&receiver_ty, &bounds, method);
        if feeds {
            self.out.feeds.push(Feed {
                item: receiver_ty.first_arg(),
                place: name_place,
            });
        }

        let runs = if let Some((regime, ..)) = wrapper {
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

        let wraps_receiver = matches!(wrapper, Some((_, Argument::Receiver, _)));
        // Whoever owns the set of tasks can wait for them.
        if matches!(wrapper, Some((.., true))) {
            self.dropped = None;
        }
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
                    is_detached: false,
                    nodes,
                });
            }
        } else {
            self.nodes.extend(receiver_nodes);
        }

        let values = self.arguments(id, args, runs, Some(&value), name_place);
        let generics = self.turbofish(id);
        let value = if generics.iter().any(is_sorted) {
            in_order(value)
        } else {
            value
        };
        let arg_types = args
            .iter()
            .map(|arg| self.inference.ty(*arg).clone())
            .collect();
        let arg_places = self.places(args);
        let standard =
            loosens || matches!(callee, Callee::Standard) || maps_transaction(&value, &method);
        let joins = matches!(method.as_str(), "join" | "concat" | "push_str" | "push");
        if standard && effect.is_none() && jobs.is_empty() && !joins {
            let value = if loosens {
                Arc::new(Value::Loose(value, Looseness::Unordered, name_place))
            } else {
                value
            };
            return self.standard_value(&receiver_ty, method, value, &values);
        }
        let is_known = effect.is_some() || !jobs.is_empty() || wrapper.is_some() || feeds;
        if self.awaited == Some(id) && !is_known && transaction.is_none() && !standard {
            let named = (method, name_place);
            self.note_unread_method(callee, &receiver_ty, &bounds, named, &value);
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
        let is_terminal = self.known.is_terminal(method, terminal_of)
            && (begins_with_effect(&value)
                || !terminal_of.is_some_and(|path| self.is_silent(&path)));
        let apply = Arc::new(Apply {
            path,
            name: method,
            is_macro: false,
            receiver: Some(value),
            receiver_ty,
            args: values,
            arg_types,
            arg_places,
            generics,
            place: name_place.to(end),
            effect,
            is_terminal,
            begins: transaction == Some(TransactionPart::Begin),
            ends: transaction == Some(TransactionPart::End),
            takes: self.takes_message(&jobs),
            is_claim,
            is_awaited: self.awaited == Some(id),
        });
        self.record(&apply, jobs, transaction.is_some());
        let value = Arc::new(Value::Apply(apply));
        if is_random {
            self.fill(args, &value);
        }
        value
    }

    /// `rng.fill_bytes(&mut key)`: what is given is filled.
    fn fill(&mut self, args: &[ExprId], value: &V) {
        if let [filled] = args {
            self.assign(*filled, value, false);
        }
    }

    /// Whether a standard method gives the items of a collection in no fixed order.
    fn loosens(&self, shape: &CallShape<'_>) -> bool {
        self.known
            .source_of(shape)
            .is_some_and(|source| source.kind == SourceKind::Unordered)
    }

    /// Whether a call gives something random.
    fn is_random(&self, shape: &CallShape<'_>) -> bool {
        self.known
            .source_of(shape)
            .is_some_and(|source| source.kind == SourceKind::Random)
    }

    /// Whether a call is the one around which the loop of a consumer stands.
    pub(super) fn takes_message(&self, jobs: &[crate::resolve::JobId]) -> bool {
        jobs.iter().any(|id| {
            let entry = &self.known.job(*id).entry;
            entry.shape == Shape::Loop && (!entry.needs_effect || !entry.fed_by.is_empty())
        })
    }

    pub(super) fn turbofish(&self, id: ExprId) -> Vec<Ty> {
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

    fn places(&self, ids: &[ExprId]) -> Vec<Place> {
        ids.iter().map(|id| self.place(*id)).collect()
    }

    /// Pushes what the catalogue knows of a call.
    pub(super) fn record(
        &mut self,
        apply: &Arc<Apply>,
        jobs: Vec<crate::resolve::JobId>,
        transactional: bool,
    ) {
        self.met.push(apply.place);
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

    pub(super) fn foreign_macro(
        &mut self,
        id: ExprId,
        path: Name,
        args: Vec<V>,
        arg_places: Vec<Place>,
    ) -> V {
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
            arg_places,
            args,
            generics: Vec::new(),
            place: self.place(id),
            effect,
            is_terminal: false,
            begins: false,
            ends: false,
            takes: false,
            is_claim: false,
            is_awaited: self.awaited == Some(id),
        });
        self.record(&apply, jobs, false);
        Arc::new(Value::Apply(apply))
    }

    pub(super) fn foreign_call(&mut self, id: ExprId, path: Name, args: &[ExprId]) -> V {
        if is_lazy(&path) {
            let values = self.arguments(id, args, Runs::Maybe, None, self.place(id));
            return match (values.first(), self.last_invocation()) {
                (Some(value), Some(made)) if matches!(&**value, Value::Closure(_)) => {
                    Arc::new(Value::Result(made))
                }
                (value, _) => value.cloned().unwrap_or_else(unknown),
            };
        }
        if self.known.hands_on(path) {
            return args.first().map_or_else(unknown, |arg| self.expr(*arg));
        }
        let shape = CallShape {
            path: Some(path),
            arguments: args.len(),
            ..CallShape::default()
        };
        let versions = &self.program.crate_of(self.module).versions;
        let mut effect = self.known.effects_of(&shape, versions);
        let jobs = self.known.jobs_of(&shape, versions);
        let wrapper = self.known.wrapper_of(&shape).map(|entry| entry.regime);
        let is_claim = self.known.is_claim(&shape);
        // `Trait::method(&x, y)` and `Type::method(&x, y)` are calls of the method on `x`.
        let mut on_first = false;
        if effect.is_none()
            && let [_, rest @ ..] = args
            && let Some((owner, method)) = path.rsplit_once("::")
        {
            let owner = Name::from(owner);
            let shape = CallShape {
                method: Some(Name::from(method)),
                receiver: Some(owner),
                bounds: &[owner],
                arguments: rest.len(),
                ..CallShape::default()
            };
            effect = self.known.effects_of(&shape, versions);
            on_first = effect.is_some();
        }
        let name = Name::from(path.rsplit("::").next().unwrap_or(&path));
        let is_random = is_filling(&name) && self.is_random(&shape);
        let runs = match wrapper {
            Some(regime) => Runs::Under(regime),
            None if !jobs.is_empty() => Runs::Elsewhere,
            None => Runs::Maybe,
        };
        let mut values = self.arguments(id, args, runs, None, self.place(id));
        let mut arg_types: Vec<Ty> = args
            .iter()
            .map(|arg| self.inference.ty(*arg).clone())
            .collect();
        let mut arg_places = self.places(args);
        if self.awaited == Some(id) && effect.is_none() && jobs.is_empty() && wrapper.is_none() {
            self.note_unread_function(path, name, self.place(id));
        }
        if runs == Runs::Under(Regime::Timeout) {
            return values.last().cloned().unwrap_or_else(unknown);
        }
        let (receiver, receiver_ty) = if on_first {
            arg_places.remove(0);
            (Some(values.remove(0)), arg_types.remove(0))
        } else {
            (None, Ty::Unknown)
        };
        let apply = Arc::new(Apply {
            path,
            name,
            is_macro: false,
            receiver,
            receiver_ty,
            args: values,
            arg_types,
            arg_places,
            generics: self.turbofish(id),
            place: self.place(id),
            effect,
            is_terminal: false,
            begins: false,
            ends: false,
            takes: false,
            is_claim,
            is_awaited: self.awaited == Some(id),
        });
        self.record(&apply, jobs, false);
        let value = Arc::new(Value::Apply(apply));
        if is_random {
            self.fill(args, &value);
        }
        value
    }

    pub(super) fn transaction_method(
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

/// Whether what the closure gives takes a transaction's place: `pool.begin().await.map(|tx| …)`.
/// The outcome around a new transaction has no type of its own here.
fn maps_transaction(receiver: &Value, method: &str) -> bool {
    matches!(method, "map" | "and_then") && matches!(receiver, Value::Apply(apply) if apply.begins)
}

/// Whether a function of this name writes into what it is given.
fn is_filling(name: &str) -> bool {
    matches!(
        name,
        "fill_bytes" | "try_fill_bytes" | "fill" | "try_fill" | "getrandom"
    )
}

/// Whether a value is made by the closure that is given, when it is first asked for.
fn is_lazy(path: &str) -> bool {
    matches!(
        path,
        "std::sync::LazyLock::new"
            | "std::cell::LazyCell::new"
            | "once_cell::sync::Lazy::new"
            | "once_cell::unsync::Lazy::new"
    )
}
