//! `random-key`: a random value takes part in an idempotency key.

use retrysafe_rules::catalog::SourceKind;
use retrysafe_rules::rule::Rule;

use crate::jobs::MappedEffect;

use super::finding::Finding;
use super::subject::Subject;
use super::wrong_key::{self, Words};

const WORDS: Words = Words {
    rule: Rule::RandomKey,
    is: "random",
    born: "the random value is made",
};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let (key, origin) = wrong_key::origin(effect, &[SourceKind::Random])?;
    Some(wrong_key::finding(subject, effect, key, origin, &WORDS))
}
