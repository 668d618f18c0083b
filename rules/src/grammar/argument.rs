//! Single arguments: their words, their values and the kinds of effects they name.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Lit, LitInt, Meta, Token};

use super::error::{GrammarError, unknown};
use crate::vocabulary::EffectKind;

/// The arguments in a list of them.
pub(super) fn metas_of(args: TokenStream) -> Result<Vec<Meta>, GrammarError> {
    Punctuated::<Meta, Token![,]>::parse_terminated
        .parse2(args.clone())
        .map(Vec::from_iter)
        .map_err(|error| {
            let known = hyphenated(args.clone()).or_else(|| without_word(args));
            known.unwrap_or_else(|| error.into())
        })
}

/// A word that is spelled as in reports, which Rust reads as a subtraction.
fn hyphenated(args: TokenStream) -> Option<GrammarError> {
    let tokens: Vec<TokenTree> = args.into_iter().collect();
    tokens.windows(3).find_map(|three| match three {
        [
            TokenTree::Ident(first),
            TokenTree::Punct(hyphen),
            TokenTree::Ident(_),
        ] if hyphen.as_char() == '-' => Some(GrammarError::new(
            first.span(),
            "the words of an attribute are joined by `_`, not by `-`",
        )),
        _ => None,
    })
}

/// A value that stands alone.
fn without_word(args: TokenStream) -> Option<GrammarError> {
    let mut starts = true;
    args.into_iter().find_map(|token| {
        let alone = starts && matches!(token, TokenTree::Literal(_));
        starts = matches!(&token, TokenTree::Punct(comma) if comma.as_char() == ',');
        alone.then(|| {
            GrammarError::new(
                token.span(),
                "an argument is a word, `word = value` or `word(…)`",
            )
        })
    })
}

/// Arguments that are given more than once.
pub(super) fn given_twice(metas: &[Meta]) -> Vec<GrammarError> {
    let again = metas.iter().enumerate().filter(|(index, meta)| {
        metas[..*index]
            .iter()
            .any(|before| word_of(before) == word_of(meta))
    });
    again
        .map(|(_, meta)| {
            let message = format!("`{}` is given twice", word_of(meta));
            GrammarError::new(meta.path().span(), message)
        })
        .collect()
}

pub(super) fn no_arguments(args: &TokenStream) -> Result<(), Vec<GrammarError>> {
    match args.clone().into_iter().next() {
        None => Ok(()),
        Some(first) => Err(vec![GrammarError::new(
            first.span(),
            "this attribute takes no arguments",
        )]),
    }
}

pub(super) fn effect_kind(meta: &Meta) -> Result<EffectKind, GrammarError> {
    let word = word_of(meta);
    EffectKind::parse(&word).ok_or_else(|| {
        let words: Vec<String> = EffectKind::ALL
            .iter()
            .map(|kind| kind.word().replace('-', "_"))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        GrammarError::new(meta.path().span(), unknown("kind of effect", &word, &words))
    })
}

pub(super) fn word_of(meta: &Meta) -> String {
    let segments = meta.path().segments.iter();
    let words: Vec<String> = segments.map(|segment| segment.ident.to_string()).collect();
    words.join("::")
}

pub(super) fn value_span(meta: &Meta) -> Span {
    match meta {
        Meta::NameValue(pair) => pair.value.span(),
        other => other.path().span(),
    }
}

fn literal(meta: &Meta) -> Option<&Lit> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(literal) => Some(&literal.lit),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn text_value(meta: &Meta) -> Result<String, Vec<GrammarError>> {
    match literal(meta) {
        Some(Lit::Str(text)) => Ok(text.value()),
        _ => Err(vec![GrammarError::new(
            value_span(meta),
            format!("`{0}` takes a text: `{0} = \"…\"`", word_of(meta)),
        )]),
    }
}

pub(super) fn number_value(meta: &Meta) -> Result<u32, Vec<GrammarError>> {
    let count = match literal(meta) {
        Some(Lit::Int(number)) => LitInt::base10_parse::<u32>(number).ok(),
        _ => None,
    };
    count.filter(|count| *count > 0).ok_or_else(|| {
        vec![GrammarError::new(
            value_span(meta),
            format!("`{0}` takes a count from 1: `{0} = 5`", word_of(meta)),
        )]
    })
}

pub(super) fn flag(meta: &Meta) -> Result<(), Vec<GrammarError>> {
    match meta {
        Meta::Path(_) => Ok(()),
        other => Err(vec![GrammarError::new(
            other.path().span(),
            format!("`{}` stands alone, without a value", word_of(other)),
        )]),
    }
}
