//! `lost-artifact`: the id of something created is dropped.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::{Action, EffectKind};

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, is_repeated, said};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let creates = matches!(
        effect.kind,
        EffectKind::Http | EffectKind::Payment | EffectKind::Cloud | EffectKind::Chat
    ) && matches!(effect.action, Action::Create | Action::Send);
    let is_lost = creates && effect.repeats.is_dropped && !effect.is_keyed();
    if !is_lost || !is_repeated(effect) || !effect.is_open() {
        return None;
    }
    let message = format!(
        "job `{}` drops what {} gives back, so a second run cannot find what the first one made",
        subject.job(),
        said(effect),
    );
    Some(
        subject
            .about(Rule::LostArtifact, effect, Spot::Code(effect.site), message)
            .label("its answer is dropped")
            .help("store the id that comes back with the record of the work, and look for it before creating"),
    )
}
