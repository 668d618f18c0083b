//! `macro_rules!` of the workspace: the rule whose pattern fits a call, and what it gives.
//!
//! Tokens of the call keep their places; those of the rule get the place of the call. Hygiene is
//! not kept, and a pattern is matched greedily, as the compiler does.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::Token;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};

use crate::ir::{GapKind, MacroRule, MacroRules, Name};

use super::context::FileContext;
use super::spans::macro_place;
use super::types::lower_path;

/// How deep expansions may nest: rules that take one token at a time go deep.
const DEPTH: u32 = 24;
/// How many repetitions one variable may hold; more is no longer plain.
const REPETITIONS: usize = 500;

/// What a variable of a pattern stands for.
enum Bound {
    Once(TokenStream),
    Many(Vec<Bound>),
}

type Bindings = BTreeMap<String, Bound>;

/// The text of the rules that `macro_rules!` holds; `None` when they do not read as rules.
pub(super) fn read_rules(name: Name, tokens: TokenStream) -> Option<MacroRules> {
    let mut calls = Vec::new();
    called_macros(tokens.clone(), &mut calls);
    let parser = |input: ParseStream<'_>| {
        let mut rules = Vec::new();
        while !input.is_empty() {
            let pattern: Group = input.parse()?;
            input.parse::<Token![=>]>()?;
            let body: Group = input.parse()?;
            rules.push(MacroRule {
                pattern: pattern.stream().to_string(),
                body: body.stream().to_string(),
            });
            input.parse::<Option<Token![;]>>()?;
        }
        Ok(rules)
    };
    let rules = parser.parse2(tokens).ok()?;
    Some(MacroRules { name, rules, calls })
}

/// The macros that tokens call, by path.
fn called_macros(tokens: TokenStream, out: &mut Vec<Name>) {
    let mut path = String::new();
    let mut after_dollar = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(ident) => {
                if after_dollar && ident != "crate" || !path.is_empty() && !path.ends_with(':') {
                    path.clear();
                }
                path.push_str(&ident.to_string());
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => path.push(':'),
            TokenTree::Punct(punct) if punct.as_char() == '!' && !path.is_empty() => {
                out.push(Name::from(&path));
                path.clear();
            }
            _ => path.clear(),
        }
        after_dollar = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '$');
        if let TokenTree::Group(group) = token {
            called_macros(group.stream(), out);
        }
    }
}

/// What a call of a macro gives; `None` when no rule fits that can be followed.
pub(super) fn expand(rules: &MacroRules, tokens: &TokenStream, call: Span) -> Option<TokenStream> {
    rules.rules.iter().find_map(|rule| {
        let pattern: TokenStream = rule.pattern.parse().ok()?;
        let parser = |input: ParseStream<'_>| {
            let mut bindings = Bindings::new();
            matches(pattern.clone(), input, &mut bindings)?;
            Ok(bindings)
        };
        let bindings = parser.parse2(tokens.clone()).ok()?;
        let body: TokenStream = rule.body.parse().ok()?;
        transcribe(body, &bindings, call)
    })
}

/// Matches a pattern against the input, as far as the pattern goes.
fn matches(pattern: TokenStream, input: ParseStream<'_>, out: &mut Bindings) -> syn::Result<()> {
    let mut tokens = pattern.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => match tokens.next() {
                Some(TokenTree::Group(group)) => {
                    let (separator, operator) = repetition(&mut tokens);
                    repeat(&group, separator.as_ref(), operator, input, out)?;
                }
                Some(TokenTree::Ident(name)) => {
                    tokens.next();
                    let Some(TokenTree::Ident(fragment)) = tokens.next() else {
                        return Err(input.error("a fragment"));
                    };
                    let found = parse_fragment(&fragment.to_string(), input)?;
                    out.insert(name.to_string(), Bound::Once(found));
                }
                _ => return Err(input.error("a variable")),
            },
            TokenTree::Group(group) => {
                let (delimiter, inner) = match input.parse()? {
                    TokenTree::Group(given) => (given.delimiter(), given.stream()),
                    _ => return Err(input.error("a group")),
                };
                if delimiter != group.delimiter() {
                    return Err(input.error("another delimiter"));
                }
                let parser = |input: ParseStream<'_>| matches(group.stream(), input, out);
                parser.parse2(inner)?;
            }
            expected => {
                let given: TokenTree = input.parse()?;
                if given.to_string() != expected.to_string() {
                    return Err(input.error("another token"));
                }
            }
        }
    }
    Ok(())
}

