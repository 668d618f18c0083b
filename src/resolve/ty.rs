//! Types as far as they are known.

use std::sync::Arc;

use crate::ir::Name;

use super::ids::{TraitId, TypeId};

/// Arguments of a type.
pub type TyArgs = Arc<[Ty]>;

/// A type. References, futures and lifetimes are left out: a future is its output.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Ty {
    /// Not known.
    #[default]
    Unknown,
    /// A type of the workspace.
    Adt(TypeId, TyArgs),
    /// A type of another crate, by canonical path.
    Extern(Name, TyArgs),
    /// Anything that implements these traits: `dyn`, `impl`.
    Bound(Arc<[TraitRef]>),
    /// A type parameter of the function or its impl, by position in [`super::Program::generics_of`].
    Param(u32),
    /// A tuple.
    Tuple(TyArgs),
    /// A closure or function that returns this.
    Callable(Arc<Ty>),
}

/// A trait, with the type arguments it is given.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TraitRef {
    /// A trait of the workspace.
    Local(TraitId),
    /// A trait of another crate, by canonical path; with its `Output` or `Item` when written.
    Extern(Name, Option<Ty>, TyArgs),
}

impl Ty {
    /// A type of another crate without arguments.
    pub fn extern_plain(path: Name) -> Ty {
        Ty::Extern(path, no_args())
    }

    /// A type of another crate with one argument.
    pub fn wrap(path: &str, inner: Ty) -> Ty {
        Ty::Extern(Name::from(path), Arc::from([inner]))
    }

    /// `()`.
    pub fn unit() -> Ty {
        Ty::Tuple(no_args())
    }

    /// The canonical path of a type of another crate.
    pub fn extern_path(&self) -> Option<Name> {
        match self {
            Ty::Extern(path, _) => Some(*path),
            _ => None,
        }
    }

    /// The type with a word of the catalogue replaced by what it stands for.
    pub(super) fn replace_word(&self, word: &str, by: &Ty) -> Ty {
        let all = |args: &[Ty]| args.iter().map(|arg| arg.replace_word(word, by)).collect();
        match self {
            Ty::Extern(path, args) if args.is_empty() && path == word => by.clone(),
            Ty::Extern(path, args) => Ty::Extern(*path, all(args)),
            Ty::Tuple(parts) => Ty::Tuple(all(parts)),
            other => other.clone(),
        }
    }

    /// The first type argument.
    pub fn first_arg(&self) -> Ty {
        match self {
            Ty::Adt(_, args) | Ty::Extern(_, args) | Ty::Tuple(args) => {
                args.first().cloned().unwrap_or_default()
            }
            _ => Ty::Unknown,
        }
    }

    /// What a function of another crate gives when the catalogue does not say: not known, but
    /// known to be of that crate, so that no method of ours is taken for its.
    pub fn opaque(call: Name) -> Ty {
        Ty::Extern(Name::from(&format!("{call}()")), no_args())
    }

    /// Whether it is such a type.
    pub fn is_opaque(&self) -> bool {
        matches!(self, Ty::Extern(path, _) if path.ends_with("()"))
    }

    /// Whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Ty::Unknown)
    }

    /// `self`, or `other` when nothing is known of it.
    pub fn or(self, other: Ty) -> Ty {
        if self.is_unknown() { other } else { self }
    }

    /// Puts types in the place of type parameters.
    pub fn substitute(&self, params: &[Ty]) -> Ty {
        let all = |args: &TyArgs| {
            args.iter()
                .map(|arg| arg.substitute(params))
                .collect::<TyArgs>()
        };
        match self {
            Ty::Param(index) => params.get(*index as usize).cloned().unwrap_or(Ty::Unknown),
            Ty::Adt(id, args) if !args.is_empty() => Ty::Adt(*id, all(args)),
            Ty::Extern(path, args) if !args.is_empty() => Ty::Extern(*path, all(args)),
            Ty::Tuple(args) if !args.is_empty() => Ty::Tuple(all(args)),
            Ty::Callable(output) => Ty::Callable(Arc::new(output.substitute(params))),
            other => other.clone(),
        }
    }

    /// Learns type parameters from a type that stands where `self` is declared.
    pub fn unify(&self, actual: &Ty, params: &mut [Ty]) {
        match (self, actual) {
            (Ty::Param(index), actual) => {
                if let Some(slot) = params.get_mut(*index as usize)
                    && slot.is_unknown()
                    && !actual.is_unknown()
                {
                    *slot = actual.clone();
                }
            }
            (Ty::Adt(a, declared), Ty::Adt(b, given)) if a == b => {
                unify_all(declared, given, params)
            }
            (Ty::Extern(a, declared), Ty::Extern(b, given)) if a == b => {
                unify_all(declared, given, params)
            }
            (Ty::Tuple(declared), Ty::Tuple(given)) => unify_all(declared, given, params),
            // `&Option<T>` against `T` and the like: wrappers are often stripped on one side.
            (Ty::Extern(_, declared), given)
                if declared.len() == 1 && !matches!(given, Ty::Extern(..)) =>
            {
                declared[0].unify(given, params);
            }
            _ => {}
        }
    }
}

fn unify_all(declared: &[Ty], given: &[Ty], params: &mut [Ty]) {
    for (declared, given) in declared.iter().zip(given) {
        declared.unify(given, params);
    }
}

/// An empty list of arguments.
pub(super) fn no_args() -> TyArgs {
    Arc::from([])
}
