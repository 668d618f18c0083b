//! `batch-without-progress`: an effect per item, and progress recorded after all or never.

use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::{Action, EffectKind};

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, has_address, is_external, is_outbox, is_repeated, said};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let turn = effect.repeats.per_item?;
    let adds = matches!(
        effect.action,
        Action::Create | Action::Send | Action::Call | Action::Append
    );
    let is_process = effect.kind == EffectKind::Process;
    let applies =
        is_external(effect.kind) && !is_process && adds && is_repeated(effect) && effect.is_open();
    if !applies || effect.is_keyed() || (subject.quiet)(effect) {
        return None;
    }
    if is_outbox(effect) {
        return None;
    }
    let message = format!(
        "job `{}` sends {} for each item and records no progress in between: when a later item fails, all before \
         it are repeated",
        subject.job(),
        said(effect),
    );
    let is_vague =
        effect.kind == EffectKind::Http && effect.is_addressed && !has_address(&effect.target);
    let confidence = if is_vague {
        Confidence::Low
    } else {
        Confidence::High
    };
    Some(
        subject
            .repeated(
                Rule::BatchWithoutProgress,
                effect,
                Spot::Code(effect.site),
                message,
            )
            .confidence(confidence)
            .label("once per item")
            .help(
                "record each item as done right after its effect and leave recorded items out, or make each item \
                 a job of its own",
            )
            .related(turn, "the loop over the items"),
    )
}
