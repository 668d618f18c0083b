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
    let (place, arms) = timeline.nodes.iter().find_map(|node| match node {
        Node::Branch { place, on, arms } if is_payload(on) && is_dispatch(arms) => {
            Some((*place, arms))
        }
        _ => None,
    })?;
    let jobs = arms
        .iter()
        .enumerate()
        .filter_map(|(index, arm)| {
            let label = arm.label?;
            Some(Job {
                name: format!("{}[{label}]", job.name),
                body: Body::Arm(place, index),
                ..job.clone()
            })
        })
        .collect();
    Some(jobs)
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
        .filter(|arm| {
            arm.nodes
                .iter()
                .any(|node| !matches!(node, Node::Exit { .. }))
        })
        .count();
    named == arms.iter().filter(|arm| arm.label.is_some()).count() && busy >= 2
}

fn is_kind(label: Name) -> bool {
    !matches!(
        label.as_str(),
        "Some" | "None" | "Ok" | "Err" | "Ready" | "Pending" | "Continue" | "Break"
    )
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
