//! SQL text as a typed model: what each statement reads, writes and claims.
//!
//! The only user of the SQL parser. It must not know anything of Rust code: the caller brings plain
//! text and byte ranges, and maps both back to the place the text came from.
//!
//! From text to model: `token` cuts, `split` finds the statements, `mend` (with `bind`) turns binds and
//! spliced text into what a parser accepts, `parse` tries the dialects with `repair` and `foreign`,
//! `lower` and its neighbours (`insert`, `write`, `select`, `filter`, `value`, `walk`) fill the model
//! in `statement`, and `change` judges it. `plain` reads what needs no parser, `scan` what no parser
//! accepts. `schema` replays definitions and tells what unique keys forbid; `expression` writes the
//! expressions of another language as SQL.

mod bind;
mod change;
pub mod expression;
mod filter;
mod foreign;
mod function;
mod insert;
mod lower;
mod mend;
mod name;
mod parse;
mod part;
mod plain;
mod reader;
mod repair;
mod scan;
pub mod schema;
mod select;
mod split;
mod statement;
mod token;
mod value;
mod walk;
mod write;

#[cfg(test)]
mod tests;

pub use change::Change;
pub use reader::read;
pub use statement::{
    Assignment, Condition, Conflict, ConflictAction, ConflictTarget, Function, FunctionClass, Lock,
    Placeholder, Projection, Rows, Statement, Strength, Test, Unread, Value, Verb,
};
