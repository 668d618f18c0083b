//! Calls: entering what they call, and what they leave behind.

use super::{DEPTH, FEW, SHARE, STEPS, TIMES};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ir::{ExprId, GapKind, Place, Site};
use crate::resolve::{FnId, Ty};

use super::super::node::{Call, CallTarget};
use super::super::value::CallId;
use super::super::value::{Apply, V, Value};
use super::{Begin, Bound, Context, EnvId, Happening, HappeningKind, Settled, Unfolding, route};

impl<'a> Unfolding<'a> {
    pub(super) fn call(&mut self, id: CallId, env: EnvId, context: &Context) {
        let timeline = self.timeline_of(env);
        let call = &timeline.calls[id.0 as usize];
        let mut context = context.clone();
        context.certain &= call.certain;
        match &call.target {
            CallTarget::Value(value) => {
                let args: Vec<Bound> = call
                    .args
                    .iter()
                    .map(|arg| Bound {
                        value: Arc::clone(arg),
                        env,
                    })
                    .collect();
                self.invoke(
                    id,
                    &Bound {
                        value: Arc::clone(value),
                        env,
                    },
                    args,
                    env,
                    &context,
                );
            }
            _ => {
                let opened = self.results_of(id, env);
                let alone =
                    |(function, _): &(FnId, EnvId)| self.timelines.is_drawn_alone(*function);
                if opened.len() < 2 || !opened.iter().all(alone) {
                    for (function, inner) in opened {
                        self.enter(function, inner, call, env, &context);
                    }
                }
                self.leftover_closures(call, env, &context);
            }
        }
    }

    /// The callees of a call with their environments, opened anew.
    pub(super) fn results_of(&self, id: CallId, env: EnvId) -> Vec<(FnId, EnvId)> {
        let timeline = self.timeline_of(env);
        let Some(call) = timeline.calls.get(id.0 as usize) else {
            return Vec::new();
        };
        let functions = self.targets(call, env);
        let args: Vec<Bound> = call
            .args
            .iter()
            .map(|arg| Bound {
                value: Arc::clone(arg),
                env,
            })
            .collect();
        let generics: Vec<Ty> = self.with(env, |env| {
            call.generics
                .iter()
                .map(|ty| ty.substitute(&env.generics))
                .collect()
        });
        let mut opened = Vec::with_capacity(functions.len());
        let mut results = Vec::with_capacity(functions.len());
        let mut outs: FxHashMap<(CallId, u32), Vec<Bound>> = FxHashMap::default();
        for function in functions {
            let callee = self.timelines.get(function);
            let inner = self.new_env(callee, Some(function), args.clone(), generics.clone(), None);
            self.envs.borrow_mut()[inner.0 as usize].caller = Some((env, call.place));
            opened.push((function, inner));
            for (position, value) in &callee.outs {
                outs.entry((id, *position)).or_default().push(Bound {
                    value: Arc::clone(value),
                    env: inner,
                });
            }
            if let Some(returns) = &callee.returns {
                results.push(Bound {
                    value: Arc::clone(returns),
                    env: inner,
                });
            }
        }
        self.set_results(env, id, results);
        if !outs.is_empty() {
            self.envs.borrow_mut()[env.0 as usize].outs.extend(outs);
        }
        opened
    }

    pub(super) fn set_results(&self, env: EnvId, id: CallId, results: Vec<Bound>) {
        self.envs.borrow_mut()[env.0 as usize]
            .results
            .insert(id, results);
    }

    /// Whether the error of a call leaves the body in which it stands.
    fn passes(&self, id: CallId, env: EnvId) -> bool {
        let timeline = self.timeline_of(env);
        timeline
            .passes
            .contains(&timeline.calls[id.0 as usize].place)
    }

    pub(super) fn targets(&self, call: &Call, env: EnvId) -> Vec<FnId> {
        match &call.target {
            CallTarget::Functions(functions) => functions.clone(),
            CallTarget::Dispatch {
                param,
                trait_id,
                method,
            } => {
                let ty = self.with(env, |env| {
                    env.generics
                        .get(*param as usize)
                        .cloned()
                        .unwrap_or_default()
                });
                self.timelines.program().dispatch(&ty, *trait_id, *method)
            }
            CallTarget::Value(_) => Vec::new(),
        }
    }

