//! Control structure: branches, loops, closures.

use std::sync::Arc;

use crate::ir::{self, Block, Expr, ExprId, LoopHead, Name, Pat, PatId, Place, SelectArm, Stmt};
use crate::resolve::Ty;

use super::super::node::{Arm, Closure, ExitKind, Node};
use super::super::value::{Looseness, V, Value, either, unknown};
use super::Builder;
use super::order::{in_order, is_hashed, is_sorted, is_unordered};

/// The state of a path when a branch is met.
struct Fork {
    locals: Vec<V>,
    outcomes: Vec<(Vec<V>, V)>,
    labels: Vec<Option<Name>>,
    arms: Vec<Arm>,
}

impl Builder<'_> {
    pub(super) fn block(&mut self, block: &Block) -> V {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let {
                    pat,
                    ty,
                    value,
                    otherwise,
                } => {
                    if self.is_never_taken(*pat) {
                        self.dropped = *value;
                    }
                    let mut value = value.map_or_else(unknown, |value| self.expr(value));
                    let written = ty
                        .as_ref()
                        .map(|ty| self.program.written_type(ty, self.module, self.known));
                    if written.as_ref().is_some_and(is_sorted) {
                        value = in_order(value);
                    }
                    if let Some(otherwise) = otherwise {
                        let place = self.place(*otherwise);
                        let label = self.label(*pat).filter(|label| label.starts_with('?'));
                        self.labelled_branch(place, &value, &[None, label], &mut |this, arm| {
                            if arm == 0 {
                                this.expr(*otherwise)
                            } else {
                                unknown()
                            }
                        });
                    }
                    self.bind(*pat, &value);
                }
                Stmt::Expr(id) => {
                    self.dropped = Some(*id);
                    let value = self.expr(*id);
                    self.keep_builder(*id, &value);
                }
            }
            if self.ended {
                return unknown();
            }
        }
        block.tail.map_or_else(unknown, |tail| self.expr(tail))
    }

    /// Whether nothing takes what is bound: `let _ = …`, or a name that is at most asked for an id.
    fn is_never_taken(&self, pat: PatId) -> bool {
        let local = match self.body.pat(pat) {
            Pat::Wild => return true,
            Pat::Bind(local, None) => *local,
            _ => return false,
        };
        let exprs = &self.body.exprs;
        let is_local = |id: &ExprId| {
            let mut at = *id;
            while let Expr::Same(inner) = self.body.expr(at) {
                at = *inner;
            }
            matches!(self.body.expr(at), Expr::Local(found) if *found == local)
        };
        let named = exprs
            .iter()
            .filter(|expr| matches!(expr, Expr::Local(found) if *found == local));
        let asked = exprs.iter().filter(|expr| {
            matches!(expr, Expr::MethodCall { receiver, method, .. }
                if matches!(method.as_str(), "id" | "is_finished") && is_local(receiver))
        });
        let is_unread = exprs.iter().any(|expr| matches!(expr, Expr::Unread));
        !is_unread && named.count() == asked.count()
    }

    /// `builder.arg(x);` on a local continues the builder's chain.
    ///
    /// And `items.sort();` gives them an order, `map.insert("name", x);` an entry.
    fn keep_builder(&mut self, id: ExprId, value: &V) {
        let kept = match &**value {
            Value::Apply(apply) => apply.receiver.is_some(),
            _ => {
                matches!(self.body.expr(id), Expr::MethodCall { method, .. }
                    if method.starts_with("sort") || method == "insert")
            }
        };
        if !kept {
            return;
        }
        let mut at = id;
        loop {
            match self.body.expr(at) {
                Expr::MethodCall { receiver, .. } => at = *receiver,
                Expr::Same(inner) => at = *inner,
                Expr::Local(local) => {
                    self.locals[local.0 as usize] = Arc::clone(value);
                    return;
                }
                _ => return,
            }
        }
    }

    pub(super) fn labelled_branch(
        &mut self,
        place: Place,
        on: &V,
        labels: &[Option<Name>],
        arm: &mut dyn FnMut(&mut Self, usize) -> V,
    ) -> V {
        let mut fork = Fork {
            locals: self.locals.clone(),
            outcomes: Vec::new(),
            labels: Vec::new(),
            arms: Vec::new(),
        };
        let ended_before = self.ended;
        for (index, label) in labels.iter().enumerate() {
            self.locals.clone_from(&fork.locals);
            self.ended = false;
            let (nodes, value) = self.collect(|this| arm(this, index));
            if !self.ended {
                fork.outcomes
                    .push((std::mem::take(&mut self.locals), value));
                fork.labels.push(*label);
            }
            fork.arms.push(Arm {
                label: *label,
                guard: self.guard.take(),
                nodes,
            });
        }
        self.ended = ended_before || fork.outcomes.is_empty();
        let value = self.join(&mut fork, on);
        if fork.arms.iter().any(|arm| !arm.nodes.is_empty()) {
            self.blame(on, &mut fork.arms);
            self.push(Node::Branch {
                place,
                on: Arc::clone(on),
                arms: fork.arms,
            });
        }
        value
    }

    fn join(&mut self, fork: &mut Fork, on: &V) -> V {
        let Some((first, _)) = fork.outcomes.first() else {
            self.locals = std::mem::take(&mut fork.locals);
            return unknown();
        };
        let mut locals = first.clone();
        for (index, slot) in locals.iter_mut().enumerate() {
            let differs = fork
                .outcomes
                .iter()
                .any(|(locals, _)| !Arc::ptr_eq(&locals[index], slot));
            if differs {
                let values = fork
                    .outcomes
                    .iter()
                    .map(|(locals, _)| Arc::clone(&locals[index]))
                    .collect();
                *slot = matched(on, &fork.labels, values);
            }
        }
        self.locals = locals;
        let values = fork.outcomes.drain(..).map(|(_, value)| value).collect();
        matched(on, &fork.labels, values)
    }

    pub(super) fn if_expr(
        &mut self,
        place: Place,
        condition: ExprId,
        then: ExprId,
        otherwise: Option<ExprId>,
    ) -> V {
        let on = self.expr(condition);
        let labels = self.outcomes_of(condition);
        self.labelled_branch(
            place,
            &on,
            &labels,
            &mut |this, arm| match (arm, otherwise) {
                (0, _) => this.expr(then),
                (_, Some(otherwise)) => this.expr(otherwise),
                (_, None) => unknown(),
            },
        )
    }

    /// The outcomes that the two arms of an `if` are for: `if let Some(x) = y`, `if y.is_none()`.
    fn outcomes_of(&self, condition: ExprId) -> [Option<Name>; 2] {
        match self.body.expr(condition) {
            Expr::Let { pat, .. } => [
                self.label(*pat).filter(|label| label.starts_with('?')),
                None,
            ],
            Expr::Same(inner) => self.outcomes_of(*inner),
            Expr::Not(value) => {
                let [then, otherwise] = self.outcomes_of(*value);
                [otherwise, then]
            }
            Expr::MethodCall { method, args, .. } if args.is_empty() => {
                let pair = match method.as_str() {
                    "is_err" => ["?Err", "?Ok"],
                    "is_ok" => ["?Ok", "?Err"],
                    "is_none" => ["?None", "?Some"],
                    "is_some" => ["?Some", "?None"],
                    _ => return [None, None],
                };
                pair.map(|label| Some(Name::from(label)))
            }
            _ => [None, None],
        }
    }

    pub(super) fn match_expr(&mut self, place: Place, value: ExprId, arms: &[ir::Arm]) -> V {
        let on = self.expr(value);
        let labels: Vec<Option<Name>> = arms.iter().map(|arm| self.label(arm.pat)).collect();
        self.labelled_branch(place, &on, &labels, &mut |this, index| {
            let arm = &arms[index];
            this.bind(arm.pat, &on);
            if let Some(guard) = arm.guard {
                let guard = this.expr(guard);
                this.guard = Some(guard);
            }
            this.expr(arm.body)
        })
    }

    pub(super) fn select(&mut self, place: Place, arms: &[SelectArm]) -> V {
        // All futures start; one of them is the first.
        let futures: Vec<V> = arms
            .iter()
            .map(|arm| arm.future.map_or_else(unknown, |future| self.expr(future)))
            .collect();
        let on = unknown();
        let labels = vec![None; arms.len()];
        self.labelled_branch(place, &on, &labels, &mut |this, index| {
            let arm = &arms[index];
            if let Some(pat) = arm.pat {
                this.bind(pat, &futures[index]);
            }
            this.expr(arm.body)
        })
    }

    pub(super) fn loop_expr(&mut self, place: Place, head: &LoopHead, body: ExprId) -> V {
        let items = match head {
            LoopHead::For { items, .. } => Some(self.expr(*items)),
            _ => None,
        };
        let mut over = match head {
            // Tries and counts are no items.
            LoopHead::For { items, .. } if self.counts_up(*items) => None,
            _ => items.clone(),
        };
        let in_no_order = match (head, &items) {
            (LoopHead::For { items: id, .. }, Some(value)) => {
                is_hashed(self.inference.ty(*id)) || is_unordered(value)
            }
            _ => false,
        };
        let before = self.locals.clone();
        // A message or tick in the head is what the loop is around.
        self.loops
            .push((place, !matches!(head, LoopHead::For { .. })));
        let (nodes, ()) = self.collect(|this| {
            match head {
                LoopHead::Forever => {}
                LoopHead::While(condition) => {
                    let taken = this.expr(*condition);
                    if matches!(this.body.expr(*condition), Expr::Let { .. }) {
                        over = Some(taken);
                    }
                    let endless = this.is_endless(head);
                    if let Some(last) = this.loops.last_mut() {
                        last.1 = endless;
                    }
                }
                LoopHead::For { pat, .. } => {
                    let item = Arc::new(Value::Item(items.unwrap_or_else(unknown)));
                    this.bind(*pat, &item);
                }
            }
            this.expr(body);
        });
        self.loops.pop();
        // A path that leaves the body leaves the loop, not the function.
        self.ended = false;
        for (index, before) in before.into_iter().enumerate() {
            let slot = &mut self.locals[index];
            if Arc::ptr_eq(slot, &before) {
                continue;
            }
            // The receiver, which comes last, has no type of its own here.
            let ty = self.inference.locals.get(index).filter(|_| in_no_order);
            let grows = ty.is_some_and(|ty| grows_by_items(ty, slot));
            *slot = either(vec![before, Arc::clone(slot)]);
            if grows {
                *slot = Arc::new(Value::Loose(Arc::clone(slot), Looseness::Unordered, place));
            }
        }
        let forever = self.is_endless(head);
        let takes = matches!(head, LoopHead::While(condition)
            if matches!(self.body.expr(*condition), Expr::Let { .. }));
        if !nodes.is_empty() {
            self.push(Node::Loop {
                place,
                forever,
                takes,
                over,
                nodes,
            });
        }
        unknown()
    }

    /// Whether a `for` goes over a range of numbers.
    fn counts_up(&self, items: ExprId) -> bool {
        match self.body.expr(items) {
            Expr::Range(_) => true,
            Expr::Same(inner) => self.counts_up(*inner),
            Expr::MethodCall { receiver, .. } => self.counts_up(*receiver),
            _ => false,
        }
    }

    /// Whether a loop may go on for as long as the process: no `for`, and no `while` that counts.
    fn is_endless(&self, head: &LoopHead) -> bool {
        match head {
            LoopHead::Forever => true,
            LoopHead::While(condition) => !self.counts(*condition),
            LoopHead::For { .. } => false,
        }
    }

    fn counts(&self, condition: ExprId) -> bool {
        use ir::BinaryOp::{And, Or, Order};
        match self.body.expr(condition) {
            // Over what is there: a queue in memory, a channel.
            Expr::Let { .. } => true,
            Expr::Binary { op: Order, .. } => true,
            Expr::Binary {
                op: And | Or,
                left,
                right,
            } => self.counts(*left) || self.counts(*right),
            _ => false,
        }
    }

    /// A closure becomes a value; what it does is kept beside.
    pub(super) fn closure(&mut self, id: ExprId, params: &[PatId], body: ExprId) -> V {
        let locals = self.locals.clone();
        let ended = std::mem::replace(&mut self.ended, false);
        let returned = std::mem::take(&mut self.returned);
        for (index, pat) in params.iter().enumerate() {
            self.bind(*pat, &Arc::new(Value::ClosureParam(id, index as u32)));
        }
        let place = self.place(id);
        self.within.push(place);
        // `map_err(|error| Error::Mail(error))` makes an error, and fails by none of its own.
        if !makes_error(self.inference.ty(body)) && !self.telling.contains(&id) {
            self.note_tails(body);
        }
        let (nodes, value) = self.collect(|this| this.expr(body));
        self.within.pop();
        let mut returns = std::mem::replace(&mut self.returned, returned);
        if !self.ended {
            returns.push(value);
        }
        self.ended = ended;
        self.locals = locals;
        let closure = Closure {
            params: params.len() as u32,
            nodes,
            returns: either(returns),
            place,
        };
        self.out.closures.insert(id, closure);
        Arc::new(Value::Closure(id))
    }

    /// A certain end of the present path.
    pub(super) fn exit(&mut self, kind: ExitKind, place: Place, is_final: bool) {
        self.push(Node::Exit {
            kind,
            place,
            of: Vec::new(),
            is_final,
            absent: None,
        });
        self.ended = true;
    }
}

