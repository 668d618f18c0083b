//! `relative-update`: a value is changed by what it was, so that a repeat changes it again.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::{Action, EffectKind, Trigger};

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, because, is_repeated};
use super::tables::{counts_tries, is_bookkeeping, is_cursor};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let computed = effect.repeats.computed.as_ref().map(|of| &of.column);
    let adds = effect.kind == EffectKind::DbWrite
        && (effect.action == Action::Relative || computed.is_some());
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
    let stored = effect.stored.as_ref()?;
    let column = stored.relative.as_ref().or(computed)?;
    // What it was is given out: the next number is what is wanted.
    let gives_out = stored
        .statement
        .returning
        .iter()
        .any(|of| of == column || of == "?column?");
    if gives_out {
        return None;
    }
    if (subject.quiet)(effect)
        || is_bookkeeping(effect)
        || counts_tries(column)
        || is_cursor(column)
    {
        return None;
    }
    let message = format!(
        "job `{}` changes `{}.{column}` by what it was: a second run changes it again {}",
        subject.job(),
        effect.target,
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
