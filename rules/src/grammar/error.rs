//! Mistakes in a declaration, and how an unknown word is reported.

use proc_macro2::Span;

use crate::vocabulary::nearest;

/// A mistake in a declaration.
#[derive(Debug, Clone)]
pub struct GrammarError {
    /// The argument that is wrong.
    pub span: Span,
    /// What is wrong, with the nearest valid word.
    pub message: String,
}

impl GrammarError {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        GrammarError {
            span,
            message: message.into(),
        }
    }
}

impl From<syn::Error> for GrammarError {
    fn from(error: syn::Error) -> Self {
        GrammarError::new(error.span(), error.to_string())
    }
}

pub(super) fn unknown(what: &str, word: &str, words: &[&str]) -> String {
    match nearest(word, words.iter().copied()) {
        Some(near) => format!("unknown {what} `{word}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{word}`; it is one of {}", words.join(", ")),
    }
}
