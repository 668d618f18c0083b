//! Whom a call calls.

use crate::ir::Name;

use super::ids::{FnId, TraitId, TypeId};

/// Whom a call calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Callee {
    /// One function of the workspace, or any of several implementations. `certain` is false
    /// when only the name and the number of arguments tell.
    Functions {
        /// The functions.
        functions: Vec<FnId>,
        /// Whether the receiver or path tells, not the name alone.
        certain: bool,
    },
    /// A method of a type parameter's trait: which implementation, the caller tells.
    Dispatch {
        /// The type parameter, by position.
        param: u32,
        /// The trait.
        trait_id: TraitId,
        /// The method.
        method: Name,
    },
    /// A function, associated function or macro of another crate, by canonical path.
    Path(Name),
    /// A method of a type of another crate.
    Method(Name),
    /// A method of a trait of another crate.
    TraitMethod(Vec<Name>),
    /// A method that a derive or a trait of another crate gives a type of the workspace.
    Derived(TypeId),
    /// A tuple struct or variant.
    Constructor(TypeId, u32),
    /// A value that is called: a closure, a function pointer, a parameter.
    Value,
    /// A method of the standard library that only moves values along.
    Standard,
    /// Not known.
    Unknown,
}
