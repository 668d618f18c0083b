//! `attempt-key`: something of the attempt or the process takes part in an idempotency key.

use retrysafe_rules::catalog::SourceKind;
use retrysafe_rules::rule::{Confidence, Rule};

use crate::jobs::MappedEffect;

use super::finding::Finding;
use super::subject::Subject;
use super::wrong_key::{self, Words};

const ATTEMPT: Words = Words {
    rule: Rule::AttemptKey,
    is: "of this attempt only",
    born: "it is read",
};

const PROCESS: Words = Words {
    rule: Rule::AttemptKey,
    is: "of this process only",
    born: "it is read",
};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let kinds = [SourceKind::Attempt, SourceKind::Environment];
    let (key, origin) = wrong_key::origin(effect, &kinds)?;
    let words = match origin.kind {
        SourceKind::Environment => &PROCESS,
        _ => &ATTEMPT,
    };
    let finding = wrong_key::finding(subject, effect, key, origin, words);
    // Known by a name alone.
    let by_name = origin.kind == SourceKind::Attempt && origin.site.is_none();
    Some(if by_name {
        finding.confidence(Confidence::Medium)
    } else {
        finding
    })
}
