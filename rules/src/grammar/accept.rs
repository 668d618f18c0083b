//! Acceptances: whether they name a rule that exists and say enough about why.

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
    let Some(rule) = Rule::parse(&mark.rule) else {
        let words = Rule::ALL.iter().map(|rule| rule.word());
        let hint = match nearest(&mark.rule, words) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`cargo retrysafe rules` lists them".to_owned(),
        };
        return Err(AcceptMistake {
            rule: Rule::UnknownRule,
            message: format!("there is no rule `{}`; {hint}", mark.rule),
        });
    };
    let message = match mark.reason.as_deref() {
        None => format!("the acceptance of `{rule}` has no reason"),
        Some(reason) if !is_reason(reason) => {
            format!("`{reason}` is too short a reason to accept `{rule}`")
        }
        Some(_) => return Ok(rule),
    };
    Err(AcceptMistake {
        rule: Rule::AcceptWithoutReason,
        message,
    })
}
