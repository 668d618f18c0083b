//! Values: what a term stands for, read in its environment.

use super::STEPS;
use std::sync::Arc;

use crate::ir::{ExprId, Name};
use crate::resolve::ConstId;

use super::super::node::{CallTarget, Timeline};
use super::super::value::CallId;
use super::super::value::{V, Value};
use super::{Bound, EnvId, Unfolding};

/// How many answers a call may give before they say nothing: one of many implementations.
const ANSWERS: usize = 6;
/// How many things a term may stand for before the rest is left as it is.
const HEADS: usize = 64;

impl<'a> Unfolding<'a> {
    /// What a term stands for, as far as one answer is known.
    pub fn head(&self, bound: &Bound) -> Bound {
        let mut steps = STEPS;
        self.heads(bound, &mut steps)
            .into_iter()
            .next()
            .unwrap_or_else(|| bound.clone())
    }

    /// Everything that a term may stand for.
    pub fn heads(&self, bound: &Bound, steps: &mut u32) -> Vec<Bound> {
        let mut found = Vec::new();
        self.collect_heads(bound, steps, &mut found);
        found
    }

    /// The values of which the outcome chose between the constants that a term stands for:
    /// `let is_new = match find(id) { Some(_) => false, None => true }`, or `find(id).is_none()`.
    pub fn choices(&self, bound: &Bound) -> Vec<Bound> {
        self.choices.replace(Some(Vec::new()));
        let mut steps = 60;
        let heads = self.heads(bound, &mut steps);
        let choices = self.choices.take().unwrap_or_default();
        if let [head] = heads.as_slice()
            && let Value::Apply(apply) = &*head.value
            && matches!(apply.name.as_str(), "is_none" | "is_some")
            && let Some(receiver) = &apply.receiver
        {
            return vec![Bound {
                value: Arc::clone(receiver),
                env: head.env,
            }];
        }
        let is_constant = |head: &Bound| matches!(&*head.value, Value::Literal(_) | Value::Path(_));
        if heads.iter().all(is_constant) {
            choices
        } else {
            Vec::new()
        }
    }

    /// Adds what a term may stand for; the term itself where that is not known.
    fn collect_heads(&self, bound: &Bound, steps: &mut u32, found: &mut Vec<Bound>) {
        if *steps == 0 || found.len() >= HEADS {
            found.push(bound.clone());
            return;
        }
        *steps -= 1;
        let at = |value: &V, env: EnvId| Bound {
            value: Arc::clone(value),
            env,
        };
        let before = found.len();
        match &*bound.value {
            Value::Param(index) => {
                let env = self.function_env(bound.env);
                if let Some(arg) = self.with(env, |env| env.args.get(*index as usize).cloned()) {
                    self.collect_heads(&arg, steps, found);
                }
            }
            Value::ClosureParam(id, index) => {
                if let Some(arg) = self.closure_arg(bound.env, *id, *index) {
                    self.collect_heads(&arg, steps, found);
                }
            }
            // What a declaration says of a result counts, not how it comes about.
            Value::Result(_) if self.is_declared(bound) => {}
            Value::Result(call) => {
                let results = self.results(bound.env, *call, steps);
                if results.len() <= ANSWERS {
                    for result in &results {
                        self.collect_heads(result, steps, found);
                    }
                }
            }
            Value::Out(call, position, before) => {
                let outs = self.outs(bound.env, *call, *position, steps);
                for out in &outs {
                    self.collect_heads(out, steps, found);
                }
                if outs.is_empty() {
                    self.collect_heads(&at(before, bound.env), steps, found);
                }
            }
            Value::Match(on, arms) => {
                if let Some(choices) = &mut *self.choices.borrow_mut() {
                    choices.push(at(on, bound.env));
                }
                let chosen = self.chosen_arms(
                    &at(on, bound.env),
                    arms.iter().map(|(label, _)| *label),
                    steps,
                );
                for (index, (_, value)) in arms.iter().enumerate() {
                    if chosen.as_ref().is_none_or(|chosen| chosen.contains(&index)) {
                        self.collect_heads(&at(value, bound.env), steps, found);
                    }
                }
            }
            Value::Either(values) => {
                for value in values {
                    self.collect_heads(&at(value, bound.env), steps, found);
                }
            }
            Value::Const(id) => {
                let timeline = self.timelines.constant(*id);
                if let Some(returns) = &timeline.returns {
                    let env = self.constant_env(*id, timeline);
                    self.collect_heads(&at(returns, env), steps, found);
                }
            }
            Value::Field(base, name) => {
                for head in self.heads(&at(base, bound.env), steps) {
                    self.field(&head, *name, steps, found);
                }
            }
            Value::Item(inner) => {
                let mut heads = self.heads(&at(inner, bound.env), steps);
                // Each item is what it is, in whatever order they come.
                while let Some(index) = heads
                    .iter()
                    .position(|head| matches!(&*head.value, Value::Loose(..)))
                {
                    let head = heads.remove(index);
                    if let Value::Loose(inner, ..) = &*head.value {
                        heads.extend(self.heads(&at(inner, head.env), steps));
                    }
                }
                for head in heads {
                    self.items(&head, steps, found);
                }
            }
            _ => {}
        }
        if found.len() == before {
            found.push(bound.clone());
        }
    }

