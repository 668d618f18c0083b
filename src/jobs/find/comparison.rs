//! Whether what a call gives is compared with something: a signature that came against the one
//! that should have come.

use std::sync::Arc;

use crate::ir::BinaryOp;
use crate::timeline::{Apply, Node, Timeline, V, Value};

/// How many steps into a value are looked at.
const DEPTH: u32 = 12;

/// Whether some branch or the result of a function rests on comparing what a call gives.
pub(super) fn is_compared(timeline: &Timeline, call: &Arc<Apply>) -> bool {
    timeline
        .returns
        .as_ref()
        .is_some_and(|value| compares(value, call, DEPTH))
        || timeline
            .lists()
            .into_iter()
            .any(|nodes| branches_on(nodes, call))
}

fn branches_on(nodes: &[Node], call: &Arc<Apply>) -> bool {
    nodes.iter().any(|node| match node {
        Node::Branch { on, arms, .. } => {
            compares(on, call, DEPTH) || arms.iter().any(|arm| branches_on(&arm.nodes, call))
        }
        Node::Loop { nodes, .. }
        | Node::Regime { nodes, .. }
        | Node::Transaction { nodes, .. }
        | Node::Scope { nodes, .. } => branches_on(nodes, call),
        Node::Call(_) | Node::Extern(_) | Node::Unread { .. } | Node::Exit { .. } => false,
    })
}

/// Whether a value is a comparison with the call's result on one side, or holds one.
fn compares(value: &V, call: &Arc<Apply>, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    match &**value {
        Value::Operation(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
            holds(left, call, DEPTH) || holds(right, call, DEPTH)
        }
        Value::Apply(apply) if is_comparison(&apply.name) => holds(value, call, DEPTH),
        _ => value
            .parts()
            .into_iter()
            .any(|part| compares(part, call, depth - 1)),
    }
}

fn holds(value: &V, call: &Arc<Apply>, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    matches!(&**value, Value::Apply(apply) if Arc::ptr_eq(apply, call))
        || value
            .parts()
            .into_iter()
            .any(|part| holds(part, call, depth - 1))
}

/// Names under which two values are compared, in constant time or not.
fn is_comparison(name: &str) -> bool {
    matches!(name, "eq" | "ne" | "ct_eq" | "ct_ne")
        || ["equal", "compare", "constant_time", "fixed_time"]
            .iter()
            .any(|part| name.contains(part))
}
