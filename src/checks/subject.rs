//! What checks ask their questions of: one job and its map, with words for what it does.

use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::{Action, EffectKind, Trigger};

use crate::config::Config;
use crate::ir::Site;
use crate::jobs::{JobMap, MappedEffect};
use crate::resolve::{FnId, Program};

use super::finding::{Finding, Remark, Spot};

/// A job under question.
#[derive(Clone, Copy)]
pub(super) struct Subject<'s> {
    pub(super) program: &'s Program,
    pub(super) map: &'s JobMap,
    /// Targets at which a second message does no harm.
    pub(super) quiet: &'s dyn Fn(&MappedEffect) -> bool,
    /// What the configuration says of tables and columns.
    pub(super) config: &'s Config,
}

impl Subject<'_> {
    /// The job's name without its modules: `remind`, `SendReminder::run`.
    pub(super) fn job(&self) -> &str {
        let name = &self.map.job.name;
        let mut starts = name.rmatch_indices("::").map(|(at, _)| at + 2);
        match (starts.next(), starts.next()) {
            (Some(last), before) => {
                let from = before.unwrap_or(0);
                // A method is called with its type.
                if name[from..].starts_with(char::is_uppercase) {
                    &name[from..]
                } else {
                    &name[last..]
                }
            }
            (None, _) => name,
        }
    }

    /// A finding about an effect, with the way to it.
    pub(super) fn about(
        &self,
        rule: Rule,
        effect: &MappedEffect,
        spot: Spot,
        message: String,
    ) -> Finding {
        let mut finding = Finding::new(rule, spot, message)
            .confidence(effect.confidence)
            .job(&self.map.job.name)
            .subject(format!(
                "{} {} {}",
                effect.kind, effect.action, effect.target
            ));
        finding.trace = self.way(&effect.route, &effect.calls);
        self.reached(finding, &effect.calls)
    }

    /// A finding with the place in the job's own file from which it gets there.
    pub(super) fn reached(&self, finding: Finding, calls: &[Site]) -> Finding {
        let own_file = self.map.job.site.file;
        let own = calls.iter().rev().find(|site| site.file == own_file);
        match own.or(calls.first()) {
            Some(site) => {
                let message = format!("job `{}` gets there from here", self.job());
                finding.related(*site, message)
            }
            None => finding,
        }
    }

    /// A finding about the repetition of an effect, with what brings it about.
    pub(super) fn repeated(
        &self,
        rule: Rule,
        effect: &MappedEffect,
        spot: Spot,
        message: String,
    ) -> Finding {
        let mut finding = self.about(rule, effect, spot, message);
        finding.triggers.clone_from(&effect.repeats.triggers);
        // The job's own database answers for what it has taken.
        let is_own = effect.kind == EffectKind::DbWrite
            || effect.kind == EffectKind::Enqueue && effect.in_database;
        let bring_it = |trigger: &Trigger| match trigger {
            Trigger::Crash => true,
            Trigger::UnknownOutcome | Trigger::Redelivery => is_own,
            _ => false,
        };
        finding.is_rare = finding.triggers.iter().all(bring_it);
        if let Some(failing) = effect.repeats.failing {
            finding = finding.related(failing, "this can fail after it, and the job runs again");
        }
        if let Some(key) = effect.carried.as_ref().filter(|key| key.is_partial) {
            finding = finding.confidence(Confidence::Medium);
            if let Some(site) = key.site {
                finding = finding.related(site, "a key is set here, on some paths only");
            }
        }
        if effect.repeats.is_doubtful || self.map.job.is_local {
            finding = finding.confidence(Confidence::Low);
        }
        finding
    }

    /// The calls that lead along a route.
    pub(super) fn way(&self, route: &[FnId], calls: &[Site]) -> Vec<Remark> {
        let mut trace = Vec::new();
        for (index, site) in calls.iter().enumerate() {
            let (Some(caller), Some(callee)) = (route.get(index), route.get(index + 1)) else {
                break;
            };
            let callee = self.name(*callee);
            let message = if index == 0 {
                format!("job `{}` calls `{callee}`", self.job())
            } else {
                format!("`{}` calls `{callee}`", self.name(*caller))
            };
            trace.push(Remark {
                site: *site,
                message,
            });
        }
        trace
    }

    pub(super) fn name(&self, function: FnId) -> String {
        self.program.short_name(function)
    }

    /// The input that most likely says which piece of work it is, as code would write it.
    fn identifier(&self) -> Option<String> {
        let inputs = &self.map.job.inputs;
        let is_id = |name: &str| name == "id" || name.ends_with("_id") || name.ends_with("_key");
        inputs
            .iter()
            .find(|input| is_id(&input.name))
            .or_else(|| inputs.first())
            .map(|input| input.name.clone())
    }

    /// A key that would do, as code would write it.
    pub(super) fn proposed_key(&self, effect: &MappedEffect) -> String {
        let what = match effect.kind {
            EffectKind::Payment => "charge",
            EffectKind::Email => "email",
            EffectKind::Enqueue | EffectKind::Publish => "message",
            _ => "create",
        };
        let job = self.job().split('[').next().unwrap_or_default();
        let job = job
            .strip_suffix("::run")
            .or_else(|| job.strip_suffix("::perform"))
            .or_else(|| job.strip_suffix("::handle"))
            .unwrap_or(job)
            .replace("::", "-");
        match self.identifier() {
            Some(id) => format!("`format!(\"{job}:{{{id}}}:{what}\")`"),
            None => format!("the job's name and what this run is about, such as `{job}:<period>`"),
        }
    }
}

