//! The grammars of macros that carry code.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr as Syn, Token};

/// An argument of an unknown macro.
pub(super) enum Argument {
    Expr(Syn),
    Type(syn::Type),
}

pub(super) fn parse_arguments(tokens: TokenStream) -> Option<Vec<Argument>> {
    let parser = |input: ParseStream<'_>| -> syn::Result<Vec<Argument>> {
        let mut args = Vec::new();
        while !input.is_empty() {
            let fork = input.fork();
            let as_expr = fork.parse::<Syn>().is_ok() && (fork.is_empty() || fork.peek(Token![,]));
            if as_expr {
                // `name = value` reads as an assignment: the value is what matters.
                args.push(match input.parse::<Syn>()? {
                    Syn::Assign(assign) => Argument::Expr(*assign.right),
                    expr => Argument::Expr(expr),
                });
            } else {
                args.push(Argument::Type(input.parse()?));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(args)
    };
    parser.parse2(tokens).ok()
}

pub(super) fn parse_exprs(tokens: TokenStream) -> Option<Vec<Syn>> {
    Punctuated::<Syn, Token![,]>::parse_terminated
        .parse2(tokens)
        .ok()
        .map(Vec::from_iter)
}

pub(super) fn parse_statements(tokens: TokenStream) -> Option<Vec<syn::Stmt>> {
    syn::Block::parse_within.parse2(tokens).ok()
}

/// What a macro stands for: an expression, or statements.
pub(super) fn parse_expansion(tokens: TokenStream) -> Option<Vec<syn::Stmt>> {
    match syn::parse2::<Syn>(tokens.clone()) {
        Ok(expr) => Some(vec![syn::Stmt::Expr(expr, None)]),
        Err(_) => parse_statements(tokens),
    }
}

pub(super) fn parse_arms(input: ParseStream<'_>) -> syn::Result<Vec<syn::Arm>> {
    let mut arms = Vec::new();
    while !input.is_empty() {
        arms.push(input.parse()?);
    }
    Ok(arms)
}

/// The arguments of a formatting macro, named ones with their names.
pub(super) fn parse_format_args(tokens: TokenStream) -> Option<Vec<(Option<String>, Syn)>> {
    let parser = |input: ParseStream<'_>| -> syn::Result<Vec<(Option<String>, Syn)>> {
        let mut args = Vec::new();
        while !input.is_empty() {
            let named =
                input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
            let name = if named {
                let ident: proc_macro2::Ident = input.parse()?;
                input.parse::<Token![=]>()?;
                Some(ident.to_string())
            } else {
                None
            };
            args.push((name, input.parse()?));
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(args)
    };
    parser.parse2(tokens).ok()
}

pub(super) enum TemplatePart {
    Text(String),
    Hole(String),
}

/// Splits a format string at its holes; `{{` and `}}` are text.
pub(super) fn split_template(template: &str) -> Vec<TemplatePart> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' if chars.peek() == Some(&'{') => {
                chars.next();
                text.push('{');
            }
            '}' if chars.peek() == Some(&'}') => {
                chars.next();
                text.push('}');
            }
            '{' => {
                let hole: String = chars.by_ref().take_while(|c| *c != '}').collect();
                parts.push(TemplatePart::Text(std::mem::take(&mut text)));
                let name = hole.split(':').next().unwrap_or("").trim();
                parts.push(TemplatePart::Hole(name.to_owned()));
            }
            other => text.push(other),
        }
    }
    parts.push(TemplatePart::Text(text));
    parts
}

pub(super) struct ParsedSelectArm {
    pub(super) attrs: Vec<syn::Attribute>,
    pub(super) pat: Option<syn::Pat>,
    pub(super) future: Option<Syn>,
    pub(super) body: Syn,
}

pub(super) fn skip_biased(input: ParseStream<'_>) -> syn::Result<()> {
    let fork = input.fork();
    if fork
        .parse::<proc_macro2::Ident>()
        .is_ok_and(|ident| ident == "biased")
        && fork.peek(Token![;])
    {
        input.parse::<proc_macro2::Ident>()?;
        input.parse::<Token![;]>()?;
    }
    Ok(())
}

/// Reads the arms of `tokio::select!` and `futures::select!`.
pub(super) fn parse_select(input: ParseStream<'_>) -> syn::Result<Vec<ParsedSelectArm>> {
    skip_biased(input)?;
    let mut arms = Vec::new();
    while !input.is_empty() {
        let attrs = input.call(syn::Attribute::parse_outer)?;
        let (pat, future) = if input.peek(Token![else]) {
            input.parse::<Token![else]>()?;
            (None, None)
        } else if input.peek(syn::Ident)
            && input.peek2(Token![=>])
            && input.fork().call(peek_keyword)?
        {
            input.parse::<proc_macro2::Ident>()?;
            (None, None)
        } else {
            let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
            input.parse::<Token![=]>()?;
            let future: Syn = input.parse()?;
            if input.peek(Token![,]) && input.peek2(Token![if]) {
                input.parse::<Token![,]>()?;
                input.parse::<Token![if]>()?;
                input.parse::<Syn>()?;
            }
            (Some(pat), Some(future))
        };
        input.parse::<Token![=>]>()?;
        let body = if input.peek(syn::token::Brace) {
            let block: syn::Block = input.parse()?;
            Syn::Block(syn::ExprBlock {
                attrs: Vec::new(),
                label: None,
                block,
            })
        } else {
            input.parse()?
        };
        input.parse::<Option<Token![,]>>()?;
        arms.push(ParsedSelectArm {
            attrs,
            pat,
            future,
            body,
        });
    }
    Ok(arms)
}

/// `default =>` and `complete =>` of `futures::select!`.
pub(super) fn peek_keyword(input: ParseStream<'_>) -> syn::Result<bool> {
    let ident: proc_macro2::Ident = input.parse()?;
    Ok(ident == "default" || ident == "complete")
}

/// Tokens with `for await x in y` as `for x in y`: the form that streams have in `stream!`.
pub(super) fn without_for_await(tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    use proc_macro2::{Group, TokenTree};
    let mut after_for = false;
    tokens
        .into_iter()
        .filter_map(|tree| {
            let is_word = |word: &str| matches!(&tree, TokenTree::Ident(ident) if ident == word);
            let drops = after_for && is_word("await");
            after_for = is_word("for");
            if drops {
                return None;
            }
            Some(match tree {
                TokenTree::Group(group) => {
                    let inner = without_for_await(group.stream());
                    let mut made = Group::new(group.delimiter(), inner);
                    made.set_span(group.span());
                    TokenTree::Group(made)
                }
                other => other,
            })
        })
        .collect()
}
