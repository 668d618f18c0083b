//! Acceptances: whether they name a rule that exists and say enough about why.

use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned;

use super::argument::{metas_of, text_value, value_span, word_of};
use super::error::GrammarError;
use super::mark::AcceptMark;
use crate::rule::{Rule, is_reason};
use crate::vocabulary::nearest;

/// Why an acceptance silences nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptMistake {
    /// The rule about it.
    pub rule: Rule,
    /// What is wrong.
    pub message: String,
}

/// The rule that an acceptance is about, when it is a valid one.
///
/// # Errors
/// What is wrong with it: the rule does not exist, or the reason is missing or too short.
pub fn check_accept(mark: &AcceptMark) -> Result<Rule, AcceptMistake> {
    let mistake = |rule, message| AcceptMistake { rule, message };
    let rule = rule_called(&mark.rule).map_err(|message| mistake(Rule::UnknownRule, message))?;
    match wrong_reason(rule.word(), mark.reason.as_deref()) {
        Some(message) => Err(mistake(Rule::AcceptWithoutReason, message)),
        None => Ok(rule),
    }
}

/// The same of the arguments of `accept`, every mistake at its own place. Mistakes against the
/// grammar are not among them.
pub fn check_acceptance(name_span: Span, args: TokenStream) -> Vec<GrammarError> {
    let metas = metas_of(args).unwrap_or_default();
    let Some((first, rest)) = metas.split_first() else {
        return Vec::new();
    };
    let mut errors = Vec::new();
    let rule = rule_called(&word_of(first));
    if let Err(message) = &rule {
        errors.push(GrammarError::new(first.path().span(), message));
    }
    let word = rule.map_or_else(|_| word_of(first), |rule| rule.word().to_owned());
    match rest.iter().find(|meta| word_of(meta) == "reason") {
        None => {
            // Where something else stands, it may be meant to be the reason.
            let message = wrong_reason(&word, None).filter(|_| rest.is_empty());
            errors.extend(message.map(|message| GrammarError::new(name_span, message)));
        }
        Some(meta) => {
            let text = text_value(meta).ok();
            let message = text.and_then(|text| wrong_reason(&word, Some(&text)));
            errors.extend(message.map(|message| GrammarError::new(value_span(meta), message)));
        }
    }
    errors
}

/// The rule of that name, or that there is none, in the spelling that attributes and comments
/// both read.
fn rule_called(name: &str) -> Result<Rule, String> {
    Rule::parse(name).ok_or_else(|| {
        let hint = match nearest(
            &name.replace('_', "-"),
            Rule::ALL.iter().map(|rule| rule.word()),
        ) {
            Some(near) => format!("did you mean `{}`?", near.replace('-', "_")),
            None => "`cargo retrysafe rules` lists them".to_owned(),
        };
        format!("there is no rule `{}`; {hint}", name.replace('-', "_"))
    })
}

/// What is wrong with the reason for accepting a rule.
fn wrong_reason(rule: &str, reason: Option<&str>) -> Option<String> {
    match reason {
        None => Some(format!("the acceptance of `{rule}` has no reason")),
        Some(reason) if !is_reason(reason) => Some(format!(
            "`{reason}` is too short a reason to accept `{rule}`"
        )),
        Some(_) => None,
    }
}
