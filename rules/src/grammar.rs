//! The grammar of the attributes: what may stand in `#[retrysafe::job(…)]` and its kin, and in
//! the comments that say the same (`// retrysafe: job(…)`).
//!
//! The attribute crate and the analyser read declarations through this one piece of code, so
//! that both report a mistake at the same place in the same words. It knows nothing of the
//! code around a declaration.

use proc_macro2::{Span, TokenStream};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Lit, LitInt, LitStr, Meta, Token};

use crate::vocabulary::{Delivery, EffectKind, nearest};

/// The names of the attributes.
pub const ATTRIBUTES: &[&str] = &[
    "job", "effect", "step", "stable", "unstable", "accept", "marked",
];

/// A declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "catalog", derive(serde::Serialize, serde::Deserialize))]
pub enum Mark {
    /// This is a job.
    Job(JobMark),
    /// This call is a side effect.
    Effect(EffectMark),
    /// It runs its closure argument at most once per recorded step.
    Step,
    /// Its result is the same on every attempt.
    Stable,
    /// Its result differs between attempts.
    Unstable,
    /// A decision, written down.
    Accept(AcceptMark),
    /// Lets the other attributes stand on statements.
    Marked,
}

/// The arguments of `job`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "catalog", derive(serde::Serialize, serde::Deserialize))]
pub struct JobMark {
    /// The template of the job's key.
    pub key: Option<String>,
    /// The effects it lists; `None` when it lists nothing and so cannot be violated.
    pub effects: Option<Vec<Listed>>,
    /// How often the runner hands out the same work.
    pub delivery: Option<Delivery>,
    /// How many times one piece of work may run in all.
    pub attempts: Option<u32>,
    /// Whether a schedule runs it.
    pub schedule: bool,
}

/// An entry of the list of effects.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "catalog", derive(serde::Serialize, serde::Deserialize))]
pub struct Listed {
    /// The kind.
    pub kind: EffectKind,
    /// Part of the target's name; `None` for any target.
    pub target: Option<String>,
}

/// The arguments of `effect`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "catalog", derive(serde::Serialize, serde::Deserialize))]
pub struct EffectMark {
    /// The kind.
    pub kind: EffectKind,
    /// The template of its key.
    pub key: Option<String>,
    /// Whether repeating it is harmless.
    pub idempotent: bool,
    /// What it acts on.
    pub target: Option<String>,
}

/// The arguments of `accept`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "catalog", derive(serde::Serialize, serde::Deserialize))]
pub struct AcceptMark {
    /// The rule, as written.
    pub rule: String,
    /// Why a duplicate is fine.
    pub reason: Option<String>,
}

/// A mistake in a declaration.
#[derive(Debug, Clone)]
pub struct GrammarError {
    /// The argument that is wrong.
    pub span: Span,
    /// What is wrong, with the nearest valid word.
    pub message: String,
}

impl GrammarError {
    fn new(span: Span, message: impl Into<String>) -> Self {
        GrammarError {
            span,
            message: message.into(),
        }
    }
}

impl From<syn::Error> for GrammarError {
    fn from(error: syn::Error) -> Self {
        GrammarError::new(error.span(), error.to_string())
    }
}

/// Reads the arguments of the attribute `name`.
///
/// # Errors
/// Every mistake in the arguments, each at its own place.
pub fn parse(name: &str, name_span: Span, args: TokenStream) -> Result<Mark, Vec<GrammarError>> {
    let metas = Punctuated::<Meta, Token![,]>::parse_terminated
        .parse2(args)
        .map_err(|error| vec![GrammarError::from(error)])?;
    let metas: Vec<Meta> = metas.into_iter().collect();
    match name {
        "job" => parse_job(&metas).map(Mark::Job),
        "effect" => parse_effect(name_span, &metas).map(Mark::Effect),
        "accept" => parse_accept(name_span, &metas).map(Mark::Accept),
        "step" => no_arguments(&metas).map(|()| Mark::Step),
        "stable" => no_arguments(&metas).map(|()| Mark::Stable),
        "unstable" => no_arguments(&metas).map(|()| Mark::Unstable),
        "marked" => no_arguments(&metas).map(|()| Mark::Marked),
        other => Err(vec![GrammarError::new(
            name_span,
            unknown("attribute", other, ATTRIBUTES),
        )]),
    }
}

