//! Loops around a message, a tick or a pause: in the function itself, or in one that it calls.

use std::collections::BTreeMap;

use crate::ir::{Name, Place};
use crate::resolve::{FnId, JobId, Ty};
use crate::timeline::{CallTarget, ExitKind, Node, Sighting, Timeline, Timelines, V, Value};

use super::super::entry::{Body, Job};
use super::attributes::framework_job;
use super::found::{Found, site_of};
use super::parameters::Parameters;
use super::reach::calls_among;

/// What a loop is around.
struct Around {
    job: JobId,
    name: Name,
    place: Place,
    /// What the channel carries that it takes from.
    item: Ty,
    /// Whether every turn waits for it: what pauses besides stands behind what was taken.
    in_every_turn: bool,
}

/// The loops found so far, by function and place.
#[derive(Default)]
pub(super) struct Loops {
    found: BTreeMap<(FnId, Place), Around>,
    /// Functions that take a message or pause outside of any loop of their own.
    waiting: Vec<(FnId, JobId, Ty)>,
    /// Those of them that a loop reaches through a trait with several implementors: each takes
    /// from a queue of its own. With the function that the loop stands in.
    stepped: BTreeMap<FnId, (JobId, FnId)>,
}

impl Loops {
    /// Notes a call that some loop shape matches.
    pub(super) fn sighted(
        &mut self,
        timelines: &Timelines<'_>,
        function: FnId,
        sighting: &Sighting,
        job: JobId,
    ) {
        let endless = sighting.loops.iter().rev().find(|(_, endless)| *endless);
        match endless {
            Some((place, _)) => {
                let around = Around {
                    job,
                    name: sighting.apply.name,
                    place: sighting.apply.place,
                    item: sighting.apply.receiver_ty.first_arg(),
                    in_every_turn: waits_in_every_turn(timelines, function, *place, sighting),
                };
                self.note(timelines, (function, *place), around);
            }
            None if sighting.loops.is_empty() && sighting.within.is_empty() => {
                let entry = &timelines.known().job(job).entry;
                // Much code pauses on the way; a function that does nothing else is a timer.
                if !entry.needs_effect || !timelines.get(function).acts {
                    let item = sighting.apply.receiver_ty.first_arg();
                    self.waiting.push((function, job, item));
                }
            }
            None => {}
        }
    }

    /// A message weighs more than the pause between two of them, and both more than a channel,
    /// unless each turn begins with what that gives.
    fn note(&mut self, timelines: &Timelines<'_>, at: (FnId, Place), around: Around) {
        let weight = |around: &Around| {
            let entry = &timelines.known().job(around.job).entry;
            match (entry.needs_effect, entry.fed_by.is_empty()) {
                (true, false) if !around.in_every_turn => 0,
                (true, true) => 1,
                (true, false) => 2,
                (false, _) => 3,
            }
        };
        let weighs_more = self
            .found
            .get(&at)
            .is_none_or(|known| weight(known) < weight(&around));
        if weighs_more {
            self.found.insert(at, around);
        }
    }

    /// Finds the endless loops that call a function which waits.
    pub(super) fn reach_callers(&mut self, timelines: &mut Timelines<'_>) {
        let program = timelines.program();
        let waiting = std::mem::take(&mut self.waiting);
        for (function, job, item) in waiting {
            let name = program.function(function).function.name;
            for caller in timelines.naming(function) {
                let timeline = timelines.get(caller);
                let mut found = Vec::new();
                for nodes in timeline.lists() {
                    loops_calling(nodes, timeline, function, None, &mut found);
                }
                for (place, call, is_one_of_several) in found {
                    if is_one_of_several && program.implemented_trait(function).is_some() {
                        self.stepped.entry(function).or_insert((job, caller));
                        continue;
                    }
                    let around = Around {
                        job,
                        name,
                        place: call,
                        item: item.clone(),
                        in_every_turn: false,
                    };
                    self.note(timelines, (caller, place), around);
                }
            }
        }
    }

    /// Whether a timer is left once something has worked, so that it is a retry or a poll and not
    /// a schedule; so is one around a loop that has a job of its own.
    fn is_wait(&self, function: FnId, place: Place, nodes: &[Node]) -> bool {
        let is_outer = self
            .found
            .keys()
            .any(|(other, inner)| *other == function && *inner != place && place.covers(*inner));
        is_outer || leaves_on_success(nodes)
    }

    /// Notes the parameters that the loops call in their turns.
    pub(super) fn run_parameters(&self, timelines: &Timelines<'_>, parameters: &mut Parameters) {
        for ((function, place), around) in &self.found {
            let timeline = timelines.get(*function);
            let Some(nodes) = timeline.loop_at(*place) else {
                continue;
            };
            let entry = &timelines.known().job(around.job).entry;
            if entry.needs_effect && self.is_wait(*function, *place, nodes) {
                continue;
            }
            let mut calls = Vec::new();
            calls_among(nodes, timeline, &mut calls);
            for id in calls {
                if let CallTarget::Value(value) = &timeline.calls[id.0 as usize].target
                    && let Value::Param(param) = **value
                {
                    let why = format!(
                        "runs it in a loop around `{}`, line {}",
                        around.name, around.place.line
                    );
                    parameters.note(*function, param, around.job, why);
                }
            }
        }
    }

