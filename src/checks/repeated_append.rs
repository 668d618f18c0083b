//! `repeated-append`: something is added to a file or a list, and added again by a repeat.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::{Action, EffectKind};

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, because, is_repeated};
use super::tables::is_append_only;

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let appends = matches!(
        effect.kind,
        EffectKind::Cache | EffectKind::File | EffectKind::Storage
    ) && effect.action == Action::Append;
    if !appends || !is_repeated(effect) || !effect.is_open() {
        return None;
    }
    if (subject.quiet)(effect) || is_append_only(subject, effect) {
        return None;
    }
    let message = format!(
        "job `{}` appends to the {} `{}`: a second run appends the same again {}",
        subject.job(),
        effect.kind,
        effect.target,
        because(effect),
    );
    Some(
        subject
            .repeated(Rule::RepeatedAppend, effect, Spot::Code(effect.site), message)
            .label("appended again by a second run")
            .help("write the whole under a name of its own, add to a set, or record what has been appended"),
    )
}
