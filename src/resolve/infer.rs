//! One body: the type of every expression, whom every call calls.

use rustc_hash::FxHashMap;

use crate::ir::{
    Block, Body, Expr, ExprId, Literal, LoopHead, Name, Pat, PatId, Path, Stmt, TypeRef,
};

use super::callee::Callee;
use super::known::Known;
use super::path::{Namespace, Signature, TypeScope, plain};
use super::program::{ConstId, Def, FnId, ModuleId, Owner, Program};
use super::standard::{self, Moves};
use super::ty::{Ty, no_args};

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
        out: Inference {
            types: vec![Ty::Unknown; body.exprs.len()],
            locals: vec![Ty::Unknown; body.locals.len()],
            ..Inference::default()
        },
    };
    for (param, ty) in def.function.params.iter().zip(&signature.inputs) {
        if let Some(pat) = param.pat {
            walk.bind(pat, ty);
        }
    }
    if let Some(root) = body.root {
        walk.expr(root);
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
        out: Inference {
            types: vec![Ty::Unknown; body.exprs.len()],
            locals: vec![Ty::Unknown; body.locals.len()],
            ..Inference::default()
        },
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
                self.struct_literal(id, path)
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

    fn path(&mut self, id: ExprId, path: &Path) -> Ty {
        match self.resolve_value(path) {
            Some((def, None)) => {
                self.out.defs.insert(id, def);
                match def {
                    Def::Function(function) => self
                        .made_by_attribute(function)
                        .unwrap_or_else(|| self.value_type(def)),
                    _ => self.value_type(def),
                }
            }
            Some((def, Some(name))) => {
                let owner = self.def_type(def, path);
                if let Some(function) = self.associated(&owner, name) {
                    self.out.defs.insert(id, Def::Function(function));
                    return self.value_type(Def::Function(function));
                }
                if let Some(constant) = self.associated_const(&owner, name) {
                    self.out.defs.insert(id, Def::Const(constant));
                    return self.value_type(Def::Const(constant));
                }
                Ty::Unknown
            }
            None => match self.constant_of(path) {
                Some(constant) => {
                    self.out.defs.insert(id, Def::Const(constant));
                    self.value_type(Def::Const(constant))
                }
                None => Ty::Unknown,
            },
        }
    }

    /// `Self::NAME` and `<T as Trait>::NAME`: of the impl, else the trait's default.
    fn constant_of(&self, path: &Path) -> Option<ConstId> {
        let name = path.last()?;
        let owner = match &path.qself {
            Some(qself) => self.written(qself),
            None if path.segments.len() == 2 => {
                let mut prefix = path.clone();
                prefix.segments.pop();
                self.written(&TypeRef::Path(prefix))
            }
            None => return None,
        };
        let traits: Vec<super::program::TraitId> = match &owner {
            Ty::Adt(id, _) => {
                if let Some(found) = self.associated_const(&owner, name) {
                    return Some(found);
                }
                self.program.types[id.index()]
                    .impls
                    .iter()
                    .filter_map(|id| match self.program.impls[id.index()].trait_def {
                        Some(Def::Trait(id)) => Some(id),
                        _ => None,
                    })
                    .collect()
            }
            Ty::Bound(bounds) => bounds
                .iter()
                .filter_map(|bound| match bound {
                    super::ty::TraitRef::Local(id) => Some(*id),
                    super::ty::TraitRef::Extern(..) => None,
                })
                .collect(),
            _ => return None,
        };
        traits
            .into_iter()
            .find_map(|id| self.program.traits[id.index()].consts.get(&name).copied())
    }

    /// An attribute may make a value of its own of a function (`#[sqlxmq::job]`); it is known by
    /// the attribute's path.
    fn made_by_attribute(&self, function: FnId) -> Option<Ty> {
        let def = self.program.function(function);
        def.function
            .attributes
            .iter()
            .map(|attribute| {
                self.program
                    .canonical_path(&attribute.path, def.module, self.known)
            })
            .find(|path| self.known.is_receiver(*path))
            .map(plain)
    }

    fn value_type(&self, def: Def) -> Ty {
        match def {
            Def::Const(id) => {
                let def = &self.program.consts[id.index()];
                let self_ty = def
                    .owner
                    .map(|owner| self.program.impls[owner.index()].self_ty.clone());
                let scope = TypeScope {
                    module: def.module,
                    self_ty: self_ty.as_ref(),
                    params: &[],
                    assoc: &[],
                };
                self.program.type_of(&def.item.ty, scope, self.known, 0)
            }
            Def::Variant(id, _) | Def::Type(id) => Ty::Adt(id, no_args()),
            Def::Function(id) => {
                let signature = self.program.signature(id, self.known);
                let unknown = vec![Ty::Unknown; signature.params];
                Ty::Callable(std::sync::Arc::new(signature.output.substitute(&unknown)))
            }
            Def::Extern(path) => match path.as_str() {
                "std::option::Option::None" => Ty::wrap("std::option::Option", Ty::Unknown),
                _ => self
                    .known
                    .returns(path)
                    .cloned()
                    .unwrap_or_else(|| extern_value(path)),
            },
            _ => Ty::Unknown,
        }
    }

    /// What a path in value position leads to: a definition, or a type and the name of an
    /// associated item.
    fn resolve_value(&self, path: &Path) -> Option<(Def, Option<Name>)> {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        if path.qself.is_some() {
            return None;
        }
        let first = *names.first()?;
        if first == "Self" || self.params.contains(&first) {
            return None;
        }
        let (def, used) = self.program.resolve_names(
            self.module,
            &names,
            path.global,
            Namespace::Values,
            self.known,
        )?;
        if used == names.len() {
            Some((def, None))
        } else if let Def::Module(inner) = def {
            Some((
                Def::Extern(self.program.generated(inner, &names[used..])),
                None,
            ))
        } else if used + 1 == names.len() {
            Some((def, Some(names[used])))
        } else {
            None
        }
    }

    fn def_type(&self, def: Def, path: &Path) -> Ty {
        match def {
            Def::Type(_) | Def::Alias(_) | Def::Trait(_) => {
                let mut prefix = path.clone();
                prefix.segments.pop();
                self.written(&TypeRef::Path(prefix))
            }
            Def::Extern(path) => plain(path),
            _ => Ty::Unknown,
        }
    }

    fn associated(&self, owner: &Ty, name: Name) -> Option<FnId> {
        match owner {
            Ty::Adt(id, _) => self
                .program
                .adt_method(*id, name)
                .or_else(|| self.program.blanket.get(&name)?.first().copied()),
            Ty::Extern(path, _) => self
                .program
                .extensions
                .get(&(*path, name))
                .and_then(|found| found.first().copied()),
            _ => None,
        }
    }

    fn associated_const(&self, owner: &Ty, name: Name) -> Option<ConstId> {
        let Ty::Adt(id, _) = owner else { return None };
        self.program.types[id.index()]
            .impls
            .iter()
            .find_map(|impl_id| {
                self.program.impls[impl_id.index()]
                    .consts
                    .get(&name)
                    .copied()
            })
    }

    fn macro_path(&self, path: &Path) -> Name {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        let resolved = self.program.resolve_names(
            self.module,
            &names,
            path.global,
            Namespace::Values,
            self.known,
        );
        match resolved {
            Some((Def::Extern(path), used)) if used == names.len() => path,
            _ => Name::from(&path.text()),
        }
    }

    fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId]) -> Ty {
        let body = self.body;
        let Expr::Path(path) = body.expr(callee) else {
            let called = self.expr(callee);
            self.exprs(args);
            self.out.callees.insert(id, Callee::Value);
            return match called {
                Ty::Callable(output) => (*output).clone(),
                Ty::Param(index) => match self.bounds(index) {
                    Ty::Callable(output) => (*output).clone(),
                    _ => Ty::Unknown,
                },
                _ => Ty::Unknown,
            };
        };
        let generics: Vec<Ty> = path
            .segments
            .last()
            .map(|segment| segment.args.iter().map(|ty| self.written(ty)).collect())
            .unwrap_or_default();
        match self.callee_of(path) {
            Target::Function(function, owner) => {
                self.out.defs.insert(callee, Def::Function(function));
                let functions = vec![function];
                self.call_functions(id, functions, true, owner.as_ref(), &generics, args)
            }
            Target::Union(functions, owner) => {
                self.call_functions(id, functions, true, owner.as_ref(), &generics, args)
            }
            Target::Dispatch {
                param,
                trait_id,
                method,
            } => {
                self.exprs(args);
                self.out.callees.insert(
                    id,
                    Callee::Dispatch {
                        param,
                        trait_id,
                        method,
                    },
                );
                self.dispatch_output(trait_id, method, &Ty::Param(param))
            }
            Target::Constructor(type_id, variant) => {
                self.exprs(args);
                self.out
                    .callees
                    .insert(id, Callee::Constructor(type_id, variant));
                Ty::Adt(type_id, no_args())
            }
            Target::Foreign(canonical) => {
                self.out.callees.insert(id, Callee::Path(canonical));
                self.call_foreign(canonical, args)
            }
            Target::Unknown => {
                self.exprs(args);
                self.out.callees.insert(id, Callee::Unknown);
                Ty::Unknown
            }
        }
    }

    fn callee_of(&self, path: &Path) -> Target {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        let Some(last) = names.last().copied() else {
            return Target::Unknown;
        };
        if let Some(qself) = &path.qself {
            let owner = self.written(qself);
            return self.associated_call(owner, last);
        }
        let first = names[0];
        if names.len() == 2 && (first == "Self" || self.params.contains(&first)) {
            let mut prefix = path.clone();
            prefix.segments.pop();
            let owner = self.written(&TypeRef::Path(prefix));
            if first == "Self"
                && let Ty::Adt(id, _) = owner
                && let Some((index, _)) = self.program.types[id.index()].variant(last)
                && self.program.types[id.index()].item.is_enum
            {
                return Target::Constructor(id, index);
            }
            return self.associated_call(owner, last);
        }
        if names.len() == 1 && first == "Self" {
            return match self.self_ty {
                Ty::Adt(id, _) => Target::Constructor(id, 0),
                _ => Target::Unknown,
            };
        }
        match self.resolve_value(path) {
            Some((Def::Function(function), None)) => Target::Function(function, None),
            Some((Def::Variant(id, index), None)) => Target::Constructor(id, index),
            Some((Def::Type(id), None)) => Target::Constructor(id, 0),
            Some((Def::Extern(canonical), None)) => self.foreign_or_extension(canonical),
            Some((Def::Trait(trait_id), Some(name))) => {
                let functions = self.program.implementations(trait_id, name);
                Target::Union(functions, None)
            }
            Some((def, Some(name))) => self.associated_call(self.def_type(def, path), name),
            _ => Target::Unknown,
        }
    }

    /// `a::B::f` of another crate may be an extension method of ours on `a::B`.
    fn foreign_or_extension(&self, canonical: Name) -> Target {
        if let Some((owner, name)) = canonical.rsplit_once("::")
            && let Some(functions) = self
                .program
                .extensions
                .get(&(Name::from(owner), Name::from(name)))
            && let Some(function) = functions.first()
        {
            return Target::Function(*function, None);
        }
        Target::Foreign(canonical)
    }

    fn associated_call(&self, owner: Ty, name: Name) -> Target {
        match &owner {
            Ty::Adt(id, _) => match self.associated(&owner, name) {
                Some(function) => Target::Function(function, Some(owner)),
                None => {
                    let def = &self.program.types[id.index()];
                    if let Some((index, _)) = def.variant(name).filter(|_| def.item.is_enum) {
                        return Target::Constructor(*id, index);
                    }
                    // An associated function that a derive or a foreign trait gives.
                    Target::Foreign(Name::from(&format!("{}::{name}", def.item.name)))
                }
            },
            Ty::Param(index) => match self.bounds(*index) {
                Ty::Bound(traits) => traits
                    .iter()
                    .find_map(|bound| match bound {
                        super::ty::TraitRef::Local(id) => {
                            let trait_id = self.program.declaring_trait(*id, name, 0)?;
                            Some(Target::Dispatch {
                                param: *index,
                                trait_id,
                                method: name,
                            })
                        }
                        super::ty::TraitRef::Extern(..) => None,
                    })
                    .unwrap_or(Target::Unknown),
                _ => Target::Unknown,
            },
            Ty::Bound(_) => {
                let found =
                    self.program
                        .method(&owner, name, 0, &|index| self.bounds(index), self.known);
                match found.callee {
                    Callee::Functions { functions, .. } => Target::Union(functions, Some(owner)),
                    _ => Target::Unknown,
                }
            }
            Ty::Extern(path, _) => {
                let canonical = self.known.canonical(&format!("{path}::{name}"));
                self.foreign_or_extension(canonical)
            }
            _ => Target::Unknown,
        }
    }

    fn call_foreign(&mut self, canonical: Name, args: &[ExprId]) -> Ty {
        let types: Vec<Ty> = args.iter().map(|arg| self.argument(*arg, &[])).collect();
        let first = || types.first().cloned().unwrap_or_default();
        match canonical.as_str() {
            "std::result::Result::Ok" => Ty::wrap("std::result::Result", first()),
            "std::option::Option::Some" => Ty::wrap("std::option::Option", first()),
            "std::result::Result::Err" => Ty::wrap("std::result::Result", Ty::Unknown),
            "std::sync::Arc::clone" | "std::rc::Rc::clone" => first(),
            "tokio::time::timeout" | "tokio::time::timeout_at" => {
                let inner = types.get(1).cloned().unwrap_or_default();
                Ty::wrap("std::result::Result", inner)
            }
            _ => {
                if let Some(gives) = self.known.returns(canonical) {
                    return self.program.given(gives, &first());
                }
                constructed(canonical, first()).or(Ty::opaque(canonical))
            }
        }
    }

    fn call_functions(
        &mut self,
        id: ExprId,
        functions: Vec<FnId>,
        certain: bool,
        owner: Option<&Ty>,
        generics: &[Ty],
        args: &[ExprId],
    ) -> Ty {
        let Some(first) = functions.first().copied() else {
            self.exprs(args);
            self.out
                .callees
                .insert(id, Callee::Functions { functions, certain });
            return Ty::Unknown;
        };
        let signature = self.program.signature(first, self.known);
        let mut params = vec![Ty::Unknown; signature.params];
        let own = self.program.function(first).function.generics.params.len();
        let offset = signature.params.saturating_sub(own);
        for (index, given) in generics.iter().enumerate() {
            if let Some(slot) = params.get_mut(offset + index) {
                *slot = given.clone();
            }
        }
        if let Some(owner) = owner {
            signature.self_ty.unify(owner, &mut params);
        }
        self.apply(id, first, &signature, &mut params, args);
        if functions.len() == 1 && signature.params > 0 {
            self.out.generics.insert(id, params.clone());
        }
        self.out
            .callees
            .insert(id, Callee::Functions { functions, certain });
        let output = match (&signature.output, owner) {
            // `Self` of a trait method is the receiver.
            (Ty::Bound(_), Some(owner)) if signature.output == signature.self_ty => owner.clone(),
            (output, _) => self.close(output, first, &params),
        };
        output
    }

    /// Substitutes what is known; a parameter that nothing tells is as good as its bounds.
    fn close(&self, ty: &Ty, function: FnId, params: &[Ty]) -> Ty {
        let filled: Vec<Ty> = params
            .iter()
            .enumerate()
            .map(|(index, ty)| match ty {
                Ty::Unknown => match self
                    .program
                    .param_bounds(function, index as u32, self.known)
                {
                    Ty::Param(_) => Ty::Unknown,
                    bounds => bounds,
                },
                known => known.clone(),
            })
            .collect();
        ty.substitute(&filled)
    }

    fn apply(
        &mut self,
        _id: ExprId,
        function: FnId,
        signature: &Signature,
        params: &mut Vec<Ty>,
        args: &[ExprId],
    ) {
        // `Type::method(receiver, …)` names the receiver among the arguments.
        let has_self = self.program.function(function).function.has_self;
        let skip = usize::from(has_self && args.len() == signature.inputs.len() + 1);
        for (index, arg) in args.iter().enumerate() {
            let declared = index
                .checked_sub(skip)
                .and_then(|index| signature.inputs.get(index));
            let expected = declared
                .map(|ty| self.closure_inputs(ty, function, params))
                .unwrap_or_default();
            let actual = self.argument(*arg, &expected);
            match declared {
                Some(declared) => declared.unify(&actual, params),
                None => signature.self_ty.unify(&actual, params),
            }
        }
    }

    /// The types of the parameters of a closure that is passed for a declared type.
    fn closure_inputs(&self, declared: &Ty, function: FnId, params: &[Ty]) -> Vec<Ty> {
        let bounds: Vec<Path> = match declared {
            Ty::Param(index) => {
                let generics = self.program.generics_of(function);
                generics
                    .get(*index as usize)
                    .map(|param| param.bounds.clone())
                    .unwrap_or_default()
            }
            Ty::Callable(_) => {
                // `impl Fn(A) -> B`: read it again from the signature as written.
                let def = self.program.function(function);
                def.function
                    .params
                    .iter()
                    .filter_map(|param| match &param.ty {
                        TypeRef::Impl(bounds) | TypeRef::Dyn(bounds) => Some(bounds.clone()),
                        _ => None,
                    })
                    .flatten()
                    .collect()
            }
            _ => return Vec::new(),
        };
        let def = self.program.function(function);
        let names: Vec<Name> = self
            .program
            .generics_of(function)
            .iter()
            .map(|param| param.name)
            .collect();
        let scope = TypeScope {
            module: def.module,
            self_ty: None,
            params: &names,
            assoc: &[],
        };
        for bound in &bounds {
            let Some(last) = bound.segments.last() else {
                continue;
            };
            if !last.name.contains("Fn") {
                continue;
            }
            if let Some(TypeRef::Tuple(inputs)) = last.args.first() {
                return inputs
                    .iter()
                    .map(|ty| {
                        self.program
                            .type_of(ty, scope, self.known, 0)
                            .substitute(params)
                    })
                    .collect();
            }
        }
        Vec::new()
    }

    fn dispatch_output(
        &self,
        trait_id: super::program::TraitId,
        method: Name,
        receiver: &Ty,
    ) -> Ty {
        let Some(function) = self.program.traits[trait_id.index()].methods.get(&method) else {
            return Ty::Unknown;
        };
        let signature = self.program.signature(*function, self.known);
        if signature.output == signature.self_ty {
            return receiver.clone();
        }
        let unknown = vec![Ty::Unknown; signature.params];
        self.close(&signature.output, *function, &unknown)
    }

    fn method_call(
        &mut self,
        id: ExprId,
        receiver: ExprId,
        method: Name,
        generics: &[TypeRef],
        args: &[ExprId],
    ) -> Ty {
        let ty = self.expr(receiver);
        let program = self.program;
        let known = self.known;
        let found = {
            let bounds = |index: u32| self.bounds(index);
            program.method(&ty, method, args.len(), &bounds, known)
        };
        self.out.receivers.insert(id, found.receiver.clone());
        let turbofish: Vec<Ty> = generics.iter().map(|ty| self.written(ty)).collect();
        match found.callee {
            Callee::Functions { functions, certain } => self.call_functions(
                id,
                functions,
                certain,
                Some(&found.receiver),
                &turbofish,
                args,
            ),
            Callee::Dispatch {
                param,
                trait_id,
                method,
            } => {
                self.exprs(args);
                self.out.callees.insert(
                    id,
                    Callee::Dispatch {
                        param,
                        trait_id,
                        method,
                    },
                );
                self.dispatch_output(trait_id, method, &found.receiver)
            }
            callee => {
                let result = match found.moves {
                    Some(moves) => self.moves(&ty, moves, &turbofish, args),
                    None => {
                        let expected = self.foreign_closure(&found.receiver);
                        for arg in args {
                            self.argument(*arg, &expected);
                        }
                        match (method.as_str(), &found.receiver) {
                            ("clone" | "to_owned", _) => ty.clone(),
                            (_, Ty::Extern(path, _)) if found.receiver.is_opaque() => plain(*path),
                            (_, Ty::Extern(path, _)) => self.generated_builder(*path, method),
                            _ => Ty::Unknown,
                        }
                    }
                };
                self.out.callees.insert(id, callee);
                result
            }
        }
    }

    /// A builder that a derive made beside a type of ours: `FooBuilder` is built into `Foo`, and
    /// its other methods give the builder again.
    fn generated_builder(&self, path: Name, method: Name) -> Ty {
        let opaque = || Ty::opaque(Name::from(&format!("{path}::{method}")));
        let Some((module, name)) = path.rsplit_once("::") else {
            return opaque();
        };
        let Some(built) = name.strip_suffix("Builder").filter(|name| !name.is_empty()) else {
            return opaque();
        };
        let found = self.program.types.iter().position(|def| {
            def.item.name == built && self.program.module(def.module).name == module
        });
        match found {
            Some(index) if method == "build" => {
                Ty::Adt(super::program::TypeId(index as u32), no_args())
            }
            Some(_) => plain(path),
            None => opaque(),
        }
    }

    /// A closure given to a method of another crate's type is mostly handed that type, or the
    /// transaction it begins.
    fn foreign_closure(&self, receiver: &Ty) -> Vec<Ty> {
        match receiver {
            Ty::Extern(..) => vec![receiver.clone()],
            _ => Vec::new(),
        }
    }

    fn moves(&mut self, receiver: &Ty, moves: Moves, turbofish: &[Ty], args: &[ExprId]) -> Ty {
        let output = |ty: Ty| match ty {
            Ty::Callable(output) => (*output).clone(),
            _ => Ty::Unknown,
        };
        match moves {
            Moves::Same => {
                self.closures(args, &[]);
                receiver.clone()
            }
            Moves::Gives(ty) => {
                let expected = if args.is_empty() {
                    Vec::new()
                } else {
                    self.foreign_closure(receiver)
                };
                self.closures(args, &expected);
                match &ty {
                    Ty::Extern(word, _) if word == "generic" => {
                        turbofish.first().cloned().unwrap_or_default()
                    }
                    _ => ty,
                }
            }
            Moves::Peeks(item) => {
                self.closures(args, &[item]);
                receiver.clone()
            }
            Moves::Maps(item) => {
                let result = self.closures(args, &[item]);
                match receiver {
                    Ty::Extern(path, _) => {
                        Ty::Extern(*path, [standard_flat(path, output(result))].into())
                    }
                    _ => Ty::Unknown,
                }
            }
            Moves::Flat(item) => output(self.closures(args, &[item])),
            Moves::Folds(item) => {
                let first = args.first().map(|arg| self.expr(*arg)).unwrap_or_default();
                self.closures(args.get(1..).unwrap_or_default(), &[first.clone(), item]);
                first
            }
        }
    }

    fn closures(&mut self, args: &[ExprId], expected: &[Ty]) -> Ty {
        let mut last = Ty::Unknown;
        for arg in args {
            last = self.argument(*arg, expected);
        }
        last
    }

    fn struct_literal(&mut self, id: ExprId, path: &Path) -> Ty {
        if path.single().is_some_and(|name| name == "Self") {
            if let Ty::Adt(type_id, _) = &self.self_ty {
                self.out.structs.insert(id, Def::Type(*type_id));
            }
            return self.self_ty.clone();
        }
        if let [first, second] = path.segments.as_slice()
            && first.name == "Self"
            && let Ty::Adt(type_id, _) = &self.self_ty
        {
            if let Some((index, _)) = self.program.types[type_id.index()].variant(second.name) {
                self.out.structs.insert(id, Def::Variant(*type_id, index));
            }
            return self.self_ty.clone();
        }
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        let resolved = self.program.resolve_names(
            self.module,
            &names,
            path.global,
            Namespace::Types,
            self.known,
        );
        let Some((def, used)) = resolved else {
            return Ty::Unknown;
        };
        if used != names.len() {
            return Ty::Unknown;
        }
        self.out.structs.insert(id, def);
        match def {
            Def::Variant(id, _) => Ty::Adt(id, no_args()),
            _ => self.written(&TypeRef::Path(path.clone())),
        }
    }

    /// Gives the names of a pattern their types.
    fn bind(&mut self, pat: PatId, ty: &Ty) {
        let body = self.body;
        match body.pat(pat) {
            Pat::Bind(local, sub) => {
                let slot = &mut self.out.locals[local.0 as usize];
                // Alternatives bind the same local: the first type that is known stays.
                if slot.is_unknown() {
                    *slot = ty.clone();
                }
                if let Some(sub) = sub {
                    self.bind(*sub, ty);
                }
            }
            Pat::Tuple(elems) => {
                for (index, elem) in elems.iter().enumerate() {
                    let Some(elem) = elem else { continue };
                    let ty = match ty {
                        Ty::Tuple(types) => types.get(index).cloned().unwrap_or_default(),
                        other => standard::item_of(other),
                    };
                    self.bind(*elem, &ty);
                }
            }
            Pat::TupleStruct(path, elems) => self.bind_tuple_struct(pat, path, elems, ty),
            Pat::Struct(path, fields) => {
                let def = self.pattern_def(pat, path);
                for (name, field) in fields {
                    let field_ty = match def {
                        Some(Def::Variant(id, variant)) => {
                            let args = adt_args(ty, id);
                            self.program
                                .variant_field(id, variant, *name, &args, self.known)
                                .unwrap_or_default()
                        }
                        Some(Def::Type(id)) => {
                            let args = adt_args(ty, id);
                            self.program
                                .variant_field(id, 0, *name, &args, self.known)
                                .unwrap_or_default()
                        }
                        _ => self.program.field_type(ty, *name, self.known),
                    };
                    self.bind(*field, &field_ty);
                }
            }
            Pat::Or(cases) => {
                for case in cases {
                    self.bind(*case, ty);
                }
            }
            Pat::Path(path) => {
                self.pattern_def(pat, path);
            }
            Pat::Literal(_) | Pat::Wild => {}
        }
    }

    fn bind_tuple_struct(&mut self, pat: PatId, path: &Path, elems: &[Option<PatId>], ty: &Ty) {
        let def = self.pattern_def(pat, path);
        for (index, elem) in elems.iter().enumerate() {
            let Some(elem) = elem else { continue };
            let elem_ty = match def {
                Some(Def::Variant(id, variant)) => {
                    let args = adt_args(ty, id);
                    let name = Name::from(&index.to_string());
                    self.program
                        .variant_field(id, variant, name, &args, self.known)
                        .unwrap_or_default()
                }
                Some(Def::Type(id)) => {
                    let args = adt_args(ty, id);
                    let name = Name::from(&index.to_string());
                    self.program
                        .variant_field(id, 0, name, &args, self.known)
                        .unwrap_or_default()
                }
                Some(Def::Extern(path)) => match path.as_str() {
                    "std::option::Option::Some" | "std::result::Result::Ok" => {
                        standard::success_of(ty)
                    }
                    "std::result::Result::Err" => match ty {
                        Ty::Extern(_, args) => args.get(1).cloned().unwrap_or_default(),
                        _ => Ty::Unknown,
                    },
                    // Extractors: `State(db): State<Db>`.
                    _ => match ty {
                        Ty::Extern(path, args) if self.known.is_transparent(*path) => {
                            args.first().cloned().unwrap_or_default()
                        }
                        _ => Ty::Unknown,
                    },
                },
                _ => Ty::Unknown,
            };
            self.bind(*elem, &elem_ty);
        }
    }

    fn pattern_def(&mut self, pat: PatId, path: &Path) -> Option<Def> {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        let def = if names.first().is_some_and(|first| *first == "Self") {
            let Ty::Adt(id, _) = self.self_ty else {
                return None;
            };
            match names.get(1) {
                Some(variant) => self.program.types[id.index()]
                    .variant(*variant)
                    .map(|(index, _)| Def::Variant(id, index)),
                None => Some(Def::Type(id)),
            }
        } else {
            let lookup = |namespace| {
                let (def, used) = self.program.resolve_names(
                    self.module,
                    &names,
                    path.global,
                    namespace,
                    self.known,
                )?;
                (used == names.len()).then_some(def)
            };
            lookup(Namespace::Values).or_else(|| lookup(Namespace::Types))
        };
        if let Some(def) = def {
            self.out.pats.insert(pat, def);
        }
        def
    }
}

