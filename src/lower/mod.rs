//! Lowering: source text to the intermediate representation. The only user of `syn`.
//!
//! Lowering never fails as a whole: a file that does not parse is one problem, a macro that
//! cannot be read is one gap, the rest is there. It reads no files and resolves no names
//! beyond the locals of a body.

mod attributes;
mod attributes_of;
mod body;
mod comments;
mod context;
mod control;
mod expand;
mod fields;
mod items;
mod json;
mod lines;
mod literals;
mod macro_syntax;
mod macros;
mod marks;
mod pats;
mod spans;
mod types;
mod uses;

use rustc_hash::FxHashMap;

use crate::ir::{FileIr, MacroRules, Name, Place};

/// The `macro_rules!` that a file may call, by name.
pub type MacroTable<'m> = FxHashMap<Name, &'m MacroRules>;

/// A file that does not parse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// Where the parser stopped.
    pub place: Place,
    /// What it expected.
    pub message: String,
}

/// Lowers the text of one file. Calls of the given macros are expanded.
///
/// # Errors
/// When the text is not Rust.
pub fn lower(text: &str, macros: &MacroTable<'_>) -> Result<FileIr, ParseError> {
    let outcome = syn::parse_file(text)
        .map(|file| items::lower_file(&file, text, macros))
        .map_err(|error| ParseError {
            place: spans::place(error.span()),
            message: error.to_string(),
        });
    // The parser keeps every text it has seen alive for its spans; ours are copied.
    proc_macro2::extra::invalidate_current_thread_spans();
    outcome
}