/// Whether a type is that of a plain value, as against an outcome.
fn makes_error(ty: &Ty) -> bool {
    match ty {
        Ty::Adt(..) => true,
        Ty::Extern(path, _) => path.ends_with("Error"),
        _ => false,
    }
}

/// One of the values that the arms of a branch leave, by their labels where they have some.
fn matched(on: &V, labels: &[Option<Name>], values: Vec<V>) -> V {
    let same = values
        .windows(2)
        .all(|pair| Arc::ptr_eq(&pair[0], &pair[1]));
    if same || labels.iter().all(Option::is_none) || matches!(&**on, Value::Unknown) {
        return either(values);
    }
    Arc::new(Value::Match(
        Arc::clone(on),
        labels.iter().copied().zip(values).collect(),
    ))
}

/// Whether a variable holds, after a loop, one item after the other: a text, a list, a hash.
fn grows_by_items(ty: &Ty, value: &Value) -> bool {
    let is_sequence = matches!(
        ty.extern_path().as_deref(),
        Some("std::string::String" | "std::vec::Vec")
    );
    let is_hash = matches!(value, Value::Apply(apply)
        if apply.effect.is_none() && matches!(apply.name.as_str(), "update" | "chain_update" | "write" | "write_all"));
    is_sequence || is_hash
}
