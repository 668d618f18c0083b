//! `unkeyed-payment`: money moves without an idempotency key.

use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::{Action, EffectKind, Protection};

use crate::ir::words;
use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, because, is_repeated, said};

/// Words for moving money, and for nothing else.
const CERTAIN: &[&str] = &["refund", "payout"];

/// Words for moving money that are used of files, pictures and events as well.
const WORDS: &[&str] = &["charge", "capture", "transfer"];

/// Words that tell which of both is meant.
const MONEY: &[&str] = &[
    "pay",
    "payment",
    "payer",
    "card",
    "amount",
    "invoice",
    "order",
    "money",
    "fund",
    "billing",
    "bill",
    "price",
    "currency",
    "customer",
    "balance",
    "wallet",
    "bank",
    "merchant",
    "gateway",
    "checkout",
    "subscription",
    "account",
    "authorization",
    "charge",
    "sepa",
    "iban",
    "deposit",
    "withdrawal",
    "settle",
    "settlement",
    "rent",
    "fee",
    "salary",
    "debit",
    "credit",
];

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
    let last = effect
        .target
        .split('/')
        .skip(1)
        .filter(|segment| !segment.contains('{'))
        .last()
        .unwrap_or_default();
    let called = effect.route.last().map(|function| subject.name(*function));
    let called = called.as_deref().unwrap_or_default();
    let name = called.rsplit("::").next().unwrap_or_default();
    let is_of_money = || {
        [effect.target.as_str(), called, subject.job()]
            .into_iter()
            .flat_map(words)
            .any(|word| MONEY.contains(&word.trim_end_matches('s')))
    };
    [last, name]
        .into_iter()
        .filter_map(|text| words(text).next())
        .any(|word| {
            let word = word.trim_end_matches('s');
            CERTAIN.contains(&word) || WORDS.contains(&word) && is_of_money()
        })
}
