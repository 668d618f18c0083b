//! Pieces of code that only hand on: what they call is the body of the job.

use crate::resolve::FnId;
use crate::timeline::{CallTarget, ExitKind, Node, Timeline, Value};

/// The functions that some nodes call when they do nothing else, and each is called whatever
/// became of those before it.
pub(super) fn handed_on(nodes: &[Node], timeline: &Timeline) -> Option<Vec<FnId>> {
    let calls = plain_calls(nodes, timeline)?;
    (calls.len() == 1 || calls.len() > 1 && !may_fail(nodes)).then_some(calls)
}

/// The functions that some nodes call, when they do nothing else.
fn plain_calls(nodes: &[Node], timeline: &Timeline) -> Option<Vec<FnId>> {
    let mut calls = Vec::new();
    for node in nodes {
        match node {
            Node::Call(id) => match &timeline.calls[id.0 as usize].target {
                CallTarget::Functions(functions) if functions.len() == 1 => {
                    calls.push(functions[0])
                }
                CallTarget::Value(value) if matches!(&**value, Value::Closure(_)) => {
                    let Value::Closure(id) = &**value else {
                        return None;
                    };
                    calls.extend(plain_calls(&timeline.closures.get(id)?.nodes, timeline)?);
                }
                _ => return None,
            },
            Node::Regime { nodes, .. } | Node::Scope { nodes, .. } => {
                calls.extend(plain_calls(nodes, timeline)?);
            }
            Node::Branch { arms, .. } => {
                for arm in arms {
                    calls.extend(plain_calls(&arm.nodes, timeline)?);
                }
            }
            Node::Exit { .. } => {}
            Node::Extern(apply) if apply.effect.is_none() => {}
            Node::Extern(_)
            | Node::Unread { .. }
            | Node::Loop { .. }
            | Node::Transaction { .. } => return None,
        }
    }
    Some(calls)
}

/// Whether the failure of one call keeps those behind it from running.
fn may_fail(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Exit { kind, .. } => *kind == ExitKind::Try,
        Node::Branch { arms, .. } => arms.iter().any(|arm| may_fail(&arm.nodes)),
        Node::Regime { nodes, .. } | Node::Scope { nodes, .. } => may_fail(nodes),
        _ => false,
    })
}
