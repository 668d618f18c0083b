//! Jobs that nothing in the workspace can hand to a runner: no code outside of their type names it.

use rustc_hash::FxHashSet;

use crate::ir::{Body, Expr, Name, Pat, Path, Stmt, TypeRef};
use crate::resolve::{FnDef, FnId, Owner, Program, Ty};

use super::super::entry::Job;

/// Marks the jobs that are methods of types that no other code names. Where there are libraries alone, others
/// may name them.
pub(super) fn mark(program: &Program, jobs: &mut [Job]) {
    let owners: Vec<Option<Name>> = jobs
        .iter()
        .map(|job| owner(program, job.function).filter(|_| job.declaration.is_none()))
        .collect();
    let mut names = Names {
        sought: owners.iter().flatten().copied().collect(),
        found: FxHashSet::default(),
        own: None,
    };
    let has_program = |def: &FnDef| def.function.name == "main" && def.owner == Owner::Module;
    if names.sought.is_empty() || !program.functions.iter().any(has_program) {
        return;
    }
    names.of_program(program);
    for (job, owner) in jobs.iter_mut().zip(owners) {
        job.is_unnamed = owner.is_some_and(|owner| !names.found.contains(&owner));
    }
}

/// The type that a function is a method of.
fn owner(program: &Program, function: FnId) -> Option<Name> {
    let Owner::Impl(id) = program.function(function).owner else {
        return None;
    };
    match &program.impls[id.index()].self_ty {
        Ty::Adt(id, _) => Some(program.types[id.index()].item.name),
        _ => None,
    }
}

/// The names of types, as they are met in code.
struct Names {
    sought: FxHashSet<Name>,
    found: FxHashSet<Name>,
    /// The type whose own code is gone through.
    own: Option<Name>,
}

impl Names {
    fn of_program(&mut self, program: &Program) {
        for (index, def) in (0u32..).zip(&program.functions) {
            self.own = owner(program, FnId(index));
            let function = &def.function;
            let params = function.params.iter().map(|param| &param.ty);
            params.chain(&function.returns).for_each(|ty| self.ty(ty));
            if let Some(body) = &function.body {
                self.body(body);
            }
        }
        for def in &program.types {
            self.own = Some(def.item.name);
            let fields = def.item.variants.iter().flat_map(|variant| &variant.fields);
            fields.for_each(|(_, ty)| self.ty(ty));
        }
        self.own = None;
        for def in &program.consts {
            self.ty(&def.item.ty);
            if let Some(body) = &def.item.value {
                self.body(body);
            }
        }
        for def in &program.aliases {
            self.ty(&def.item.ty);
        }
    }

    fn body(&mut self, body: &Body) {
        for expr in &body.exprs {
            match expr {
                Expr::Path(path) | Expr::Struct { path, .. } | Expr::Macro { path, .. } => {
                    self.path(path);
                }
                Expr::MethodCall { generics, .. } => generics.iter().for_each(|ty| self.ty(ty)),
                Expr::Closure { types, .. } => types.iter().flatten().for_each(|ty| self.ty(ty)),
                Expr::Block(block) => {
                    for stmt in &block.stmts {
                        if let Stmt::Let { ty: Some(ty), .. } = stmt {
                            self.ty(ty);
                        }
                    }
                }
                _ => {}
            }
        }
        for pat in &body.pats {
            if let Pat::TupleStruct(path, _) | Pat::Struct(path, _) | Pat::Path(path) = pat {
                self.path(path);
            }
        }
    }

    fn path(&mut self, path: &Path) {
        if let Some(ty) = &path.qself {
            self.ty(ty);
        }
        for segment in &path.segments {
            if self.sought.contains(&segment.name) && self.own != Some(segment.name) {
                self.found.insert(segment.name);
            }
            let assoc = segment.assoc.iter().map(|(_, ty)| ty);
            segment.args.iter().chain(assoc).for_each(|ty| self.ty(ty));
        }
    }

    fn ty(&mut self, ty: &TypeRef) {
        match ty {
            TypeRef::Path(path) => self.path(path),
            TypeRef::Tuple(parts) => parts.iter().for_each(|part| self.ty(part)),
            TypeRef::Slice(inner) => self.ty(inner),
            TypeRef::Impl(paths) | TypeRef::Dyn(paths) => {
                paths.iter().for_each(|path| self.path(path));
            }
            TypeRef::Fn(params, result) => {
                params.iter().for_each(|param| self.ty(param));
                self.ty(result);
            }
            TypeRef::Never | TypeRef::Infer => {}
        }
    }
}
