//! Method calls: whom they call, and what they give.

use crate::ir::{ExprId, Name, TypeRef};

use super::super::callee::Callee;
use super::super::matching::CallShape;
use super::super::path::plain;
use super::super::standard::Moves;
use super::super::ty::{Ty, no_args};
use super::Walk;

impl Walk<'_> {
    pub(super) fn method_call(
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
            callee @ Callee::Dispatch {
                trait_id, method, ..
            } => {
                self.out.callees.insert(id, callee);
                self.exprs(args);
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
                            // `posts::table.load::<Post>(conn)`
                            _ if !turbofish.is_empty() && known.returns_asked(method).is_some() => {
                                let gives = known.returns_asked(method).cloned();
                                gives
                                    .unwrap_or_default()
                                    .replace_word("generic", &turbofish[0])
                            }
                            // `container.get::<dyn Service>()`: asked for by its type.
                            _ if let [Ty::Adt(..) | Ty::Bound(_) | Ty::Tuple(_)] =
                                turbofish.as_slice() =>
                            {
                                turbofish[0].clone()
                            }
                            (_, Ty::Extern(path, _)) if found.receiver.is_opaque() => plain(*path),
                            (_, Ty::Extern(path, _)) => self.generated_builder(*path, method),
                            _ => Ty::Unknown,
                        }
                    }
                };
                self.out.callees.insert(id, callee);
                if self.hints.is_open()
                    && let (Ty::Extern(path, _), [item]) = (&found.receiver, args)
                {
                    let shape = CallShape {
                        method: Some(method),
                        receiver: Some(*path),
                        arguments: 1,
                        ..CallShape::default()
                    };
                    if known.feeds(&shape) {
                        let item = self.out.ty(*item).clone();
                        self.learn_item(receiver, &item);
                    }
                }
                result
            }
        }
    }

    /// A builder that a derive made beside a type of ours: `FooBuilder` is built into `Foo`, and
    /// its other methods give the builder again.
    pub(super) fn generated_builder(&self, path: Name, method: Name) -> Ty {
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
                Ty::Adt(super::super::ids::TypeId(index as u32), no_args())
            }
            Some(_) => plain(path),
            None => opaque(),
        }
    }

    /// A closure given to a method of another crate's type is mostly handed that type, or the
    /// transaction it begins.
    pub(super) fn foreign_closure(&self, receiver: &Ty) -> Vec<Ty> {
        match receiver {
            Ty::Extern(..) => vec![receiver.clone()],
            _ => Vec::new(),
        }
    }

    pub(super) fn moves(
        &mut self,
        receiver: &Ty,
        moves: Moves,
        turbofish: &[Ty],
        args: &[ExprId],
    ) -> Ty {
        let output = |ty: Ty| match ty {
            Ty::Callable(output) => (*output).clone(),
            _ => Ty::Unknown,
        };
        match moves {
            Moves::Same => {
                self.closures(args, &[]);
                collected(receiver, turbofish).unwrap_or_else(|| receiver.clone())
            }
            Moves::Gives(ty) => {
                let expected = if args.is_empty() {
                    Vec::new()
                } else {
                    self.foreign_closure(receiver)
                };
                self.closures(args, &expected);
                let turbofish = turbofish.first().cloned().unwrap_or_default();
                ty.replace_word("generic", &turbofish)
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

    pub(super) fn closures(&mut self, args: &[ExprId], expected: &[Ty]) -> Ty {
        let mut last = Ty::Unknown;
        for arg in args {
            last = self.argument(*arg, expected);
        }
        last
    }
}

/// `.collect::<BTreeSet<_>>()`: the items stand in an order now. What is not written is what the
/// receiver holds.
fn collected(receiver: &Ty, turbofish: &[Ty]) -> Option<Ty> {
    let [Ty::Extern(path, written)] = turbofish else {
        return None;
    };
    if !matches!(
        path.as_str(),
        "std::collections::BTreeMap" | "std::collections::BTreeSet"
    ) {
        return None;
    }
    let held = match receiver {
        Ty::Extern(_, args) => match &**args {
            [Ty::Tuple(parts)] if written.len() == 2 => parts.to_vec(),
            args => args.to_vec(),
        },
        _ => Vec::new(),
    };
    let args = written
        .iter()
        .enumerate()
        .map(|(index, ty)| match ty {
            Ty::Unknown => held.get(index).cloned().unwrap_or_default(),
            ty => ty.clone(),
        })
        .collect();
    Some(Ty::Extern(*path, args))
}

/// `Option::map` of a closure that gives an `Option` and so on: containers are kept flat where
/// the method flattens, which its name decides; an item that is itself an outcome stays one.
pub(super) fn standard_flat(container: &str, output: Ty) -> Ty {
    match &output {
        // `filter_map`, `flat_map`: the item, not the outcome around it.
        Ty::Extern(path, args) if container.ends_with("Vec") && path == "std::option::Option" => {
            args.first().cloned().unwrap_or_default()
        }
        _ => output,
    }
}