/// The separator and the operator behind `$( … )`.
fn repetition(
    tokens: &mut std::iter::Peekable<proc_macro2::token_stream::IntoIter>,
) -> (Option<TokenTree>, char) {
    let operator = |token: &TokenTree| match token {
        TokenTree::Punct(punct) if matches!(punct.as_char(), '*' | '+' | '?') => {
            Some(punct.as_char())
        }
        _ => None,
    };
    let Some(first) = tokens.next() else {
        return (None, '*');
    };
    // `$( … )+*` would be a separator `+`; nobody writes it.
    match operator(&first) {
        Some(found) => (None, found),
        None => {
            // `=>` and `::` are two tokens, of which the first is joint.
            let mut joint =
                matches!(&first, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint);
            while joint {
                match tokens.peek() {
                    Some(TokenTree::Punct(punct)) if operator(&punct.clone().into()).is_none() => {
                        joint = punct.spacing() == Spacing::Joint;
                        tokens.next();
                    }
                    _ => joint = false,
                }
            }
            let found = tokens.next().and_then(|token| operator(&token));
            (Some(first), found.unwrap_or('*'))
        }
    }
}

fn repeat(
    group: &Group,
    separator: Option<&TokenTree>,
    operator: char,
    input: ParseStream<'_>,
    out: &mut Bindings,
) -> syn::Result<()> {
    let mut rounds: Vec<Bindings> = Vec::new();
    while !input.is_empty() && rounds.len() < REPETITIONS && !(operator == '?' && rounds.len() == 1)
    {
        let ahead = input.fork();
        if let Some(separator) = separator.filter(|_| !rounds.is_empty()) {
            let given = separator_of(separator, &ahead);
            if !given {
                break;
            }
        }
        let mut round = Bindings::new();
        let before = ahead.cursor();
        if matches(group.stream(), &ahead, &mut round).is_err() || ahead.cursor() == before {
            break;
        }
        input.advance_to(&ahead);
        rounds.push(round);
    }
    if operator == '+' && rounds.is_empty() {
        return Err(input.error("at least one"));
    }
    for name in variables(group.stream()) {
        let values = rounds
            .iter_mut()
            .filter_map(|round| round.remove(&name))
            .collect();
        out.insert(name, Bound::Many(values));
    }
    Ok(())
}

/// Whether the input goes on with the separator, which is taken.
fn separator_of(separator: &TokenTree, input: ParseStream<'_>) -> bool {
    let is_arrow = matches!(separator, TokenTree::Punct(punct) if punct.as_char() == '=' && punct.spacing() == Spacing::Joint);
    if is_arrow {
        return input.parse::<Token![=>]>().is_ok();
    }
    input
        .parse::<TokenTree>()
        .is_ok_and(|given| given.to_string() == separator.to_string())
}

/// The variables that a pattern binds.
fn variables(pattern: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut after_dollar = false;
    for token in pattern {
        match token {
            TokenTree::Punct(punct) => {
                after_dollar = punct.as_char() == '$';
                continue;
            }
            TokenTree::Ident(name) if after_dollar => found.push(name.to_string()),
            TokenTree::Group(group) => found.extend(variables(group.stream())),
            _ => {}
        }
        after_dollar = false;
    }
    found
}

