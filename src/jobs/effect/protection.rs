//! What keeps a repeated effect from doing harm, as far as the call and its place tell.

use std::sync::Arc;

use retrysafe_rules::catalog::{Classify, EffectEntry, Idempotent};
use retrysafe_rules::vocabulary::{Action, Delivery, EffectKind, Protection};

use crate::timeline::{Bound, Happening, Unfolding, Value};

use super::super::key::{Key, Tells};
use super::super::origin::{instability, source_word};
use super::super::part::Operation;
use super::super::statement;
use super::super::text::{hole_name, render};
use super::Reading;

impl Reading<'_, '_> {
    pub(super) fn protection(
        &self,
        happening: &Happening,
        operation: &Operation,
        entry: &EffectEntry,
        (kind, action): (EffectKind, Action),
        key: Option<&Key>,
        in_transaction: bool,
    ) -> (Protection, String) {
        // A key that differs does no harm where a repeat does none.
        if let Some(key) = key
            && entry.idempotent != Idempotent::Yes
        {
            return match (&key.origin, key.tells) {
                (Some(origin), _) => (
                    Protection::None,
                    format!("its key `{}` is {}", key.text, source_word(origin.kind)),
                ),
                (None, Tells::Nothing) => (
                    Protection::None,
                    format!("its key `{}` is always the same", key.text),
                ),
                (None, _) if key.is_partial => (
                    Protection::None,
                    format!("its key `{}` is set on some paths only", key.text),
                ),
                (None, _) => (Protection::Key, format!("carries the key `{}`", key.text)),
            };
        }
        // An upsert that adds to what is there adds again.
        let adds = |found: &(Protection, String)| {
            action == Action::Relative && found.0 == Protection::Upsert
        };
        if let Some(found) = self.call_guard(operation, entry)
            && !adds(&found)
        {
            return found;
        }
        if entry.classify == Some(Classify::SetExpression) && action == Action::Update {
            return match self.unstable_argument(operation, &["set", "col_expr"]) {
                Some(kind) => (
                    Protection::None,
                    format!("a value it sets is {}", source_word(kind)),
                ),
                None => (Protection::Natural, "sets the same values again".to_owned()),
            };
        }
        let unstable_target = entry
            .target
            .first()
            .and_then(|part| operation.part(self.unfolding, part))
            .is_some_and(|bound| instability(self.unfolding, &bound).is_some());
        match (action, entry.idempotent) {
            (Action::Upsert, _) if !unstable_target => {
                return (Protection::Upsert, "writes by its name".to_owned());
            }
            (Action::Delete, Idempotent::Yes | Idempotent::Depends) => {
                return (
                    Protection::Natural,
                    "deleting twice changes nothing".to_owned(),
                );
            }
            (Action::Set, Idempotent::Yes | Idempotent::Depends) if !unstable_target => {
                return (
                    Protection::Natural,
                    "setting the same again changes nothing".to_owned(),
                );
            }
            (_, Idempotent::Yes) if !unstable_target => {
                return (
                    Protection::Natural,
                    "repeating it changes nothing".to_owned(),
                );
            }
            _ => {}
        }
        self.contextual(happening, kind, action, in_transaction)
    }

    /// The protection that a builder method or an argument of the call gives it.
    pub(super) fn call_guard(
        &self,
        operation: &Operation,
        entry: &EffectEntry,
    ) -> Option<(Protection, String)> {
        for guard in &entry.guards {
            let by_method = guard.method.as_ref().is_some_and(|method| {
                let own = operation.root.name == method.as_str();
                own || operation.has_method(self.unfolding, method)
            });
            let by_path = guard
                .path
                .as_ref()
                .is_some_and(|path| self.mentions_path(operation, path));
            let value_fits = match (&guard.value, &guard.method) {
                (Some(wanted), Some(method)) => self.is_given(operation, method, wanted),
                (wanted, _) => wanted.is_none(),
            };
            if (by_method || by_path) && value_fits {
                // The word that is given says more than the method that takes it.
                let word = guard.value.as_ref().filter(|value| *value != "true");
                let by = word.or(guard.method.as_ref()).or(guard.path.as_ref());
                let by = by.cloned().unwrap_or_default();
                return Some((guard.gives, format!("guarded by `{by}`")));
            }
        }
        None
    }

