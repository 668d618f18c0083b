//! The intermediate representation: a file as owned data that any thread can hold and that
//! can be written to a cache.
//!
//! It knows nothing of tokens or of the parser. Names are interned, expressions and patterns
//! sit in one arena per body, and references to locals are already bound.

mod body;
mod item;
mod path;
mod place;

pub use body::*;
pub use item::*;
pub use path::*;
pub use place::*;

/// An interned name.
pub type Name = ustr::Ustr;
