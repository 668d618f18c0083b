//! `batch-without-progress`: an effect per item, and progress recorded after all or never.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::Action;

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, is_external, is_open, is_repeated, said};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let turn = effect.repeats.per_item?;
    let adds = matches!(
        effect.action,
        Action::Create | Action::Send | Action::Call | Action::Append
    );
    let applies = is_external(effect.kind) && adds && is_repeated(effect) && is_open(effect);
    if !applies || effect.carried.is_some() || (subject.quiet)(effect) {
        return None;
    }
    if effect.in_database && effect.in_transaction {
        return None;
    }
    let message = format!(
        "job `{}` sends {} for each item and records no progress in between: when a later item fails, all before \
         it are repeated",
        subject.job(),
        said(effect),
    );
    Some(
        subject
            .repeated(
                Rule::BatchWithoutProgress,
                effect,
                Spot::Code(effect.site),
                message,
            )
            .label("once per item")
            .help(
                "record each item as done right after its effect and leave recorded items out, or make each item \
                 a job of its own",
            )
            .related(turn, "the loop over the items"),
    )
}