fn parse_fragment(fragment: &str, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    // What is parsed as a whole stays a whole, as an invisible group.
    let whole = |tokens: TokenStream| {
        TokenTree::Group(Group::new(Delimiter::None, tokens)).into_token_stream()
    };
    Ok(match fragment {
        "ident" => input.call(syn::Ident::parse_any)?.into_token_stream(),
        "tt" => input.parse::<TokenTree>()?.into_token_stream(),
        "expr" | "expr_2021" => whole(input.parse::<syn::Expr>()?.into_token_stream()),
        "ty" => input.parse::<syn::Type>()?.into_token_stream(),
        "path" => input.parse::<syn::Path>()?.into_token_stream(),
        "literal" => input.parse::<syn::Lit>()?.into_token_stream(),
        "lifetime" => input.parse::<syn::Lifetime>()?.into_token_stream(),
        "block" => input.parse::<syn::Block>()?.into_token_stream(),
        "stmt" => input.parse::<syn::Stmt>()?.into_token_stream(),
        "item" => input.parse::<syn::Item>()?.into_token_stream(),
        "vis" => input.parse::<syn::Visibility>()?.into_token_stream(),
        "meta" => input.parse::<syn::Meta>()?.into_token_stream(),
        "pat" => syn::Pat::parse_multi_with_leading_vert(input)?.into_token_stream(),
        "pat_param" => syn::Pat::parse_single(input)?.into_token_stream(),
        _ => return Err(input.error("a fragment that is known")),
    })
}

/// The body of a rule with its variables filled in.
fn transcribe(body: TokenStream, bindings: &Bindings, call: Span) -> Option<TokenStream> {
    let mut out = TokenStream::new();
    let mut tokens = body.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => match tokens.next()? {
                TokenTree::Group(group) => {
                    let (separator, _) = repetition(&mut tokens);
                    let used = variables(group.stream());
                    let rounds = used
                        .iter()
                        .filter_map(|name| match bindings.get(name) {
                            Some(Bound::Many(values)) => Some(values.len()),
                            _ => None,
                        })
                        .max()?;
                    for round in 0..rounds {
                        if let Some(separator) = separator.clone().filter(|_| round > 0) {
                            out.append(separator);
                        }
                        let inner = bindings_of_round(bindings, round);
                        out.extend(transcribe(group.stream(), &inner, call)?);
                    }
                }
                TokenTree::Ident(name) if name == "crate" => {
                    out.append(syn::Ident::new("crate", call));
                }
                TokenTree::Ident(name) => match bindings.get(&name.to_string()) {
                    Some(Bound::Once(tokens)) => out.extend(tokens.clone()),
                    _ => return None,
                },
                _ => return None,
            },
            TokenTree::Group(group) => {
                let inner = transcribe(group.stream(), bindings, call)?;
                let mut group = Group::new(group.delimiter(), inner);
                group.set_span(call);
                out.append(group);
            }
            mut other => {
                other.set_span(call);
                out.append(other);
            }
        }
    }
    Some(out)
}

/// The bindings as one round of a repetition sees them.
fn bindings_of_round(bindings: &Bindings, round: usize) -> Bindings {
    fn copy(bound: &Bound) -> Bound {
        match bound {
            Bound::Once(tokens) => Bound::Once(tokens.clone()),
            Bound::Many(values) => Bound::Many(values.iter().map(copy).collect()),
        }
    }
    bindings
        .iter()
        .map(|(name, bound)| {
            let seen = match bound {
                Bound::Many(values) => values.get(round).map_or_else(|| copy(bound), copy),
                Bound::Once(_) => copy(bound),
            };
            (name.clone(), seen)
        })
        .collect()
}

/// What came of a macro call.
pub(super) enum Expansion {
    /// It is none of the workspace's.
    NoRules,
    /// It stands for this.
    Tokens(TokenStream),
    /// No rule fits that can be followed.
    Failed,
}

impl FileContext {
    /// Expands a macro call, when its rules are known; notes the call in any case.
    pub(super) fn expansion(&mut self, mac: &syn::Macro) -> Expansion {
        let Some(last) = mac.path.segments.last() else {
            return Expansion::NoRules;
        };
        let called = Name::from(&lower_path(&mac.path).text());
        self.called_macros.push(called);
        let Some(rules) = self.rules.get(&called) else {
            return Expansion::NoRules;
        };
        if self.expansions >= DEPTH {
            return Expansion::Failed;
        }
        match expand(rules, &mac.tokens, last.ident.span()) {
            Some(tokens) => Expansion::Tokens(tokens),
            None => Expansion::Failed,
        }
    }

    /// Notes that a macro of the workspace is not followed.
    pub(super) fn unexpanded(&mut self, mac: &syn::Macro) {
        let text = lower_path(&mac.path).text();
        self.gap(
            GapKind::UnreadMacro,
            macro_place(mac),
            format!("what `{text}!` stands for is not followed"),
        );
    }
}
