//! The shape of a catalogue file: what can be said of a crate.
//!
//! Paths are canonical: the path an item has after `use` declarations are followed and the
//! aliases of the catalogue applied. A `*` stands for any text inside one path segment.
//! One file describes one crate; every table is a list of entries of one kind.

mod call;
mod definition;
mod effect;
mod exclude;
mod file;
mod guard;
mod job;
mod name;
mod part;
mod sql_function;
mod transaction;
mod url;
mod value;
mod wrapper;

pub use call::CallMatch;
pub use definition::{DefinitionEntry, Makes, Says};
pub use effect::{
    CallGuard, CallKind, Classify, DocumentParts, EffectEntry, ExpressionMethods, Idempotent,
    KeySlot, KindGiven,
};
pub use exclude::ExcludeEntry;
pub use file::{CatalogFile, Status};
pub use guard::{GuardClass, GuardEntry};
pub use job::{Attempts, AttemptsFrom, Input, JobEntry, Shape};
pub use name::{AliasEntry, PreludeEntry};
pub use part::{Argument, Part};
pub use sql_function::SqlFunctionEntry;
pub use transaction::TransactionEntry;
pub use url::{UrlEntry, UrlKind};
pub use value::{ReturnsEntry, SourceEntry, SourceKind, StableEntry};
pub use wrapper::{Regime, WrapperEntry};