/// Reads the text of a comment after `retrysafe:`, such as `job(key = "invoice:{id}")`.
///
/// # Errors
/// Every mistake in the text; spans are relative to it.
pub fn parse_text(text: &str) -> Result<Mark, Vec<GrammarError>> {
    let text = join_words(text);
    let meta: Meta = syn::parse_str(&text).map_err(|error| vec![GrammarError::from(error)])?;
    let name = meta
        .path()
        .get_ident()
        .map(ToString::to_string)
        .unwrap_or_default();
    let args = match &meta {
        Meta::Path(_) => TokenStream::new(),
        Meta::List(list) => list.tokens.clone(),
        Meta::NameValue(pair) => {
            return Err(vec![GrammarError::new(
                pair.path.span(),
                format!("write `{name}(…)`, not `{name} = …`"),
            )]);
        }
    };
    parse(&name, meta.path().span(), args)
}

/// Comments may spell words in kebab-case, which Rust would read as subtractions. The length
/// stays, so that spans keep their columns.
fn join_words(text: &str) -> String {
    let mut quoted = false;
    let mut before = ' ';
    text.chars()
        .map(|c| {
            if c == '"' && before != '\\' {
                quoted = !quoted;
            }
            let joins = c == '-' && !quoted && before.is_ascii_alphanumeric();
            before = c;
            if joins { '_' } else { c }
        })
        .collect()
}

