//! One body: the type of every expression, whom every call calls.

mod calls;
mod hints;
mod learning;
mod methods;
mod paths;
mod patterns;

use rustc_hash::FxHashMap;

use crate::ir::{Block, Body, Expr, ExprId, Literal, LoopHead, Name, PatId, Stmt, TypeRef};

use super::callee::Callee;
use super::ids::{ConstId, FnId, ModuleId};
use super::known::Known;
use super::path::{TypeScope, plain};
use super::program::{Def, Owner, Program};
use super::standard::{self};
use super::ty::Ty;
use hints::Hints;

/// What inference found in a body.
#[derive(Debug, Default)]
pub struct Inference {
    /// The type of each expression.
    pub types: Vec<Ty>,
    /// Whom each call calls.
    pub callees: FxHashMap<ExprId, Callee>,
    /// The type on which each method was found: wrappers stripped.
    pub receivers: FxHashMap<ExprId, Ty>,
    /// What each path expression leads to.
    pub defs: FxHashMap<ExprId, Def>,
    /// Type arguments of calls of generic functions of the workspace.
    pub generics: FxHashMap<ExprId, Vec<Ty>>,
    /// What each struct literal builds.
    pub structs: FxHashMap<ExprId, Def>,
    /// What each path in a pattern leads to.
    pub pats: FxHashMap<PatId, Def>,
    /// The type of each local.
    pub locals: Vec<Ty>,
}

impl Inference {
    /// Of a body of which nothing is known yet.
    fn of(body: &Body) -> Self {
        Inference {
            types: vec![Ty::Unknown; body.exprs.len()],
            locals: vec![Ty::Unknown; body.locals.len()],
            ..Inference::default()
        }
    }

    /// The type of an expression.
    pub fn ty(&self, id: ExprId) -> &Ty {
        const UNKNOWN: &Ty = &Ty::Unknown;
        self.types.get(id.0 as usize).unwrap_or(UNKNOWN)
    }
}

/// Infers the body of a function.
pub fn infer(program: &Program, known: &Known, function: FnId) -> Inference {
    let def = program.function(function);
    let Some(body) = &def.function.body else {
        return Inference::default();
    };
    let signature = program.signature(function, known);
    let params: Vec<Name> = program
        .generics_of(function)
        .iter()
        .map(|param| param.name)
        .collect();
    let assoc: &[(Name, TypeRef)] = match def.owner {
        Owner::Impl(id) => &program.impls[id.index()].types,
        _ => &[],
    };
    let mut walk = Walk {
        program,
        known,
        body,
        module: def.module,
        function: Some(function),
        self_ty: signature.self_ty.clone(),
        params: &params,
        assoc,
        out: Inference::of(body),
        hints: Hints::default(),
    };
    let pass = |walk: &mut Walk<'_>| {
        for (param, ty) in def.function.params.iter().zip(&signature.inputs) {
            if let Some(pat) = param.pat {
                walk.bind(pat, ty);
            }
        }
        if let Some(root) = body.root {
            walk.expr(root);
        }
    };
    pass(&mut walk);
    if walk.start_again() {
        pass(&mut walk);
    }
    walk.out
}

/// Infers the value of a constant.
pub fn infer_const(program: &Program, known: &Known, id: ConstId) -> Inference {
    let def = &program.consts[id.index()];
    let Some(body) = &def.item.value else {
        return Inference::default();
    };
    let self_ty = def
        .owner
        .map(|owner| program.impls[owner.index()].self_ty.clone())
        .unwrap_or_default();
    let mut walk = Walk {
        program,
        known,
        body,
        module: def.module,
        function: None,
        self_ty,
        params: &[],
        assoc: &[],
        out: Inference::of(body),
        hints: Hints::default(),
    };
    if let Some(root) = body.root {
        walk.expr(root);
    }
    walk.out
}

struct Walk<'a> {
    program: &'a Program,
    known: &'a Known,
    body: &'a Body,
    module: ModuleId,
    function: Option<FnId>,
    self_ty: Ty,
    params: &'a [Name],
    assoc: &'a [(Name, TypeRef)],
    out: Inference,
    hints: Hints,
}