    /// Adds the items of a collection that is written out, or put together piece by piece.
    fn items(&self, head: &Bound, steps: &mut u32, found: &mut Vec<Bound>) {
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Array(elems) => {
                for elem in elems {
                    self.collect_heads(&at(elem), steps, found);
                }
            }
            Value::Apply(apply) if apply.name == "push" => {
                for pushed in &apply.args {
                    self.collect_heads(&at(pushed), steps, found);
                }
                if let Some(before) = &apply.receiver {
                    for before in self.heads(&at(before), steps) {
                        self.items(&before, steps, found);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether a term is the result of a function that declares whether it is stable.
    fn is_declared(&self, bound: &Bound) -> bool {
        self.timelines.declares_results()
            && self
                .result_of(bound)
                .iter()
                .any(|function| self.timelines.declared_stability(*function).is_some())
    }

    /// Adds what a field of a known value may stand for.
    fn field(&self, head: &Bound, name: Name, steps: &mut u32, found: &mut Vec<Bound>) {
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Struct { fields, base, .. } => {
                match (fields.iter().find(|(given, _)| *given == name), base) {
                    (Some((_, value)), _) => self.collect_heads(&at(value), steps, found),
                    (None, Some(base)) => {
                        let inner = Arc::new(Value::Field(Arc::clone(base), name));
                        self.collect_heads(&at(&inner), steps, found);
                    }
                    (None, None) => {}
                }
            }
            Value::Tuple(elems) => {
                let index = name.parse::<usize>().ok();
                if let Some(value) = index.and_then(|index| elems.get(index)) {
                    self.collect_heads(&at(value), steps, found);
                }
            }
            _ => {}
        }
    }

    /// The environment in which the calls of a constant's value are known.
    fn constant_env(&self, id: ConstId, timeline: &'a Timeline) -> EnvId {
        if let Some(env) = self.constants.borrow().get(&id) {
            return *env;
        }
        let env = self.new_env(timeline, None, Vec::new(), Vec::new(), None);
        self.constants.borrow_mut().insert(id, env);
        env
    }

    pub(super) fn function_env(&self, mut env: EnvId) -> EnvId {
        while let Some((_, around)) = self.with(env, |env| env.closure) {
            env = around;
        }
        env
    }

    pub(super) fn closure_arg(&self, mut env: EnvId, id: ExprId, index: u32) -> Option<Bound> {
        loop {
            let (closure, around) = self.with(env, |env| env.closure)?;
            if closure == id {
                return self.with(env, |env| env.args.get(index as usize).cloned());
            }
            env = around;
        }
    }

    /// What a call gave; opened now where the walk has passed it by.
    pub(super) fn results(&self, env: EnvId, call: CallId, steps: &mut u32) -> Vec<Bound> {
        let mut at = env;
        loop {
            let found = self.with(at, |env| (env.results.get(&call).cloned(), env.closure));
            match found {
                (Some(results), _) => return results,
                (None, Some((_, around))) => at = around,
                (None, None) => break,
            }
        }
        // A term that left the body it belongs to stands for nothing known here.
        let Some(called) = self.timeline_of(env).calls.get(call.0 as usize) else {
            return Vec::new();
        };
        match &called.target {
            CallTarget::Value(value) => {
                let args = called.args.iter();
                let args: Vec<Bound> = args
                    .map(|arg| Bound {
                        value: Arc::clone(arg),
                        env,
                    })
                    .collect();
                let results = self.values_of(
                    &Bound {
                        value: Arc::clone(value),
                        env,
                    },
                    &args,
                    steps,
                );
                self.set_results(env, call, results);
            }
            _ => {
                self.results_of(call, env);
            }
        }
        self.with(env, |env| env.results.get(&call).cloned())
            .unwrap_or_default()
    }

    /// What a call left in an argument; nothing when it left it as it was.
    fn outs(&self, env: EnvId, call: CallId, position: u32, steps: &mut u32) -> Vec<Bound> {
        self.results(env, call, steps);
        let mut at = env;
        loop {
            let (found, around) = self.with(at, |env| {
                (env.outs.get(&(call, position)).cloned(), env.closure)
            });
            match (found, around) {
                (Some(outs), _) => return outs,
                (None, Some((_, around))) => at = around,
                (None, None) => return Vec::new(),
            }
        }
    }

    /// What a closure or function gives for these arguments.
    pub fn values_of(&self, called: &Bound, args: &[Bound], steps: &mut u32) -> Vec<Bound> {
        self.heads(called, steps)
            .into_iter()
            .filter_map(|head| match &*head.value {
                Value::Closure(id) => {
                    let closure = self.timeline_of(head.env).closures.get(id)?;
                    let inner = self.closure_env(head.env, *id, args.to_vec());
                    Some(Bound {
                        value: Arc::clone(&closure.returns),
                        env: inner,
                    })
                }
                Value::Function(function) => {
                    let callee = self.timelines.get(*function);
                    let inner =
                        self.new_env(callee, Some(*function), args.to_vec(), Vec::new(), None);
                    callee.returns.as_ref().map(|returns| Bound {
                        value: Arc::clone(returns),
                        env: inner,
                    })
                }
                _ => None,
            })
            .collect()
    }
}
