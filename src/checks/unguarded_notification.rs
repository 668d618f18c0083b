//! `unguarded-notification`: nothing stops a second email, text, push or chat message.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::Action;

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, because, is_notification, is_repeated, said};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let sends = is_notification(effect.kind)
        && matches!(effect.action, Action::Send | Action::Create | Action::Call);
    if !sends || !is_repeated(effect) || !effect.is_open() || effect.is_keyed() {
        return None;
    }
    if (subject.quiet)(effect) {
        return None;
    }
    let message = format!(
        "job `{}` sends {} with nothing to stop a second one {}",
        subject.job(),
        said(effect),
        because(effect),
    );
    Some(
        subject
            .repeated(
                Rule::UnguardedNotification,
                effect,
                Spot::Code(effect.site),
                message,
            )
            .label("goes out again on a second run")
            .help(
                "read from the database whether it has been sent before sending it, and record that it has \
                 been right after, before anything else can fail",
            ),
    )
}
