//! Single arguments: their words, their values and the kinds of effects they name.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr, Lit, LitInt, Meta};

use super::error::{GrammarError, unknown};
use crate::vocabulary::EffectKind;

pub(super) fn no_arguments(metas: &[Meta]) -> Result<(), Vec<GrammarError>> {
    match metas.first() {
        None => Ok(()),
        Some(meta) => Err(vec![GrammarError::new(
            meta.path().span(),
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
    meta.path()
        .get_ident()
        .map(ToString::to_string)
        .unwrap_or_default()
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
