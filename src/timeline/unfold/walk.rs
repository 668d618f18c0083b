//! The walk through nodes in their control structure.

use super::NODES;
use super::branches::ends_quietly;
use std::sync::Arc;

use retrysafe_rules::catalog::Regime;

use crate::ir::{GapKind, Place};

use super::super::node::{ExitKind, Node};
use super::{Bound, Context, EnvId, Unfolding};

impl<'a> Unfolding<'a> {
    /// Walks nodes in order. Gives how the path ends in them, when it certainly does.
    pub(super) fn walk(
        &mut self,
        nodes: &'a [Node],
        env: EnvId,
        context: &Context,
    ) -> Option<ExitKind> {
        let mut context = context.clone();
        for node in nodes {
            self.nodes += 1;
            if self.nodes > NODES {
                if self.nodes == NODES + 1 {
                    let place = node_place(node);
                    self.gap(
                        env,
                        GapKind::Budget,
                        place,
                        "the job is too large: the rest is not followed".to_owned(),
                    );
                }
                return None;
            }
            context.in_transaction = self.open > 0 || context.in_closure_transaction;
            match node {
                Node::Call(id) => self.call(*id, env, &context),
                Node::Extern(apply) => self.extern_call(apply, env, &context),
                Node::Branch { place, on, arms } => {
                    let chosen = match self.only_arm.filter(|(at, _)| at == place) {
                        Some((_, label)) => Some(
                            (0..arms.len())
                                .filter(|index| arms[*index].label == Some(label))
                                .collect(),
                        ),
                        None if arms.iter().any(|arm| arm.label.is_some()) => {
                            let labels = arms.iter().map(|arm| arm.label);
                            self.chosen_arms(
                                &Bound {
                                    value: Arc::clone(on),
                                    env,
                                },
                                labels,
                                &mut 60,
                            )
                        }
                        None => None,
                    };
                    let mut inner = context.clone();
                    let may_guard = self.depends_on_state(
                        &Bound {
                            value: Arc::clone(on),
                            env,
                        },
                        8,
                    );
                    let decided = chosen.as_ref().is_some_and(|chosen| chosen.len() == 1);
                    inner.guarded |= !decided && may_guard;
                    let before = self.open;
                    let mut after = Vec::new();
                    let mut may_skip = false;
                    for (index, arm) in arms.iter().enumerate() {
                        if chosen
                            .as_ref()
                            .is_some_and(|chosen| !chosen.contains(&index))
                        {
                            continue;
                        }
                        self.open = before;
                        let mut inner = inner.clone();
                        inner.guarded |= arm.guard.as_ref().is_some_and(|guard| {
                            self.depends_on_state(
                                &Bound {
                                    value: Arc::clone(guard),
                                    env,
                                },
                                8,
                            )
                        });
                        let ended = self.walk(&arm.nodes, env, &inner);
                        if ended.is_some() {
                            may_skip |= ends_quietly(&arm.nodes);
                        } else {
                            after.push(self.open);
                        }
                    }
                    self.open = after.into_iter().min().unwrap_or(before);
                    context.guarded |= may_skip && may_guard;
                }
                Node::Loop { nodes, .. } => {
                    let mut inner = context.clone();
                    inner.loops += 1;
                    self.walk(nodes, env, &inner);
                }
                Node::Regime { regime, nodes, .. } => {
                    let mut inner = context.clone();
                    let open = self.open;
                    match regime {
                        // A task of its own commits for itself.
                        Regime::Spawned => {
                            inner.spawned = true;
                            inner.in_closure_transaction = false;
                            self.open = 0;
                        }
                        Regime::Retried => inner.retried = true,
                        Regime::Step => inner.step = true,
                        Regime::Loop => inner.loops += 1,
                        Regime::Timeout => {}
                    }
                    self.walk(nodes, env, &inner);
                    if *regime == Regime::Spawned {
                        self.open = open;
                    }
                }
                Node::Transaction { nodes, .. } => {
                    let mut inner = context.clone();
                    inner.in_closure_transaction = true;
                    self.walk(nodes, env, &inner);
                }
                Node::Scope { is_async, nodes } => {
                    let ended = self.walk(nodes, env, &context);
                    if !is_async
                        && ended
                            .is_some_and(|kind| !matches!(kind, ExitKind::Break | ExitKind::Give))
                    {
                        return ended;
                    }
                }
                Node::Unread { .. } => {}
                Node::Exit { kind, .. } => match kind {
                    ExitKind::Try => {}
                    kind => return Some(*kind),
                },
            }
        }
        None
    }
}

pub(super) fn node_place(node: &Node) -> Place {
    match node {
        Node::Extern(apply) => apply.place,
        Node::Branch { place, .. }
        | Node::Loop { place, .. }
        | Node::Regime { place, .. }
        | Node::Transaction { place, .. }
        | Node::Unread { place }
        | Node::Exit { place, .. } => *place,
        Node::Call(_) | Node::Scope { .. } => Place::default(),
    }
}
