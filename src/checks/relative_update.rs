//! `relative-update`: a value is changed by what it was, so that a repeat changes it again.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::{Action, EffectKind, Trigger};

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, because, is_repeated};
use super::tables::{counts, counts_tries, is_bookkeeping, is_cursor};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let computed = effect.repeats.computed.as_ref().map(|of| &of.column);
    let is_row = effect.kind == EffectKind::DbWrite;
    let is_key = effect.kind == EffectKind::Cache && effect.action == Action::Relative;
    let adds = is_key || is_row && (effect.action == Action::Relative || computed.is_some());
    // That it is lost as well is told by `read-modify-write`.
    let is_told = computed.is_some() && !effect.repeats.is_locked;
    if is_told && effect.action != Action::Relative {
        return None;
    }
    if !adds || !is_repeated(effect) || !effect.is_open() {
        return None;
    }
    // A timer that counts each of its runs is meant to.
    if effect.repeats.triggers == [Trigger::Rerun] {
        return None;
    }
    let what = match is_key {
        true => Some(format!("the key `{}`", effect.target))
            .filter(|_| !counts(&effect.target) && !is_passing(subject, effect)),
        false => column(effect).map(|column| format!("`{}.{column}`", effect.target)),
    }?;
    if (subject.quiet)(effect) || is_bookkeeping(effect) {
        return None;
    }
    let message = format!(
        "job `{}` changes {what} by what it was: a second run changes it again {}",
        subject.job(),
        because(effect),
    );
    Some(
        subject
            .repeated(Rule::RelativeUpdate, effect, Spot::Code(effect.site), message)
            .label("counts twice")
            .help(
                "record the piece of work under a unique key in the same transaction and change the value only when \
                 that is new, or store the new value instead of the difference",
            ),
    )
}

/// Whether a key of a cache is not known, or given a time to live: it counts for a while.
fn is_passing(subject: &Subject<'_>, effect: &MappedEffect) -> bool {
    let expires = |other: &MappedEffect| {
        other.kind == EffectKind::Cache
            && matches!(other.action, Action::Update | Action::Set)
            && other.target == effect.target
    };
    effect.target == "?" || subject.map.effects.iter().any(expires)
}

/// The column that is changed by what it was, unless that is what another attempt should do.
fn column(effect: &MappedEffect) -> Option<&String> {
    let stored = effect.stored.as_ref()?;
    let computed = effect.repeats.computed.as_ref().map(|of| &of.column);
    let column = stored.relative.as_ref().or(computed)?;
    // What it was is given out: the next number is what is wanted.
    let gives_out = stored
        .statement
        .returning
        .iter()
        .any(|of| of == column || of == "?column?");
    let is_meant = gives_out || counts_tries(column) || is_cursor(column);
    (!is_meant).then_some(column)
}
