//! Attributes on statements: which are ours, what they say, and what is left without them.

use proc_macro2::{Delimiter, Group, Span, TokenStream as Tokens, TokenTree};
use quote::quote;
use retrysafe_rules::grammar::{
    ATTRIBUTES, GrammarError, ON_STATEMENTS, check_acceptance, misplaced, parse, parse_meta,
};
use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::EffectKind;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Meta, Token};

use crate::item::opened;

/// One of ours.
pub(crate) struct Declaration {
    name: String,
    span: Span,
    meta: Meta,
}

/// What the brackets of an attribute hold.
pub(crate) enum Reading {
    /// None of ours.
    Foreign,
    /// At least one of ours.
    Ours(Ours),
}

/// What is known of an attribute that is ours, or holds ours.
pub(crate) struct Ours {
    /// What it declares.
    pub(crate) declarations: Vec<Declaration>,
    /// What `cfg_attr` holds besides.
    pub(crate) rest: Option<Tokens>,
    /// The attribute without what is written by path: it rests on an import.
    pub(crate) imported: Option<Tokens>,
}

/// Reads what stands in the brackets of an attribute. Among the tokens of a macro the short
/// forms may mean anything.
pub(crate) fn read(tokens: Tokens, in_macro: bool) -> Reading {
    let Ok(meta) = syn::parse2::<Meta>(opened(tokens.clone())) else {
        return Reading::Foreign;
    };
    if meta.path().is_ident("cfg_attr") {
        return match &meta {
            Meta::List(list) => read_conditional(list, in_macro),
            _ => Reading::Foreign,
        };
    }
    let segments = &meta.path().segments;
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else {
        return Reading::Foreign;
    };
    let (name, span) = (last.ident.to_string(), last.ident.span());
    let by_path = segments.len() == 2 && first.ident == "retrysafe";
    if by_path || (!in_macro && is_ours_by_arguments(&name, &meta)) {
        return Reading::Ours(Ours {
            declarations: vec![Declaration { name, span, meta }],
            rest: None,
            imported: (!by_path).then_some(tokens),
        });
    }
    Reading::Foreign
}

/// `cfg_attr(predicate, attribute, …)`: the whole goes where every attribute is ours.
fn read_conditional(list: &syn::MetaList, in_macro: bool) -> Reading {
    let mut parts = split(list.tokens.clone()).into_iter();
    let predicate = parts.next();
    let mut declarations = Vec::new();
    let (mut rest, mut imported) = (Vec::new(), Vec::new());
    for part in parts {
        match read(part.clone(), in_macro) {
            Reading::Foreign => rest.push(part),
            Reading::Ours(ours) => {
                declarations.extend(ours.declarations);
                rest.extend(ours.rest);
                imported.extend(ours.imported);
            }
        }
    }
    if declarations.is_empty() {
        return Reading::Foreign;
    }
    let conditional = |attributes: Vec<Tokens>| {
        if attributes.is_empty() {
            return None;
        }
        let path = &list.path;
        let mut group = Group::new(Delimiter::Parenthesis, quote!(#predicate, #(#attributes),*));
        group.set_span(list.delimiter.span().join());
        Some(quote!(#path #group))
    };
    Reading::Ours(Ours {
        declarations,
        rest: conditional(rest),
        imported: conditional(imported),
    })
}

/// What stands between commas; nothing after the last one.
fn split(tokens: Tokens) -> Vec<Tokens> {
    let mut parts = Vec::new();
    let mut part: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match &token {
            TokenTree::Punct(comma) if comma.as_char() == ',' => {
                parts.push(part.drain(..).collect());
            }
            _ => part.push(token),
        }
    }
    if !part.is_empty() {
        parts.push(part.into_iter().collect());
    }
    parts
}

/// Whether an attribute under a name of ours says what only ours say. No attribute of the
/// compiler that may stand on a statement has such a name.
fn is_ours_by_arguments(name: &str, meta: &Meta) -> bool {
    let Meta::List(list) = meta else { return false };
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    let args = parser.parse2(list.tokens.clone()).unwrap_or_default();
    let Some(Meta::Path(first)) = args.first() else {
        return false;
    };
    let Some(word) = first.get_ident().map(ToString::to_string) else {
        return false;
    };
    match name {
        "effect" => EffectKind::parse(&word).is_some(),
        "accept" => {
            let mut rest = args.iter().skip(1);
            Rule::parse(&word).is_some() || rest.any(|meta| meta.path().is_ident("reason"))
        }
        _ => false,
    }
}

/// Checks a declaration that stands on a statement or an expression.
pub(crate) fn check_on_statement(found: &Declaration, errors: &mut Vec<GrammarError>) {
    let Declaration { name, span, meta } = found;
    if ATTRIBUTES.contains(&name.as_str()) && !ON_STATEMENTS.contains(&name.as_str()) {
        errors.push(GrammarError {
            span: *span,
            message: misplaced(name),
        });
        return;
    }
    match meta {
        Meta::List(list) if is_template(list.tokens.clone()) => {}
        Meta::List(list) => check(name, *span, list.tokens.clone(), errors),
        _ => errors.extend(parse_meta(name, *span, meta).err().into_iter().flatten()),
    }
}

/// Checks the arguments of an attribute.
pub(crate) fn check(name: &str, span: Span, args: Tokens, errors: &mut Vec<GrammarError>) {
    errors.extend(parse(name, span, args.clone()).err().into_iter().flatten());
    if name == "accept" {
        errors.extend(check_acceptance(span, args));
    }
}

/// Whether the tokens are still to be filled in by `macro_rules!`.
fn is_template(tokens: Tokens) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '$',
        TokenTree::Group(group) => is_template(group.stream()),
        _ => false,
    })
}
