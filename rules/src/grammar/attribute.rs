//! Attributes: reading a whole list of arguments as the mark that the attribute's name says.

use proc_macro2::{Span, TokenStream};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{LitStr, Meta, Token};

use super::argument::{
    effect_kind, flag, given_twice, metas_of, no_arguments, number_value, text_value, value_span,
    word_of,
};
use super::error::{GrammarError, unknown};
use super::mark::{ATTRIBUTES, AcceptMark, EffectMark, JobMark, Listed, Mark, Parsed};
use crate::vocabulary::{Delivery, EffectKind};

/// Reads an attribute, or the text of a comment, as the declaration `name`.
///
/// # Errors
/// Every mistake in its arguments, each at its own place.
pub fn parse_meta(name: &str, name_span: Span, meta: &Meta) -> Result<Parsed, Vec<GrammarError>> {
    match meta {
        Meta::Path(_) => parse(name, name_span, TokenStream::new()),
        Meta::List(list) => parse(name, name_span, list.tokens.clone()),
        Meta::NameValue(_) => Err(vec![GrammarError::new(
            name_span,
            format!("write `{name}(…)`, not `{name} = …`"),
        )]),
    }
}

/// Reads the arguments of the attribute `name`.
///
/// # Errors
/// Every mistake in the arguments, each at its own place.
pub fn parse(name: &str, name_span: Span, args: TokenStream) -> Result<Parsed, Vec<GrammarError>> {
    let metas = || metas_of(args.clone()).map_err(|error| vec![error]);
    let mut parts = Vec::new();
    let mark = match name {
        "job" => parse_job(&metas()?, &mut parts).map(Mark::Job),
        "effect" => parse_effect(name_span, &metas()?).map(Mark::Effect),
        "accept" => parse_accept(name_span, &metas()?, &mut parts).map(Mark::Accept),
        "step" => no_arguments(&args).map(|()| Mark::Step),
        "stable" => no_arguments(&args).map(|()| Mark::Stable),
        "unstable" => no_arguments(&args).map(|()| Mark::Unstable),
        "marked" => no_arguments(&args).map(|()| Mark::Marked),
        other => Err(vec![GrammarError::new(
            name_span,
            unknown("attribute", other, ATTRIBUTES),
        )]),
    }?;
    Ok(Parsed { mark, parts })
}

fn parse_job(metas: &[Meta], parts: &mut Vec<Span>) -> Result<JobMark, Vec<GrammarError>> {
    const WORDS: &[&str] = &["key", "effects", "delivery", "attempts", "schedule"];
    let mut job = JobMark::default();
    let mut errors = given_twice(metas);
    for meta in metas {
        let word = word_of(meta);
        let outcome = match word.as_str() {
            "key" => text_value(meta).map(|key| job.key = Some(key)),
            "effects" => parse_listed(meta, parts).map(|listed| job.effects = Some(listed)),
            "delivery" => text_value(meta).and_then(|text| match Delivery::parse(&text) {
                Some(delivery) => {
                    job.delivery = Some(delivery);
                    Ok(())
                }
                None => {
                    let words: Vec<&str> = Delivery::ALL.iter().map(|d| d.word()).collect();
                    Err(vec![GrammarError::new(
                        value_span(meta),
                        unknown("delivery", &text, &words),
                    )])
                }
            }),
            "attempts" => number_value(meta).map(|count| job.attempts = Some(count)),
            "schedule" => flag(meta).map(|()| job.schedule = true),
            other => Err(vec![GrammarError::new(
                meta.path().span(),
                unknown("argument", other, WORDS),
            )]),
        };
        if let Err(found) = outcome {
            errors.extend(found);
        }
    }
    if errors.is_empty() {
        Ok(job)
    } else {
        Err(errors)
    }
}