/// Whether a repeat of an effect can happen at all.
pub(super) fn is_repeated(effect: &MappedEffect) -> bool {
    !effect.repeats.triggers.is_empty()
}

/// Whether an effect commits with whatever else its transaction holds.
pub(super) fn is_outbox(effect: &MappedEffect) -> bool {
    effect.in_database && effect.in_transaction
}

/// Whether two effects stand in different arms of one branch, or in different implementations of
/// one call.
pub(super) fn are_exclusive(one: &MappedEffect, other: &MappedEffect) -> bool {
    let is_same_happening = one.repeats.order == other.repeats.order;
    let by_arm = || {
        one.repeats.arms.iter().any(|(branch, arm)| {
            let others = &other.repeats.arms;
            others
                .iter()
                .any(|(other_branch, other_arm)| branch == other_branch && arm != other_arm)
        })
    };
    let is_same_call = !one.calls.is_empty() && one.calls == other.calls;
    is_same_happening || by_arm() || is_same_call && one.route.last() != other.route.last()
}

/// Whether anything of an address is fixed.
pub(super) fn has_address(target: &str) -> bool {
    let mut depth = 0_u32;
    let fixed: String = target
        .chars()
        .filter(|c| {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && *c != '}'
        })
        .collect();
    // A word alone is the name of something, not an address.
    fixed.contains(['/', '.']) && fixed.chars().any(char::is_alphanumeric)
}

/// Whether people see an effect.
pub(super) fn is_notification(kind: EffectKind) -> bool {
    matches!(
        kind,
        EffectKind::Email | EffectKind::Sms | EffectKind::Push | EffectKind::Chat
    )
}

/// Whether an effect happens outside the job's own stores.
pub(super) fn is_external(kind: EffectKind) -> bool {
    !matches!(
        kind,
        EffectKind::DbWrite | EffectKind::Cache | EffectKind::File | EffectKind::Storage
    )
}

/// An effect in words: `the email to {to}`, `POST {base}/orders`.
pub(super) fn said(effect: &MappedEffect) -> String {
    let target = match effect.target.as_str() {
        "" | "?" | "{}" => None,
        target => Some(target),
    };
    let with = |word: &str| match target {
        Some(target) => format!("{word} `{target}`"),
        None => word.to_owned(),
    };
    match effect.kind {
        EffectKind::Email => match target {
            Some(target) => format!("the email to `{target}`"),
            None => "the email".to_owned(),
        },
        EffectKind::Sms => with("the text message to"),
        EffectKind::Push => with("the push notification to"),
        EffectKind::Chat => with("the chat message to"),
        EffectKind::Payment => with("the payment"),
        EffectKind::Http if effect.action == Action::Create => with("the POST to"),
        EffectKind::Http => with("the request to"),
        EffectKind::Enqueue => with("the job put on the queue as"),
        EffectKind::Publish => with("the message published to"),
        EffectKind::Webhook => with("the webhook to"),
        EffectKind::Cloud => with("the cloud resource"),
        kind => with(&format!("the {kind}")),
    }
}

/// The triggers in words, for messages: what brings a second one.
pub(super) fn because(effect: &MappedEffect) -> &'static str {
    let triggers = &effect.repeats.triggers;
    if triggers.contains(&Trigger::ErrorAfter) {
        "when something after it fails and the job is tried again"
    } else if triggers.contains(&Trigger::UnknownOutcome) {
        "when it is reported as failed although it went through"
    } else if triggers.contains(&Trigger::Rerun) {
        "on the next run"
    } else {
        "when the process dies before the job is recorded as done"
    }
}
