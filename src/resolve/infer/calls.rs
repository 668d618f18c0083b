//! Calls of paths: whom they call, and what they give.

use retrysafe_rules::catalog::Regime;

use crate::ir::{Expr, ExprId, Name, Path, TypeRef};

use super::super::callee::Callee;
use super::super::ids::{FnId, TraitId, TypeId};
use super::super::matching::CallShape;
use super::super::path::{Signature, TypeScope, plain};
use super::super::program::{Def, Owner};
use super::super::ty::{TraitRef, Ty, no_args};
use super::Walk;

/// Whom a called path names.
enum Target {
    Function(FnId, Option<Ty>),
    Union(Vec<FnId>, Option<Ty>),
    Dispatch {
        param: u32,
        trait_id: TraitId,
        method: Name,
    },
    Constructor(TypeId, u32),
    Foreign(Name),
    Unknown,
}

impl Walk<'_> {
    pub(super) fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId]) -> Ty {
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
                let callee = Callee::Dispatch {
                    param,
                    trait_id,
                    method,
                };
                self.out.callees.insert(id, callee);
                self.exprs(args);
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
                self.call_foreign(canonical, &generics, args)
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
                        TraitRef::Local(id) => {
                            let trait_id = self.program.declaring_trait(*id, name, 0)?;
                            Some(Target::Dispatch {
                                param: *index,
                                trait_id,
                                method: name,
                            })
                        }
                        TraitRef::Extern(..) => None,
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

    pub(super) fn call_foreign(&mut self, canonical: Name, generics: &[Ty], args: &[ExprId]) -> Ty {
        let types: Vec<Ty> = args.iter().map(|arg| self.argument(*arg, &[])).collect();
        let first = || types.first().cloned().unwrap_or_default();
        match canonical.as_str() {
            "std::result::Result::Ok" => Ty::wrap("std::result::Result", first()),
            "std::option::Option::Some" => Ty::wrap("std::option::Option", first()),
            "std::result::Result::Err" => Ty::wrap("std::result::Result", Ty::Unknown),
            "std::sync::Arc::clone" | "std::rc::Rc::clone" => first(),
            _ => {
                let shape = CallShape {
                    path: Some(canonical),
                    arguments: args.len(),
                    ..CallShape::default()
                };
                if let Some(wrapper) = self.known.wrapper_of(&shape)
                    && wrapper.regime == Regime::Timeout
                {
                    let inner = types.last().cloned().unwrap_or_default();
                    return Ty::wrap("std::result::Result", inner);
                }
                if let Some(gives) = self.known.returns(canonical) {
                    let turbofish = generics.first().cloned().unwrap_or_default();
                    let gives = gives.replace_word("generic", &turbofish);
                    return self.program.given(&gives, &first());
                }
                constructed(canonical, first()).or(Ty::opaque(canonical))
            }
        }
    }

    pub(super) fn call_functions(
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
            for (slot, given) in params.iter_mut().zip(self.trait_arguments(first, owner)) {
                if slot.is_unknown() {
                    *slot = given;
                }
            }
        }
        self.apply(id, first, &signature, &mut params, args);
        if functions.len() == 1 && signature.params > 0 {
            self.out.generics.insert(id, params.clone());
        }
        self.out
            .callees
            .insert(id, Callee::Functions { functions, certain });

        match (&signature.output, owner) {
            // `Self` of a trait method is the receiver.
            (Ty::Bound(_), Some(owner)) if signature.output == signature.self_ty => owner.clone(),
            (output, _) => self.close(output, first, &params),
        }
    }

    /// For a default method: the arguments of its trait in the impl for the receiver's type.
    fn trait_arguments(&self, function: FnId, receiver: &Ty) -> Vec<Ty> {
        let Owner::Trait(id) = self.program.function(function).owner else {
            return Vec::new();
        };
        let impls = &self.program.traits[id.index()].impls;
        impls
            .iter()
            .find_map(|impl_id| self.program.arguments_of(*impl_id, receiver, self.known))
            .unwrap_or_default()
    }

    /// Substitutes what is known; a parameter that nothing tells is as good as its bounds.
    pub(super) fn close(&self, ty: &Ty, function: FnId, params: &[Ty]) -> Ty {
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

    pub(super) fn apply(
        &mut self,
        _id: ExprId,
        function: FnId,
        signature: &Signature,
        params: &mut [Ty],
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
            if let Some(declared) = declared.filter(|_| self.hints.is_open()) {
                self.learn(*arg, &declared.substitute(params));
            }
            match declared {
                Some(declared) => declared.unify(&actual, params),
                None => signature.self_ty.unify(&actual, params),
            }
        }
    }

    /// The types of the parameters of a closure that is passed for a declared type.
    pub(super) fn closure_inputs(&self, declared: &Ty, function: FnId, params: &[Ty]) -> Vec<Ty> {
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

    pub(super) fn dispatch_output(&self, trait_id: TraitId, method: Name, receiver: &Ty) -> Ty {
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
}

/// The type that an associated function of another crate's type gives when nothing else is
/// known: constructors give the type.
pub(super) fn constructed(canonical: Name, first: Ty) -> Ty {
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
            "std::sync::Arc" | "std::boxed::Box" | "std::rc::Rc" | "std::pin::Pin"
            | "std::sync::Mutex" | "std::sync::RwLock" | "std::cell::RefCell" => {
                Ty::wrap(owner, first)
            }
            _ => plain(Name::from(owner)),
        }
    } else if name == "pin" || name == "clone" {
        first
    } else {
        Ty::Unknown
    }
}
