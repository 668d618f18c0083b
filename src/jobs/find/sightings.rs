//! Jobs found by a call: registrations of a body, and loops around a message, a tick or a turn.

use retrysafe_rules::catalog::{Argument, JobEntry, Shape};

use crate::ir::{Literal, Name};
use crate::resolve::{Def, FnId, JobId, Known, Program, Ty};
use crate::timeline::{Apply, Sighting, Timelines, V, Value};

use super::super::entry::Job;
use super::attributes::{framework_job, version_fits};
use super::bodies::{add_body, bodies};
use super::found::Found;
use super::loops::Loops;
use super::parameters::Parameters;

/// Gives the loops that take from a channel of the process: whether they are jobs, those who
/// send into it tell.
pub(super) fn find(timelines: &mut Timelines<'_>, found: &mut Found) -> Vec<(Job, Ty)> {
    let program = timelines.program();
    let known = timelines.known();
    let candidates: Vec<FnId> = (0..program.functions.len() as u32)
        .map(FnId)
        .filter(|id| {
            let body = program.function(*id).function.body.as_ref();
            body.is_some_and(|body| {
                body.mentions
                    .iter()
                    .any(|name| known.job_words.contains(name))
            })
        })
        .collect();
    timelines.build(&candidates);
    let mut loops = Loops::default();
    let mut parameters = Parameters::default();
    for function in candidates {
        let timeline = timelines.get(function);
        for sighting in &timeline.sightings {
            let Some(id) = best(program, known, function, sighting) else {
                continue;
            };
            let entry = &known.job(id).entry;
            match entry.shape {
                Shape::Registration => {
                    register(timelines, function, sighting, id, &mut parameters, found);
                }
                Shape::TypeRegistration => register_type(program, sighting, entry, found),
                Shape::Loop => loops.sighted(timelines, function, sighting, id),
                _ => {}
            }
        }
    }
    loops.reach_callers(timelines);
    loops.run_parameters(timelines, &mut parameters);
    let of_channels = loops.add_to(timelines, found);
    parameters.add_to(timelines, found);
    of_channels
}

/// The shape that fits a sighting best: the first whose conditions hold.
fn best(program: &Program, known: &Known, function: FnId, sighting: &Sighting) -> Option<JobId> {
    let module = program.function(function).module;
    sighting.jobs.iter().copied().find(|id| {
        let of = known.job(*id);
        let entry = &of.entry;
        if !version_fits(program, known, module, of) {
            return false;
        }
        let mut mentioned = Vec::new();
        mentions(&sighting.apply, 6, &mut mentioned);
        let has = |wanted: &String| {
            mentioned.iter().any(|path| {
                // A type is also met as the owner of a method: `MemoryStorage::take`.
                let owns = !wanted.contains("::") && path.split("::").any(|part| part == wanted);
                owns || path == wanted.as_str() || path.ends_with(&format!("::{wanted}"))
            })
        };
        (entry.requires.is_empty() || entry.requires.iter().any(has))
            && !entry.forbids.iter().any(has)
    })
}

/// The paths and method names in a call's receiver chain and arguments, the types of these, and
/// the options that are switched on there.
fn mentions(apply: &Apply, depth: u32, out: &mut Vec<Name>) {
    out.push(apply.path);
    out.push(apply.name);
    if depth == 0 {
        return;
    }
    for value in apply.receiver.iter().chain(&apply.args) {
        value_mentions(value, depth - 1, out);
    }
}

fn value_mentions(value: &V, depth: u32, out: &mut Vec<Name>) {
    match &**value {
        // Chains are long: only steps into arguments count as depth.
        Value::Apply(inner) => {
            out.push(inner.path);
            out.push(inner.name);
            out.extend(inner.arg_types.iter().filter_map(Ty::extern_path));
            if let Some(receiver) = &inner.receiver {
                value_mentions(receiver, depth, out);
            }
            if depth > 0 {
                for arg in &inner.args {
                    value_mentions(arg, depth - 1, out);
                }
            }
        }
        Value::Struct { name, fields, .. } => {
            out.push(*name);
            // A switch that is on: `no_ack: true`.
            out.extend(fields.iter().filter_map(|(field, value)| match **value {
                Value::Literal(Literal::Bool(true)) => Some(*field),
                _ => None,
            }));
        }
        Value::Match(_, arms) if depth > 0 => {
            for (_, value) in arms {
                value_mentions(value, depth - 1, out);
            }
        }
        Value::Either(values) if depth > 0 => {
            for value in values {
                value_mentions(value, depth - 1, out);
            }
        }
        _ => {}
    }
}

fn register(
    timelines: &Timelines<'_>,
    function: FnId,
    sighting: &Sighting,
    id: JobId,
    parameters: &mut Parameters,
    found: &mut Found,
) {
    let entry = &timelines.known().job(id).entry;
    let apply = &sighting.apply;
    let body = match entry.argument {
        Argument::At(index) => apply.args.get(index),
        Argument::Last => apply.args.last(),
        Argument::Receiver => apply.receiver.as_ref(),
    };
    let Some(body) = body else { return };
    let why = format!(
        "handed to {} by `{}` in `{}`, line {}",
        entry.framework,
        apply.name,
        timelines.program().full_name(function),
        apply.place.line
    );
    for value in bodies(body) {
        add_body(timelines, function, &value, entry, &why, found);
        if let Value::Param(param) = *value {
            parameters.note(function, param, id, why.clone());
        }
    }
}

/// `.register::<T>()`: the job trait's method on `T`.
fn register_type(program: &Program, sighting: &Sighting, entry: &JobEntry, found: &mut Found) {
    for ty in &sighting.generics {
        let Ty::Adt(id, _) = ty else { continue };
        for impl_id in &program.types[id.index()].impls {
            let def = &program.impls[impl_id.index()];
            let of_trait = match def.trait_def {
                Some(Def::Extern(path)) => entry.paths.iter().any(|wanted| path == wanted.as_str()),
                _ => false,
            };
            if !of_trait {
                continue;
            }
            for method in &entry.methods {
                if let Some(function) = def.methods.get(&Name::from(method)) {
                    let why = format!("registered by `{}`", sighting.apply.name);
                    found.add(framework_job(program, *function, entry, None, why));
                }
            }
        }
    }
}
