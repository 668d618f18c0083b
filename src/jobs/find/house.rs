//! Job traits made in the house, found by their shape: a trait of the workspace with several
//! implementations, a body method of a telling name, and a sign that its implementors are
//! stored, named or boxed.

use retrysafe_rules::catalog::{Attempts, Input as Place};
use retrysafe_rules::vocabulary::{Delivery, JobKind};

use crate::ir::{ConstItem, Expr, Literal, Name, TypeRef};
use crate::resolve::{FnId, ImplId, ModuleId, Program, TraitDef, Ty};

use super::super::entry::{Body, Job, RunsHow};
use super::super::input::inputs_of;
use super::{Found, site_of};

/// Names of methods that are bodies.
pub(super) const BODIES: &[&str] = &[
    "run",
    "perform",
    "execute",
    "handle",
    "process",
    "process_job",
    "run_once",
    "consume",
    "consume_message",
    "work",
    "run_job",
    "execute_job",
    "handle_message",
    "handle_event",
    "process_message",
    "run_routine_task",
    "execute_workflow",
    "run_task",
    "perform_job",
    "handle_job",
    "run_inner",
];

/// Ends of trait names that speak of jobs by themselves.
const STRONG: &[&str] = &[
    "Job",
    "Runnable",
    "RunnableJob",
    "Worker",
    "JobRunner",
    "JobHandler",
    "TaskRunner",
    "Consumer",
    "BackgroundTask",
    "ScheduledTask",
    "CronTask",
    "QueueHandler",
    "MessageHandler",
    "EventConsumer",
    "Workflow",
];

/// Ends of trait names that need a second sign.
const WEAK: &[&str] = &[
    "Task",
    "Runner",
    "Processor",
    "Handler",
    "Executor",
    "Subscriber",
    "Listener",
    "Activity",
];

pub(super) fn find(program: &Program, found: &mut Found) {
    for def in &program.traits {
        let Some(body) = BODIES
            .iter()
            .find_map(|name| def.methods.get(&Name::from(name)))
        else {
            continue;
        };
        let method = program.function(*body).function.name;
        let name = def.name.as_str();
        let strong = STRONG.iter().any(|end| name.ends_with(end));
        let weak = WEAK.iter().any(|end| name.ends_with(end));
        if !strong && !weak || !is_body(program, *body) {
            continue;
        }
        let impls: Vec<ImplId> = def
            .impls
            .iter()
            .copied()
            .filter(|id| is_real(program, *id))
            .collect();
        let signs = Signs::read(program, def, &impls);
        let enough = if strong {
            impls.len() >= 2 && signs.any() || !impls.is_empty() && signs.stored
        } else {
            impls.len() >= 2 && signs.stored && gives_nothing(program, *body)
        };
        if !enough {
            continue;
        }
        for impl_id in impls {
            let owner = &program.impls[impl_id.index()];
            let Some(function) = owner.methods.get(&method).copied() else {
                continue;
            };
            if found.is_known(function) {
                continue;
            }
            found.add(Job {
                name: program.full_name(function),
                function,
                body: Body::Whole,
                site: site_of(program, function),
                kind: JobKind::Queue,
                framework: None,
                runs: RunsHow {
                    delivery: Delivery::Unknown,
                    attempts: attempts(program, def.module),
                    injected: Vec::new(),
                    takes: false,
                },
                why: format!("implements the job trait `{name}`, {}", signs.text()),
                key: None,
                inputs: inputs_of(program, function, Place::Receiver, &[]),
                listed: None,
                needs_effect: false,
            });
        }
    }
}

/// What speaks for a trait's implementors being jobs.
struct Signs {
    stored: bool,
    named: bool,
    boxed: bool,
    bounded: bool,
}

impl Signs {
    fn read(program: &Program, def: &TraitDef, impls: &[ImplId]) -> Signs {
        let stored = impls
            .iter()
            .any(|id| match &program.impls[id.index()].self_ty {
                Ty::Adt(id, _) => program.types[id.index()].item.derives.iter().any(|path| {
                    path.last()
                        .is_some_and(|last| last == "Deserialize" || last == "Serialize")
                }),
                _ => false,
            });
        let named = impls
            .iter()
            .any(|id| !program.impls[id.index()].consts.is_empty())
            || def.methods.keys().any(|name| {
                matches!(
                    name.as_str(),
                    "name" | "kind" | "queue" | "job_type" | "task_name"
                )
            });
        Signs {
            stored,
            named,
            boxed: is_boxed(program, def.name),
            bounded: is_bound(program, def.name),
        }
    }

    fn any(&self) -> bool {
        self.stored || self.named || self.boxed || self.bounded
    }

    fn text(&self) -> &'static str {
        if self.stored {
            "whose implementors are serialised"
        } else if self.named {
            "whose implementors have a name"
        } else if self.boxed {
            "whose implementors are boxed"
        } else {
            "whose implementors are handed to generic code"
        }
    }
}

/// Whether a trait object of the trait stands in some field, signature or return.
fn is_boxed(program: &Program, name: Name) -> bool {
    let in_types = program
        .types
        .iter()
        .flat_map(|def| &def.item.variants)
        .flat_map(|variant| &variant.fields)
        .any(|(_, ty)| mentions_dyn(ty, name));
    in_types
        || program.functions.iter().any(|def| {
            def.function
                .params
                .iter()
                .any(|param| mentions_dyn(&param.ty, name))
                || def
                    .function
                    .returns
                    .as_ref()
                    .is_some_and(|ty| mentions_dyn(ty, name))
        })
}

/// Whether some type or function is generic over implementors of the trait.
fn is_bound(program: &Program, name: Name) -> bool {
    let bound = |generics: &crate::ir::Generics| {
        generics
            .params
            .iter()
            .flat_map(|param| &param.bounds)
            .any(|path| path.last() == Some(name))
    };
    program.types.iter().any(|def| bound(&def.item.generics))
        || program
            .functions
            .iter()
            .any(|def| bound(&def.function.generics))
}

fn mentions_dyn(ty: &TypeRef, name: Name) -> bool {
    match ty {
        TypeRef::Dyn(bounds) => bounds.iter().any(|bound| bound.last() == Some(name)),
        TypeRef::Path(path) => path
            .segments
            .iter()
            .flat_map(|segment| &segment.args)
            .any(|arg| mentions_dyn(arg, name)),
        TypeRef::Slice(inner) => mentions_dyn(inner, name),
        TypeRef::Tuple(elems) => elems.iter().any(|elem| mentions_dyn(elem, name)),
        _ => false,
    }
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
