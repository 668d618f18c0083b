//! An effect on a map.

use retrysafe_rules::grammar::Listed;
use retrysafe_rules::rule::Confidence;
use retrysafe_rules::vocabulary::{Action, EffectKind, Protection, Repeat, Section};

use crate::ir::Site;
use crate::resolve::FnId;
use crate::timeline::{Apply, Context};

use super::super::key::Key;
use super::super::repeats::Repeats;
use super::super::stored::Stored;

/// An effect on the map of a job.
#[derive(Debug, Clone)]
pub struct MappedEffect {
    /// What it changes.
    pub kind: EffectKind,
    /// What it does to its target.
    pub action: Action,
    /// What it acts on.
    pub target: String,
    /// What keeps a repeat from doing harm.
    pub protection: Protection,
    /// What speaks for that.
    pub evidence: String,
    /// The call that names the operation.
    pub site: Site,
    /// The functions from the entry to the call.
    pub route: Vec<FnId>,
    /// Where each function of the route after the first is called.
    pub calls: Vec<Site>,
    /// The function around the call, with its type: `CrmClient::add_note`.
    pub client: String,
    /// The columns that it writes; none where that is not known.
    pub columns: Vec<String>,
    /// What it stores, where it writes to a table.
    pub stored: Option<Box<Stored>>,
    /// How often one run performs it.
    pub repeat: Repeat,
    /// Whether a transaction is open around it.
    pub in_transaction: bool,
    /// Whether it is kept in a database, on the connection or transaction that it is given.
    pub in_database: bool,
    /// Whether its target is an address that the code gives.
    pub is_addressed: bool,
    /// What the library fills in where no key is given.
    pub fills_in: Option<String>,
    /// What a repeat of it comes from, and what it meets.
    pub repeats: Repeats,
    /// The text of its idempotency key.
    pub key: Option<String>,
    /// The key that the call carries.
    pub carried: Option<Key>,
    /// The API that is called.
    pub api: String,
    /// How sure the tool is.
    pub confidence: Confidence,
}

impl MappedEffect {
    /// Whether nothing that would stop a repeat is known of it.
    pub fn is_open(&self) -> bool {
        matches!(self.protection, Protection::None | Protection::Unknown)
    }

    /// Whether the call carries a key on every path.
    pub fn is_keyed(&self) -> bool {
        self.carried.as_ref().is_some_and(|key| !key.is_partial)
    }

    /// The names under which a pattern may mean its target: the target, its host, which means
    /// every path below it, the client and the API.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let host = self.target.split('/').next().unwrap_or_default();
        [self.target.as_str(), host, &self.client, &self.api].into_iter()
    }

    /// Whether an entry of a declaration stands for it: the kind, and part of the target's name.
    pub fn is_listed_as(&self, entry: &Listed) -> bool {
        entry.kind == self.kind
            && entry.target.as_ref().is_none_or(|target| {
                let target = target.to_lowercase();
                let has = |name: &str| name.to_lowercase().contains(&target);
                // A table is called by its name; a service also by that of its client.
                let by_client =
                    self.kind.section() != Section::Writes && (has(&self.api) || has(&self.client));
                has(&self.target) || by_client
            })
    }

    /// Whether another effect is the same one, reached again.
    pub(in crate::jobs) fn is_again(&self, other: &MappedEffect) -> bool {
        self.site == other.site
            && self.calls.first() == other.calls.first()
            && self.target == other.target
            && self.action == other.action
            && self.protection == other.protection
            && self.key == other.key
    }
}

/// What an effect does to what.
pub(super) struct Acts {
    pub(super) kind: EffectKind,
    pub(super) action: Action,
    pub(super) target: String,
}

/// The functions from the entry to a happening.
pub(in crate::jobs) fn route_of(context: &Context) -> Vec<FnId> {
    let mut route = Vec::new();
    let mut at = context.route.clone();
    while let Some(step) = at {
        route.push(step.function);
        at = step.before.clone();
    }
    route.reverse();
    route
}

/// Where each function of a route after the first is called.
pub(in crate::jobs) fn calls_of(context: &Context) -> Vec<Site> {
    let mut calls = Vec::new();
    let mut at = context.route.clone();
    while let Some(step) = at {
        if step.before.is_some() {
            calls.extend(step.call);
        }
        at = step.before.clone();
    }
    calls.reverse();
    calls
}

pub(super) fn repeat_of(context: &Context) -> Repeat {
    if context.retried {
        Repeat::Retried
    } else if context.spawned {
        Repeat::Spawned
    } else if context.loops > 0 {
        Repeat::Loop
    } else {
        Repeat::Once
    }
}

pub(super) fn confidence_of(context: &Context) -> Confidence {
    if context.certain {
        Confidence::High
    } else {
        Confidence::Medium
    }
}

pub(super) fn api_of(apply: &Apply) -> String {
    if apply.is_macro {
        format!("{}!", apply.path)
    } else {
        apply.path.to_string()
    }
}
