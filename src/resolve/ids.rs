//! Positions in the arenas of a program and of the catalogue.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its arena.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })+
    };
}

ids! {
    /// A crate of the workspace.
    CrateId,
    /// A module.
    ModuleId,
    /// A function, method or closure-free body.
    FnId,
    /// A struct, enum or union.
    TypeId,
    /// A trait.
    TraitId,
    /// An impl block.
    ImplId,
    /// A constant or static.
    ConstId,
    /// A type alias.
    AliasId,
}
