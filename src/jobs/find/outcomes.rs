//! What a worker of the house does with the outcome of a body that it runs.

use crate::resolve::{FnId, TraitId};
use crate::timeline::{Call, CallId, CallTarget, Node, Timeline, Timelines, V, Value};

/// How deep a value is searched for an outcome.
const DEPTH: u32 = 8;

/// Whether a trait's method is called, and every caller goes on in the same way whatever it
/// gives: its error is logged at most.
pub(super) fn is_ignored(timelines: &mut Timelines<'_>, of: TraitId, method: FnId) -> bool {
    let callers = timelines.naming(method);
    let mut calls = 0;
    for caller in callers {
        let timeline = timelines.get(caller);
        for (index, call) in timeline.calls.iter().enumerate() {
            if !goes_to(timelines, &call.target, of, method) {
                continue;
            }
            calls += 1;
            if !is_without_consequence(timeline, CallId(index as u32), call) {
                return false;
            }
        }
    }
    calls > 0
}

fn goes_to(timelines: &Timelines<'_>, target: &CallTarget, of: TraitId, method: FnId) -> bool {
    let program = timelines.program();
    match target {
        CallTarget::Dispatch {
            trait_id, method, ..
        } => *trait_id == of && program.traits[of.index()].methods.contains_key(method),
        CallTarget::Functions(functions) => {
            functions.contains(&method)
                || functions
                    .iter()
                    .any(|id| program.implemented_trait(*id) == Some(of))
        }
        CallTarget::Value(_) => false,
    }
}

/// Whether nothing that happens depends on what a call gives.
fn is_without_consequence(timeline: &Timeline, id: CallId, call: &Call) -> bool {
    let is_it = |value: &V| mentions(value, id, DEPTH);
    let given = timeline
        .returns
        .iter()
        .chain(timeline.closures.values().map(|closure| &closure.returns));
    let is_given = || given.into_iter().any(|value| hands_on(value, id, DEPTH));
    let is_argument = || {
        timeline
            .calls
            .iter()
            .any(|call| call.args.iter().any(is_it))
    };
    let decides = || {
        timeline
            .lists()
            .into_iter()
            .any(|nodes| tells(nodes, id, call))
    };
    !timeline.passes.contains(&call.place) && !is_given() && !is_argument() && !decides()
}

/// Whether something among these nodes is done, left out or ended because of what a call gave.
fn tells(nodes: &[Node], id: CallId, call: &Call) -> bool {
    nodes.iter().any(|node| match node {
        Node::Branch { on, arms, .. } => {
            let decides = mentions(on, id, DEPTH)
                || arms.iter().any(|arm| {
                    let guard = arm.guard.as_ref();
                    guard.is_some_and(|guard| mentions(guard, id, DEPTH))
                });
            arms.iter()
                .any(|arm| decides && acts(&arm.nodes) || tells(&arm.nodes, id, call))
        }
        Node::Extern(apply) => {
            let mut given = apply.receiver.iter().chain(&apply.args);
            apply.effect.is_some() && given.any(|value| mentions(value, id, DEPTH))
        }
        Node::Exit { of, .. } => of.contains(&call.place),
        Node::Loop { nodes, .. }
        | Node::Regime { nodes, .. }
        | Node::Transaction { nodes, .. }
        | Node::Scope { nodes, .. } => tells(nodes, id, call),
        Node::Call(_) | Node::Unread { .. } => false,
    })
}

/// Whether anything happens among these nodes.
fn acts(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Extern(apply) => apply.effect.is_some(),
        Node::Branch { arms, .. } => arms.iter().any(|arm| acts(&arm.nodes)),
        Node::Call(_)
        | Node::Unread { .. }
        | Node::Exit { .. }
        | Node::Loop { .. }
        | Node::Regime { .. }
        | Node::Transaction { .. }
        | Node::Scope { .. } => true,
    })
}

fn mentions(value: &V, id: CallId, depth: u32) -> bool {
    value.any(
        depth,
        &|part| matches!(part, Value::Result(call) if *call == id),
    )
}

/// Whether a value is what a call gave, or tells of it: unlike the unit that all arms give.
fn hands_on(value: &V, id: CallId, depth: u32) -> bool {
    let is_nothing = |value: &V| match &**value {
        Value::Unknown => true,
        Value::Tuple(values) => values.is_empty(),
        _ => false,
    };
    match &**value {
        Value::Match(_, arms) if arms.iter().all(|(_, value)| is_nothing(value)) => false,
        _ => mentions(value, id, depth),
    }
}
