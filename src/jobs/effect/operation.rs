//! Which operation a happening is: the call that names it, and the one that makes it happen.

use std::collections::VecDeque;
use std::sync::Arc;

use retrysafe_rules::catalog::{CallKind, Classify, Part};
use retrysafe_rules::vocabulary::EffectKind;

use crate::resolve::EffectId;
use crate::timeline::{Apply, Bound, EnvId, Value};

use super::super::part::Operation;
use super::Reading;

/// How many values of builder chains are looked at for one call.
const CHAIN: u32 = 60;
/// How many terms one value of a chain may be read through.
const HEADS: u32 = 80;

/// The call that names an operation, its environment and its entry.
type Root = (Arc<Apply>, EnvId, EffectId);

fn operation(root: &Arc<Apply>, root_env: EnvId, terminal: &Arc<Apply>, env: EnvId) -> Operation {
    Operation {
        root: Arc::clone(root),
        root_env,
        terminal: Arc::clone(terminal),
        env,
    }
}

impl Reading<'_, '_> {
    /// The calls that name what a call does, each with the entry it matches: several where one
    /// call sends whichever of several requests.
    pub(in crate::jobs) fn operations(
        &self,
        terminal: &Arc<Apply>,
        env: EnvId,
    ) -> Vec<(Operation, EffectId)> {
        let by_chain = match &terminal.receiver {
            Some(receiver) => self.roots_of(
                Bound {
                    value: Arc::clone(receiver),
                    env,
                },
                terminal,
            ),
            None => Vec::new(),
        };
        if by_chain.is_empty() {
            return self.own_operation(terminal, env).into_iter().collect();
        }
        by_chain
            .into_iter()
            .map(|(root, root_env, id)| (operation(&root, root_env, terminal, env), id))
            .collect()
    }

    /// The operation that a call names itself, or through its argument.
    fn own_operation(&self, terminal: &Arc<Apply>, env: EnvId) -> Option<(Operation, EffectId)> {
        let known = self.unfolding.timelines().known();
        let here = |root: &Arc<Apply>, root_env| operation(root, root_env, terminal, env);
        let id = terminal.effect?;
        let entry = &known.effect(id).entry;
        if !entry.terminals.is_empty() {
            return None;
        }
        // `client.execute(request)`: the request says what it does.
        if entry.classify == Some(Classify::HttpRequest) {
            let own = here(terminal, env);
            if let Some((root, env, id)) = self.verb_of(&own) {
                return Some((here(&root, env), id));
            }
        }
        // A write to a handle whose opening counts already is part of that.
        if entry.target.first() == Some(&Part::Receiver)
            && let Some(receiver) = &terminal.receiver
            && self.is_built(&Bound {
                value: Arc::clone(receiver),
                env,
            })
            && matches!(entry.kind, CallKind::Effect(EffectKind::File))
        {
            return None;
        }
        // `tx.execute(query)`: the statement was named where it was made.
        if entry.kind == CallKind::Sql {
            let own = here(terminal, env);
            let subject = own.part(
                self.unfolding,
                entry.subject.as_ref().unwrap_or(&Part::Arg(0, None)),
            );
            if let Some(subject) = subject
                && let Some((root, env, id)) = self.statement_root(&subject)
            {
                return Some((here(&root, env), id));
            }
        }
        Some((here(terminal, env), id))
    }

    /// The calls at the beginnings of builder chains whose entries name the terminal.
    fn roots_of(&self, start: Bound, terminal: &Apply) -> Vec<Root> {
        let known = self.unfolding.timelines().known();
        let mut roots: Vec<Root> = Vec::new();
        let mut frontier = VecDeque::from([start]);
        let mut left = CHAIN;
        while let Some(bound) = frontier.pop_front() {
            let mut steps = HEADS;
            for head in self.unfolding.heads(&bound, &mut steps) {
                if left == 0 {
                    return roots;
                }
                left -= 1;
                let Value::Apply(apply) = &*head.value else {
                    continue;
                };
                let is_root = |id: &EffectId| {
                    let terminals = &known.effect(*id).entry.terminals;
                    terminals.iter().any(|name| terminal.name == name.as_str())
                };
                if let Some(id) = apply.effect.filter(is_root) {
                    if !roots.iter().any(|(known, ..)| Arc::ptr_eq(known, apply)) {
                        roots.push((Arc::clone(apply), head.env, id));
                    }
                } else if let Some(receiver) = &apply.receiver {
                    frontier.push_back(Bound {
                        value: Arc::clone(receiver),
                        env: head.env,
                    });
                }
            }
        }
        roots
    }

    /// The call in a request's chain that names its method and URL.
    pub(super) fn verb_of(&self, operation: &Operation) -> Option<Root> {
        let known = self.unfolding.timelines().known();
        let mut found = None;
        operation.search_shared(self.unfolding, &mut |apply, env| {
            if let Some(id) = apply.effect
                && !Arc::ptr_eq(apply, &operation.terminal)
                && !known.effect(id).entry.terminals.is_empty()
                && known.effect(id).entry.by_url
            {
                found = Some((Arc::clone(apply), env, id));
            }
            found.is_some()
        });
        found
    }

    /// Whether a value comes out of a catalogued builder.
    pub(super) fn is_built(&self, subject: &Bound) -> bool {
        let mut at = subject.clone();
        for _ in 0..40 {
            let head = self.unfolding.head(&at);
            let next = match &*head.value {
                Value::Apply(apply) if apply.effect.is_some() => return true,
                Value::Apply(apply) => apply.receiver.as_ref(),
                Value::Field(base, _) | Value::Item(base) => Some(base),
                _ => return false,
            };
            match next {
                Some(value) => {
                    at = Bound {
                        value: Arc::clone(value),
                        env: head.env,
                    }
                }
                None => return false,
            }
        }
        false
    }

    pub(super) fn statement_root(&self, subject: &Bound) -> Option<Root> {
        let known = self.unfolding.timelines().known();
        let mut at = subject.clone();
        for _ in 0..20 {
            let head = self.unfolding.head(&at);
            let Value::Apply(apply) = &*head.value else {
                return None;
            };
            if let Some(id) = apply.effect
                && known.effect(id).entry.kind == CallKind::Sql
            {
                return Some((Arc::clone(apply), head.env, id));
            }
            at = Bound {
                value: Arc::clone(apply.receiver.as_ref()?),
                env: head.env,
            };
        }
        None
    }

    /// Whether a builder chain begins with a call.
    pub(super) fn leads_to(&self, receiver: &Bound, root: &Arc<Apply>) -> bool {
        let mut frontier = vec![receiver.clone()];
        for _ in 0..40 {
            let Some(at) = frontier.pop() else {
                return false;
            };
            for head in self.unfolding.heads(&at, &mut 60) {
                if let Value::Apply(apply) = &*head.value {
                    if Arc::ptr_eq(apply, root) {
                        return true;
                    }
                    frontier.extend(apply.receiver.as_ref().map(|receiver| Bound {
                        value: Arc::clone(receiver),
                        env: head.env,
                    }));
                }
            }
        }
        false
    }
}
