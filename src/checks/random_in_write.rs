//! `random-in-write`: a retry overwrites a stored value with a fresh random one.

use retrysafe_rules::rule::Rule;

use crate::jobs::{MappedEffect, Varying};

use super::finding::Finding;
use super::overwritten::{Words, finding, overwritten};
use super::subject::{Subject, because};
use super::tables::born;

const WORDS: Words = Words {
    label: "another value on each attempt",
    instead: "and read back what is stored",
    born: "random value is made here",
};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let tells = |varying: &&Varying| varying.is_random();
    let varying = overwritten(subject, effect, &tells)?;
    let message = format!(
        "job `{}` overwrites `{}.{}` with {} on every attempt: what a first run gave out no longer holds {}",
        subject.job(),
        effect.target,
        varying.column,
        born(varying),
        because(effect),
    );
    Some(finding(
        subject,
        effect,
        Rule::RandomInWrite,
        varying,
        message,
        &WORDS,
    ))
}
