//! Whom the body of a job calls.

use crate::resolve::FnId;
use crate::timeline::{CallId, CallTarget, Node, Timeline, Timelines, Value};

use super::super::entry::Body;

/// Whom a function calls: all of it, or the part that is a body.
pub(super) fn targets<'t>(
    timelines: &'t Timelines<'_>,
    function: FnId,
    body: Option<Body>,
) -> Vec<&'t CallTarget> {
    let timeline = timelines.get(function);
    match body {
        Some(Body::Part(place)) => {
            let mut calls = Vec::new();
            let nodes = timeline.part(place).unwrap_or_default();
            calls_among(nodes, timeline, &mut calls);
            calls
                .into_iter()
                .map(|id| &timeline.calls[id.0 as usize].target)
                .collect()
        }
        _ => timeline.calls.iter().map(|call| &call.target).collect(),
    }
}

/// The calls among nodes, those of closures that are called there included.
pub(super) fn calls_among(nodes: &[Node], timeline: &Timeline, calls: &mut Vec<CallId>) {
    for node in nodes {
        match node {
            Node::Call(id) => {
                calls.push(*id);
                if let CallTarget::Value(value) = &timeline.calls[id.0 as usize].target
                    && let Value::Closure(closure) = &**value
                    && let Some(closure) = timeline.closures.get(closure)
                {
                    calls_among(&closure.nodes, timeline, calls);
                }
            }
            Node::Branch { arms, .. } => {
                for arm in arms {
                    calls_among(&arm.nodes, timeline, calls);
                }
            }
            Node::Loop { nodes, .. }
            | Node::Regime { nodes, .. }
            | Node::Transaction { nodes, .. }
            | Node::Scope { nodes, .. } => calls_among(nodes, timeline, calls),
            Node::Extern(_) | Node::Unread { .. } | Node::Exit { .. } => {}
        }
    }
}
