//! Values: what a term stands for, read in its environment.

use super::STEPS;
use std::sync::Arc;

use crate::ir::{ExprId, Name};

use super::super::node::CallTarget;
use super::super::value::CallId;
use super::super::value::{V, Value};
use super::{Bound, EnvId, Unfolding};

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
        if *steps == 0 {
            return vec![bound.clone()];
        }
        *steps -= 1;
        let at = |value: &V, env: EnvId| Bound {
            value: Arc::clone(value),
            env,
        };
        let stuck = || vec![bound.clone()];
        match &*bound.value {
            Value::Param(index) => {
                let env = self.function_env(bound.env);
                match self.with(env, |env| env.args.get(*index as usize).cloned()) {
                    Some(arg) => self.heads(&arg, steps),
                    None => stuck(),
                }
            }
            Value::ClosureParam(id, index) => match self.closure_arg(bound.env, *id, *index) {
                Some(arg) => self.heads(&arg, steps),
                None => stuck(),
            },
            Value::Result(call) => {
                let results = self.results(bound.env, *call, steps);
                if results.is_empty() {
                    return stuck();
                }
                results
                    .iter()
                    .flat_map(|result| self.heads(result, steps))
                    .collect()
            }
            Value::Out(call, position, before) => {
                let outs = self.outs(bound.env, *call, *position, steps);
                if outs.is_empty() {
                    return self.heads(&at(before, bound.env), steps);
                }
                outs.iter().flat_map(|out| self.heads(out, steps)).collect()
            }
            Value::Match(on, arms) => {
                let chosen = self.chosen_arms(
                    &at(on, bound.env),
                    arms.iter().map(|(label, _)| *label),
                    steps,
                );
                arms.iter()
                    .enumerate()
                    .filter(|(index, _)| {
                        chosen.as_ref().is_none_or(|chosen| chosen.contains(index))
                    })
                    .flat_map(|(_, (_, value))| self.heads(&at(value, bound.env), steps))
                    .collect()
            }
            Value::Either(values) => values
                .iter()
                .flat_map(|value| self.heads(&at(value, bound.env), steps))
                .collect(),
            Value::Const(id) => {
                let timeline = self.timelines.constant(*id);
                match &timeline.returns {
                    // A constant's term has no parameters, so any environment will do.
                    Some(returns) => self.heads(&at(returns, bound.env), steps),
                    None => stuck(),
                }
            }
            Value::Field(base, name) => {
                let mut found = Vec::new();
                for head in self.heads(&at(base, bound.env), steps) {
                    found.extend(self.field(&head, *name, steps));
                }
                if found.is_empty() { stuck() } else { found }
            }
            Value::Item(inner) => {
                let mut found = Vec::new();
                for head in self.heads(&at(inner, bound.env), steps) {
                    if let Value::Array(elems) = &*head.value {
                        for elem in elems {
                            found.extend(self.heads(&at(elem, head.env), steps));
                        }
                    }
                }
                if found.is_empty() { stuck() } else { found }
            }
            _ => stuck(),
        }
    }

    pub(super) fn field(&self, head: &Bound, name: Name, steps: &mut u32) -> Vec<Bound> {
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Struct { fields, base, .. } => {
                match fields.iter().find(|(given, _)| *given == name) {
                    Some((_, value)) => self.heads(&at(value), steps),
                    None => match base {
                        Some(base) => {
                            let inner = Value::Field(Arc::clone(base), name);
                            self.heads(
                                &Bound {
                                    value: Arc::new(inner),
                                    env: head.env,
                                },
                                steps,
                            )
                        }
                        None => Vec::new(),
                    },
                }
            }
            Value::Tuple(elems) => match name
                .parse::<usize>()
                .ok()
                .and_then(|index| elems.get(index))
            {
                Some(value) => self.heads(&at(value), steps),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
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
        match &self.timeline_of(env).calls[call.0 as usize].target {
            CallTarget::Value(value) => {
                let args = self.timeline_of(env).calls[call.0 as usize].args.iter();
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
    pub(super) fn values_of(&self, called: &Bound, args: &[Bound], steps: &mut u32) -> Vec<Bound> {
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
