//! Our own declarations in attributes: under any path that ends in one of their names and leads
//! through `retrysafe`, by import, and inside `cfg_attr`.

use proc_macro2::Span;
use retrysafe_rules::grammar::{self, ATTRIBUTES, Mark, ON_STATEMENTS};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Meta, Token};

use crate::ir::{Mistake, PlacedMark, Use};

use super::spans;

/// What declarations stand on.
#[derive(Clone, Copy)]
pub(super) enum On<'s> {
    /// A function with this signature.
    Function(&'s syn::Signature),
    /// A statement or an expression.
    Statement,
}

/// Reads the declarations among attributes.
pub(super) fn from_attributes(
    attributes: &[syn::Attribute],
    on: On<'_>,
    ours: &Ours,
    mistakes: &mut Vec<Mistake>,
) -> Vec<PlacedMark> {
    let mut marks = Vec::new();
    for attribute in attributes {
        from_meta(&attribute.meta, on, ours, mistakes, &mut marks);
    }
    marks
}

/// Whether a declaration is written in an attribute.
pub(super) fn stands_in(mark: &PlacedMark, attribute: &syn::Attribute) -> bool {
    let (start, brackets) = (attribute.pound_token.spans[0], attribute.bracket_token.span);
    spans::between(start, brackets.close()).covers(mark.place)
}

/// Those among declarations made in comments that may stand on a statement.
pub(super) fn on_statement(
    marks: Vec<PlacedMark>,
    mistakes: &mut Vec<Mistake>,
) -> impl Iterator<Item = PlacedMark> {
    marks.into_iter().filter(|mark| {
        let name = name_of(&mark.value);
        let fits = ON_STATEMENTS.contains(&name);
        if !fits {
            mistakes.push(Mistake {
                place: mark.place,
                message: grammar::misplaced(name),
            });
        }
        fits
    })
}

fn name_of(mark: &Mark) -> &'static str {
    match mark {
        Mark::Job(_) => "job",
        Mark::Effect(_) => "effect",
        Mark::Step => "step",
        Mark::Stable => "stable",
        Mark::Unstable => "unstable",
        Mark::Accept(_) => "accept",
        Mark::Marked => "marked",
    }
}

/// What is wrong with the keys of declarations made in comments.
pub(super) fn check_keys(
    marks: &[PlacedMark],
    signature: &syn::Signature,
    mistakes: &mut Vec<Mistake>,
) {
    for mark in marks {
        if let Mark::Job(job) = &mark.value
            && let Some(key) = &job.key
        {
            let messages = grammar::wrong_placeholders(key, signature);
            mistakes.extend(messages.into_iter().map(|message| Mistake {
                place: mark.place,
                message,
            }));
        }
    }
}

fn from_meta(
    meta: &Meta,
    on: On<'_>,
    ours: &Ours,
    mistakes: &mut Vec<Mistake>,
    marks: &mut Vec<PlacedMark>,
) {
    if let Meta::List(list) = meta
        && list.path.is_ident("cfg_attr")
    {
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        let inner = parser.parse2(list.tokens.clone()).unwrap_or_default();
        for meta in inner.iter().skip(1) {
            from_meta(meta, on, ours, mistakes, marks);
        }
        return;
    }
    let Some((name, span)) = our_name(meta.path(), ours) else {
        return;
    };
    let end = match meta {
        Meta::Path(_) => span,
        Meta::List(list) => list.delimiter.span().close(),
        Meta::NameValue(pair) => pair.eq_token.span,
    };
    let first = meta
        .path()
        .segments
        .first()
        .map_or(span, |segment| segment.ident.span());
    let mistake = |error: grammar::GrammarError| Mistake {
        place: spans::place(error.span),
        message: error.message,
    };
    match on {
        On::Function(signature) if name == "job" => {
            if let Meta::List(list) = meta {
                let errors = grammar::check_key(list.tokens.clone(), signature);
                mistakes.extend(errors.into_iter().map(mistake));
            }
        }
        On::Statement
            if ATTRIBUTES.contains(&name.as_str()) && !ON_STATEMENTS.contains(&name.as_str()) =>
        {
            mistakes.push(Mistake {
                place: spans::place(span),
                message: grammar::misplaced(&name),
            });
            return;
        }
        _ => {}
    }
    match grammar::parse_meta(&name, span, meta) {
        Ok(parsed) => marks.push(PlacedMark {
            value: parsed.mark,
            place: spans::between(first, end),
            parts: parsed.parts.into_iter().map(spans::place).collect(),
        }),
        Err(errors) => mistakes.extend(errors.into_iter().map(mistake)),
    }
}

/// Under which names a module knows our attributes.
#[derive(Debug, Clone, Default)]
pub(super) struct Ours {
    /// Attributes by the name they have here, with their own.
    names: Vec<(String, String)>,
    /// Names of the crate, besides its own.
    crates: Vec<String>,
}

impl Ours {
    /// With what further imports add.
    pub(super) fn and_uses(&self, uses: &[Use]) -> Ours {
        let mut all = Ours::of_uses(uses);
        all.names.extend_from_slice(&self.names);
        all.crates.extend_from_slice(&self.crates);
        all
    }

    /// Reads them off the imports of a module.
    pub(super) fn of_uses(uses: &[Use]) -> Ours {
        let mut ours = Ours::default();
        for found in uses {
            let path: Vec<&str> = found.path.iter().map(|name| name.as_str()).collect();
            match (path.as_slice(), found.name) {
                (["retrysafe"], Some(name)) => ours.crates.push(name.to_string()),
                (["retrysafe"], None) => ours.names.extend(
                    grammar::ATTRIBUTES
                        .iter()
                        .map(|name| (name.to_string(), name.to_string())),
                ),
                (["retrysafe", own], Some(name)) => {
                    ours.names.push((name.to_string(), (*own).to_owned()));
                }
                _ => {}
            }
        }
        ours
    }
}

/// The name of one of our attributes, when the path leads to one.
fn our_name(path: &syn::Path, ours: &Ours) -> Option<(String, Span)> {
    let last = &path.segments.last()?.ident;
    let name = last.to_string();
    let first = path.segments.first()?.ident.to_string();
    if path.segments.len() == 1 {
        let (_, own) = ours.names.iter().find(|(here, _)| *here == name)?;
        return Some((own.clone(), last.span()));
    }
    let of_crate = first == "retrysafe" || ours.crates.contains(&first);
    of_crate.then(|| (name, last.span()))
}

/// Whether an attribute is one of ours or may wrap one.
pub(super) fn is_ours(attribute: &syn::Attribute, ours: &Ours) -> bool {
    our_name(attribute.path(), ours).is_some()
}
