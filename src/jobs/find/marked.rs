//! Jobs that an attribute, a comment or the configuration declares.

use retrysafe_rules::catalog::{Attempts, Input as Place};
use retrysafe_rules::grammar::{JobMark, Mark};
use retrysafe_rules::vocabulary::{Delivery, JobKind};

use crate::config::{ItemPath, JobRule};
use crate::ir::Site;
use crate::resolve::{Def, FnId, Owner, Program};

use super::super::entry::{Declaration, Job, RunsHow};
use super::super::input::{Input, inputs_of, parameters};
use super::found::{Found, job_of};
use super::signs::is_stored;

pub(super) fn find(program: &Program, rules: &[JobRule], found: &mut Found) {
    for index in 0..program.functions.len() {
        let function = FnId(index as u32);
        let def = program.function(function);
        if def.function.body.is_none() {
            continue;
        }
        for mark in &def.function.marks {
            if let Mark::Job(job) = &mark.value {
                let at = |place| Site {
                    file: def.file,
                    place,
                };
                let parts = mark.parts.iter().map(|place| at(*place)).collect();
                found.add(declared(
                    program,
                    function,
                    job,
                    "marked as a job".to_owned(),
                    Declaration::Mark(at(mark.place), parts),
                ));
            }
        }
        let Some(rule) = rules.iter().find(|rule| fits(program, function, rule)) else {
            continue;
        };
        let why = format!("named in the configuration, line {}", rule.place.line);
        let declaration = Declaration::Entry(rule.place);
        found.add(declared(program, function, &rule.mark, why, declaration));
    }
}

fn declared(
    program: &Program,
    function: FnId,
    mark: &JobMark,
    why: String,
    declaration: Declaration,
) -> Job {
    let kind = if mark.schedule {
        JobKind::Scheduled
    } else {
        JobKind::Declared
    };
    Job {
        runs: RunsHow {
            delivery: mark.delivery.unwrap_or(Delivery::Unknown),
            attempts: mark.attempts.map_or(Attempts::Unknown, Attempts::Count),
            ..RunsHow::untold()
        },
        key: mark.key.clone(),
        inputs: payload(program, function),
        listed: mark.effects.clone(),
        declaration: Some(declaration),
        ..job_of(program, function, kind, why)
    }
}

/// What a declared job is about: the fields of an implementor that is written down and read
/// back, else the parameters.
fn payload(program: &Program, function: FnId) -> Vec<Input> {
    match program.function(function).owner {
        Owner::Impl(id) if is_stored(program, id) => {
            inputs_of(program, function, Place::Receiver, &[])
        }
        _ => parameters(program, function),
    }
}

/// Whether an entry of the configuration names any function of the workspace.
pub fn names_job(program: &Program, rule: &JobRule) -> bool {
    (0..program.functions.len() as u32)
        .map(FnId)
        .filter(|id| program.function(*id).function.body.is_some())
        .any(|id| fits(program, id, rule))
}

fn fits(program: &Program, function: FnId, rule: &JobRule) -> bool {
    let def = program.function(function);
    let krate = program.crate_of(def.module).name;
    if let Some(pattern) = &rule.path {
        return pattern.means_shortly(&ItemPath::own(&krate, &program.full_name(function)));
    }
    let (Some(wanted), Some(method)) = (&rule.trait_path, &rule.method) else {
        return false;
    };
    let Owner::Impl(id) = def.owner else {
        return false;
    };
    if def.function.name != method.as_str() {
        return false;
    }
    match program.impls[id.index()].trait_def {
        Some(Def::Trait(id)) => {
            let krate = program.crate_of(program.traits[id.index()].module).name;
            ItemPath::own(&krate, &program.full_trait_name(id)).is_written(wanted)
        }
        Some(Def::Extern(path)) => path == wanted.as_str(),
        _ => false,
    }
}
