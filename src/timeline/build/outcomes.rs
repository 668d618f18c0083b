//! Errors: which calls' errors leave a body, and which of them say that another attempt is of no
//! use.

use std::sync::Arc;

use crate::ir::{Expr, ExprId, Path, Place};
use crate::resolve::Def;

use super::super::node::{Arm, ExitKind, Node};
use super::super::value::{V, Value};
use super::Builder;

/// How far a value is followed to the calls that gave it.
const DEPTH: u32 = 12;

/// How many calls had been met when an expression began.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    calls: usize,
    met: usize,
}

impl Builder<'_> {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            calls: self.out.calls.len(),
            met: self.met.len(),
        }
    }

    /// A possible end with the error of one of the calls met since the mark, or of those that
    /// gave the value.
    pub(super) fn may_fail(
        &mut self,
        kind: ExitKind,
        place: Place,
        since: Mark,
        value: &V,
        inner: ExprId,
    ) {
        let mut of = Vec::new();
        self.leads(value, DEPTH, &mut of);
        let calls = self.out.calls[since.calls..].iter().map(|call| call.place);
        let met = self.met[since.met..].iter().copied();
        let inside: Vec<Place> = calls.chain(met).collect();
        for place in inside {
            if !self.settled.contains(&place) && !of.contains(&place) {
                of.push(place);
            }
        }
        self.settled.extend(of.iter().copied());
        let is_final = self.gives_up(inner);
        if !is_final {
            self.out.passes.extend(of.iter().copied());
        }
        self.push(Node::Exit {
            kind,
            place,
            of,
            is_final,
            absent: self.absent(value, inner),
        });
    }

    /// What is asked for where an error says that it is not there: `find(id).ok_or(NotFound)?`.
    fn absent(&self, value: &V, inner: ExprId) -> Option<V> {
        let gives_one = matches!(&**value, Value::Apply(apply)
            if matches!(apply.name.as_str(), "fetch_one" | "query_one" | "query_row" | "get_result"));
        let mut at = inner;
        let is_named = loop {
            match self.body.expr(at) {
                Expr::Same(inner) | Expr::Await(inner) => at = *inner,
                Expr::MethodCall { method, .. } => {
                    break matches!(
                        method.as_str(),
                        "ok_or" | "ok_or_else" | "context" | "with_context"
                    );
                }
                _ => break false,
            }
        };
        (gives_one || is_named).then(|| Arc::clone(value))
    }

    /// Where a branch on the outcome of calls ends in an error, the error is theirs.
    pub(super) fn blame(&mut self, on: &V, arms: &mut [Arm]) {
        let mut of = Vec::new();
        for node in arms.iter_mut().flat_map(|arm| &mut arm.nodes) {
            if let Node::Exit {
                kind: ExitKind::Failure,
                of: blamed,
                is_final,
                ..
            } = node
            {
                if of.is_empty() {
                    self.leads(on, DEPTH, &mut of);
                }
                blamed.extend(of.iter().copied());
                if !*is_final {
                    self.out.passes.extend(of.iter().copied());
                }
            }
        }
    }

    /// The calls that gave a value as their outcome, as against those it was computed from.
    fn leads(&self, value: &V, depth: u32, of: &mut Vec<Place>) {
        if depth == 0 {
            return;
        }
        match &**value {
            Value::Result(call) => {
                if let Some(call) = self.out.calls.get(call.0 as usize)
                    && !of.contains(&call.place)
                {
                    of.push(call.place);
                }
            }
            Value::Apply(apply) => {
                if !of.contains(&apply.place) {
                    of.push(apply.place);
                }
                match &apply.receiver {
                    Some(receiver) => self.leads(receiver, depth - 1, of),
                    // `try_join_all(futures)`, `timeout(limit, future)`: theirs is what it gives.
                    None if apply.effect.is_none() => {
                        for arg in &apply.args {
                            self.leads(arg, depth - 1, of);
                        }
                    }
                    None => {}
                }
            }
            Value::Field(inner, _) | Value::Item(inner) | Value::Loose(inner, ..) => {
                self.leads(inner, depth - 1, of);
            }
            // What decides between values is not what they are.
            Value::Match(_, arms) => {
                for (_, value) in arms {
                    self.leads(value, depth - 1, of);
                }
            }
            Value::Either(values) | Value::Tuple(values) | Value::Array(values) => {
                for value in values {
                    self.leads(value, depth - 1, of);
                }
            }
            Value::Operation(_, left, right) => {
                self.leads(left, depth - 1, of);
                self.leads(right, depth - 1, of);
            }
            _ => {}
        }
    }

    /// Notes the calls in which a body ends.
    pub(super) fn note_tails(&mut self, id: ExprId) {
        match self.body.expr(id) {
            Expr::Block(block) => {
                if let Some(tail) = block.tail {
                    self.note_tails(tail);
                }
            }
            Expr::If {
                then, otherwise, ..
            } => {
                self.note_tails(*then);
                if let Some(otherwise) = otherwise {
                    self.note_tails(*otherwise);
                }
            }
            Expr::Match { arms, .. } => {
                for arm in arms {
                    self.note_tails(arm.body);
                }
            }
            Expr::Select(arms) => {
                for arm in arms {
                    self.note_tails(arm.body);
                }
            }
            Expr::Same(inner) => self.note_tails(*inner),
            Expr::MethodCall { method, .. } if never_fails(method.as_str()) => {}
            Expr::Call { .. }
            | Expr::MethodCall { .. }
            | Expr::Macro { .. }
            | Expr::Await(_)
            | Expr::Local(_)
            | Expr::Join { .. } => {
                self.tails.insert(id);
            }
            _ => {}
        }
    }

    /// The end of a body in the outcome of a call, `Err(…)` included.
    pub(super) fn end_with(&mut self, id: ExprId, since: Mark, value: &V) {
        if self.ended {
            return;
        }
        let place = self.place(id);
        if self.is_error(id) {
            let is_final = self.gives_up(id);
            self.push(Node::Exit {
                kind: ExitKind::Failure,
                place,
                of: Vec::new(),
                is_final,
                absent: None,
            });
        } else if !self.is_success(id) {
            self.may_fail(ExitKind::Tail, place, since, value, id);
        }
    }

    /// Whether an expression is `Err(…)`.
    pub(super) fn is_error(&self, id: ExprId) -> bool {
        self.is_call_of(id, &["Err"])
    }

    fn is_success(&self, id: ExprId) -> bool {
        self.is_call_of(id, &["Ok", "Some"])
    }

    fn is_call_of(&self, id: ExprId, names: &[&str]) -> bool {
        match self.body.expr(id) {
            Expr::Call { callee, .. } => match self.body.expr(*callee) {
                Expr::Path(path) => path
                    .last()
                    .is_some_and(|last| names.contains(&last.as_str())),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the error that an expression gives ends the work for good:
    /// `.map_err(JobError::fail)`, `Err(Error::Abort(…))`.
    pub(super) fn gives_up(&self, id: ExprId) -> bool {
        match self.body.expr(id) {
            Expr::MethodCall {
                receiver,
                method,
                args,
                ..
            } => {
                let turns = matches!(
                    method.as_str(),
                    "map_err" | "ok_or" | "ok_or_else" | "or_else"
                );
                // What an error is turned into last is what it is.
                if turns {
                    return args.iter().any(|arg| self.names_final(*arg));
                }
                self.known.is_final(method) || self.gives_up(*receiver)
            }
            Expr::Call { args, .. } if self.is_error(id) => {
                args.iter().any(|arg| self.names_final(*arg))
            }
            Expr::Await(inner) | Expr::Same(inner) => self.gives_up(*inner),
            _ => false,
        }
    }

    fn names_final(&self, id: ExprId) -> bool {
        match self.body.expr(id) {
            Expr::Path(path) => {
                if let Some(Def::Extern(canonical)) = self.inference.defs.get(&id)
                    && self.known.is_final(canonical)
                {
                    return true;
                }
                self.is_final_path(path)
            }
            Expr::Call { callee, args } => {
                self.names_final(*callee) || args.iter().any(|arg| self.names_final(*arg))
            }
            Expr::MethodCall {
                receiver, method, ..
            } => self.known.is_final(method) || self.names_final(*receiver),
            Expr::Struct { path, .. } => self.is_final_path(path),
            Expr::Closure { body, .. } => self.names_final(*body),
            Expr::Same(inner) => self.names_final(*inner),
            Expr::Block(block) => block.tail.is_some_and(|tail| self.names_final(tail)),
            _ => false,
        }
    }

    fn is_final_path(&self, path: &Path) -> bool {
        self.known.is_final(&path.text())
    }
}

/// Whether a method of values gives another one and no outcome, whatever it is called on.
fn never_fails(method: &str) -> bool {
    matches!(
        method,
        "clone"
            | "to_owned"
            | "to_string"
            | "to_lowercase"
            | "to_uppercase"
            | "as_str"
            | "as_ref"
            | "as_deref"
            | "as_bytes"
            | "to_vec"
            | "len"
            | "is_empty"
            | "unwrap_or"
            | "unwrap_or_default"
            | "unwrap_or_else"
    )
}
