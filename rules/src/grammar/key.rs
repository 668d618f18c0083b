//! Keys: what the placeholders of a job's key may name.

use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{FnArg, Meta, Pat, Signature, Token};

use super::argument::{text_value, value_span, word_of};
use super::error::GrammarError;
use crate::vocabulary::nearest;

/// The mistake in the key among the arguments of `job`, at the key's own place, seen from the
/// function that the attribute stands on.
pub fn check_key(args: TokenStream, signature: &Signature) -> Option<GrammarError> {
    let metas = Punctuated::<Meta, Token![,]>::parse_terminated
        .parse2(args)
        .ok()?;
    let meta = metas.iter().find(|meta| word_of(meta) == "key")?;
    let key = text_value(meta).ok()?;
    let message = wrong_placeholder(&key, signature)?;
    Some(GrammarError::new(value_span(meta), message))
}

/// What is wrong with the first placeholder of a key that names no parameter: `{order_id}`,
/// `{order.id}` and `{order.0}` need a parameter of that name. In a method the fields of `self`
/// may be meant as well.
pub fn wrong_placeholder(key: &str, signature: &Signature) -> Option<String> {
    let mut names = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(_) => return None,
            FnArg::Typed(typed) => bound(&typed.pat, &mut names),
        }
    }
    let wrong = placeholders(key).into_iter().find(|placeholder| {
        let first = placeholder.split('.').next().unwrap_or(placeholder);
        !names.iter().any(|name| name == first)
    })?;
    let first = wrong.split('.').next().unwrap_or(wrong);
    let hint = match nearest(first, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "the function has none".to_owned(),
        None => format!("they are {}", names.join(", ")),
    };
    Some(format!("`{{{wrong}}}` names no parameter; {hint}"))
}

/// What stands between single braces.
fn placeholders(key: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = key;
    while let Some(at) = rest.find('{') {
        let inside = &rest[at + 1..];
        if let Some(doubled) = inside.strip_prefix('{') {
            rest = doubled;
            continue;
        }
        let Some(end) = inside.find('}') else { break };
        found.push(inside[..end].trim());
        rest = &inside[end + 1..];
    }
    found
}

/// The names that a pattern binds.
fn bound(pat: &Pat, names: &mut Vec<String>) {
    match pat {
        Pat::Ident(ident) => names.push(ident.ident.to_string()),
        Pat::Paren(inner) => bound(&inner.pat, names),
        Pat::Reference(inner) => bound(&inner.pat, names),
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|elem| bound(elem, names)),
        Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|elem| bound(elem, names)),
        Pat::Struct(of) => of.fields.iter().for_each(|field| bound(&field.pat, names)),
        _ => {}
    }
}
