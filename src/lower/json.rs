//! `json!`, `doc!` and their kin: nested objects with named values.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::{Expr as Syn, Token};

use crate::ir::{Expr, ExprId, Literal, Name, Place};

use super::body::Lowerer;

/// A parsed JSON-like value.
enum Json {
    Object(Vec<(Option<Name>, Json)>),
    Array(Vec<Json>),
    Value(Box<Syn>),
    Null,
}

impl Lowerer<'_> {
    pub(super) fn lower_json(&mut self, tokens: TokenStream, place: Place) -> ExprId {
        // `doc! { "a": 1 }` has the content of an object without its braces.
        let parsed = parse_value
            .parse2(tokens.clone())
            .or_else(|_| parse_entries.parse2(tokens));
        match parsed {
            Ok(json) => self.lower_json_value(&json, place),
            Err(_) => self.push(Expr::Unread, place),
        }
    }

    fn lower_json_value(&mut self, json: &Json, place: Place) -> ExprId {
        match json {
            Json::Object(entries) => {
                let entries = entries
                    .iter()
                    .map(|(name, value)| {
                        let name = name.unwrap_or_else(|| Name::from("?"));
                        (name, self.lower_json_value(value, place))
                    })
                    .collect();
                self.push(Expr::Object(entries), place)
            }
            Json::Array(elems) => {
                let elems = elems
                    .iter()
                    .map(|elem| self.lower_json_value(elem, place))
                    .collect();
                self.push(Expr::Array(elems), place)
            }
            Json::Value(expr) => self.lower_expr(expr),
            Json::Null => self.push(Expr::Literal(Literal::Other(Name::from("null"))), place),
        }
    }
}

fn parse_value(input: ParseStream<'_>) -> syn::Result<Json> {
    if input.peek(syn::token::Brace) {
        let fork = input.fork();
        if let Ok(object) = parse_braced(&fork) {
            parse_braced(input)?;
            return Ok(object);
        }
    }
    if input.peek(syn::token::Bracket) {
        let fork = input.fork();
        if let Ok(array) = parse_bracketed(&fork) {
            parse_bracketed(input)?;
            return Ok(array);
        }
    }
    if input.peek(syn::Ident)
        && input
            .fork()
            .parse::<proc_macro2::Ident>()
            .is_ok_and(|ident| ident == "null")
    {
        input.parse::<proc_macro2::Ident>()?;
        return Ok(Json::Null);
    }
    Ok(Json::Value(Box::new(input.parse()?)))
}

fn parse_braced(input: ParseStream<'_>) -> syn::Result<Json> {
    let content;
    syn::braced!(content in input);
    parse_entries(&content)
}

fn parse_bracketed(input: ParseStream<'_>) -> syn::Result<Json> {
    let content;
    syn::bracketed!(content in input);
    let mut elems = Vec::new();
    while !content.is_empty() {
        elems.push(parse_value(&content)?);
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(Json::Array(elems))
}

fn parse_entries(content: ParseStream<'_>) -> syn::Result<Json> {
    let mut entries = Vec::new();
    while !content.is_empty() {
        let name = match content.parse::<Option<syn::LitStr>>()? {
            Some(text) => Some(Name::from(&text.value())),
            None => {
                let key: Syn = content.parse()?;
                match key {
                    Syn::Path(path) => path.path.get_ident().map(super::types::name),
                    _ => None,
                }
            }
        };
        content.parse::<Token![:]>()?;
        entries.push((name, parse_value(content)?));
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(Json::Object(entries))
}
