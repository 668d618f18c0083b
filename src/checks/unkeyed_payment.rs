//! `unkeyed-payment`: money moves without an idempotency key.

use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::{Action, EffectKind, Protection};

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, because, is_repeated, said};

/// Words in a path that speak of money being moved.
const WORDS: &[&str] = &["charge", "capture", "refund", "payout", "transfer"];

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    if !is_repeated(effect) || effect.is_keyed() || is_safe(effect) {
        return None;
    }
    let confidence = match effect.kind {
        EffectKind::Payment if moves(effect.action) => Confidence::High,
        EffectKind::Http if effect.action == Action::Create && speaks_of_money(subject, effect) => {
            Confidence::Medium
        }
        _ => return None,
    };
    let mut message = format!(
        "job `{}` makes {} without an idempotency key: a second run pays again {}",
        subject.job(),
        said(effect),
        because(effect),
    );
    if let Some(filled) = &effect.fills_in {
        message.push_str(&format!("; the library sends {filled}"));
    }
    Some(
        subject
            .repeated(
                Rule::UnkeyedPayment,
                effect,
                Spot::Code(effect.site),
                message,
            )
            .confidence(confidence)
            .label("no idempotency key")
            .help(format!(
                "pass a key that is the same on every attempt: {}",
                subject.proposed_key(effect)
            )),
    )
}

fn moves(action: Action) -> bool {
    matches!(action, Action::Create | Action::Call | Action::Send)
}

/// Step state leaves the unknown outcome open, which money cannot bear.
fn is_safe(effect: &MappedEffect) -> bool {
    !matches!(
        effect.protection,
        Protection::None | Protection::Unknown | Protection::Step
    )
}

/// Whether the path or the function around the call says that money is moved.
fn speaks_of_money(subject: &Subject<'_>, effect: &MappedEffect) -> bool {
    let is_word = |word: &str| {
        let word = word.to_lowercase();
        let word = word.split(['_', '-']).next().unwrap_or_default().to_owned();
        WORDS.contains(&word.trim_end_matches('s'))
    };
    let in_path = effect
        .target
        .split('/')
        .skip(1)
        .filter(|segment| !segment.contains('{'))
        .last()
        .is_some_and(is_word);
    // `/capture` alone is where analytics send their events.
    let in_path = in_path && (!effect.target.ends_with("/capture") || effect.target.contains("}/"));
    let in_name = effect.route.last().is_some_and(|function| {
        let name = subject.name(*function);
        is_word(name.rsplit("::").next().unwrap_or(&name))
    });
    in_path || in_name
}
