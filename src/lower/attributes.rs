//! Attributes that are not ours: what they are called, which words and values they hold.

use syn::Meta;

use crate::ir::{Attribute, Literal, Name, Path};

use super::literals::lower_literal;
use super::marks::{self, Ours};
use super::types::{lower_path, name};

pub(super) fn path_attribute(attrs: &[syn::Attribute]) -> Option<String> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("path"))
        .find_map(|attr| match &attr.meta {
            Meta::NameValue(pair) => match &pair.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        })
}

pub(super) fn lower_derives(attrs: &[syn::Attribute]) -> Vec<Path> {
    let mut derives = Vec::new();
    for attr in attrs {
        derives_in(&attr.meta, &mut derives);
    }
    derives
}

/// The macros in `derive(…)`, also inside `cfg_attr(…)`.
pub(super) fn derives_in(meta: &Meta, derives: &mut Vec<Path>) {
    let Meta::List(list) = meta else { return };
    let is_derive = list.path.is_ident("derive");
    if !is_derive && !list.path.is_ident("cfg_attr") {
        return;
    }
    let parser = syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated;
    for inner in list.parse_args_with(parser).unwrap_or_default() {
        match (is_derive, &inner) {
            (true, Meta::Path(path)) => derives.push(lower_path(path)),
            (true, _) => {}
            (false, inner) => derives_in(inner, derives),
        }
    }
}

pub(super) fn lower_attributes(attrs: &[syn::Attribute], ours: &Ours) -> Vec<Attribute> {
    attrs
        .iter()
        .filter(|attr| {
            !attr.path().is_ident("doc")
                && !attr.path().is_ident("derive")
                && !marks::is_ours(attr, ours)
        })
        .map(|attr| {
            let mut lowered = Attribute {
                path: lower_path(attr.path()),
                words: Vec::new(),
                values: Vec::new(),
            };
            match &attr.meta {
                Meta::List(list) => read_words(list.tokens.clone(), &mut lowered),
                // `#[iden = "orders"]`
                Meta::NameValue(pair) => {
                    if let (Some(key), syn::Expr::Lit(value)) = (pair.path.get_ident(), &pair.value)
                    {
                        let value = lower_literal(&value.lit);
                        lowered.values.push((name(key), value));
                    }
                }
                Meta::Path(_) => {}
            }
            lowered
        })
        .collect()
}

/// Reads words and `name = literal` pairs off an attribute's arguments, whatever their grammar.
pub(super) fn read_words(tokens: proc_macro2::TokenStream, out: &mut Attribute) {
    let mut key: Option<Name> = None;
    let mut expects_value = false;
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Ident(ident) => {
                let word = name(&ident);
                if expects_value {
                    if let Some(key) = key.take() {
                        let literal = match word.as_str() {
                            "true" => Literal::Bool(true),
                            "false" => Literal::Bool(false),
                            other => Literal::Other(Name::from(other)),
                        };
                        out.values.push((key, literal));
                    }
                } else {
                    out.words.push(word);
                    key = Some(word);
                }
                expects_value = false;
            }
            proc_macro2::TokenTree::Punct(punct) => expects_value = punct.as_char() == '=',
            proc_macro2::TokenTree::Literal(literal) => {
                let value = lower_literal(&syn::Lit::new(literal));
                match key.take().filter(|_| expects_value) {
                    Some(key) => out.values.push((key, value)),
                    None => {
                        if let Literal::Str(text) = value {
                            out.words.push(text);
                        }
                    }
                }
                expects_value = false;
            }
            proc_macro2::TokenTree::Group(_) => expects_value = false,
        }
    }
}

/// Whether an item belongs to tests: `#[test]` in any crate's flavour, or `cfg(test)`.
pub(super) fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let path = attr.path();
        if path.is_ident("cfg") {
            return match &attr.meta {
                Meta::List(list) => {
                    syn::parse2::<Meta>(list.tokens.clone()).is_ok_and(|cfg| needs_test(&cfg))
                }
                _ => false,
            };
        }
        path.segments.last().is_some_and(|segment| {
            matches!(
                segment.ident.to_string().as_str(),
                "test" | "rstest" | "test_case" | "bench"
            )
        })
    })
}

/// Whether a `cfg` predicate holds under `test` only.
pub(super) fn needs_test(cfg: &Meta) -> bool {
    match cfg {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) => {
            let inner = list.parse_args_with(
                syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated,
            );
            let inner = inner.unwrap_or_default();
            if list.path.is_ident("all") {
                inner.iter().any(needs_test)
            } else if list.path.is_ident("any") {
                !inner.is_empty() && inner.iter().all(needs_test)
            } else {
                false
            }
        }
        // `any(test, feature = "test-utils")`: for the tests of others.
        Meta::NameValue(pair) => match &pair.value {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(name),
                ..
            }) if pair.path.is_ident("feature") => {
                let name = name.value();
                name.contains("test") || name.contains("mock")
            }
            _ => false,
        },
    }
}
