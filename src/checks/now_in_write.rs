//! `now-in-write`: a retry stores another time, and so changes history.

use retrysafe_rules::rule::Rule;

use crate::jobs::{MappedEffect, Varying};

use super::finding::Finding;
use super::overwritten::{Words, finding, overwritten};
use super::subject::{Subject, because};
use super::tables::{born, is_audit};

const WORDS: Words = Words {
    label: "another time on each attempt",
    instead: "or take the time from the payload",
    born: "the time is read here",
};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let tells = |varying: &&Varying| varying.is_clock && !is_audit(subject, &varying.column);
    let varying = overwritten(subject, effect, &tells)?;
    let message = format!(
        "job `{}` sets `{}.{}` to {} on every attempt: a second run moves it {}",
        subject.job(),
        effect.target,
        varying.column,
        born(varying),
        because(effect),
    );
    Some(finding(
        subject,
        effect,
        Rule::NowInWrite,
        varying,
        message,
        &WORDS,
    ))
}
