//! The rules' questions: one file per rule, each a question to the map of a job and its message.
//!
//! Checks are pure: they look at maps and give findings. How loud a finding is, whether it is
//! accepted and which are shown, is decided behind them.

mod analysis_gap;
mod attempt_key;
mod batch_without_progress;
mod blind_insert;
mod check_then_create;
mod children;
mod clock_key;
mod conflict_target_mismatch;
mod constant_key;
mod detached_effect;
mod effect_in_transaction;
mod finding;
mod ineffective_lock;
mod levels;
mod lost_artifact;
mod now_in_write;
mod order;
mod overwritten;
mod random_in_write;
mod random_key;
mod read_modify_write;
mod relative_update;
mod repeated_append;
mod shared_key;
mod split_write;
mod stale_listing;
mod subject;
mod tables;
mod unchecked_claim;
mod uncommitted_write;
mod undeclared_job;
mod unguarded_notification;
mod unkeyed_create;
mod unkeyed_enqueue;
mod unkeyed_payment;
mod unlisted_effect;
mod unordered_key;
mod wrong_key;

use retrysafe_rules::rule::Confidence;

use crate::analysis::Analysis;
use crate::config::Config;
use crate::jobs::MappedEffect;

use children::Children;
pub use finding::{Finding, Remark, Spot};
pub use levels::Levels;
pub use order::settle;
use subject::{Subject, are_exclusive};

/// A question to one effect of a job.
type EffectCheck = fn(&Subject<'_>, &MappedEffect) -> Option<Finding>;

/// The rules about the repetition of an effect, the most telling first: one cause is one finding.
const REPETITION: &[EffectCheck] = &[
    unchecked_claim::check,
    random_key::check,
    clock_key::check,
    attempt_key::check,
    unordered_key::check,
    constant_key::check,
    batch_without_progress::check,
    unguarded_notification::check,
    unkeyed_payment::check,
    unkeyed_create::check,
    unkeyed_enqueue::check,
    check_then_create::check,
    conflict_target_mismatch::check,
    blind_insert::check,
    relative_update::check,
    now_in_write::check,
    random_in_write::check,
    repeated_append::check,
];

/// The rules about something else than repetition: each stands on its own.
const OTHERS: &[EffectCheck] = &[
    effect_in_transaction::check,
    split_write::check,
    uncommitted_write::check,
    read_modify_write::check,
    lost_artifact::check,
    unlisted_effect::check,
];

/// Everything that the checks find, job by job, without order.
pub fn check(analysis: &Analysis, config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    let children = Children::of(&analysis.program, &analysis.maps);
    let is_quiet =
        |effect: &MappedEffect| config.is_quiet(effect.names()) || children.settle(effect);
    for map in &analysis.maps {
        let first = findings.len();
        let subject = Subject {
            program: &analysis.program,
            map,
            quiet: &is_quiet,
            config,
        };
        let mut of_effects = Vec::new();
        for effect in &map.effects {
            let repetition = REPETITION.iter().find_map(|check| check(&subject, effect));
            let others = OTHERS.iter().filter_map(|check| check(&subject, effect));
            of_effects.extend(
                repetition
                    .into_iter()
                    .chain(others)
                    .map(|found| (effect, found)),
            );
        }
        findings.extend(causes(of_effects));
        findings.extend(shared_key::check(&subject));
        findings.extend(detached_effect::check(&subject));
        findings.extend(ineffective_lock::check(&subject));
        findings.extend(stale_listing::check(&subject));
        findings.extend(undeclared_job::check(&subject));
        findings.extend(analysis_gap::check(&subject));
        // What nothing hands to a runner most likely never runs.
        if map.job.is_unnamed {
            let told = findings.split_off(first);
            let doubted = told.into_iter().map(|of| of.confidence(Confidence::Low));
            findings.extend(doubted);
        }
    }
    findings
}

/// One of several alternatives has one cause: the ways to send one message are one finding.
fn causes(found: Vec<(&MappedEffect, Finding)>) -> Vec<Finding> {
    let mut kept: Vec<(&MappedEffect, Finding)> = Vec::new();
    for (effect, finding) in found {
        let twin = kept.iter_mut().find(|(other, known)| {
            known.rule == finding.rule
                && other.calls == effect.calls
                && other.kind.section() == effect.kind.section()
                && are_exclusive(other, effect)
        });
        match twin {
            Some((_, known)) => known.or_at(effect.site),
            None => kept.push((effect, finding)),
        }
    }
    kept.into_iter().map(|(_, finding)| finding).collect()
}