    /// Whether some call of a method in the chain is given a word first: `.arg("NX")`.
    fn is_given(&self, operation: &Operation, method: &str, word: &str) -> bool {
        let mut found = false;
        operation.search(self.unfolding, &mut |apply, env| {
            let first = apply.args.first().filter(|_| apply.name == method);
            found |= first.is_some_and(|value| {
                let bound = Bound {
                    value: Arc::clone(value),
                    env,
                };
                render(self.unfolding, &bound).eq_ignore_ascii_case(word)
            });
            found
        });
        found
    }

    /// Why an argument of some methods of the chain differs between attempts; columns that only
    /// say when a row was touched are left out.
    pub(super) fn unstable_argument(
        &self,
        operation: &Operation,
        methods: &[&str],
    ) -> Option<retrysafe_rules::catalog::SourceKind> {
        let mut found = None;
        operation.search(self.unfolding, &mut |apply, env| {
            if methods.contains(&apply.name.as_str()) {
                for arg in &apply.args {
                    let bound = Bound {
                        value: Arc::clone(arg),
                        env,
                    };
                    found = found.or_else(|| unstable_column(self.unfolding, &bound, 4));
                }
            }
            found.is_some()
        });
        found
    }

    pub(super) fn mentions_path(&self, operation: &Operation, path: &str) -> bool {
        let mut found = false;
        let last_two = |text: &str| {
            let segments: Vec<&str> = text.rsplit("::").take(2).collect();
            segments.into_iter().rev().collect::<Vec<_>>().join("::")
        };
        let wanted = last_two(path);
        operation.search(self.unfolding, &mut |apply, env| {
            found |= apply.path == path;
            for arg in &apply.args {
                let head = self.unfolding.head(&Bound {
                    value: Arc::clone(arg),
                    env,
                });
                found |= match &*head.value {
                    Value::Path(text) | Value::Struct { name: text, .. } => {
                        last_two(text) == wanted
                    }
                    _ => false,
                };
            }
            found
        });
        found
    }

    /// The protection that an effect owes to where it stands.
    pub(super) fn contextual(
        &self,
        happening: &Happening,
        kind: EffectKind,
        action: Action,
        in_transaction: bool,
    ) -> (Protection, String) {
        if happening.context.step && !happening.context.retried {
            return (Protection::Step, "runs inside a recorded step".to_owned());
        }
        if self.runs.delivery == Delivery::AtMostOnce {
            return (
                Protection::AtMostOnce,
                "the job is never run again".to_owned(),
            );
        }
        if in_transaction && matches!(kind, EffectKind::DbWrite | EffectKind::Enqueue) {
            return (
                Protection::Unknown,
                "inside a transaction, with nothing known to refuse a second one".to_owned(),
            );
        }
        match (kind, action) {
            (EffectKind::DbWrite, Action::Create | Action::Append) => (
                Protection::Unknown,
                "which columns it writes is not known".to_owned(),
            ),
            (_, Action::Update) => (
                Protection::Unknown,
                "what it changes is not known".to_owned(),
            ),
            _ => (
                Protection::None,
                "nothing in front of it stops a second one".to_owned(),
            ),
        }
    }
}

/// Why a value that is put into a column differs between attempts: `column.eq(value)`, tuples of
/// them, or a struct of columns.
pub(super) fn unstable_column(
    unfolding: &Unfolding<'_>,
    bound: &Bound,
    depth: u32,
) -> Option<retrysafe_rules::catalog::SourceKind> {
    let head = unfolding.head(bound);
    let at = |value: &crate::timeline::V| Bound {
        value: Arc::clone(value),
        env: head.env,
    };
    let is_audit = |name: &str| statement::AUDIT.contains(&name);
    match &*head.value {
        Value::Apply(apply) => match (&apply.receiver, apply.args.as_slice()) {
            (Some(column), [value]) if matches!(apply.name.as_str(), "eq" | "set") => {
                let name = hole_name(unfolding, &at(column)).unwrap_or_default();
                if is_audit(&name) {
                    None
                } else {
                    instability(unfolding, &at(value))
                }
            }
            _ => instability(unfolding, &head),
        },
        Value::Tuple(elems) | Value::Array(elems) if depth > 0 => elems
            .iter()
            .find_map(|elem| unstable_column(unfolding, &at(elem), depth - 1)),
        Value::Struct { fields, base, .. } => fields
            .iter()
            .filter(|(name, _)| !is_audit(name))
            .find_map(|(_, value)| instability(unfolding, &at(value)))
            .or_else(|| {
                base.as_ref()
                    .filter(|_| depth > 0)
                    .and_then(|base| unstable_column(unfolding, &at(base), depth - 1))
            }),
        _ => instability(unfolding, &head),
    }
}
