//! Webhook handlers: the function around the verification of a signature, or, where that is a
//! helper without effects, the functions that call it or take what it extracts.

use retrysafe_rules::catalog::Shape;
use rustc_hash::FxHashSet;

use crate::ir::{Name, TypeRef};
use crate::resolve::{FnId, JobId, Owner, Program, Ty};
use crate::timeline::{CallTarget, Timelines};

use super::Found;
use super::attributes::framework_job;

/// How many calls up a verification is followed.
const LEVELS: usize = 3;

pub(super) fn find(timelines: &mut Timelines<'_>, found: &mut Found) {
    let program = timelines.program();
    let known = timelines.known();
    let mut verifying: Vec<(FnId, JobId, String)> = Vec::new();
    for function in timelines.functions() {
        for sighting in &timelines.get(function).sightings {
            let shape = sighting
                .jobs
                .iter()
                .find(|id| known.job(**id).entry.shape == Shape::Verification);
            if let Some(id) = shape {
                let why = format!(
                    "verifies a webhook by `{}`, line {}",
                    sighting.apply.name, sighting.apply.place.line
                );
                verifying.push((function, *id, why));
            }
        }
    }
    let mut seen: FxHashSet<FnId> = FxHashSet::default();
    for _ in 0..LEVELS {
        let roots: Vec<FnId> = verifying.iter().map(|(function, _, _)| *function).collect();
        timelines.follow(&roots);
        let mut next = Vec::new();
        for (function, id, why) in std::mem::take(&mut verifying) {
            if !seen.insert(function) {
                continue;
            }
            if timelines.acts(function) && !is_helper(program, function) {
                found.add(framework_job(
                    program,
                    function,
                    &known.job(id).entry,
                    None,
                    why,
                ));
                continue;
            }
            for caller in users(timelines, function) {
                let name = program.short_name(function);
                next.push((caller, id, format!("calls `{name}`, which {why}")));
            }
        }
        verifying = next;
    }
}

/// Whether a function only answers whether a request is genuine, or hands on what it holds.
fn is_helper(program: &Program, function: FnId) -> bool {
    let def = program.function(function);
    if let Owner::Impl(id) = def.owner
        && let Some(path) = &program.impls[id.index()].trait_
        && path
            .last()
            .is_some_and(|name| name.starts_with("FromRequest"))
    {
        return true;
    }
    match &def.function.returns {
        Some(TypeRef::Path(path)) => path.single().is_some_and(|name| name == "bool"),
        _ => false,
    }
}

/// The functions that call a function, or take the type that it extracts.
fn users(timelines: &mut Timelines<'_>, function: FnId) -> Vec<FnId> {
    let program = timelines.program();
    let name = program.function(function).function.name;
    if let Owner::Impl(id) = program.function(function).owner
        && program.impls[id.index()].trait_.is_some()
    {
        // An extractor: its users are the functions with a parameter of the type.
        let Ty::Adt(ty, _) = &program.impls[id.index()].self_ty else {
            return Vec::new();
        };
        let extracted = program.types[ty.index()].item.name;
        return (0..program.functions.len() as u32)
            .map(FnId)
            .filter(|id| {
                let def = program.function(*id);
                def.owner == Owner::Module
                    && def
                        .function
                        .params
                        .iter()
                        .any(|param| mentions(&param.ty, extracted))
            })
            .collect();
    }
    let candidates: Vec<FnId> = (0..program.functions.len() as u32)
        .map(FnId)
        .filter(|id| {
            *id != function
                && program
                    .function(*id)
                    .function
                    .body
                    .as_ref()
                    .is_some_and(|body| body.mentions(name))
        })
        .collect();
    timelines.build(&candidates);
    candidates
        .into_iter()
        .filter(|id| {
            timelines
                .get(*id)
                .calls
                .iter()
                .any(|call| match &call.target {
                    CallTarget::Functions(functions) => functions.contains(&function),
                    _ => false,
                })
        })
        .collect()
}

fn mentions(ty: &TypeRef, name: Name) -> bool {
    match ty {
        TypeRef::Path(path) => {
            path.last() == Some(name)
                || path
                    .segments
                    .iter()
                    .flat_map(|segment| &segment.args)
                    .any(|arg| mentions(arg, name))
        }
        TypeRef::Tuple(elems) => elems.iter().any(|elem| mentions(elem, name)),
        _ => false,
    }
}
