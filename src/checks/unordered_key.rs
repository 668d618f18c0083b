//! `unordered-key`: a value without a fixed order or text takes part in an idempotency key.

use retrysafe_rules::catalog::SourceKind;
use retrysafe_rules::rule::Rule;

use crate::jobs::MappedEffect;

use super::finding::Finding;
use super::subject::Subject;
use super::wrong_key::{self, Words};

const WORDS: Words = Words {
    rule: Rule::UnorderedKey,
    is: "not the same each time it is written out",
    born: "the order or salt comes in",
};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let (key, origin) = wrong_key::origin(effect, &[SourceKind::Unordered])?;
    Some(
        wrong_key::finding(subject, effect, key, origin, &WORDS).help(
            "sort what goes into the key first, or keep it in a `BTreeMap`, and hash it with a hash \
             that has neither seed nor salt",
        ),
    )
}
