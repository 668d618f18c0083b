//! `shared-key`: two operations of one job go out under the same idempotency key.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::EffectKind;

use crate::jobs::{Key, MappedEffect};

use super::finding::{Finding, Spot};
use super::subject::{Subject, are_exclusive, is_repeated, said};

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let keyed: Vec<(&MappedEffect, &Key)> = subject
        .map
        .effects
        .iter()
        .filter(|effect| is_repeated(effect))
        .filter_map(|effect| Some((effect, effect.carried.as_ref()?)))
        .filter(|(_, key)| key.origin.is_none())
        .collect();
    for (index, (later, key)) in keyed.iter().enumerate() {
        let earlier = keyed[..index].iter().find(|(earlier, known)| {
            known.identity.is_some()
                && known.identity == key.identity
                && is_other_operation(earlier, later)
                && is_same_provider(earlier, later)
                && !names_operation(later, key)
                && !are_exclusive(earlier, later)
        });
        let Some((earlier, known)) = earlier else {
            continue;
        };
        let message = format!(
            "job `{}` sends {} under the key `{}`, which {} has used already: the provider takes it for the same request",
            subject.job(),
            said(later),
            key.text,
            said(earlier),
        );
        let spot = Spot::Code(key.site.unwrap_or(later.site));
        findings.push(
            subject
                .about(Rule::SharedKey, later, spot, message)
                .label("the key of another operation")
                .help(format!(
                    "name the operation in the key, for example `{}:{}`",
                    key.text,
                    last_word(&later.target)
                ))
                .related(known.site.unwrap_or(earlier.site), "it is used first here"),
        );
    }
    findings
}

fn is_other_operation(one: &MappedEffect, other: &MappedEffect) -> bool {
    one.site != other.site && (one.target != other.target || one.action != other.action)
}

fn is_same_provider(one: &MappedEffect, other: &MappedEffect) -> bool {
    // A broker deduplicates within one queue or topic.
    if matches!(one.kind, EffectKind::Enqueue | EffectKind::Publish) && one.target != other.target {
        return false;
    }
    let of_crate = |effect: &MappedEffect| effect.api.split("::").next().map(str::to_owned);
    let host = |effect: &MappedEffect| effect.target.split('/').next().map(str::to_owned);
    of_crate(one) == of_crate(other)
        && one.kind == other.kind
        && (!one.target.contains('/') || host(one) == host(other))
}

/// Whether the fixed part of a key says which operation it is for.
fn names_operation(effect: &MappedEffect, key: &Key) -> bool {
    let word = last_word(&effect.target).to_lowercase();
    let stem = word.trim_end_matches('s');
    let fixed: Vec<&str> = key
        .text
        .split('{')
        .enumerate()
        .map(|(index, part)| match part.split_once('}') {
            Some((_, after)) if index > 0 => after,
            _ => part,
        })
        .collect();
    stem.len() > 2 && fixed.join(" ").to_lowercase().contains(stem)
}

/// The last word of a target that is no placeholder.
fn last_word(target: &str) -> &str {
    target
        .split('/')
        .rev()
        .find(|segment| !segment.is_empty() && !segment.contains('{'))
        .unwrap_or("operation")
}
