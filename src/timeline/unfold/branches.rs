//! Branches: which arms a known value chooses, and whether state decides.

use std::sync::Arc;

use crate::ir::Name;

use super::super::value::{V, Value};
use super::{Bound, Unfolding};

impl<'a> Unfolding<'a> {
    /// Whether what decides a branch may be state that a first run has changed: what a call gave,
    /// as against the payload and constants alone.
    pub(super) fn depends_on_state(&self, on: &Bound, depth: u32) -> bool {
        if depth == 0 {
            return true;
        }
        if self.is_setting(on) {
            return false;
        }
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: on.env,
        };
        let any = |values: &[V]| {
            values
                .iter()
                .any(|value| self.depends_on_state(&at(value), depth - 1))
        };
        match &*on.value {
            Value::Param(index) => {
                let env = self.function_env(on.env);
                self.with(env, |env| env.args.get(*index as usize).cloned())
                    .is_some_and(|arg| self.depends_on_state(&arg, depth - 1))
            }
            Value::ClosureParam(id, index) => self
                .closure_arg(on.env, *id, *index)
                .is_none_or(|arg| self.depends_on_state(&arg, depth - 1)),
            Value::Literal(_)
            | Value::Const(_)
            | Value::Path(_)
            | Value::Function(_)
            | Value::Closure(_)
            | Value::Format(_) => false,
            Value::Field(base, _) | Value::Item(base) | Value::Loose(base, ..) => {
                self.depends_on_state(&at(base), depth - 1)
            }
            Value::Operation(_, left, right) => {
                self.depends_on_state(&at(left), depth - 1)
                    || self.depends_on_state(&at(right), depth - 1)
            }
            Value::Tuple(elems) | Value::Array(elems) | Value::Either(elems) => any(elems),
            Value::Struct { fields, base, .. } => fields
                .iter()
                .map(|(_, value)| value)
                .chain(base)
                .any(|value| self.depends_on_state(&at(value), depth - 1)),
            Value::Match(matched, arms) => {
                self.depends_on_state(&at(matched), depth - 1)
                    || arms
                        .iter()
                        .any(|(_, value)| self.depends_on_state(&at(value), depth - 1))
            }
            // A function of ours that only computes.
            Value::Result(call) => {
                let results = self.results(on.env, *call, &mut 60);
                results.is_empty()
                    || results
                        .iter()
                        .any(|result| self.depends_on_state(result, depth - 1))
            }
            Value::Out(_, _, before) => self.depends_on_state(&at(before), depth - 1),
            // The message is the same when it comes again.
            Value::Apply(apply) if apply.takes => false,
            // `payload.name.starts_with("x")`: a view of a plain value.
            Value::Apply(apply) => match (&apply.receiver, apply.receiver_ty.extern_path()) {
                (Some(receiver), Some(path)) if path.starts_with("std::") => {
                    self.depends_on_state(&at(receiver), depth - 1) || any(&apply.args)
                }
                _ => true,
            },
            Value::Unknown => true,
        }
    }

    /// The arms of a branch that fit what is known of the value it is on; `None` when that is
    /// not enough to choose.
    pub(super) fn chosen_arms(
        &self,
        on: &Bound,
        labels: impl Iterator<Item = Option<Name>> + Clone,
        steps: &mut u32,
    ) -> Option<Vec<usize>> {
        // Outcomes are looked through, so their variants are not seen in values.
        let outcome = |label: Option<Name>| label.is_some_and(|label| label.starts_with('?'));
        if labels.clone().any(outcome) {
            return None;
        }
        let mut chosen = Vec::new();
        for head in self.heads(on, steps) {
            let variant = match &*head.value {
                Value::Struct {
                    def: Some(crate::resolve::Def::Variant(..)),
                    name,
                    ..
                }
                | Value::Path(name) => Name::from(name.rsplit("::").next().unwrap_or(name)),
                Value::Literal(crate::ir::Literal::Str(text)) => *text,
                _ => return None,
            };
            let fits = |label: &Option<Name>| {
                label.is_some_and(|label| label.split('|').any(|name| name == variant.as_str()))
            };
            let before = chosen.len();
            chosen.extend(
                labels
                    .clone()
                    .enumerate()
                    .filter(|(_, label)| fits(label))
                    .map(|(index, _)| index),
            );
            if chosen.len() == before {
                // No arm is for it by name: one without a name takes it, when there is one.
                // A path may be a constant, whose value nobody knows.
                if matches!(&*head.value, Value::Path(_)) {
                    return None;
                }
                let others: Vec<usize> = labels
                    .clone()
                    .enumerate()
                    .filter(|(_, label)| label.is_none())
                    .map(|(index, _)| index)
                    .collect();
                if others.is_empty() {
                    return None;
                }
                chosen.extend(others);
            }
        }
        (!chosen.is_empty()).then_some(chosen)
    }
}
