//! What an operation acts on, as a name.

use std::sync::Arc;

use retrysafe_rules::catalog::{CallKind, EffectEntry, Part};
use retrysafe_rules::vocabulary::EffectKind;

use crate::resolve::Ty;
use crate::timeline::{Bound, Unfolding, Value};

use super::super::http;
use super::super::part::Operation;
use super::super::text::{hole_name, render};
use super::Reading;

impl Reading<'_, '_> {
    /// Whether a file lies in a temporary folder of the process, which nobody else sees.
    pub(super) fn is_scratch(&self, operation: &Operation, entry: &EffectEntry) -> bool {
        let target = entry
            .target
            .iter()
            .find_map(|part| operation.part(self.unfolding, part));
        target.is_some_and(|target| mentions_crate(self.unfolding, &target, "tempfile", 8))
    }

    /// The name of the target, and the URL where that is one.
    pub(super) fn target(
        &self,
        operation: &Operation,
        entry: &EffectEntry,
    ) -> (String, Option<String>) {
        for part in &entry.target {
            let found = match part {
                Part::Literal(text) => Some(text.clone()),
                Part::Name => Some(operation.root.name.to_string()),
                Part::Type => type_text(self.unfolding, operation),
                Part::Generic(index) => self.generic_text(operation, *index),
                Part::Receiver => operation.part(self.unfolding, part).and_then(|bound| {
                    // The name that the code gives it says more than how it was made.
                    let named = match &*bound.value {
                        Value::Apply(_) | Value::Result(_) => None,
                        _ => hole_name(self.unfolding, &bound).filter(|name| name != "self"),
                    };
                    let head = self.unfolding.head(&bound);
                    match &*head.value {
                        Value::Function(_) | Value::Path(_) | Value::Literal(_) => {
                            hole_name(self.unfolding, &head)
                        }
                        _ => named
                            .or_else(|| self.root_function(&head))
                            .or_else(|| type_text(self.unfolding, operation)),
                    }
                }),
                // A job is called by its payload's type.
                _ if matches!(entry.kind, CallKind::Effect(EffectKind::Enqueue)) => operation
                    .part(self.unfolding, part)
                    .map(|bound| match &*self.unfolding.head(&bound).value {
                        Value::Struct {
                            def: Some(_), name, ..
                        } => name.rsplit("::").next().unwrap_or(name).to_owned(),
                        _ => render(self.unfolding, &bound),
                    }),
                _ => operation
                    .part(self.unfolding, part)
                    .map(|bound| render(self.unfolding, &bound)),
            };
            let Some(text) = found.filter(|text| !text.is_empty() && text != "{}") else {
                continue;
            };
            let is_url = entry.by_url || text.contains("://");
            return if is_url {
                (http::target(&text), Some(text))
            } else {
                (text, None)
            };
        }
        // `RequestBuilder::send` on a builder made elsewhere: the URL stands in its chain.
        if entry.by_url {
            let mut url = None;
            operation.search(self.unfolding, &mut |apply, env| {
                let index = match apply.name.as_str() {
                    "get" | "head" | "post" | "put" | "patch" | "delete" | "uri" => 0,
                    "request" => 1,
                    _ => return false,
                };
                url = apply.args.get(index).map(|arg| {
                    render(
                        self.unfolding,
                        &Bound {
                            value: Arc::clone(arg),
                            env,
                        },
                    )
                });
                url.is_some()
            });
            if let Some(url) = url {
                return (http::target(&url), Some(url));
            }
        }
        ("?".to_owned(), None)
    }

    /// The function of the workspace that a chain begins with: `send_mail.builder()`.
    pub(super) fn root_function(&self, head: &Bound) -> Option<String> {
        let mut at = head.clone();
        for _ in 0..20 {
            match &*at.value {
                Value::Apply(apply) => {
                    let receiver = Bound {
                        value: Arc::clone(apply.receiver.as_ref()?),
                        env: at.env,
                    };
                    at = self.unfolding.head(&receiver);
                }
                Value::Function(_) => return hole_name(self.unfolding, &at),
                _ => return None,
            }
        }
        None
    }

    pub(super) fn generic_text(&self, operation: &Operation, index: usize) -> Option<String> {
        let given = operation.root.generics.get(index).cloned().or_else(|| {
            match &operation.root.receiver_ty {
                Ty::Extern(_, args) | Ty::Adt(_, args) => args.get(index).cloned(),
                _ => None,
            }
        })?;
        ty_name(self.unfolding, &given)
    }
}

pub(super) fn ty_name(unfolding: &Unfolding<'_>, ty: &Ty) -> Option<String> {
    match ty {
        Ty::Adt(id, _) => Some(
            unfolding.timelines().program().types[id.index()]
                .item
                .name
                .to_string(),
        ),
        Ty::Extern(path, args) => {
            // A wrapper says less than the type of ours that it wraps.
            let inner = args.iter().find(|arg| matches!(arg, Ty::Adt(..)));
            match inner.and_then(|arg| ty_name(unfolding, arg)) {
                Some(inner) => Some(inner),
                None => {
                    let mut segments = path.rsplit("::");
                    let last = segments.next()?;
                    match last {
                        "Entity" | "ActiveModel" | "Model" => segments.next().map(str::to_owned),
                        other => Some(other.to_owned()),
                    }
                }
            }
        }
        _ => None,
    }
}

/// The name of the type that a call is made on.
pub(super) fn type_text(unfolding: &Unfolding<'_>, operation: &Operation) -> Option<String> {
    if let Some(name) = ty_name(unfolding, &operation.root.receiver_ty) {
        return Some(name);
    }
    let mut segments: Vec<&str> = operation.root.path.split("::").collect();
    segments.pop();
    while matches!(segments.last(), Some(&"Entity" | &"ActiveModel" | &"Model"))
        && segments.len() > 1
    {
        segments.pop();
    }
    segments.last().map(|last| (*last).to_owned())
}

/// Whether a value is made by functions of a crate, or from what they gave.
pub(super) fn mentions_crate(
    unfolding: &Unfolding<'_>,
    bound: &Bound,
    krate: &str,
    depth: u32,
) -> bool {
    if depth == 0 {
        return false;
    }
    unfolding.heads(bound, &mut 40).iter().any(|head| {
        let at = |value: &crate::timeline::V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Apply(apply) => {
                apply.path.split("::").next() == Some(krate)
                    || apply
                        .receiver
                        .iter()
                        .chain(&apply.args)
                        .any(|value| mentions_crate(unfolding, &at(value), krate, depth - 1))
            }
            Value::Field(inner, _) | Value::Item(inner) => {
                mentions_crate(unfolding, &at(inner), krate, depth - 1)
            }
            Value::Struct { fields, .. } => fields
                .iter()
                .any(|(_, value)| mentions_crate(unfolding, &at(value), krate, depth - 1)),
            _ => false,
        }
    })
}
