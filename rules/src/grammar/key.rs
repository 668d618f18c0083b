//! Keys: what the placeholders of a job's key may name.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{FnArg, Pat, Signature};

use super::argument::{metas_of, text_value, value_span, word_of};
use super::error::GrammarError;
use crate::vocabulary::nearest;

/// The mistakes in the key among the arguments of `job`, at the key's own place, seen from the
/// function that the attribute stands on.
pub fn check_key(args: TokenStream, signature: &Signature) -> Vec<GrammarError> {
    let metas = metas_of(args).unwrap_or_default();
    let Some(meta) = metas.iter().find(|meta| word_of(meta) == "key") else {
        return Vec::new();
    };
    let messages = text_value(meta).map(|key| wrong_placeholders(&key, signature));
    messages
        .unwrap_or_default()
        .into_iter()
        .map(|message| GrammarError::new(value_span(meta), message))
        .collect()
}

/// What is wrong with the placeholders of a key that name no parameter: `{order_id}`,
/// `{order.id}` and `{order.0}` need a parameter of that name. In a method the fields of `self`
/// may be meant as well.
pub fn wrong_placeholders(key: &str, signature: &Signature) -> Vec<String> {
    let mut names = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(_) => return Vec::new(),
            FnArg::Typed(typed) => bound(&typed.pat, &mut names),
        }
    }
    // Other attributes put such names in place of a pattern that they move into the body.
    if names.iter().any(|name| name.starts_with("__")) {
        return Vec::new();
    }
    placeholders(key)
        .into_iter()
        .filter_map(|placeholder| {
            let first = placeholder.split('.').next().unwrap_or(placeholder);
            if names.iter().any(|name| name == first) {
                return None;
            }
            let hint = match nearest(first, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => "the function has none".to_owned(),
                None => format!("they are {}", names.join(", ")),
            };
            Some(format!("`{{{placeholder}}}` names no parameter; {hint}"))
        })
        .collect()
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
        Pat::Ident(ident) => {
            names.push(ident.ident.unraw().to_string());
            if let Some((_, inner)) = &ident.subpat {
                bound(inner, names);
            }
        }
        Pat::Paren(inner) => bound(&inner.pat, names),
        Pat::Reference(inner) => bound(&inner.pat, names),
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|elem| bound(elem, names)),
        Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|elem| bound(elem, names)),
        Pat::Struct(of) => of.fields.iter().for_each(|field| bound(&field.pat, names)),
        _ => {}
    }
}