    pub(super) fn enter(
        &mut self,
        function: FnId,
        inner: EnvId,
        call: &Call,
        env: EnvId,
        context: &Context,
    ) {
        let program = self.timelines.program();
        let marked = program
            .function(function)
            .function
            .marks
            .iter()
            .any(|mark| matches!(mark.value, retrysafe_rules::grammar::Mark::Effect(_)));
        let site = self.site(env, call.place);
        if marked {
            self.happening(HappeningKind::Marked(function), None, inner, site, context);
            return;
        }
        if !self.timelines.acts(function) && !self.takes_closure(call, env) {
            return;
        }
        let takes_closure = self.takes_closure(call, env);
        // A function that runs what it is given may well be given itself.
        let allowed = if takes_closure { 3 } else { 1 };
        if self
            .stack
            .iter()
            .filter(|entered| **entered == function)
            .count()
            >= allowed
        {
            // One of several that a call may mean is often a wrapper around the others.
            let others = self.targets(call, env).len() > 1;
            if others || takes_closure || !self.timelines.acts(function) {
                return;
            }
            let name = program.short_name(function);
            self.gap(
                env,
                GapKind::Recursion,
                call.place,
                format!("`{name}` calls itself on this route"),
            );
            return;
        }
        if self.stack.len() >= DEPTH {
            self.gap(
                env,
                GapKind::Budget,
                call.place,
                "the route is too deep to follow".to_owned(),
            );
            return;
        }
        let entries = self.entered.entry(function).or_default();
        entries.times += 1;
        let is_costly = entries.times > FEW && entries.nodes > SHARE;
        if entries.times > TIMES || is_costly {
            if !std::mem::replace(&mut entries.told, true) {
                let name = program.short_name(function);
                let message = format!("`{name}` is called too often to follow every call");
                self.gap(env, GapKind::Budget, call.place, message);
            }
            return;
        }
        self.gaps_of(function);
        let mut deeper = context.clone();
        deeper.route = Some(route(function, Some(site), context.route.clone()));
        let passes = self.timeline_of(env).passes.contains(&call.place);
        deeper.moment.frame = self.counters.frame(&context.moment, passes, Some(site));
        deeper.step |= is_step(program, function);
        let open = self.open;
        self.stack.push(function);
        let timeline = self.timelines.get(function);
        let before = self.nodes;
        self.walk(&timeline.nodes, inner, &deeper);
        self.stack.pop();
        let walked = self.nodes - before;
        if let Some(entries) = self.entered.get_mut(&function) {
            entries.nodes += walked;
        }
        // A transaction that the callee began and did not hand out ends with it.
        if self.open > open && !self.hands_out_transaction(inner) {
            self.open = open;
        }
    }

    pub(super) fn takes_closure(&self, call: &Call, env: EnvId) -> bool {
        call.args.iter().any(|arg| {
            matches!(&**arg, Value::Closure(_) | Value::Function(_))
                || matches!(&**arg, Value::Param(_) | Value::ClosureParam(..))
                    && self
                        .head(&Bound {
                            value: Arc::clone(arg),
                            env,
                        })
                        .value
                        .is_closure()
        })
    }

    pub(super) fn hands_out_transaction(&self, inner: EnvId) -> bool {
        let returns = &self.timeline_of(inner).returns;
        returns
            .as_ref()
            .is_some_and(|returns| self.gives_transaction(returns, inner))
    }

    /// Whether a value is a transaction, or holds one.
    pub fn gives_transaction(&self, value: &V, env: EnvId) -> bool {
        let bound = Bound {
            value: Arc::clone(value),
            env,
        };
        let mut steps = STEPS;
        self.holds_transaction(&bound, 3, &mut steps)
    }

    pub(super) fn holds_transaction(&self, bound: &Bound, depth: u32, steps: &mut u32) -> bool {
        self.heads(bound, steps)
            .iter()
            .any(|head| match &*head.value {
                Value::Apply(apply) => apply.begins,
                Value::Struct { fields, .. } if depth > 0 => fields.iter().any(|(_, value)| {
                    self.holds_transaction(
                        &Bound {
                            value: Arc::clone(value),
                            env: head.env,
                        },
                        depth - 1,
                        steps,
                    )
                }),
                _ => false,
            })
    }

