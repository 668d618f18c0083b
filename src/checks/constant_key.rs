//! `constant-key`: an idempotency key depends on nothing that tells pieces of work apart.

use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::{EffectKind, Protection};

use crate::jobs::{MappedEffect, Tells};

use super::finding::{Finding, Spot};
use super::subject::{Subject, is_repeated, said};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let key = effect.carried.as_ref().filter(|_| is_repeated(effect))?;
    // A row under a fixed name is a lock or a setting.
    let is_stored = matches!(
        effect.kind,
        EffectKind::DbWrite | EffectKind::Cache | EffectKind::Storage | EffectKind::File
    );
    if key.origin.is_some() || effect.protection == Protection::Natural || is_stored {
        return None;
    }
    let has_input = !subject.map.job.inputs.is_empty();
    let (shared_by, confidence) = match key.tells {
        Tells::Something => return None,
        // One fixed id for a job that is about nothing else is how one is kept waiting at a time.
        Tells::Nothing if effect.kind == EffectKind::Enqueue && !key.beside_input => {
            return None;
        }
        Tells::Nothing if has_input => ("every run", Confidence::High),
        Tells::Nothing => ("every run", Confidence::Medium),
        Tells::NoItem if effect.repeats.items.is_some() => ("every item", Confidence::High),
        Tells::NoItem => return None,
    };
    let mut message = format!(
        "job `{}` sends {} under the key `{}` for {shared_by}: the first one counts, and the others are dropped",
        subject.job(),
        said(effect),
        key.text,
    );
    if !has_input && key.tells == Tells::Nothing {
        message.push_str("; fine only if it is meant to happen once and never again");
    }
    let spot = Spot::Code(key.site.unwrap_or(effect.site));
    let mut finding = subject
        .about(Rule::ConstantKey, effect, spot, message)
        .confidence(confidence)
        .label(format!("the same key for {shared_by}"))
        .help(match key.tells {
            Tells::NoItem => "put the id of the item into the key".to_owned(),
            _ => format!(
                "put what the job is about into the key: {}",
                subject.proposed_key(effect)
            ),
        });
    if let Some(turn) = effect.repeats.items.filter(|_| key.tells == Tells::NoItem) {
        finding = finding.related(turn, "each turn of this loop uses it again");
    }
    Some(finding)
}