/// Whom a called path names.
enum Target {
    Function(FnId, Option<Ty>),
    Union(Vec<FnId>, Option<Ty>),
    Dispatch {
        param: u32,
        trait_id: super::program::TraitId,
        method: Name,
    },
    Constructor(super::program::TypeId, u32),
    Foreign(Name),
    Unknown,
}

fn adt_args(ty: &Ty, id: super::program::TypeId) -> Vec<Ty> {
    match ty {
        Ty::Adt(given, args) if *given == id => args.to_vec(),
        Ty::Extern(_, args) => match args.first() {
            Some(inner) => adt_args(inner, id),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// `Option::map` of a closure that gives an `Option` and so on: containers are kept flat where
/// the method flattens, which its name decides; an item that is itself an outcome stays one.
fn standard_flat(container: &str, output: Ty) -> Ty {
    match &output {
        // `filter_map`, `flat_map`: the item, not the outcome around it.
        Ty::Extern(path, args) if container.ends_with("Vec") && path == "std::option::Option" => {
            args.first().cloned().unwrap_or_default()
        }
        _ => output,
    }
}

/// The type that an associated function of another crate's type gives when nothing else is
/// known: constructors give the type.
fn constructed(canonical: Name, first: Ty) -> Ty {
    let Some((owner, name)) = canonical.rsplit_once("::") else {
        return Ty::Unknown;
    };
    let type_name = owner.rsplit("::").next().unwrap_or(owner);
    if !type_name.starts_with(char::is_uppercase) {
        return Ty::Unknown;
    }
    const CONSTRUCTORS: &[&str] = &[
        "new", "default", "from", "with", "connect", "open", "create", "try", "init", "parse",
        "build", "load",
    ];
    let head = name.split('_').next().unwrap_or(name);
    if CONSTRUCTORS.contains(&head) {
        match owner {
            "std::sync::Arc"
            | "std::boxed::Box"
            | "std::rc::Rc"
            | "std::pin::Pin"
            | "std::sync::Mutex"
            | "std::sync::RwLock"
            | "std::cell::RefCell"
            | "tokio::sync::Mutex"
            | "tokio::sync::RwLock" => Ty::wrap(owner, first),
            _ => plain(Name::from(owner)),
        }
    } else if name == "pin" || name == "clone" {
        first
    } else {
        Ty::Unknown
    }
}

fn extern_value(path: Name) -> Ty {
    let last = path.rsplit("::").next().unwrap_or(&path);
    if last.starts_with(char::is_uppercase)
        && !last
            .chars()
            .all(|c| c.is_uppercase() || c == '_' || c.is_numeric())
    {
        plain(path)
    } else {
        Ty::Unknown
    }
}
