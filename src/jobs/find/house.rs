//! Job traits made in the house, found by their shape: a trait of the workspace with several
//! implementations, a body method of a telling name, and a sign that its implementors are
//! stored, named or boxed.

use retrysafe_rules::catalog::{Attempts, Input as Place};
use retrysafe_rules::vocabulary::JobKind;

use crate::ir::{ConstItem, Expr, Literal, Name, TypeRef};
use crate::resolve::{FnId, ImplId, ModuleId, Program, TraitDef, TraitId, Ty};
use crate::timeline::Timelines;

use super::super::entry::{Job, RunsHow};
use super::super::input::{inputs_of, show_type};
use super::drivers::Drivers;
use super::found::{Found, job_of};
use super::names::{BODIES, is_hinting, is_telling};
use super::outcomes::is_ignored;
use super::signs::{Signs, is_stored};

/// How far below a worker's body a trait may be called whose name says little.
const NEAR: usize = 2;

pub(super) fn find(timelines: &mut Timelines<'_>, drivers: &Drivers, found: &mut Found) {
    let program = timelines.program();
    for (index, def) in program.traits.iter().enumerate() {
        let id = TraitId(index as u32);
        let Some(body) = BODIES
            .iter()
            .find_map(|name| def.methods.get(&Name::from(name)))
        else {
            continue;
        };
        let name = plain_name(def);
        let strong = is_telling(name);
        let weak = is_hinting(name);
        if !strong && !weak || !is_body(program, *body) {
            continue;
        }
        let impls: Vec<ImplId> = def
            .impls
            .iter()
            .copied()
            .filter(|id| is_real(program, *id))
            .collect();
        let driven = drivers
            .level_of(id)
            .is_some_and(|level| strong || level <= NEAR);
        let signs = Signs::read(program, def, &impls, driven);
        let enough = if strong {
            impls.len() >= 2 && signs.any() || !impls.is_empty() && signs.stored
        } else {
            let handed_on = signs.stored && gives_nothing(program, *body);
            impls.len() >= 2 && (signs.driven || handed_on)
        };
        if enough {
            let runs = runs(timelines, id, *body);
            add(program, def, *body, (&impls, &signs), &runs, found);
            drivers.mark_trait(id, found);
        }
    }
}

/// Adds the implementations of a job trait as jobs.
fn add(
    program: &Program,
    def: &TraitDef,
    body: FnId,
    (impls, signs): (&[ImplId], &Signs),
    runs: &RunsHow,
    found: &mut Found,
) {
    let method = program.function(body).function.name;
    for impl_id in impls {
        let owner = &program.impls[impl_id.index()];
        let Some(function) = owner.methods.get(&method).copied() else {
            continue;
        };
        if found.is_known(function) {
            continue;
        }
        // A payload is its own input; a handler is given one.
        let input = if is_stored(program, *impl_id) {
            Place::Receiver
        } else {
            Place::ParamsFrom(0)
        };
        let mut name = program.full_name(function);
        let others = impls
            .iter()
            .any(|other| other != impl_id && program.impls[other.index()].self_ty == owner.self_ty);
        if others && let Some(of) = written_argument(owner.trait_.as_ref()) {
            name = format!("{name}[{of}]");
        }
        let why = format!("implements the job trait `{}`, {}", def.name, signs.text());
        found.add(Job {
            name,
            runs: runs.clone(),
            inputs: inputs_of(program, function, input, &[]),
            ..job_of(program, function, JobKind::Queue, why)
        });
    }
}

/// The name of a trait, without the letter that some put behind it for its parameter.
fn plain_name(def: &TraitDef) -> &str {
    let name = def.name.as_str();
    match name.strip_suffix('T') {
        Some(rest) if rest.ends_with(|last: char| last.is_ascii_lowercase()) => rest,
        _ => name,
    }
}

/// What the trait of an impl is about: its first type argument as written.
fn written_argument(path: Option<&crate::ir::Path>) -> Option<String> {
    let last = path?.segments.last()?;
    last.args.first().map(show_type)
}

/// Whether the method is asynchronous or can fail: a body, not a getter.
fn is_body(program: &Program, method: FnId) -> bool {
    let function = &program.function(method).function;
    let fallible = match &function.returns {
        Some(TypeRef::Path(path)) => path.last().is_some_and(|last| {
            last.contains("Result") || last.contains("Future") || last == "Pin"
        }),
        Some(TypeRef::Impl(bounds)) => bounds
            .iter()
            .any(|bound| bound.last().is_some_and(|last| last == "Future")),
        _ => false,
    };
    function.has_self && (function.is_async || fallible)
}

/// Whether the method gives nothing but success: an answer would be for somebody who waits.
fn gives_nothing(program: &Program, method: FnId) -> bool {
    let is_unit = |ty: &TypeRef| matches!(ty, TypeRef::Tuple(elems) if elems.is_empty());
    match &program.function(method).function.returns {
        None => true,
        Some(TypeRef::Path(path)) => path
            .segments
            .last()
            .and_then(|segment| segment.args.first())
            .is_some_and(is_unit),
        Some(_) => false,
    }
}

fn is_real(program: &Program, id: ImplId) -> bool {
    let def = &program.impls[id.index()];
    let Ty::Adt(ty, _) = &def.self_ty else {
        return false;
    };
    let name = program.types[ty.index()].item.name;
    !["Mock", "Fake", "Noop", "Dummy", "Stub", "Test"]
        .iter()
        .any(|double| name.starts_with(double))
}

/// How often the implementors of a trait are run, by what stands beside it and what its callers
/// do with an error.
fn runs(timelines: &mut Timelines<'_>, id: TraitId, body: FnId) -> RunsHow {
    let program = timelines.program();
    let attempts = match attempts(program, program.traits[id.index()].module) {
        Attempts::Unknown if is_ignored(timelines, id, body) => Attempts::Count(1),
        known => known,
    };
    RunsHow {
        attempts,
        ..RunsHow::untold()
    }
}

/// A constant beside the trait that says how often a job is tried.
fn attempts(program: &Program, module: ModuleId) -> Attempts {
    let value = |item: &ConstItem| {
        let body = item.value.as_ref()?;
        match body.exprs.first()? {
            Expr::Literal(Literal::Int(value)) => {
                u32::try_from(*value).ok().filter(|count| *count > 0)
            }
            _ => None,
        }
    };
    let named = |names: &[&str]| {
        program
            .consts
            .iter()
            .filter(|def| def.module == module)
            .find(|def| names.contains(&def.item.name.as_str()))
            .and_then(|def| value(&def.item))
    };
    match (named(&["MAX_ATTEMPTS"]), named(&["MAX_RETRIES"])) {
        (Some(count), _) => Attempts::Count(count),
        (None, Some(retries)) => Attempts::Count(retries.saturating_add(1)),
        (None, None) => Attempts::Unknown,
    }
}