fn parse_job(metas: &[Meta]) -> Result<JobMark, Vec<GrammarError>> {
    const WORDS: &[&str] = &["key", "effects", "delivery", "attempts", "schedule"];
    let mut job = JobMark::default();
    let mut errors = Vec::new();
    for meta in metas {
        let word = word_of(meta);
        let outcome = match word.as_str() {
            "key" => text_value(meta).map(|key| job.key = Some(key)),
            "effects" => parse_listed(meta).map(|listed| job.effects = Some(listed)),
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

fn parse_listed(meta: &Meta) -> Result<Vec<Listed>, Vec<GrammarError>> {
    let Meta::List(list) = meta else {
        return Err(vec![GrammarError::new(
            meta.path().span(),
            "write the effects as a list: `effects(email, db_write(\"invoices\"))`",
        )]);
    };
    let entries = Punctuated::<Meta, Token![,]>::parse_terminated
        .parse2(list.tokens.clone())
        .map_err(|error| vec![GrammarError::from(error)])?;
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
            Meta::Path(_) => listed.push(Listed { kind, target: None }),
            Meta::List(targets) => {
                match Punctuated::<LitStr, Token![,]>::parse_terminated
                    .parse2(targets.tokens.clone())
                {
                    Ok(targets) => listed.extend(targets.iter().map(|text| Listed {
                        kind,
                        target: Some(text.value()),
                    })),
                    Err(error) => errors.push(error.into()),
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
    let mut errors = Vec::new();
    let Some((first, rest)) = metas.split_first() else {
        return Err(vec![GrammarError::new(
            name_span,
            "name the kind of effect: `effect(email)`",
        )]);
    };
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

fn parse_accept(name_span: Span, metas: &[Meta]) -> Result<AcceptMark, Vec<GrammarError>> {
    let Some((first, rest)) = metas.split_first() else {
        return Err(vec![GrammarError::new(
            name_span,
            "name the rule and the reason: `accept(unguarded_notification, reason = \"…\")`",
        )]);
    };
    let mut accept = AcceptMark {
        rule: word_of(first).replace('_', "-"),
        reason: None,
    };
    let mut errors = Vec::new();
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

fn no_arguments(metas: &[Meta]) -> Result<(), Vec<GrammarError>> {
    match metas.first() {
        None => Ok(()),
        Some(meta) => Err(vec![GrammarError::new(
            meta.path().span(),
            "this attribute takes no arguments",
        )]),
    }
}

fn effect_kind(meta: &Meta) -> Result<EffectKind, GrammarError> {
    let word = word_of(meta);
    EffectKind::parse(&word).ok_or_else(|| {
        let words: Vec<String> = EffectKind::ALL
            .iter()
            .map(|kind| kind.word().replace('-', "_"))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        GrammarError::new(meta.path().span(), unknown("kind of effect", &word, &words))
    })
}

fn word_of(meta: &Meta) -> String {
    meta.path()
        .get_ident()
        .map(ToString::to_string)
        .unwrap_or_default()
}

fn value_span(meta: &Meta) -> Span {
    match meta {
        Meta::NameValue(pair) => pair.value.span(),
        other => other.path().span(),
    }
}

fn literal(meta: &Meta) -> Option<&Lit> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(literal) => Some(&literal.lit),
            _ => None,
        },
        _ => None,
    }
}

fn text_value(meta: &Meta) -> Result<String, Vec<GrammarError>> {
    match literal(meta) {
        Some(Lit::Str(text)) => Ok(text.value()),
        _ => Err(vec![GrammarError::new(
            value_span(meta),
            format!("`{0}` takes a text: `{0} = \"…\"`", word_of(meta)),
        )]),
    }
}

fn number_value(meta: &Meta) -> Result<u32, Vec<GrammarError>> {
    let count = match literal(meta) {
        Some(Lit::Int(number)) => LitInt::base10_parse::<u32>(number).ok(),
        _ => None,
    };
    count.filter(|count| *count > 0).ok_or_else(|| {
        vec![GrammarError::new(
            value_span(meta),
            format!("`{0}` takes a count from 1: `{0} = 5`", word_of(meta)),
        )]
    })
}

fn flag(meta: &Meta) -> Result<(), Vec<GrammarError>> {
    match meta {
        Meta::Path(_) => Ok(()),
        other => Err(vec![GrammarError::new(
            other.path().span(),
            format!("`{}` stands alone, without a value", word_of(other)),
        )]),
    }
}

fn unknown(what: &str, word: &str, words: &[&str]) -> String {
    match nearest(word, words.iter().copied()) {
        Some(near) => format!("unknown {what} `{word}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{word}`; it is one of {}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<String> {
        match parse_text(text) {
            Ok(mark) => panic!("`{text}` was read as {mark:?}"),
            Err(errors) => errors.into_iter().map(|error| error.message).collect(),
        }
    }

    #[test]
    fn a_job_mark_holds_what_its_arguments_say() {
        let mark = parse_text(
            "job(key = \"invoice:{id}\", effects(email, db_write(\"invoices\", \"notes\")), \
             delivery = \"at-least-once\", attempts = 5, schedule)",
        );
        let Ok(Mark::Job(job)) = mark else {
            panic!("{mark:?}")
        };
        assert_eq!(job.key.as_deref(), Some("invoice:{id}"));
        assert_eq!(job.attempts, Some(5));
        assert!(job.schedule);
        assert_eq!(job.delivery, Some(Delivery::AtLeastOnce));
        let listed = job.effects.expect("the list is given");
        assert_eq!(listed.len(), 3);
        assert_eq!(
            listed[0],
            Listed {
                kind: EffectKind::Email,
                target: None
            }
        );
        assert_eq!(listed[2].target.as_deref(), Some("notes"));
    }

    #[test]
    fn an_empty_list_of_effects_is_not_an_absent_one() {
        let Ok(Mark::Job(empty)) = parse_text("job(effects())") else {
            panic!()
        };
        let Ok(Mark::Job(absent)) = parse_text("job") else {
            panic!()
        };
        assert_eq!((empty.effects, absent.effects), (Some(Vec::new()), None));
    }

    #[test]
    fn every_mistake_is_reported_with_the_nearest_word() {
        let found = messages("job(kee = \"x\", attempts = 0, effects(emial))");
        assert_eq!(
            found,
            [
                "unknown argument `kee`; did you mean `key`?",
                "`attempts` takes a count from 1: `attempts = 5`",
                "unknown kind of effect `emial`; did you mean `email`?",
            ]
        );
    }

    #[test]
    fn a_comment_may_spell_rules_in_kebab_case() {
        let mark = parse_text("accept(random-key, reason = \"per-run, harmless\")");
        let Ok(Mark::Accept(accept)) = mark else {
            panic!("{mark:?}")
        };
        assert_eq!(accept.rule, "random-key");
        assert_eq!(accept.reason.as_deref(), Some("per-run, harmless"));
    }

    #[test]
    fn an_effect_mark_needs_a_kind() {
        assert_eq!(
            messages("effect"),
            ["name the kind of effect: `effect(email)`"]
        );
        let Ok(Mark::Effect(mark)) = parse_text("effect(email, idempotent, target = \"x\")") else {
            panic!()
        };
        assert!(mark.idempotent && mark.target.as_deref() == Some("x"));
    }
}
