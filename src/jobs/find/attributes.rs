//! Jobs that an attribute or derive of a known framework marks.

use retrysafe_rules::catalog::{Attempts, AttemptsFrom, JobEntry, Shape};

use crate::ir::{Attribute, Literal, TypeRef};
use crate::resolve::{Def, FnId, Known, ModuleId, Of, Owner, Program};

use super::super::entry::{Job, RunsHow};
use super::super::input::{inputs_of, show_type};
use super::found::{Found, canonical, job_of};

pub(super) fn find(program: &Program, known: &Known, found: &mut Found) {
    for index in 0..program.functions.len() {
        let function = FnId(index as u32);
        let def = program.function(function);
        if def.function.body.is_none() {
            continue;
        }
        for attribute in &def.function.attributes {
            for of in known
                .jobs
                .iter()
                .filter(|of| of.entry.shape == Shape::Attribute)
            {
                let entry = &of.entry;
                if version_fits(program, known, def.module, of)
                    && is_one_of(program, known, def.module, attribute, &entry.paths)
                    && has_words(attribute, &entry.attribute_words)
                    && first_param_fits(program, function, entry)
                {
                    let why = format!("marked `#[{}]`", attribute.path.text());
                    found.add(framework_job(
                        program,
                        function,
                        entry,
                        Some(attribute),
                        why,
                    ));
                }
            }
        }
    }
    marked_impls(program, known, found);
    derives(program, known, found);
}

/// `#[service] impl T`: the methods that a marker names, or all of them.
fn marked_impls(program: &Program, known: &Known, found: &mut Found) {
    for of in known
        .jobs
        .iter()
        .filter(|of| of.entry.shape == Shape::MarkedImpl)
    {
        let entry = &of.entry;
        for def in &program.impls {
            if !version_fits(program, known, def.module, of) {
                continue;
            }
            let Some(attribute) = def
                .attributes
                .iter()
                .find(|attribute| is_one_of(program, known, def.module, attribute, &entry.paths))
            else {
                continue;
            };
            let mut methods: Vec<FnId> = def.methods.values().copied().collect();
            methods.sort_unstable();
            for function in methods {
                let item = &program.function(function).function;
                let marked = entry.markers.iter().any(|marker| {
                    let last = marker.rsplit("::").next().unwrap_or(marker);
                    item.attributes
                        .iter()
                        .any(|attribute| attribute.path.last().is_some_and(|name| name == last))
                });
                let named = entry
                    .methods
                    .iter()
                    .any(|method| item.name == method.as_str());
                if marked || named || entry.markers.is_empty() && entry.methods.is_empty() {
                    let why = format!("in an impl marked `#[{}]`", attribute.path.text());
                    found.add(framework_job(program, function, entry, None, why));
                }
            }
        }
    }
}

/// `#[derive(Worker)]`: an inherent method of the type.
fn derives(program: &Program, known: &Known, found: &mut Found) {
    for of in known
        .jobs
        .iter()
        .filter(|of| of.entry.shape == Shape::Derive)
    {
        let entry = &of.entry;
        for (index, def) in program.types.iter().enumerate() {
            let id = crate::resolve::TypeId(index as u32);
            if def.item.derives.is_empty() {
                continue;
            }
            let derives = program.derives_of(id, known);
            let Some(derive) = derives
                .iter()
                .find(|derive| entry.paths.iter().any(|path| *derive == path.as_str()))
            else {
                continue;
            };
            for impl_id in &def.impls {
                let owner = &program.impls[impl_id.index()];
                if owner.trait_.is_some() {
                    continue;
                }
                for method in &entry.methods {
                    if let Some(function) = owner.methods.get(&crate::ir::Name::from(method)) {
                        let attribute = def.item.attributes.first();
                        let why = format!("`{}` derives `{derive}`", def.item.name);
                        found.add(framework_job(program, *function, entry, attribute, why));
                    }
                }
            }
        }
    }
}

fn is_one_of(
    program: &Program,
    known: &Known,
    module: ModuleId,
    attribute: &Attribute,
    paths: &[String],
) -> bool {
    let path = canonical(program, known, module, &attribute.path);
    paths.iter().any(|wanted| path == wanted.as_str())
}

fn has_words(attribute: &Attribute, words: &[String]) -> bool {
    words.is_empty()
        || words
            .iter()
            .any(|word| attribute.words.iter().any(|given| given == word.as_str()))
}

