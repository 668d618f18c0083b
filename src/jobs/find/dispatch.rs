//! One job per arm where a body dispatches on its payload.

use crate::ir::Name;
use crate::timeline::{Arm, Node, Timelines, V, Value};

use super::super::entry::{Body, Job};

/// Splits the jobs whose body is a dispatch.
pub(super) fn split(timelines: &mut Timelines<'_>, jobs: Vec<Job>) -> Vec<Job> {
    let whole: Vec<_> = jobs
        .iter()
        .filter(|job| job.body == Body::Whole)
        .map(|job| job.function)
        .collect();
    timelines.build(&whole);
    let mut split = Vec::with_capacity(jobs.len());
    for job in jobs {
        match arms(timelines, &job) {
            Some(arms) => split.extend(arms),
            None => split.push(job),
        }
    }
    split
}

fn arms(timelines: &Timelines<'_>, job: &Job) -> Option<Vec<Job>> {
    if job.body != Body::Whole {
        return None;
    }
    let timeline = timelines.get(job.function);
    let is_effect = |node: &Node| match node {
        Node::Extern(apply) => apply.effect.is_some(),
        Node::Loop { .. } | Node::Regime { .. } | Node::Transaction { .. } => true,
        _ => false,
    };
    // A match after the work has begun is one step of it.
    let (place, arms) = timeline
        .nodes
        .iter()
        .take_while(|node| !is_effect(node))
        .find_map(|node| match node {
            Node::Branch { place, on, arms } if is_payload(on) && is_dispatch(arms) => {
                Some((*place, arms))
            }
            _ => None,
        })?;
    // What is only let pass is no job.
    let mut labels: Vec<Name> = arms
        .iter()
        .filter(|arm| is_busy(arm))
        .filter_map(|arm| arm.label)
        .collect();
    labels.dedup();
    let jobs = labels.into_iter().map(|label| Job {
        name: format!("{}[{label}]", job.name),
        body: Body::Arm(place, label),
        ..job.clone()
    });
    Some(jobs.collect())
}

/// Whether the arms are for variants or texts, and at least two of them call something.
fn is_dispatch(arms: &[Arm]) -> bool {
    let named = arms
        .iter()
        .filter(|arm| arm.label.is_some_and(is_kind))
        .count();
    let busy = arms
        .iter()
        .filter(|arm| arm.label.is_some_and(is_kind))
        .filter(|arm| is_busy(arm))
        .count();
    named == arms.iter().filter(|arm| arm.label.is_some()).count() && busy >= 2
}

fn is_busy(arm: &Arm) -> bool {
    arm.nodes
        .iter()
        .any(|node| !matches!(node, Node::Exit { .. }))
}

fn is_kind(label: Name) -> bool {
    !label.starts_with('?')
}

/// Whether a value is the payload, or a part or a view of it.
fn is_payload(value: &V) -> bool {
    match &**value {
        Value::Param(_) => true,
        Value::Field(base, _) => is_payload(base),
        Value::Apply(apply) => {
            apply.receiver.as_ref().is_some_and(is_payload) && apply.args.is_empty()
        }
        _ => false,
    }
}
