//! Settings: what people choose for a service, which no run of a job changes.

use std::sync::Arc;

use super::super::node::CallTarget;
use super::super::value::Value;
use super::{Bound, Unfolding};

/// How many steps towards where a value comes from are looked at.
const STEPS: usize = 10;

/// Words in names of settings.
const WORDS: &[&str] = &[
    "cfg",
    "config",
    "configs",
    "configuration",
    "flags",
    "settings",
];

impl Unfolding<'_> {
    /// Whether a value is a setting, by the names on the way to it: `config.sender()`,
    /// `self.settings.get("sender")`, `env::var("SENDER")`.
    pub(super) fn is_setting(&self, bound: &Bound) -> bool {
        let mut at = bound.clone();
        for _ in 0..STEPS {
            let next = match &*at.value {
                Value::Field(_, name) if speaks(name) => return true,
                Value::Field(inner, _) | Value::Item(inner) => Arc::clone(inner),
                Value::Apply(apply) if apply.path.starts_with("std::env::") => return true,
                Value::Apply(apply) => match &apply.receiver {
                    Some(receiver) => Arc::clone(receiver),
                    None => return false,
                },
                Value::Result(call) => {
                    let program = self.timelines.program();
                    let call = &self.timeline_of(at.env).calls[call.0 as usize];
                    let names_it = match &call.target {
                        CallTarget::Functions(functions) => functions
                            .iter()
                            .any(|id| speaks(&program.function(*id).function.name)),
                        CallTarget::Dispatch { method, .. } => speaks(method),
                        CallTarget::Value(_) => false,
                    };
                    match call.args.first() {
                        _ if names_it => return true,
                        Some(receiver) => Arc::clone(receiver),
                        None => return false,
                    }
                }
                Value::Param(index) => {
                    let env = self.function_env(at.env);
                    if self
                        .parameter_name(env, *index)
                        .is_some_and(|name| speaks(&name))
                    {
                        return true;
                    }
                    let arg = self.with(env, |env| env.args.get(*index as usize).cloned());
                    match arg {
                        Some(arg) => {
                            at = arg;
                            continue;
                        }
                        None => return false,
                    }
                }
                _ => return false,
            };
            at.value = next;
        }
        false
    }

    /// The name of a parameter; `self` is the first where there is one.
    fn parameter_name(&self, env: super::EnvId, index: u32) -> Option<crate::ir::Name> {
        let function = &self
            .timelines
            .program()
            .function(self.function(env)?)
            .function;
        let index = (index as usize).checked_sub(usize::from(function.has_self))?;
        function.params.get(index)?.name
    }
}

fn speaks(name: &str) -> bool {
    name.split('_').any(|word| WORDS.contains(&word))
}