fn parse_listed(meta: &Meta, parts: &mut Vec<Span>) -> Result<Vec<Listed>, Vec<GrammarError>> {
    let Meta::List(list) = meta else {
        return Err(vec![GrammarError::new(
            meta.path().span(),
            "write the effects as a list: `effects(email, db_write(\"invoices\"))`",
        )]);
    };
    let entries = metas_of(list.tokens.clone()).map_err(|error| vec![error])?;
    let mut listed = Vec::new();
    let mut errors = Vec::new();
    for entry in &entries {
        let kind = match effect_kind(entry) {
            Ok(kind) => kind,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        match entry {
            Meta::Path(path) => {
                parts.push(path.span());
                listed.push(Listed { kind, target: None });
            }
            Meta::List(targets) => {
                match Punctuated::<LitStr, Token![,]>::parse_terminated
                    .parse2(targets.tokens.clone())
                {
                    Ok(targets) if targets.is_empty() => errors.push(GrammarError::new(
                        entry.path().span(),
                        format!(
                            "write `{0}` for any target, or `{0}(\"target\")`",
                            word_of(entry)
                        ),
                    )),
                    Ok(targets) => {
                        parts.extend(targets.iter().map(LitStr::span));
                        listed.extend(targets.iter().map(|text| Listed {
                            kind,
                            target: Some(text.value()),
                        }));
                    }
                    Err(error) => errors.push(GrammarError::new(
                        error.span(),
                        format!(
                            "the targets of `{0}` are texts: `{0}(\"…\")`",
                            word_of(entry)
                        ),
                    )),
                }
            }
            Meta::NameValue(pair) => errors.push(GrammarError::new(
                pair.path.span(),
                format!("write `{0}(\"target\")`, not `{0} = …`", word_of(entry)),
            )),
        }
    }
    if errors.is_empty() {
        Ok(listed)
    } else {
        Err(errors)
    }
}

fn parse_effect(name_span: Span, metas: &[Meta]) -> Result<EffectMark, Vec<GrammarError>> {
    const WORDS: &[&str] = &["key", "idempotent", "target"];
    let Some((first, rest)) = metas.split_first() else {
        return Err(vec![GrammarError::new(
            name_span,
            "name the kind of effect: `effect(email)`",
        )]);
    };
    let mut errors = given_twice(rest);
    let kind = effect_kind(first).map_err(|error| errors.push(error)).ok();
    let mut mark = EffectMark {
        kind: EffectKind::Http,
        key: None,
        idempotent: false,
        target: None,
    };
    for meta in rest {
        let outcome = match word_of(meta).as_str() {
            "key" => text_value(meta).map(|key| mark.key = Some(key)),
            "target" => text_value(meta).map(|target| mark.target = Some(target)),
            "idempotent" => flag(meta).map(|()| mark.idempotent = true),
            other => Err(vec![GrammarError::new(
                meta.path().span(),
                unknown("argument", other, WORDS),
            )]),
        };
        if let Err(found) = outcome {
            errors.extend(found);
        }
    }
    match kind {
        Some(kind) if errors.is_empty() => Ok(EffectMark { kind, ..mark }),
        _ => Err(errors),
    }
}

fn parse_accept(
    name_span: Span,
    metas: &[Meta],
    parts: &mut Vec<Span>,
) -> Result<AcceptMark, Vec<GrammarError>> {
    let Some((first, rest)) = metas.split_first() else {
        return Err(vec![GrammarError::new(
            name_span,
            "name the rule and the reason: `accept(unguarded_notification, reason = \"…\")`",
        )]);
    };
    parts.push(first.path().span());
    let mut accept = AcceptMark {
        rule: word_of(first).replace('_', "-"),
        reason: None,
    };
    let mut errors = given_twice(rest);
    for meta in rest {
        let outcome = match word_of(meta).as_str() {
            "reason" => text_value(meta).map(|reason| accept.reason = Some(reason)),
            other => Err(vec![GrammarError::new(
                meta.path().span(),
                unknown("argument", other, &["reason"]),
            )]),
        };
        if let Err(found) = outcome {
            errors.extend(found);
        }
    }
    if errors.is_empty() {
        Ok(accept)
    } else {
        Err(errors)
    }
}
