//! The walk through nodes in their control structure.

use super::NODES;
use std::rc::Rc;
use std::sync::Arc;

use retrysafe_rules::catalog::Regime;

use crate::ir::{GapKind, Place, Site};

use super::super::node::{Arm, ExitKind, Node};
use super::super::value::{V, Value};
use super::{Bound, Context, Decision, EnvId, Fallible, GuardStep, Unfolding};

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
                    let ended = self.branch(*place, on, arms, env, &mut context);
                    if ended.is_some() {
                        return ended;
                    }
                }
                Node::Loop {
                    place,
                    nodes,
                    over,
                    forever,
                    ..
                } => {
                    let mut inner = context.clone();
                    inner.loops += 1;
                    let over = over.as_ref().map(|over| Bound {
                        value: Arc::clone(over),
                        env,
                    });
                    if let Some(task) = context.detached
                        && (*forever && over.is_none() && !is_left(nodes)
                            || over.as_ref().is_some_and(is_taken))
                    {
                        self.followers.insert(task);
                    }
                    let site = self.site(env, *place);
                    let around = context.moment.turns.clone();
                    let turn = self.counters.turn(site, over, around);
                    let id = turn.id;
                    inner.moment.turns = Some(turn);
                    if let Some(kind) = self.walk(nodes, env, &inner)
                        && kind != ExitKind::Continue
                    {
                        self.only_turns.insert(id);
                    }
                }
                Node::Regime {
                    regime,
                    nodes,
                    place,
                    is_detached,
                } => self.regime(*regime, (*place, *is_detached), nodes, env, &context),
                Node::Transaction { nodes, place } => {
                    let mut inner = context.clone();
                    inner.in_closure_transaction = true;
                    let order = self.counters.next_order();
                    inner.transaction = Some(context.moment.begin(self.site(env, *place), order));
                    self.walk(nodes, env, &inner);
                    self.settle(inner.transaction, env, *place, &context);
                }
                Node::Scope { gives, nodes } => {
                    let mut inner = context.clone();
                    if gives.is_some() {
                        inner.moment.frame = self.counters.frame(&context.moment, true, None);
                    }
                    let open = self.open;
                    let ended = self.walk(nodes, env, &inner);
                    match gives {
                        // A transaction that an async block began and did not give ends with it.
                        Some(gives) if self.open > open && !self.gives_transaction(gives, env) => {
                            self.open = open;
                        }
                        None if ended.is_some_and(|kind| {
                            !matches!(kind, ExitKind::Break | ExitKind::Give)
                        }) =>
                        {
                            return ended;
                        }
                        Some(_) | None => {}
                    }
                }
                Node::Unread { .. } => {}
                Node::Exit {
                    kind,
                    place,
                    of,
                    is_final,
                    absent,
                } => {
                    let is_error =
                        matches!(kind, ExitKind::Try | ExitKind::Tail | ExitKind::Failure);
                    if is_error {
                        let mut moment = context.moment.clone();
                        moment.order = self.counters.next_order();
                        let error = Fallible {
                            moment,
                            site: self.site(env, *place),
                            of: of.clone(),
                            transaction: match context.in_closure_transaction {
                                true => context.transaction,
                                false => self.begun.filter(|_| context.in_transaction),
                            },
                        };
                        if !is_final && error.moment.frame.escapes {
                            self.fallible.push(error.clone());
                        }
                        self.errors.push(error);
                    }
                    if let Some(absent) = absent {
                        let on = Bound {
                            value: Arc::clone(absent),
                            env,
                        };
                        context.refuse(&on, self.site(env, *place));
                    }
                    if !matches!(kind, ExitKind::Try | ExitKind::Tail) {
                        return Some(*kind);
                    }
                }
            }
        }
        None
    }

    /// Walks the arms of a branch; what stands behind it may depend on it as well. Gives how the
    /// path ends in it, when it does in each arm: by the end that the least is left out by.
    fn branch(
        &mut self,
        place: Place,
        on: &V,
        arms: &'a [Arm],
        env: EnvId,
        context: &mut Context,
    ) -> Option<ExitKind> {
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env,
        };
        let on = at(on);
        let chosen = match self.only_arm.filter(|(at, _)| *at == place) {
            Some((_, label)) => Some(
                (0..arms.len())
                    .filter(|index| arms[*index].label == Some(label))
                    .collect(),
            ),
            None if arms.iter().any(|arm| arm.label.is_some()) => {
                self.chosen_arms(&on, arms.iter().map(|arm| arm.label), &mut 60)
            }
            None => None,
        };
        let site = self.site(env, place);
        let may_guard = self.depends_on_state(&on, 8);
        let decided = chosen.as_ref().is_some_and(|chosen| chosen.len() == 1);
        let branch = self.counters.next_branch();
        self.decisions.push(Decision {
            branch,
            arms: arms.iter().map(|arm| arm.label).collect(),
            order: self.counters.order(),
            on: on.clone(),
            guards: arms
                .iter()
                .filter_map(|arm| arm.guard.as_ref().map(at))
                .collect(),
        });
        let before = self.open;
        let mut after = Vec::new();
        let mut ends = Vec::new();
        let mut quiet = Vec::new();
        for (index, arm) in arms.iter().enumerate() {
            if chosen
                .as_ref()
                .is_some_and(|chosen| !chosen.contains(&index))
            {
                continue;
            }
            self.open = before;
            let mut inner = context.clone();
            let guard = arm.guard.as_ref().map(at);
            if !decided && may_guard {
                inner.guard(&on, site);
            }
            if let Some(guard) = &guard
                && self.depends_on_state(guard, 8)
            {
                inner.guard(guard, site);
            }
            let index = index as u32;
            let step = (branch, index, arm.label);
            inner.moment.arms = Some(context.moment.arm(step, on.clone(), guard, site));
            match self.walk(&arm.nodes, env, &inner) {
                Some(kind) => {
                    ends.push(kind);
                    if kind.is_quiet() {
                        quiet.push(arm);
                    }
                    self.ends.insert((branch, index), inner.moment.end(kind));
                }
                None => after.push(self.open),
            }
        }
        if !quiet.is_empty() && may_guard {
            context.guard(&on, site);
        } else if may_guard && ends.contains(&ExitKind::Failure) {
            context.refuse(&on, site);
        }
        // A guard of an arm that ends quietly decides as well.
        for guard in quiet.into_iter().filter_map(|arm| arm.guard.as_ref()) {
            let guard = at(guard);
            if self.depends_on_state(&guard, 8) {
                context.guard(&guard, site);
            }
        }
        let ended = ends.into_iter().min().filter(|_| after.is_empty());
        self.open = after.into_iter().min().unwrap_or(before);
        ended
    }

    /// Walks what runs under another regime.
    fn regime(
        &mut self,
        regime: Regime,
        (place, is_detached): (Place, bool),
        nodes: &'a [Node],
        env: EnvId,
        context: &Context,
    ) {
        let mut inner = context.clone();
        let open = self.open;
        match regime {
            // A task of its own commits for itself.
            Regime::Spawned => {
                inner.spawned = true;
                inner.in_closure_transaction = false;
                inner.transaction = None;
                self.open = 0;
                let site = self.site(env, place);
                if is_detached {
                    inner.detached = inner.detached.or(Some(site));
                }
                let passes = !is_detached && self.timeline_of(env).passes.contains(&place);
                inner.moment.frame = self.counters.frame(&context.moment, passes, None);
            }
            Regime::Retried => inner.retried = true,
            Regime::Step => inner.step = true,
            Regime::Loop => {
                inner.loops += 1;
                let site = self.site(env, place);
                let around = context.moment.turns.clone();
                inner.moment.turns = Some(self.counters.turn(site, None, around));
            }
            Regime::Timeout => {}
        }
        self.walk(nodes, env, &inner);
        if regime == Regime::Spawned {
            self.open = open;
        }
    }
}

