//! What an attribute stands on, as far as its tokens tell.

use proc_macro2::{Delimiter, Group, TokenStream as Tokens, TokenTree};
use syn::parse::{ParseStream, Parser};

/// Whether the tokens are a function, a method, or a method of a trait.
pub(crate) fn is_function(tokens: Tokens) -> bool {
    leads_to_function(&tokens.into_iter().collect::<Vec<_>>())
}

/// Whether the tokens go on as a function: after attributes, visibility and qualifiers.
pub(crate) fn leads_to_function(tokens: &[TokenTree]) -> bool {
    let mut before = String::new();
    let mut tokens = flat(tokens);
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let inner = matches!(tokens.next(), Some(TokenTree::Punct(_)));
                if inner {
                    tokens.next();
                }
            }
            TokenTree::Group(group) if before == "pub" && is(&group, Delimiter::Parenthesis) => {}
            TokenTree::Literal(_) if before == "extern" => {}
            TokenTree::Ident(ident) => {
                before = ident.to_string();
                match before.as_str() {
                    "fn" => return true,
                    "pub" | "default" | "const" | "async" | "gen" | "unsafe" | "safe"
                    | "extern" => {}
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
    false
}

/// The signature of a function, a method, or a method of a trait.
pub(crate) fn signature(tokens: Tokens) -> Option<syn::Signature> {
    let header = |input: ParseStream<'_>| {
        input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        let fork = input.fork();
        if fork
            .parse::<syn::Ident>()
            .is_ok_and(|ident| ident == "default")
        {
            input.parse::<syn::Ident>()?;
        }
        let signature = input.parse()?;
        input.parse::<Tokens>()?;
        Ok(signature)
    };
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    header.parse2(flat(&tokens).collect()).ok()
}

/// The tokens without the invisible delimiters that `macro_rules!` puts around what it was
/// given, at any depth.
pub(crate) fn opened(tokens: Tokens) -> Tokens {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    flat(&tokens)
        .map(|token| match token {
            TokenTree::Group(group) => {
                let mut opened = Group::new(group.delimiter(), opened(group.stream()));
                opened.set_span(group.span());
                TokenTree::Group(opened)
            }
            other => other,
        })
        .collect()
}

/// The same at this depth alone.
pub(crate) fn flat(tokens: &[TokenTree]) -> Box<dyn Iterator<Item = TokenTree>> {
    let tokens = tokens.to_vec();
    Box::new(tokens.into_iter().flat_map(|token| match token {
        TokenTree::Group(group) if is(&group, Delimiter::None) => {
            flat(&group.stream().into_iter().collect::<Vec<_>>())
        }
        other => Box::new(std::iter::once(other)),
    }))
}

fn is(group: &Group, delimiter: Delimiter) -> bool {
    group.delimiter() == delimiter
}
