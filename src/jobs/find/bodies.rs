//! Values that are bodies of jobs: functions, and closures that are bodies themselves or hand on.

use retrysafe_rules::catalog::{JobEntry, Shape};

use crate::ir::Site;
use crate::resolve::FnId;
use crate::timeline::{Timelines, V, Value};

use super::super::entry::{Body, Job};
use super::attributes::{first_param_fits, framework_job};
use super::found::Found;
use super::handing::handed_on;

/// Adds the job that a value in a function is the body of. A function whose own loop is a job
/// is only started again when it ends.
pub(super) fn add_body(
    timelines: &Timelines<'_>,
    function: FnId,
    value: &V,
    entry: &JobEntry,
    why: &str,
    found: &mut Found,
) {
    let program = timelines.program();
    let job = |body: FnId| framework_job(program, body, entry, None, why.to_owned());
    let may = |found: &Found, body: FnId| {
        first_param_fits(program, body, entry)
            && !(entry.shape == Shape::Loop && found.has_part(body))
    };
    match &**value {
        Value::Function(id) if may(found, *id) => found.add(job(*id)),
        Value::Closure(id) => {
            let Some(closure) = timelines.get(function).closures.get(id) else {
                return;
            };
            match handed_on(&closure.nodes, timelines.get(function)) {
                // What the closure calls is the body.
                Some(calls) => {
                    for id in calls {
                        if may(found, id) {
                            found.add(job(id));
                        }
                    }
                }
                _ if !entry.first_param.is_empty() && !imports_one(timelines, function, entry) => {}
                _ => {
                    let file = program.function(function).file;
                    let place = closure.place;
                    found.add(Job {
                        body: Body::Part(place),
                        site: Site { file, place },
                        inputs: Vec::new(),
                        ..job(function)
                    });
                }
            }
        }
        _ => {}
    }
}

/// Whether the module of a function imports one of the types that a body's first parameter must
/// have: what is left to ask of a closure without written types.
fn imports_one(timelines: &Timelines<'_>, function: FnId, entry: &JobEntry) -> bool {
    let program = timelines.program();
    let imported = program.imported_traits(program.function(function).module, timelines.known());
    imported.iter().any(|path| {
        entry
            .first_param
            .iter()
            .any(|wanted| path.rsplit("::").next() == wanted.rsplit("::").next())
    })
}

/// The functions, closures and parameters that a registered value holds: `task_fn(f)`,
/// `Box::new(|| …)`.
pub(super) fn bodies(value: &V) -> Vec<V> {
    held(value, 4)
}

fn held(value: &V, depth: u32) -> Vec<V> {
    match &**value {
        Value::Function(_) | Value::Closure(_) | Value::Param(_) => vec![V::clone(value)],
        Value::Either(values) if depth > 0 => values
            .iter()
            .flat_map(|value| held(value, depth - 1))
            .collect(),
        Value::Match(_, arms) if depth > 0 => arms
            .iter()
            .flat_map(|(_, value)| held(value, depth - 1))
            .collect(),
        Value::Apply(apply) if depth > 0 => apply
            .args
            .iter()
            .flat_map(|arg| held(arg, depth - 1))
            .collect(),
        Value::Struct { fields, .. } if depth > 0 => fields
            .iter()
            .flat_map(|(_, value)| held(value, depth - 1))
            .collect(),
        _ => Vec::new(),
    }
}