impl Context {
    /// Notes that a condition decides.
    fn guard(&mut self, on: &Bound, site: Site) {
        self.guarded = true;
        self.note(on, site, false);
    }

    /// Notes a condition without which the job ends with an error.
    fn refuse(&mut self, on: &Bound, site: Site) {
        self.note(on, site, true);
    }

    fn note(&mut self, on: &Bound, site: Site, fails: bool) {
        self.guards = Some(Rc::new(GuardStep {
            on: on.clone(),
            site,
            fails,
            before: self.guards.clone(),
        }));
    }
}

/// Whether something leaves a loop: one that asks for page after page has an end.
fn is_left(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Exit { kind, .. } => matches!(
            kind,
            ExitKind::Break | ExitKind::Give | ExitKind::Return | ExitKind::Leave
        ),
        Node::Branch { arms, .. } => arms.iter().any(|arm| is_left(&arm.nodes)),
        Node::Loop { nodes, .. }
        | Node::Regime { nodes, .. }
        | Node::Transaction { nodes, .. }
        | Node::Scope { nodes, .. } => is_left(nodes),
        Node::Call(_) | Node::Extern(_) | Node::Unread { .. } => false,
    })
}

/// Whether a loop goes over what others send, for as long as they do.
fn is_taken(over: &Bound) -> bool {
    over.value.any(
        4,
        &|value| matches!(value, Value::Apply(apply) if apply.takes),
    )
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
