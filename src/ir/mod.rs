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

/// The words of a name in any case: `send_email`, `SendEmail`.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .flat_map(|part| {
            let starts = part.char_indices().filter(|(_, c)| c.is_uppercase());
            let mut starts: Vec<usize> = starts.map(|(at, _)| at).filter(|at| *at > 0).collect();
            starts.push(part.len());
            let mut from = 0;
            starts
                .into_iter()
                .map(move |to| part[std::mem::replace(&mut from, to)..to].to_lowercase())
        })
        .filter(|word| !word.is_empty())
}
