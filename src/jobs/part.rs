//! The parts of a call and its builder chain that the catalogue names.

use std::sync::Arc;

use retrysafe_rules::catalog::Part;

use crate::ir::Place;
use crate::timeline::{Apply, Bound, EnvId, Unfolding, V, Value};

use super::text::fixed;

/// How many terms a search through a chain may look at.
const TERMS: u32 = 300;

/// A call as it happens: the call that names the operation and the one that makes it happen.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    /// The call that names the operation.
    pub(super) root: Arc<Apply>,
    /// Where the terms of the root are known.
    pub(super) root_env: EnvId,
    /// The call that makes it happen; the root itself where there is no builder.
    pub(super) terminal: Arc<Apply>,
    /// Where the terms of the terminal are known.
    pub(super) env: EnvId,
}

impl Operation {
    fn at_root(&self, value: &V) -> Bound {
        Bound {
            value: Arc::clone(value),
            env: self.root_env,
        }
    }

    /// The value that stands at a part.
    pub(super) fn part(&self, unfolding: &Unfolding<'_>, part: &Part) -> Option<Bound> {
        self.located(unfolding, part).map(|(bound, _)| bound)
    }

    /// The value that stands at a part, and where the argument stands that holds it.
    pub(super) fn located(
        &self,
        unfolding: &Unfolding<'_>,
        part: &Part,
    ) -> Option<(Bound, Option<(EnvId, Place)>)> {
        let argument = |apply: &Apply, env: EnvId, index: usize| {
            let bound = Bound {
                value: Arc::clone(apply.args.get(index)?),
                env,
            };
            let place = apply.arg_places.get(index).map(|place| (env, *place));
            Some((bound, place))
        };
        match part {
            Part::Arg(index, field) => {
                let (arg, place) = argument(&self.root, self.root_env, *index)?;
                match field {
                    None => Some((arg, place)),
                    Some(field) => Some((field_of(unfolding, &arg, field, NESTED)?, place)),
                }
            }
            Part::Terminal(index) => argument(&self.terminal, self.env, *index),
            Part::Receiver => {
                let receiver = self.at_root(self.root.receiver.as_ref()?);
                Some((receiver, None))
            }
            Part::Method(name, index) => {
                let mut found = None;
                self.search(unfolding, &mut |apply, env| {
                    if apply.name == name.as_str() {
                        found = found.take().or_else(|| argument(apply, env, *index));
                    }
                    found.is_some()
                });
                found
            }
            Part::Next(name, index) => {
                // A chain is gone through from its end: the one next to the root comes last.
                let mut found = None;
                self.search_shared(unfolding, &mut |apply, env| {
                    if Arc::ptr_eq(apply, &self.root) {
                        return true;
                    }
                    if apply.name == name.as_str() {
                        found = argument(apply, env, *index).or_else(|| found.take());
                    }
                    false
                });
                found
            }
            Part::Field(name) => {
                let of = |apply: &Apply, env: EnvId| {
                    (0..apply.args.len()).find_map(|index| {
                        let (arg, place) = argument(apply, env, index)?;
                        Some((field_of(unfolding, &arg, name, NESTED)?, place))
                    })
                };
                of(&self.root, self.root_env).or_else(|| of(&self.terminal, self.env))
            }
            Part::Generic(_) | Part::Type | Part::Name | Part::Literal(_) => None,
        }
    }

    /// Goes through the calls of the chain, those of the arguments' own chains included, until
    /// `visit` says that it has seen enough.
    pub(super) fn search(
        &self,
        unfolding: &Unfolding<'_>,
        visit: &mut dyn FnMut(&Apply, EnvId) -> bool,
    ) {
        self.search_shared(unfolding, &mut |apply, env| visit(apply, env));
    }

    /// The same, with the calls as they are shared.
    pub(super) fn search_shared(
        &self,
        unfolding: &Unfolding<'_>,
        visit: &mut dyn FnMut(&Arc<Apply>, EnvId) -> bool,
    ) {
        let mut terms = TERMS;
        let met_root = std::cell::Cell::new(false);
        let mut visit = |apply: &Arc<Apply>, env: EnvId| {
            if Arc::ptr_eq(apply, &self.root) && env == self.root_env {
                met_root.set(true);
            }
            visit(apply, env)
        };
        let at = |apply: &Arc<Apply>, env| Bound {
            value: Arc::new(Value::Apply(Arc::clone(apply))),
            env,
        };
        let start = at(&self.terminal, self.env);
        if search_value(unfolding, &start, 4, &mut terms, &mut visit) {
            return;
        }
        // The root may stand behind a value that the chain does not lead to.
        if !met_root.get() {
            let root = at(&self.root, self.root_env);
            search_value(unfolding, &root, 4, &mut terms, &mut visit);
        }
    }

    /// Goes through the calls of the chain itself, from its end to where it begins, and through those
    /// of the arguments of some of them.
    pub(super) fn chain(
        &self,
        unfolding: &Unfolding<'_>,
        with_arguments_of: &dyn Fn(&Apply) -> bool,
        visit: &mut dyn FnMut(&Apply, EnvId),
    ) {
        let at = |apply: &Arc<Apply>, env| Bound {
            value: Arc::new(Value::Apply(Arc::clone(apply))),
            env,
        };
        let mut met: Vec<(*const Apply, EnvId)> = Vec::new();
        let mut open = vec![at(&self.root, self.root_env), at(&self.terminal, self.env)];
        let mut steps = TERMS;
        while let Some(bound) = open.pop() {
            for head in unfolding.heads(&bound, &mut 60) {
                let Value::Apply(apply) = &*head.value else {
                    continue;
                };
                let key = (Arc::as_ptr(apply), head.env);
                if steps == 0 || met.contains(&key) {
                    continue;
                }
                steps -= 1;
                met.push(key);
                visit(apply, head.env);
                let arguments = apply.args.iter().filter(|_| with_arguments_of(apply));
                open.extend(apply.receiver.iter().chain(arguments).map(|value| Bound {
                    value: Arc::clone(value),
                    env: head.env,
                }));
            }
        }
    }

