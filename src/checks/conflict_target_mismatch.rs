//! `conflict-target-mismatch`: an upsert whose conflict clause a repeat does not run into.

use retrysafe_rules::rule::{Confidence, Rule};

use crate::jobs::{Again, MappedEffect, Stored, Told};

use super::finding::{Finding, Spot};
use super::subject::{Subject, is_repeated};
use super::tables::born;

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let stored = effect.stored.as_ref()?;
    let target = stored.conflict_target()?;
    if (subject.quiet)(effect) {
        return None;
    }
    match &stored.again {
        Again::NoArbiter(keys) => Some(refused(subject, effect, &target, keys)),
        Again::Evaded(key) if is_repeated(effect) => {
            Some(evaded(subject, effect, stored, &target, key))
        }
        _ => None,
    }
}

/// A clause that names columns of which no key is: the database refuses the statement whenever it runs.
fn refused(subject: &Subject<'_>, effect: &MappedEffect, target: &str, keys: &[Told]) -> Finding {
    let table = &effect.target;
    // Of the same columns, but about some rows only.
    let partial = keys.iter().find(|key| !key.reason.is_empty());
    let (why, help) = match partial {
        Some(key) => (
            format!(
                "its unique key `{}` on them {}, which the clause does not say",
                key.name, key.reason
            ),
            format!(
                "repeat the `WHERE` of `{}` behind the columns of the clause",
                key.name
            ),
        ),
        None => (
            "no unique key of it is of these columns".to_owned(),
            match keys {
                [] => format!("give `{table}` a unique key over the columns of the clause"),
                keys => format!(
                    "give `{table}` a unique key over the columns of the clause, or name those of one that it has: {}",
                    keys.iter()
                        .map(|key| format!("`{}` ({})", key.name, key.parts.join(", ")))
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
            },
        ),
    };
    let message = format!(
        "job `{}` upserts into `{table}` on ({target}), and {why}: the database refuses the statement, each time",
        subject.job(),
    );
    let finding = subject
        .about(
            Rule::ConflictTargetMismatch,
            effect,
            Spot::Code(effect.site),
            message,
        )
        .label("no key to conflict with")
        .help(help);
    match partial {
        Some(key) => finding.related(key.site, "about some rows only"),
        None => finding,
    }
}

/// A clause that names a key that a repeat does not run into.
fn evaded(
    subject: &Subject<'_>,
    effect: &MappedEffect,
    stored: &Stored,
    target: &str,
    key: &Told,
) -> Finding {
    let message = format!(
        "job `{}` upserts into `{}` on ({target}), which a second run does not run into: `{}` {}",
        subject.job(),
        effect.target,
        key.name,
        key.reason,
    );
    let mut finding = subject
        .repeated(
            Rule::ConflictTargetMismatch,
            effect,
            Spot::Code(effect.site),
            message,
        )
        .label("nothing conflicts with it")
        .help(remedy(effect, stored))
        .related(key.site, "the key that the clause names");
    // At the last instant it is a row too many, and no more.
    if finding.is_rare {
        finding = finding.confidence(Confidence::Low);
    }
    let mut fresh = stored
        .varying
        .iter()
        .filter(|of| key.parts.contains(&of.column));
    match fresh
        .next()
        .and_then(|of| Some((of, of.origin.as_ref()?.site?)))
    {
        Some((varying, site)) => finding.related(site, format!("{} is made here", born(varying))),
        None => finding,
    }
}

fn remedy(effect: &MappedEffect, stored: &Stored) -> String {
    format!(
        "name columns in the clause that a unique key of `{}` is of and that get the same values on every attempt, \
         such as {}",
        effect.target,
        stored
            .names_work()
            .unwrap_or_else(|| "the input of the job".to_owned()),
    )
}
