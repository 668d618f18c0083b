//! `unkeyed-create`: an API creates something without an idempotency key.

use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::{Action, EffectKind};

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, because, has_address, is_repeated, said};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let creates = matches!(
        effect.kind,
        EffectKind::Http | EffectKind::Cloud | EffectKind::Rpc
    ) && effect.action == Action::Create;
    if !creates || !is_repeated(effect) || !effect.is_open() || effect.is_keyed() {
        return None;
    }
    if (subject.quiet)(effect) {
        return None;
    }
    // Where the whole address comes from data, somebody is told something: nobody knows of a create.
    let confidence = if !effect.is_addressed || has_address(&effect.target) {
        Confidence::High
    } else {
        Confidence::Low
    };
    let message = format!(
        "job `{}` makes {} without an idempotency key: a second run creates another one {}",
        subject.job(),
        said(effect),
        because(effect),
    );
    let mut help = format!(
        "pass a key or a unique reference of your own, for example {}; where the API takes none, store the id it \
         returns and look for it before creating",
        subject.proposed_key(effect)
    );
    if let Some(filled) = &effect.fills_in {
        help.push_str(&format!(" (the library sends {filled})"));
    }
    Some(
        subject
            .repeated(
                Rule::UnkeyedCreate,
                effect,
                Spot::Code(effect.site),
                message,
            )
            .confidence(confidence)
            .label("creates a new one each time")
            .help(help),
    )
}
