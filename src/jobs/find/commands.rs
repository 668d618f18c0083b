//! Commands of a program that something outside starts again and again: an enum of the command
//! line, named as a set of jobs, with a body method that does each of them.

use retrysafe_rules::catalog::Input as Place;
use retrysafe_rules::vocabulary::JobKind;

use crate::ir::{Name, Place as At};
use crate::resolve::{FnId, TypeId};
use crate::timeline::{Arm, Node, Timelines, Value};

use super::super::entry::{Body, Job, RunsHow};
use super::super::input::inputs_of;
use super::found::{Found, site_of};
use super::handing::handed_on;
use super::names::{inherent_body, is_telling};

/// The derives that make a type a part of the command line.
const DERIVES: &[&str] = &["clap::ValueEnum", "clap::Subcommand"];

pub(super) fn find(timelines: &mut Timelines<'_>, found: &mut Found) {
    let program = timelines.program();
    let known = timelines.known();
    let commands: Vec<(Name, FnId)> = program
        .types
        .iter()
        .enumerate()
        .filter(|(_, def)| def.item.is_enum && is_telling(&def.item.name))
        .filter(|(index, _)| {
            let derives = program.derives_of(TypeId(*index as u32), known);
            derives.iter().any(|path| DERIVES.contains(&path.as_str()))
        })
        .filter_map(|(_, def)| Some((def.item.name, inherent_body(program, def)?)))
        .collect();
    let methods: Vec<FnId> = commands.iter().map(|(_, method)| *method).collect();
    timelines.build(&methods);
    for (owner, method) in commands {
        let timeline = timelines.get(method);
        let Some((place, arms)) = choice(&timeline.nodes) else {
            continue;
        };
        for arm in arms {
            let Some(label) = arm.label else { continue };
            let why = format!("the command `{label}` of `{owner}`, started from outside");
            match handed_on(&arm.nodes, timeline) {
                Some(bodies) => {
                    for body in bodies {
                        found.add(started(timelines, body, Body::Whole, why.clone()));
                    }
                }
                None => {
                    let mut job = started(timelines, method, Body::Arm(place, label), why);
                    job.name = format!("{}[{label}]", job.name);
                    found.add(job);
                }
            }
        }
    }
}

/// The branch that chooses by the command itself.
fn choice(nodes: &[Node]) -> Option<(At, &Vec<Arm>)> {
    nodes.iter().find_map(|node| match node {
        Node::Branch { place, on, arms } if matches!(**on, Value::Param(0)) => Some((*place, arms)),
        _ => None,
    })
}

fn started(timelines: &Timelines<'_>, function: FnId, body: Body, why: String) -> Job {
    let program = timelines.program();
    Job {
        name: program.full_name(function),
        function,
        body,
        site: site_of(program, function),
        kind: JobKind::Scheduled,
        framework: None,
        runs: RunsHow::untold(),
        why,
        key: None,
        inputs: inputs_of(program, function, Place::None, &[]),
        listed: None,
        needs_effect: true,
        drives: false,
    }
}
