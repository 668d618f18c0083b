//! Commands of a program that something outside starts again and again: an enum of the command
//! line, named as a set of jobs, with a body method that does each of them.

use retrysafe_rules::catalog::{JobEntry, Shape};

use crate::ir::Place;
use crate::resolve::{FnId, TypeDef, TypeId};
use crate::timeline::{Arm, Node, Timelines, Value};

use super::super::entry::{Body, Job};
use super::attributes::{framework_job, version_fits};
use super::found::Found;
use super::handing::handed_on;
use super::names::{inherent_body, is_telling};

pub(super) fn find(timelines: &mut Timelines<'_>, found: &mut Found) {
    let program = timelines.program();
    let known = timelines.known();
    let mut commands: Vec<(&TypeDef, FnId, &JobEntry)> = Vec::new();
    for (index, def) in program.types.iter().enumerate() {
        if !def.item.is_enum || !is_telling(&def.item.name) {
            continue;
        }
        let derives = program.derives_of(TypeId(index as u32), known);
        let of = known.jobs.iter().find(|of| {
            let paths = &of.entry.paths;
            of.entry.shape == Shape::Command
                && version_fits(program, known, def.module, of)
                && derives
                    .iter()
                    .any(|derive| paths.iter().any(|path| derive == path.as_str()))
        });
        if let (Some(of), Some(method)) = (of, inherent_body(program, def)) {
            commands.push((def, method, &of.entry));
        }
    }
    let methods: Vec<FnId> = commands.iter().map(|(_, method, _)| *method).collect();
    timelines.build(&methods);
    for (def, method, entry) in commands {
        let owner = def.item.name;
        let timeline = timelines.get(method);
        let Some((place, arms)) = choice(&timeline.nodes) else {
            continue;
        };
        for arm in arms {
            let Some(label) = arm.label else { continue };
            let why = format!("the command `{label}` of `{owner}`, started from outside");
            let job = |function| framework_job(program, function, entry, None, why.clone());
            match handed_on(&arm.nodes, timeline) {
                Some(bodies) => {
                    for body in bodies {
                        found.add(job(body));
                    }
                }
                None => {
                    let whole = job(method);
                    found.add(Job {
                        name: format!("{}[{label}]", whole.name),
                        body: Body::Arm(place, label),
                        ..whole
                    });
                }
            }
        }
    }
}

/// The branch that chooses by the command itself.
fn choice(nodes: &[Node]) -> Option<(Place, &Vec<Arm>)> {
    nodes.iter().find_map(|node| match node {
        Node::Branch { place, on, arms } if matches!(**on, Value::Param(0)) => Some((*place, arms)),
        _ => None,
    })
}