impl Walk<'_> {
    fn scope(&self) -> TypeScope<'_> {
        TypeScope {
            module: self.module,
            self_ty: Some(&self.self_ty),
            params: self.params,
            assoc: self.assoc,
        }
    }

    fn written(&self, ty: &TypeRef) -> Ty {
        self.program.type_of(ty, self.scope(), self.known, 0)
    }

    fn bounds(&self, index: u32) -> Ty {
        self.function.map_or(Ty::Unknown, |function| {
            self.program.param_bounds(function, index, self.known)
        })
    }

    /// Infers an expression and remembers its type.
    fn expr(&mut self, id: ExprId) -> Ty {
        let ty = self.expr_inner(id);
        self.out.types[id.0 as usize] = ty.clone();
        ty
    }

    fn exprs(&mut self, ids: &[ExprId]) {
        for id in ids {
            self.expr(*id);
        }
    }

    fn expr_inner(&mut self, id: ExprId) -> Ty {
        let body = self.body;
        match body.expr(id) {
            Expr::Local(local) => self.out.locals[local.0 as usize].clone(),
            Expr::Receiver => self.self_ty.clone(),
            Expr::Path(path) => self.path(id, path),
            Expr::Literal(literal) => match literal {
                Literal::Str(_) => plain(Name::from("std::string::String")),
                _ => Ty::Unknown,
            },
            Expr::Call { callee, args } => self.call(id, *callee, args),
            Expr::MethodCall {
                receiver,
                method,
                generics,
                args,
                ..
            } => self.method_call(id, *receiver, *method, generics, args),
            Expr::Macro { path, args } => {
                self.exprs(args);
                let canonical = self.macro_path(path);
                self.out.callees.insert(id, Callee::Path(canonical));
                self.known.returns(canonical).cloned().unwrap_or_default()
            }
            Expr::Format { pieces, .. } => {
                for piece in pieces {
                    if let crate::ir::Piece::Value(value) = piece {
                        self.expr(*value);
                    }
                }
                plain(Name::from("std::string::String"))
            }
            Expr::Object(entries) => {
                for (_, value) in entries {
                    self.expr(*value);
                }
                Ty::Unknown
            }
            Expr::Field { base, name } => {
                let base = self.expr(*base);
                let base = match &base {
                    Ty::Param(index) => self.bounds(*index),
                    _ => base,
                };
                self.program.field_type(&base, *name, self.known)
            }
            Expr::Index { base, index } => {
                let base = self.expr(*base);
                self.expr(*index);
                standard::item_of(&base)
            }
            Expr::Same(inner) => self.expr(*inner),
            Expr::Not(inner) | Expr::Negate(inner) => self.expr(*inner),
            Expr::Binary { left, right, .. } => {
                let left = self.expr(*left);
                self.expr(*right);
                left
            }
            Expr::Assign { target, value, .. } => {
                let value = self.expr(*value);
                let known = self.expr(*target);
                if let Expr::Local(local) = body.expr(*target)
                    && known.is_unknown()
                {
                    self.out.locals[local.0 as usize] = value;
                }
                Ty::unit()
            }
            Expr::Block(block) => self.block(block),
            Expr::Async(inner) | Expr::Labelled(inner) => self.expr(*inner),
            Expr::Closure {
                params,
                types,
                body,
            } => self.closure(params, types, *body, &[]),
            Expr::If {
                condition,
                then,
                otherwise,
            } => {
                self.expr(*condition);
                let then = self.expr(*then);
                let otherwise = otherwise.map(|id| self.expr(id)).unwrap_or_default();
                if then.is_unknown() || then == Ty::unit() {
                    otherwise.or(then)
                } else {
                    then
                }
            }
            Expr::Let { pat, value } => {
                let ty = self.expr(*value);
                self.bind(*pat, &ty);
                Ty::Unknown
            }
            Expr::Match { value, arms } => {
                let ty = self.expr(*value);
                let mut result = Ty::Unknown;
                for arm in arms {
                    self.bind(arm.pat, &ty);
                    if let Some(guard) = arm.guard {
                        self.expr(guard);
                    }
                    let arm = self.expr(arm.body);
                    if result.is_unknown() || result == Ty::unit() {
                        result = arm;
                    }
                }
                result
            }
            Expr::Loop { head, body } => {
                match head {
                    LoopHead::Forever => {}
                    LoopHead::While(condition) => {
                        self.expr(*condition);
                    }
                    LoopHead::For { pat, items } => {
                        let items = self.expr(*items);
                        self.bind(*pat, &standard::item_of(&items));
                    }
                }
                self.expr(*body);
                Ty::unit()
            }
            Expr::Select(arms) => {
                let mut result = Ty::Unknown;
                for arm in arms {
                    let future = arm
                        .future
                        .map(|future| self.expr(future))
                        .unwrap_or_default();
                    if let Some(pat) = arm.pat {
                        self.bind(pat, &future);
                    }
                    let ty = self.expr(arm.body);
                    result = result.or(ty);
                }
                result
            }
            Expr::Join { futures, fallible } => {
                let types: Vec<Ty> = futures.iter().map(|future| self.expr(*future)).collect();
                let types: Vec<Ty> = if *fallible {
                    types.iter().map(standard::success_of).collect()
                } else {
                    types
                };
                Ty::Tuple(types.into())
            }
            Expr::Try(inner) => {
                let ty = self.expr(*inner);
                standard::success_of(&ty)
            }
            Expr::Await(inner) => {
                let ty = self.expr(*inner);
                match &ty {
                    Ty::Extern(path, args) if path.ends_with("JoinHandle") => {
                        args.first().cloned().unwrap_or_default()
                    }
                    _ => ty,
                }
            }
            Expr::Return { value, .. } => {
                value.map(|value| self.expr(value));
                Ty::Unknown
            }
            Expr::Break(value) => {
                value.map(|value| self.expr(value));
                Ty::Unknown
            }
            Expr::Continue | Expr::Unread => Ty::Unknown,
            Expr::Struct { path, fields, base } => {
                for (_, value) in fields {
                    self.expr(*value);
                }
                base.map(|base| self.expr(base));
                let ty = self.struct_literal(id, path);
                if self.hints.is_open() {
                    self.learn_fields(id, fields);
                }
                ty
            }
            Expr::Tuple(elems) => Ty::Tuple(elems.iter().map(|elem| self.expr(*elem)).collect()),
            Expr::Array(elems) => {
                let mut item = Ty::Unknown;
                for elem in elems {
                    item = item.or(self.expr(*elem));
                }
                Ty::wrap("std::vec::Vec", item)
            }
            Expr::Range(ends) => {
                self.exprs(ends);
                Ty::wrap("std::vec::Vec", Ty::Unknown)
            }
        }
    }

    fn block(&mut self, block: &Block) -> Ty {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let {
                    pat,
                    ty,
                    value,
                    otherwise,
                } => {
                    let found = value.map(|value| self.expr(value)).unwrap_or_default();
                    let declared = ty.as_ref().map(|ty| self.written(ty)).unwrap_or_default();
                    // `let x: Vec<_>` says less than the value does.
                    let ty = match (&declared, &found) {
                        (Ty::Extern(a, _), Ty::Extern(b, args)) if a == b && !args.is_empty() => {
                            found
                        }
                        _ => declared.or(found),
                    };
                    self.bind(*pat, &ty);
                    if let Some(otherwise) = otherwise {
                        self.expr(*otherwise);
                    }
                }
                Stmt::Expr(id) => {
                    self.expr(*id);
                }
            }
        }
        block.tail.map_or_else(Ty::unit, |tail| self.expr(tail))
    }

    fn closure(
        &mut self,
        params: &[PatId],
        types: &[Option<TypeRef>],
        body: ExprId,
        expected: &[Ty],
    ) -> Ty {
        for (index, pat) in params.iter().enumerate() {
            let written = types
                .get(index)
                .and_then(Option::as_ref)
                .map(|ty| self.written(ty))
                .unwrap_or_default();
            let ty = written.or(expected.get(index).cloned().unwrap_or_default());
            self.bind(*pat, &ty);
        }
        let output = self.expr(body);
        Ty::Callable(std::sync::Arc::new(output))
    }

    /// An argument; when it is a closure, with the types its parameters will have.
    fn argument(&mut self, id: ExprId, expected: &[Ty]) -> Ty {
        let body = self.body;
        match body.expr(id) {
            Expr::Closure {
                params,
                types,
                body,
            } => {
                let ty = self.closure(params, types, *body, expected);
                self.out.types[id.0 as usize] = ty.clone();
                ty
            }
            _ => self.expr(id),
        }
    }
}
