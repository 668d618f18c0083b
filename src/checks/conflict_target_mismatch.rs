//! `conflict-target-mismatch`: an upsert whose conflict clause a repeat does not run into.

use retrysafe_rules::rule::{Confidence, Rule};

use crate::jobs::{Again, MappedEffect};

use super::finding::{Finding, Spot};
use super::subject::{Subject, is_repeated};
use super::tables::born;

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let stored = effect.stored.as_ref()?;
    let target = stored.conflict_target()?;
    let (why, key) = match &stored.again {
        Again::NoArbiter => (
            format!("no unique key of `{}` is of these columns", effect.target),
            None,
        ),
        Again::Evaded(key) => (format!("`{}` {}", key.name, key.reason), Some(key)),
        _ => return None,
    };
    if !is_repeated(effect) || (subject.quiet)(effect) {
        return None;
    }
    let message = format!(
        "job `{}` upserts into `{}` on ({target}), which a second run does not run into: {why}",
        subject.job(),
        effect.target,
    );
    let mut finding = subject
        .repeated(
            Rule::ConflictTargetMismatch,
            effect,
            Spot::Code(effect.site),
            message,
        )
        .label("nothing conflicts with it")
        .help(format!(
            "name columns in the clause that a unique key of `{}` is of and that get the same values on every \
             attempt, such as {}",
            effect.target,
            stored.names_work().unwrap_or_else(|| "the input of the job".to_owned()),
        ));
    // At the last instant it is a row too many, and no more.
    if finding.is_last_instant {
        finding = finding.confidence(Confidence::Low);
    }
    if let Some(key) = key {
        finding = finding.related(key.site, "the key that the clause names");
        let mut fresh = stored
            .varying
            .iter()
            .filter(|of| key.parts.contains(&of.column));
        if let Some(varying) = fresh.next()
            && let Some(site) = varying.origin.as_ref().and_then(|origin| origin.site)
        {
            finding = finding.related(site, format!("{} is made here", born(varying)));
        }
    }
    Some(finding)
}