    /// Whether a method of this name stands in the chain.
    pub(super) fn has_method(&self, unfolding: &Unfolding<'_>, name: &str) -> bool {
        let mut found = false;
        self.search(unfolding, &mut |apply, _| {
            found |= apply.name == name;
            found
        });
        found
    }
}

/// Goes through the calls that a value is made of, those of arguments included, until `visit` says that it
/// has seen enough.
pub(super) fn search_calls(
    unfolding: &Unfolding<'_>,
    bound: &Bound,
    visit: &mut dyn FnMut(&Apply, EnvId) -> bool,
) {
    let mut terms = TERMS;
    search_value(unfolding, bound, 4, &mut terms, &mut |apply, env| {
        visit(apply, env)
    });
}

fn search_value(
    unfolding: &Unfolding<'_>,
    bound: &Bound,
    depth: u32,
    terms: &mut u32,
    visit: &mut dyn FnMut(&Arc<Apply>, EnvId) -> bool,
) -> bool {
    let mut steps = 60;
    for head in unfolding.heads(bound, &mut steps) {
        if *terms == 0 {
            return true;
        }
        *terms -= 1;
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Apply(apply) => {
                if visit(apply, head.env) {
                    return true;
                }
                if let Some(receiver) = &apply.receiver
                    && search_value(unfolding, &at(receiver), depth, terms, visit)
                {
                    return true;
                }
                if depth > 0 {
                    for arg in &apply.args {
                        if search_value(unfolding, &at(arg), depth - 1, terms, visit) {
                            return true;
                        }
                    }
                }
            }
            Value::Struct { fields, base, .. } if depth > 0 => {
                for value in fields.iter().map(|(_, value)| value).chain(base) {
                    if search_value(unfolding, &at(value), depth - 1, terms, visit) {
                        return true;
                    }
                }
            }
            Value::Field(inner, _) | Value::Item(inner)
                if search_value(unfolding, &at(inner), depth, terms, visit) =>
            {
                return true;
            }
            Value::Array(elems) | Value::Tuple(elems) if depth > 0 => {
                for elem in elems {
                    if search_value(unfolding, &at(elem), depth - 1, terms, visit) {
                        return true;
                    }
                }
            }
            _ => {}
        }
    }
    false
}

/// How many levels down a field of an argument is looked for.
const NESTED: u32 = 3;

/// A field of a struct literal, or of one so many levels down in it; of an object, a map, or a list
/// of names with values.
pub(super) fn field_of(
    unfolding: &Unfolding<'_>,
    bound: &Bound,
    name: &str,
    depth: u32,
) -> Option<Bound> {
    find_field(unfolding, bound, name, depth, &mut 200)
}

fn find_field(
    unfolding: &Unfolding<'_>,
    bound: &Bound,
    name: &str,
    depth: u32,
    terms: &mut u32,
) -> Option<Bound> {
    *terms = terms.checked_sub(1)?;
    let head = unfolding.head(bound);
    let at = |value: &V| Bound {
        value: Arc::clone(value),
        env: head.env,
    };
    match &*head.value {
        Value::Struct { fields, base, .. } => {
            if let Some((_, value)) = fields.iter().find(|(given, _)| given == name) {
                return Some(at(value));
            }
            let from_base = base
                .as_ref()
                .and_then(|base| find_field(unfolding, &at(base), name, depth, terms));
            if from_base.is_some() || depth == 0 {
                return from_base;
            }
            fields
                .iter()
                .find_map(|(_, value)| find_field(unfolding, &at(value), name, depth - 1, terms))
        }
        Value::Array(pairs) => pairs
            .iter()
            .find_map(|pair| named_value(unfolding, &at(pair), name)),
        // `body.to_string()`, `pairs.push((name, value))`
        Value::Apply(apply) => {
            let receiver = apply.receiver.as_ref()?;
            let is_push = apply.name == "push";
            if !apply.args.is_empty() && !is_push {
                return None;
            }
            let pushed = apply.args.iter().map(at);
            pushed
                .filter(|_| is_push)
                .find_map(|pair| named_value(unfolding, &pair, name))
                .or_else(|| find_field(unfolding, &at(receiver), name, depth, terms))
        }
        _ => None,
    }
}

/// The value of a pair `(name, value)`.
fn named_value(unfolding: &Unfolding<'_>, pair: &Bound, name: &str) -> Option<Bound> {
    let head = unfolding.head(pair);
    let at = |value: &V| Bound {
        value: Arc::clone(value),
        env: head.env,
    };
    match &*head.value {
        Value::Tuple(elems) => match elems.as_slice() {
            [given, value] => {
                let given = fixed(unfolding, &at(given))?;
                (given == name).then(|| at(value))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether an optional value is left out: `None`, whatever way it came.
pub(super) fn is_left_out(unfolding: &Unfolding<'_>, bound: &Bound) -> bool {
    let is_none = |head: &Bound| matches!(&*head.value, Value::Path(path) if path.rsplit("::").next() == Some("None"));
    unfolding.heads(bound, &mut 40).iter().all(is_none)
}