    /// Adds the jobs that the loops are, and gives those that take from a channel of the process,
    /// with what that carries.
    pub(super) fn add_to(&self, timelines: &Timelines<'_>, found: &mut Found) -> Vec<(Job, Ty)> {
        let mut of_channels = Vec::new();
        let program = timelines.program();
        for ((function, place), around) in &self.found {
            let entry = &timelines.known().job(around.job).entry;
            let Some(nodes) = timelines.get(*function).loop_at(*place) else {
                continue;
            };
            if entry.needs_effect && self.is_wait(*function, *place, nodes) {
                continue;
            }
            let why = format!(
                "a loop around `{}`, line {}",
                around.name, around.place.line
            );
            let mut job = framework_job(program, *function, entry, None, why);
            job.body = Body::Part(*place);
            job.site = site_of(program, *function);
            job.inputs = Vec::new();
            if entry.fed_by.is_empty() {
                found.add(job);
            } else {
                of_channels.push((job, around.item.clone()));
            }
        }
        for (function, (job, caller)) in &self.stepped {
            let entry = &timelines.known().job(*job).entry;
            if !entry.needs_effect {
                let why = format!(
                    "takes a message each time that `{}` calls it in a loop",
                    program.short_name(*caller)
                );
                found.add(framework_job(program, *function, entry, None, why));
            }
        }
        of_channels
    }
}

/// Whether a loop waits for a call in every turn: neither in an arm of some choice, nor for
/// whatever comes first.
fn waits_in_every_turn(
    timelines: &Timelines<'_>,
    function: FnId,
    place: Place,
    sighting: &Sighting,
) -> bool {
    let nodes = timelines.get(function).loop_at(place).unwrap_or_default();
    sighting.apply.is_awaited && !is_in_arm(nodes, sighting.apply.place)
}

/// Whether a place stands in the arm of some branch among nodes, not in what the branch is on.
fn is_in_arm(nodes: &[Node], place: Place) -> bool {
    nodes.iter().any(|node| match node {
        Node::Branch {
            place: branch, on, ..
        } => branch.covers(place) && !is_at(on, place, 6),
        Node::Regime { nodes, .. }
        | Node::Transaction { nodes, .. }
        | Node::Scope { nodes, .. }
        | Node::Loop { nodes, .. } => is_in_arm(nodes, place),
        Node::Call(_) | Node::Extern(_) | Node::Unread { .. } | Node::Exit { .. } => false,
    })
}

/// Whether a value is what the call at a place gave, or made from that.
fn is_at(value: &V, place: Place, depth: u32) -> bool {
    value.any(
        depth,
        &|part| matches!(part, Value::Apply(apply) if apply.place == place),
    )
}

/// The endless loops that call a function in every turn, with the place of the call, and whether
/// it may as well go to others.
fn loops_calling(
    nodes: &[Node],
    timeline: &Timeline,
    function: FnId,
    inside: Option<Place>,
    found: &mut Vec<(Place, Place, bool)>,
) {
    for node in nodes {
        match node {
            Node::Call(id) => {
                let call = &timeline.calls[id.0 as usize];
                if let (Some(inside), CallTarget::Functions(functions)) = (inside, &call.target)
                    && functions.contains(&function)
                {
                    found.push((inside, call.place, functions.len() > 1));
                }
            }
            Node::Loop {
                place,
                forever,
                takes,
                nodes,
                ..
            } => {
                let waits = *forever || *takes && begins_with_call(nodes, timeline, function);
                let inner = waits.then_some(*place);
                loops_calling(nodes, timeline, function, inner, found);
            }
            Node::Branch { arms, .. } => {
                for arm in arms {
                    loops_calling(&arm.nodes, timeline, function, inside, found);
                }
            }
            Node::Regime { nodes, .. }
            | Node::Transaction { nodes, .. }
            | Node::Scope { nodes, .. } => {
                loops_calling(nodes, timeline, function, inside, found);
            }
            Node::Extern(_) | Node::Unread { .. } | Node::Exit { .. } => {}
        }
    }
}

/// Whether the head of a loop calls a function: `while let Some(x) = next().await`.
fn begins_with_call(nodes: &[Node], timeline: &Timeline, function: FnId) -> bool {
    match nodes.first() {
        Some(Node::Call(id)) => {
            let target = &timeline.calls[id.0 as usize].target;
            matches!(target, CallTarget::Functions(functions) if *functions == [function])
        }
        _ => false,
    }
}

/// Whether a path leaves the loop because something has worked: `return Ok(x)`, `break x`, or a
/// plain `break` or `return` where the outcome is `Ok`.
fn leaves_on_success(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Exit {
            kind: ExitKind::Return | ExitKind::Give,
            ..
        } => true,
        Node::Branch { on, arms, .. } => {
            // What an effect or a read gave decides.
            let of_call = tells_of_call(on, 6);
            arms.iter().any(|arm| {
                let worked = of_call || arm.label.is_some_and(|label| label == "?Ok");
                worked && arm.nodes.iter().any(ends_loop) || leaves_on_success(&arm.nodes)
            })
        }
        _ => false,
    })
}

/// Whether a value is what a catalogued call gave, or computed from that.
fn tells_of_call(value: &V, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    match &**value {
        Value::Apply(apply) => {
            apply.effect.is_some()
                || apply
                    .receiver
                    .as_ref()
                    .is_some_and(|receiver| tells_of_call(receiver, depth))
        }
        Value::Field(inner, _) | Value::Item(inner) => tells_of_call(inner, depth - 1),
        Value::Operation(_, left, right) => {
            tells_of_call(left, depth - 1) || tells_of_call(right, depth - 1)
        }
        _ => false,
    }
}

/// Whether a node ends the loop it stands in: `break`, `return` of nothing.
fn ends_loop(node: &Node) -> bool {
    matches!(
        node,
        Node::Exit {
            kind: ExitKind::Break | ExitKind::Leave,
            ..
        }
    )
}
