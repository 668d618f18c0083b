//! `clock-key`: a clock reading takes part in an idempotency key.

use retrysafe_rules::catalog::SourceKind;
use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::{Delivery, JobKind};

use crate::jobs::MappedEffect;

use super::finding::Finding;
use super::subject::Subject;
use super::wrong_key::{self, Words};

const WORDS: Words = Words {
    rule: Rule::ClockKey,
    is: "read off a clock",
    born: "the clock is read",
};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let (key, origin) = wrong_key::origin(effect, &[SourceKind::Clock])?;
    let job = &subject.map.job;
    let is_timed = job.kind == JobKind::Scheduled || job.runs.delivery == Delivery::Repeated;
    // The day names the period that a scheduled run is about.
    if origin.is_period && is_timed {
        return None;
    }
    let finding = wrong_key::finding(subject, effect, key, origin, &WORDS);
    Some(if origin.is_period {
        finding.confidence(Confidence::Medium)
    } else {
        finding
    })
}
