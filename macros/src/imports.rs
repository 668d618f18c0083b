//! Imports that nothing but a short form on a statement uses: with that taken out, the compiler
//! would call them unused. The same attribute, put on the function, uses them and adds nothing.

use proc_macro2::{Delimiter, TokenStream as Tokens, TokenTree};
use quote::quote;

/// The attributes to put in front of the item, one for each name.
pub(crate) fn kept_in_use(imported: Vec<Tokens>, item: Tokens) -> Tokens {
    let mut names: Vec<String> = Vec::new();
    let mut attributes = Tokens::new();
    // What the body imports or leaves out is not to be had outside it.
    if imported.is_empty() || mentions(item, &["use", "cfg"]) {
        return attributes;
    }
    for brackets in imported {
        let name = name_of(&brackets);
        if !names.contains(&name) {
            names.push(name);
            attributes.extend(quote!(#[#brackets]));
        }
    }
    attributes
}

/// The path of an attribute; of a conditional one everything.
fn name_of(brackets: &Tokens) -> String {
    let path: Tokens = brackets
        .clone()
        .into_iter()
        .take_while(|token| !matches!(token, TokenTree::Group(group) if group.delimiter() != Delimiter::None))
        .collect();
    match path.to_string() {
        conditional if conditional == "cfg_attr" => brackets.to_string(),
        path => path,
    }
}

fn mentions(tokens: Tokens, words: &[&str]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => words.iter().any(|word| ident == word),
        TokenTree::Group(group) => mentions(group.stream(), words),
        _ => false,
    })
}
