//! The schema that migrations build: tables, their columns, and what their unique keys forbid.
//!
//! From text to schema: `split` (of the parent) finds the statements, `define` turns each into changes
//! (with `salvage` for those no parser accepts, and `routine` for those inside of blocks), `replay` applies
//! them in order, and `judge` answers what a unique key forbids. It must not know where texts come from:
//! the caller names each source by a number.

mod change;
mod column;
mod define;
mod given;
mod judge;
mod model;
mod predicate;
mod read;
mod replay;
mod routine;
mod row;
mod salvage;

pub use change::Change;
pub use given::Given;
pub use judge::{Reason, Row, Verdict};
pub use model::{Column, Fill, Origin, Schema, Table, Unique, UniqueKind, UniquePart};
pub use read::{Definitions, define};
pub use row::{Bind, cuts, given};