    /// Closures that were handed to a function which never called them where we could see.
    pub(super) fn leftover_closures(&mut self, call: &Call, env: EnvId, context: &Context) {
        let passes = self.timeline_of(env).passes.contains(&call.place);
        let site = self.site(env, call.place);
        for arg in &call.args {
            if let Value::Closure(id) = &**arg
                && !self.invoked.contains(&(env, *id))
            {
                let bound = Bound {
                    value: Arc::clone(arg),
                    env,
                };
                self.invoke_closure(*id, &bound, Vec::new(), (passes, site), context);
            }
        }
    }

    pub(super) fn invoke(
        &mut self,
        id: CallId,
        called: &Bound,
        args: Vec<Bound>,
        env: EnvId,
        context: &Context,
    ) {
        let mut steps = STEPS;
        let mut results = Vec::new();
        let passes = self.passes(id, env);
        let site = {
            let timeline = self.timeline_of(env);
            self.site(env, timeline.calls[id.0 as usize].place)
        };
        for head in self.heads(called, &mut steps) {
            match &*head.value {
                Value::Closure(closure) => {
                    results.extend(self.invoke_closure(
                        *closure,
                        &head,
                        args.clone(),
                        (passes, site),
                        context,
                    ));
                }
                Value::Function(function) => {
                    let callee = self.timelines.get(*function);
                    let inner =
                        self.new_env(callee, Some(*function), args.clone(), Vec::new(), None);
                    if let Some(returns) = &callee.returns {
                        results.push(Bound {
                            value: Arc::clone(returns),
                            env: inner,
                        });
                    }
                    let timeline = self.timeline_of(env);
                    let call = &timeline.calls[id.0 as usize];
                    self.envs.borrow_mut()[inner.0 as usize].caller = Some((env, call.place));
                    self.enter(*function, inner, call, env, context);
                }
                _ => {}
            }
        }
        self.set_results(env, id, results);
    }

    pub(super) fn invoke_closure(
        &mut self,
        id: ExprId,
        head: &Bound,
        args: Vec<Bound>,
        (passes, call): (bool, Site),
        context: &Context,
    ) -> Option<Bound> {
        let timeline = self.timeline_of(head.env);
        let closure = timeline.closures.get(&id)?;
        self.invoked.insert((head.env, id));
        let inner = self.closure_env(head.env, id, args);
        if self.stack.len() < DEPTH {
            // A closure that runs itself again does so through its own function.
            let depth = self.stack.len();
            if let Some(function) = self.with(head.env, |env| env.function) {
                self.stack.push(function);
            }
            let mut context = context.clone();
            context.moment.frame = self.counters.frame(&context.moment, passes, Some(call));
            self.walk(&closure.nodes, inner, &context);
            self.stack.truncate(depth);
        }
        Some(Bound {
            value: Arc::clone(&closure.returns),
            env: inner,
        })
    }

    pub(super) fn extern_call(&mut self, apply: &Arc<Apply>, env: EnvId, context: &Context) {
        if apply.begins {
            self.open += 1;
            let order = self.counters.next_order();
            self.begun = Some(context.moment.begin(self.site(env, apply.place), order));
            return;
        }
        if apply.ends {
            self.open = self.open.saturating_sub(1);
            self.settle(self.begun, env, apply.place, context);
            return;
        }
        if apply.effect.is_none() && !apply.is_terminal {
            return;
        }
        let site = self.site(env, apply.place);
        let apply = Some(Arc::clone(apply));
        self.happening(HappeningKind::Call, apply, env, site, context);
    }

    /// Notes that a transaction ends here.
    pub(super) fn settle(
        &mut self,
        begin: Option<Begin>,
        env: EnvId,
        place: Place,
        context: &Context,
    ) {
        if let Some(begin) = begin {
            self.settled.push(Settled {
                begin,
                moment: context.moment.clone(),
                site: self.site(env, place),
            });
        }
    }

    fn happening(
        &mut self,
        kind: HappeningKind,
        apply: Option<Arc<Apply>>,
        env: EnvId,
        site: Site,
        context: &Context,
    ) {
        let mut context = context.clone();
        context.moment.order = self.counters.next_order();
        if context.in_transaction && !context.in_closure_transaction {
            context.transaction = self.begun;
        }
        self.happenings.push(Happening {
            kind,
            apply,
            env,
            site,
            context,
        });
    }
}

pub(super) fn is_step(program: &crate::resolve::Program, function: FnId) -> bool {
    let marks = &program.function(function).function.marks;
    marks
        .iter()
        .any(|mark| matches!(mark.value, retrysafe_rules::grammar::Mark::Step))
}
