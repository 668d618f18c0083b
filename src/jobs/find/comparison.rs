//! Whether what a call gives is compared with something: a signature that came against the one
//! that should have come.

use std::sync::Arc;

use crate::ir::{BinaryOp, Function, TypeRef};
use crate::resolve::Program;
use crate::timeline::{Apply, Call, CallId, CallTarget, Node, Timeline, V, Value};

use super::super::input::show_type;

/// How many steps into a value are looked at.
const DEPTH: u32 = 12;

/// The question of one call in a function.
#[derive(Clone, Copy)]
pub(super) struct Comparison<'a> {
    program: &'a Program,
    timeline: &'a Timeline,
    /// What gives the signature that should have come.
    call: &'a Arc<Apply>,
}

impl<'a> Comparison<'a> {
    pub(super) fn of(program: &'a Program, timeline: &'a Timeline, call: &'a Arc<Apply>) -> Self {
        Comparison {
            program,
            timeline,
            call,
        }
    }

    /// Whether some branch, or the result of the function or of a closure in it, rests on
    /// comparing the signature.
    pub(super) fn is_made(self) -> bool {
        let closures = self.timeline.closures.values();
        self.timeline
            .returns
            .iter()
            .chain(closures.map(|closure| &closure.returns))
            .any(|value| self.is_comparison(value, DEPTH))
            || self
                .timeline
                .lists()
                .into_iter()
                .any(|nodes| self.branches_on(nodes))
    }

    fn branches_on(self, nodes: &[Node]) -> bool {
        nodes.iter().any(|node| match node {
            Node::Branch { on, arms, .. } => {
                self.is_comparison(on, DEPTH) || arms.iter().any(|arm| self.branches_on(&arm.nodes))
            }
            Node::Loop { nodes, .. }
            | Node::Regime { nodes, .. }
            | Node::Transaction { nodes, .. }
            | Node::Scope { nodes, .. } => self.branches_on(nodes),
            Node::Call(_) | Node::Extern(_) | Node::Unread { .. } | Node::Exit { .. } => false,
        })
    }

    /// Whether a value is a comparison with the signature on one side, or holds one.
    fn is_comparison(self, value: &V, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        match &**value {
            Value::Operation(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
                (self.holds(left, DEPTH) || self.holds(right, DEPTH)) && !self.is_of_token(value)
            }
            Value::Apply(apply) if compares_by_name(&apply.name) => {
                self.holds(value, DEPTH) && !self.is_of_token(value)
            }
            Value::Result(id) if self.compares_two(self.callee(*id)) => {
                let mut args = self.callee(*id).args.iter();
                args.any(|arg| self.holds(arg, DEPTH))
            }
            _ => value
                .parts()
                .into_iter()
                .any(|part| self.is_comparison(part, depth - 1)),
        }
    }

    /// Whether a value is the signature, or made from it.
    fn holds(self, value: &V, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        match &**value {
            Value::Apply(apply) if Arc::ptr_eq(apply, self.call) => return true,
            // What was signed and sent comes back as something else.
            Value::Apply(apply) if apply.effect.is_some() || apply.is_terminal => return false,
            _ => {}
        }
        let below = match **value {
            Value::Result(id) => self.callee(id).args.iter().collect(),
            _ => Vec::new(),
        };
        value
            .parts()
            .into_iter()
            .chain(below)
            .any(|part| self.holds(part, depth - 1))
    }

    /// Whether what is signed and what it is compared with come out of one parameter: a token that a user
    /// shows, as against a delivery with its signature beside it.
    fn is_of_token(self, comparison: &V) -> bool {
        let mut signed = Vec::new();
        self.params_signed(&Value::Apply(Arc::clone(self.call)), DEPTH, &mut signed);
        let mut shown = Vec::new();
        self.params(comparison, DEPTH, &mut shown);
        signed.len() == 1 && signed == shown
    }

    /// The parameters that are fed into the signature.
    fn params_signed(self, value: &Value, depth: u32, found: &mut Vec<u32>) {
        let Value::Apply(apply) = value else {
            return;
        };
        if matches!(apply.name.as_str(), "update" | "chain_update" | "input") {
            for arg in &apply.args {
                self.params(arg, DEPTH, found);
            }
        }
        if let Some(receiver) = apply.receiver.as_ref().filter(|_| depth > 0) {
            self.params_signed(receiver, depth - 1, found);
        }
    }

    /// The parameters that a value is made from, the signature left out.
    fn params(self, value: &V, depth: u32, found: &mut Vec<u32>) {
        match &**value {
            Value::Apply(apply) if Arc::ptr_eq(apply, self.call) => {}
            Value::Param(index) if !found.contains(index) => found.push(*index),
            _ if depth > 0 => {
                for part in value.parts() {
                    self.params(part, depth - 1, found);
                }
            }
            _ => {}
        }
    }

    fn callee(self, id: CallId) -> &'a Call {
        &self.timeline.calls[id.0 as usize]
    }

    /// Whether a call goes to functions of the workspace that compare what they are given.
    fn compares_two(self, call: &Call) -> bool {
        match &call.target {
            CallTarget::Functions(functions) => functions
                .iter()
                .all(|id| tells_equality(&self.program.function(*id).function)),
            _ => false,
        }
    }
}

/// Whether a function says yes or no to two things of one type and nothing else: a comparison in
/// constant time that is written by hand, whatever its name.
fn tells_equality(function: &Function) -> bool {
    let says_yes = matches!(&function.returns, Some(TypeRef::Path(path))
        if path.single().is_some_and(|name| name == "bool"));
    match function.params.as_slice() {
        [left, right] => says_yes && show_type(&left.ty) == show_type(&right.ty),
        _ => false,
    }
}

/// Names under which other crates compare two values, in constant time or not.
fn compares_by_name(name: &str) -> bool {
    matches!(name, "eq" | "ne" | "ct_eq" | "ct_ne")
        || ["equal", "compare", "constant_time", "fixed_time"]
            .iter()
            .any(|part| name.contains(part))
}
