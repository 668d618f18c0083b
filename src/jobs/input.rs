//! What a job is about: its payload, parameters that the framework hands in left out.

use retrysafe_rules::catalog;

use crate::ir::{Name, TypeRef};
use crate::resolve::{Def, FnId, Program, TypeId};

/// An input of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its type as written.
    pub ty: String,
}

/// Types that hand in context, whatever the framework: never the payload.
const CONTEXT: &[&str] = &[
    "Data",
    "State",
    "Extension",
    "Context",
    "Ctx",
    "Arc",
    "Pool",
    "PgPool",
    "MySqlPool",
    "SqlitePool",
    "AnyPool",
    "DatabaseConnection",
    "DatabaseTransaction",
    "DbConn",
    "Connection",
    "PgConnection",
    "Transaction",
    "Catalog",
    "Client",
    "AppState",
    "Attempt",
    "TaskId",
    "Worker",
    "WorkerContext",
    "JobContext",
    "CurrentJob",
    "Env",
    "Environment",
    "Services",
    "CancellationToken",
];

/// The inputs of a job, by where the catalogue says they stand.
pub(super) fn inputs_of(
    program: &Program,
    function: FnId,
    place: catalog::Input,
    injected: &[String],
) -> Vec<Input> {
    let def = &program.function(function).function;
    let is_context = |ty: &TypeRef| {
        let name = type_name(ty);
        CONTEXT.contains(&name.as_str())
            || name.ends_with("Ctx")
            || name.ends_with("Context")
            || injected.iter().any(|path| {
                let last = path.rsplit("::").next().unwrap_or(path);
                last.split('<').next() == Some(name.as_str())
            })
    };
    // What the body does not look at is no input.
    let is_unused = |param: &crate::ir::Param| param.name.is_some_and(|name| name.starts_with('_'));
    let params = || {
        def.params
            .iter()
            .filter(|param| !is_context(&param.ty) && !is_unused(param))
    };
    match place {
        catalog::Input::Receiver => fields_of_owner(program, function),
        catalog::Input::Param(index) => def
            .params
            .get(index)
            .map(|param| expand(program, function, param))
            .unwrap_or_default(),
        catalog::Input::ParamsFrom(first) => params()
            .skip(first)
            .flat_map(|param| expand(program, function, param))
            .collect(),
        catalog::Input::Body | catalog::Input::Message => Vec::new(),
        catalog::Input::Captures | catalog::Input::None => Vec::new(),
    }
}

/// The parameters of a declared job.
pub(super) fn parameters(program: &Program, function: FnId) -> Vec<Input> {
    inputs_of(program, function, catalog::Input::ParamsFrom(0), &[])
}

/// A parameter, as the fields of its type where that is a struct of the workspace.
fn expand(program: &Program, function: FnId, param: &crate::ir::Param) -> Vec<Input> {
    let name = param
        .name
        .map_or_else(|| "input".to_owned(), |name| name.to_string());
    let fields = match &param.ty {
        TypeRef::Path(path) => path
            .last()
            .and_then(|last| struct_fields(program, function, last)),
        _ => None,
    };
    match fields {
        Some(fields) if !fields.is_empty() => fields,
        _ => vec![Input {
            name,
            ty: show_type(&param.ty),
        }],
    }
}

pub(super) fn struct_fields(program: &Program, function: FnId, name: Name) -> Option<Vec<Input>> {
    struct_named(program, function, name).map(|id| fields_of(program, id))
}

/// The type that a function calls by a name.
pub(super) fn struct_named(program: &Program, function: FnId, name: Name) -> Option<TypeId> {
    let module = program.function(function).module;
    let found = program
        .module(module)
        .types
        .get(&name)
        .copied()
        .or_else(|| {
            program
                .module(module)
                .imports
                .get(&name)
                .and_then(|(types, _)| *types)
        });
    match found {
        Some(Def::Type(id)) => Some(id),
        _ => None,
    }
}

/// The fields of a struct.
pub(super) fn fields_of(program: &Program, id: TypeId) -> Vec<Input> {
    let item = &program.types[id.index()].item;
    if item.is_enum {
        return Vec::new();
    }
    item.variants
        .iter()
        .flat_map(|variant| &variant.fields)
        .map(|(name, ty)| Input {
            name: name.to_string(),
            ty: show_type(ty),
        })
        .collect()
}

fn fields_of_owner(program: &Program, function: FnId) -> Vec<Input> {
    let crate::resolve::Owner::Impl(impl_id) = program.function(function).owner else {
        return Vec::new();
    };
    match &program.impls[impl_id.index()].self_ty {
        crate::resolve::Ty::Adt(id, _) => fields_of(program, *id),
        _ => Vec::new(),
    }
}

fn type_name(ty: &TypeRef) -> String {
    match ty {
        TypeRef::Path(path) => path.last().map(|name| name.to_string()).unwrap_or_default(),
        _ => String::new(),
    }
}

/// A type as a reader would write it, paths shortened to their last segment.
pub(super) fn show_type(ty: &TypeRef) -> String {
    match ty {
        TypeRef::Path(path) => {
            let Some(last) = path.segments.last() else {
                return "_".to_owned();
            };
            if last.args.is_empty() {
                last.name.to_string()
            } else {
                let args: Vec<String> = last.args.iter().map(show_type).collect();
                format!("{}<{}>", last.name, args.join(", "))
            }
        }
        TypeRef::Tuple(elems) => {
            let elems: Vec<String> = elems.iter().map(show_type).collect();
            format!("({})", elems.join(", "))
        }
        TypeRef::Slice(elem) => format!("[{}]", show_type(elem)),
        TypeRef::Impl(bounds) => format!(
            "impl {}",
            bounds.first().map_or_else(String::new, |path| path.text())
        ),
        TypeRef::Dyn(bounds) => format!(
            "dyn {}",
            bounds.first().map_or_else(String::new, |path| path.text())
        ),
        TypeRef::Fn(..) => "fn".to_owned(),
        TypeRef::Never => "!".to_owned(),
        TypeRef::Infer => "_".to_owned(),
    }
}
