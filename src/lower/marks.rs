//! Our own declarations: attributes under any path that ends in one of their names and leads
//! through `retrysafe`, also inside `cfg_attr`, and comments that start with `retrysafe:`.

use proc_macro2::Span;
use retrysafe_rules::grammar::{self, Mark};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Meta, Token};

use crate::ir::{Mistake, Place, PlacedMark, Use};

use super::spans;

/// The comments of a file that hold declarations, in order of their lines.
pub(super) struct Comments {
    /// The line of the comment, and what it says.
    found: Vec<(u32, PlacedMark)>,
    /// Lines that hold nothing but comments and attributes, so that a comment reaches over them.
    transparent: Vec<bool>,
}

impl Comments {
    /// Finds the comments in a text.
    pub(super) fn read(text: &str, mistakes: &mut Vec<Mistake>) -> Comments {
        let mut comments = Comments {
            found: Vec::new(),
            transparent: Vec::new(),
        };
        if !text.contains("retrysafe:") {
            return comments;
        }
        for (index, line) in text.lines().enumerate() {
            let trimmed = line.trim_start();
            comments.transparent.push(
                trimmed.starts_with("//")
                    || trimmed.starts_with("#[")
                    || trimmed.starts_with("#!["),
            );
            let Some(said) = trimmed.strip_prefix("//") else {
                continue;
            };
            let Some(said) = said.trim_start().strip_prefix("retrysafe:") else {
                continue;
            };
            let number = index as u32 + 1;
            let column = (line.chars().count() - said.chars().count()) as u32;
            let place = Place {
                line: number,
                column: (line.chars().count() - trimmed.chars().count()) as u32,
                end_line: number,
                end_column: line.trim_end().chars().count() as u32,
            };
            let inside = |span: Span| {
                let at = spans::place(span);
                Place {
                    line: number,
                    column: column + at.column,
                    end_line: number,
                    end_column: column + at.end_column.max(at.column + 1),
                }
            };
            match grammar::parse_text(said) {
                Ok(parsed) => comments.found.push((
                    number,
                    PlacedMark {
                        value: parsed.mark,
                        place,
                        parts: parsed.parts.into_iter().map(inside).collect(),
                    },
                )),
                Err(errors) => mistakes.extend(errors.into_iter().map(|error| Mistake {
                    place: inside(error.span),
                    message: error.message,
                })),
            }
        }
        comments
    }

    /// Takes the declarations that stand directly above a line, over attributes and other
    /// comments.
    pub(super) fn take_above(&mut self, line: u32) -> Vec<PlacedMark> {
        if self.found.is_empty() {
            return Vec::new();
        }
        let mut first = line;
        while first > 1
            && self
                .transparent
                .get(first as usize - 2)
                .copied()
                .unwrap_or(false)
        {
            first -= 1;
        }
        self.found
            .extract_if(.., |(at, _)| (first..=line).contains(at))
            .map(|(_, mark)| mark)
            .collect()
    }
}

/// Reads the declarations among attributes, with the signature that they stand on.
pub(super) fn from_attributes(
    attributes: &[syn::Attribute],
    signature: Option<&syn::Signature>,
    ours: &Ours,
    mistakes: &mut Vec<Mistake>,
) -> Vec<PlacedMark> {
    let mut marks = Vec::new();
    for attribute in attributes {
        from_meta(&attribute.meta, signature, ours, mistakes, &mut marks);
    }
    marks
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
    signature: Option<&syn::Signature>,
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
            from_meta(meta, signature, ours, mistakes, marks);
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
    if name == "job"
        && let (Meta::List(list), Some(signature)) = (meta, signature)
    {
        let errors = grammar::check_key(list.tokens.clone(), signature);
        mistakes.extend(errors.into_iter().map(mistake));
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
