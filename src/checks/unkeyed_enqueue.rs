//! `unkeyed-enqueue`: a message or job is handed on without a deduplication id.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::{EffectKind, Protection};

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, because, is_outbox, is_repeated, said};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let hands_on = matches!(effect.kind, EffectKind::Enqueue | EffectKind::Publish);
    if !hands_on || !is_repeated(effect) || !effect.is_open() || effect.is_keyed() {
        return None;
    }
    if is_outbox(effect) || effect.protection == Protection::Transaction || (subject.quiet)(effect)
    {
        return None;
    }
    let message = format!(
        "job `{}` hands on {} without a deduplication id: a second run hands it on again {}",
        subject.job(),
        said(effect),
        because(effect),
    );
    Some(
        subject
            .repeated(Rule::UnkeyedEnqueue, effect, Spot::Code(effect.site), message)
            .label("no deduplication id")
            .help(format!(
                "give it an id that is the same on every attempt, for example {}, or hand it on in the \
                 transaction that records the job as done",
                subject.proposed_key(effect)
            )),
    )
}