/// Whether the first parameter has one of the wanted types, by the last segment of its name.
pub(super) fn first_param_fits(program: &Program, function: FnId, entry: &JobEntry) -> bool {
    if entry.first_param.is_empty() {
        return true;
    }
    let Some(param) = program.function(function).function.params.first() else {
        return false;
    };
    let name = match &param.ty {
        TypeRef::Path(path) => path.last().map(|name| name.to_string()).unwrap_or_default(),
        other => show_type(other),
    };
    entry
        .first_param
        .iter()
        .any(|wanted| wanted.rsplit("::").next() == Some(name.as_str()))
}

/// A job that a framework runs.
pub(super) fn framework_job(
    program: &Program,
    function: FnId,
    entry: &JobEntry,
    attribute: Option<&Attribute>,
    why: String,
) -> Job {
    // A plain timer, channel or command has none.
    let is_plain = matches!(entry.shape, Shape::Loop | Shape::Command) && entry.needs_effect;
    Job {
        framework: (!is_plain).then(|| entry.framework.clone()),
        runs: RunsHow {
            delivery: entry.delivery,
            attempts: attempts(program, function, entry, attribute),
            injected: entry
                .injected
                .iter()
                .map(|path| crate::ir::Name::from(path))
                .collect(),
            attempt: entry
                .attempt
                .iter()
                .map(|path| crate::ir::Name::from(path.rsplit("::").next().unwrap_or(path)))
                .collect(),
            takes: entry.shape == Shape::Loop && !entry.needs_effect,
        },
        inputs: inputs_of(program, function, entry.input, &entry.injected),
        needs_effect: entry.needs_effect,
        ..job_of(program, function, entry.kind, why)
    }
}

/// The number of attempts: the framework's, unless the code says otherwise.
fn attempts(
    program: &Program,
    function: FnId,
    entry: &JobEntry,
    attribute: Option<&Attribute>,
) -> Attempts {
    for from in &entry.attempts_from {
        if let Some(count) = overridden(program, function, from, attribute) {
            return Attempts::Count(count.saturating_add(from.plus).max(1));
        }
    }
    entry.attempts
}

fn overridden(
    program: &Program,
    function: FnId,
    from: &AttemptsFrom,
    attribute: Option<&Attribute>,
) -> Option<u32> {
    let number = |literal: &Literal| match literal {
        Literal::Int(value) => u32::try_from(*value).ok(),
        _ => None,
    };
    if let (Some(name), Some(attribute)) = (&from.attribute, attribute) {
        return attribute
            .values
            .iter()
            .find(|(key, _)| key == name.as_str())
            .and_then(|(_, value)| number(value));
    }
    let Owner::Impl(id) = program.function(function).owner else {
        return None;
    };
    let owner = &program.impls[id.index()];
    if let Some(name) = &from.constant {
        let constant = owner.consts.get(&crate::ir::Name::from(name))?;
        let body = program.consts[constant.index()].item.value.as_ref()?;
        return body.exprs.iter().find_map(|expr| match expr {
            crate::ir::Expr::Literal(literal) => number(literal),
            _ => None,
        });
    }
    if let Some(name) = &from.method {
        let method = owner.methods.get(&crate::ir::Name::from(name))?;
        let body = program.function(*method).function.body.as_ref()?;
        return body.exprs.iter().find_map(|expr| match expr {
            crate::ir::Expr::Literal(literal) => number(literal),
            _ => None,
        });
    }
    None
}

/// Whether a definition is a trait of the workspace that the catalogue names by its crate.
pub(super) fn names_local_trait(program: &Program, def: Option<Def>, wanted: &str) -> bool {
    let Some(Def::Trait(id)) = def else {
        return false;
    };
    let def = &program.traits[id.index()];
    let krate = program.crate_of(def.module).name;
    let mut segments = wanted.split("::");
    segments.next() == Some(krate.as_str()) && wanted.rsplit("::").next() == Some(def.name.as_str())
}

/// Whether a shape is about the version of its crate that the package of a module uses.
pub(super) fn version_fits(
    program: &Program,
    known: &Known,
    module: ModuleId,
    of: &Of<JobEntry>,
) -> bool {
    known.fits_version(
        of.krate,
        of.entry.versions.as_ref(),
        &program.crate_of(module).versions,
    )
}
