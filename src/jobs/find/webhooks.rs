//! Webhook handlers: the function around the verification of a signature, or, where that is a
//! helper without effects, the functions that call it or take what it extracts.

use retrysafe_rules::catalog::{Attempts, Shape};
use rustc_hash::FxHashSet;

use crate::ir::{Name, TypeRef, words};
use crate::resolve::{FnId, JobId, Known, Owner, Program, Ty};
use crate::timeline::{CallTarget, Timelines};

use super::attributes::framework_job;
use super::comparison::Comparison;
use super::found::Found;

/// How many calls up a verification is followed.
const LEVELS: usize = 3;

/// Words for what a user shows, which is signed and compared like a webhook. A token may as well
/// be that of a sender.
const LOGIN: &[&str] = &[
    "jwt", "login", "session", "password", "cookie", "totp", "csrf",
];

/// Words in the types of what a handler takes that only a user's request brings along.
const USER: &[&str] = &["user", "claims", "session", "cookie", "cookies", "identity"];

pub(super) fn find(timelines: &mut Timelines<'_>, found: &mut Found) {
    let program = timelines.program();
    let known = timelines.known();
    let mut verifying: Vec<(FnId, JobId, String, bool)> = verifying(timelines)
        .into_iter()
        .map(|(function, id, why)| (function, id, why, false))
        .collect();
    let mut seen: FxHashSet<FnId> = FxHashSet::default();
    for _ in 0..LEVELS {
        let roots: Vec<FnId> = verifying.iter().map(|of| of.0).collect();
        timelines.follow(&roots);
        let mut next = Vec::new();
        for (function, id, why, is_once) in std::mem::take(&mut verifying) {
            if !seen.insert(function) || is_of_user(program, function) {
                continue;
            }
            let is_once = is_once || is_sent_once(program, known, function);
            if timelines.acts(function) && !is_helper(program, known, function) {
                let mut job = framework_job(program, function, &known.job(id).entry, None, why);
                if is_once {
                    job.runs.attempts = Attempts::Count(1);
                }
                found.add(job);
                continue;
            }
            let name = program.short_name(function);
            let how = if extracted(program, known, function).is_some() {
                "takes what is extracted by"
            } else {
                "calls"
            };
            for caller in users(timelines, function) {
                let why = format!("{how} `{name}`, which {why}");
                next.push((caller, id, why, is_once));
            }
        }
        verifying = next;
    }
}

/// Whether a function reads a header of a sender that never delivers again by itself.
fn is_sent_once(program: &Program, known: &Known, function: FnId) -> bool {
    let body = program.function(function).function.body.as_ref();
    body.is_some_and(|body| program.has_text(body, &known.sent_once))
}

/// The functions that verify a signature, with what they verify it by.
fn verifying(timelines: &Timelines<'_>) -> Vec<(FnId, JobId, String)> {
    let program = timelines.program();
    let mut verifying: Vec<(FnId, JobId, String)> = Vec::new();
    for function in timelines.functions() {
        if is_of_login(program, function) {
            continue;
        }
        let timeline = timelines.get(function);
        for sighting in &timeline.sightings {
            let shape = sighting.jobs.iter().find(|id| {
                let entry = &timelines.known().job(**id).entry;
                entry.shape == Shape::Verification
                    && (!entry.compared
                        || Comparison::of(program, timeline, &sighting.apply).is_made())
            });
            if let Some(id) = shape {
                let why = format!(
                    "verifies a webhook by `{}`, line {}",
                    sighting.apply.name, sighting.apply.place.line
                );
                verifying.push((function, *id, why));
            }
        }
    }
    verifying
}

/// Whether a function, or the module it stands in, is named for who is logged in: a user's
/// request is no delivery that comes again.
fn is_of_login(program: &Program, function: FnId) -> bool {
    let def = program.function(function);
    let module = program.module_path(def.module);
    let module = module.rsplit("::").next().unwrap_or_default();
    module
        .split('_')
        .chain(def.function.name.split('_'))
        .any(|word| LOGIN.contains(&word))
}

/// Whether a function takes what only the request of somebody logged in, or of a browser, brings.
fn is_of_user(program: &Program, function: FnId) -> bool {
    let mut params = program.function(function).function.params.iter();
    params.any(|param| {
        names_any(&param.ty, &|name| {
            words(name).any(|word| USER.contains(&word.as_str()))
        })
    })
}

/// Whether a function only answers whether a request is genuine, or hands on what it holds.
fn is_helper(program: &Program, known: &Known, function: FnId) -> bool {
    let def = program.function(function);
    if extracted(program, known, function).is_some() {
        return true;
    }
    match &def.function.returns {
        Some(TypeRef::Path(path)) => path.single().is_some_and(|name| name == "bool"),
        _ => false,
    }
}

/// The name of the type that a function extracts from a request, as the method of a trait: those
/// with a parameter of the type use it.
fn extracted(program: &Program, known: &Known, function: FnId) -> Option<Name> {
    let Owner::Impl(id) = program.function(function).owner else {
        return None;
    };
    let owner = &program.impls[id.index()];
    let of_trait = owner.trait_.as_ref()?.last()?;
    if !known.is_extractor(of_trait) {
        return None;
    }
    match &owner.self_ty {
        Ty::Adt(ty, _) => Some(program.types[ty.index()].item.name),
        _ => None,
    }
}

/// The functions that call a function, or take the type that it extracts.
fn users(timelines: &mut Timelines<'_>, function: FnId) -> Vec<FnId> {
    let program = timelines.program();
    if let Some(extracted) = extracted(program, timelines.known(), function) {
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
    timelines
        .naming(function)
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
    names_any(ty, &|found| found == name.as_str())
}

/// Whether a type, or one within it, has a name of such a kind.
fn names_any(ty: &TypeRef, is_it: &dyn Fn(&str) -> bool) -> bool {
    match ty {
        TypeRef::Path(path) => {
            path.last().is_some_and(|last| is_it(&last))
                || path
                    .segments
                    .iter()
                    .flat_map(|segment| &segment.args)
                    .any(|arg| names_any(arg, is_it))
        }
        TypeRef::Tuple(elems) => elems.iter().any(|elem| names_any(elem, is_it)),
        _ => false,
    }
}
