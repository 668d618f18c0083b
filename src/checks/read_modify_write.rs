//! `read-modify-write`: a column is read, changed in code and written back, and nothing keeps another from
//! doing so meanwhile.

use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::{EffectKind, JobKind, Trigger};

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::Subject;
use super::tables::{counts_tries, is_bookkeeping, is_cursor, is_owned};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let back = effect
        .repeats
        .computed
        .as_ref()
        .filter(|_| !effect.repeats.is_locked)?;
    let column = &back.column;
    let is_key = effect.kind == EffectKind::Cache;
    if (subject.quiet)(effect)
        || is_bookkeeping(effect)
        || counts_tries(column)
        || is_cursor(column)
    {
        return None;
    }
    let job = subject.job();
    let target = &effect.target;
    let message = match is_key {
        true => format!(
            "job `{job}` writes back to the key `{target}` what it computed from the value it read: what anybody else \
             writes there in between is lost",
        ),
        false => format!(
            "job `{job}` writes back to `{target}.{column}` what it computed from a row it read: what anybody else \
             writes there in between is lost",
        ),
    };
    let mut finding = subject
        .about(Rule::ReadModifyWrite, effect, Spot::Code(effect.site), message)
        .label("overwrites what was written since")
        .help(match is_key {
            true => {
                "change it in one command (`INCRBY`, `HINCRBY`, a script), or watch the key and write it in a \
                 transaction"
            }
            false => {
                "compute in the statement (`SET n = n + $1`), read the row with `FOR UPDATE` in the same transaction, \
                 or test a version column"
            }
        })
        .related(back.read, "it is read here");
    finding.triggers = vec![Trigger::Overlap];
    // A timer runs by itself, as long as there is one of it; most of what a cache holds can be lost.
    let is_owned = is_owned(column) || is_key && is_owned(target);
    let is_minor = (is_key || subject.map.job.kind == JobKind::Scheduled) && !is_owned;
    Some(match is_minor {
        true => finding.confidence(Confidence::Low),
        false => finding,
    })
}
