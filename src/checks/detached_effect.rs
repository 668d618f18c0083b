//! `detached-effect`: a task that nobody awaits has an effect.

use std::collections::BTreeMap;

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::{Action, Delivery, EffectKind, JobKind};

use crate::ir::{Site, words};
use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, said};
use super::tables::OBSERVED;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let job = &subject.map.job;
    // A timer comes again, and what a process only tells itself is lost with it anyway.
    let is_owed = job.kind != JobKind::Scheduled
        && !job.is_local
        && job.runs.delivery != Delivery::AtMostOnce;
    if !is_owed {
        return Vec::new();
    }
    let effects = &subject.map.effects;
    let mut by_task: BTreeMap<Site, Vec<&MappedEffect>> = BTreeMap::new();
    for effect in effects {
        if let Some(task) = effect.repeats.detached
            && matters(effect)
            && !(subject.quiet)(effect)
        {
            by_task.entry(task).or_default().push(effect);
        }
    }
    by_task
        .into_iter()
        .map(|(task, effects)| finding(subject, task, &effects))
        .collect()
}

/// Words in the names of columns that say when or how often something was used.
const BOOKKEEPING: &[&str] = &["last", "count", "seen", "used", "updated", "accessed"];

/// Whether anybody misses an effect that does not happen.
fn matters(effect: &MappedEffect) -> bool {
    let is_bookkeeping = !effect.columns.is_empty()
        && effect
            .columns
            .iter()
            .all(|column| words(column).any(|word| BOOKKEEPING.contains(&word.as_str())));
    let is_observed = words(&effect.target).any(|word| OBSERVED.contains(&word.as_str()));
    effect.action != Action::Delete
        && !is_observed
        && !is_bookkeeping
        && !matches!(
            effect.kind,
            EffectKind::Cache | EffectKind::File | EffectKind::Process
        )
}

fn finding(subject: &Subject<'_>, task: Site, effects: &[&MappedEffect]) -> Finding {
    let first = effects[0];
    let message = format!(
        "job `{}` starts a task for {} and does not wait for it: the job is done although that may never happen",
        subject.job(),
        said(first),
    );
    let mut finding = subject
        .about(Rule::DetachedEffect, first, Spot::Code(task), message)
        .label("nobody awaits this task")
        .help("await the task before the job ends, or make it a job of its own");
    let mut told = Vec::new();
    for effect in effects {
        if told.contains(&effect.site) {
            continue;
        }
        told.push(effect.site);
        finding = finding.related(effect.site, format!("{} happens here", said(effect)));
    }
    finding
}
