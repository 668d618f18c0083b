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
        target.is_some_and(|target| is_scratch(self.unfolding, &target, 8))
    }

    /// The name of the target, and the URL where that is one.
    pub(in crate::jobs) fn target(
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
                        _ => hole_name(self.unfolding, &bound)
                            .filter(|name| !name.is_empty() && name != "self"),
                    };
                    let head = self.unfolding.head(&bound);
                    match &*head.value {
                        Value::Function(_) | Value::Path(_) | Value::Literal(_) => {
                            hole_name(self.unfolding, &head)
                        }
                        _ => named
                            .or_else(|| struct_name(&head))
                            .or_else(|| self.root_function(&head))
                            .or_else(|| type_text(self.unfolding, operation))
                            .or_else(|| self.root_type(&head)),
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
                _ => operation.part(self.unfolding, part).map(|bound| {
                    let text = render(self.unfolding, &bound);
                    let is_row = matches!(entry.kind, CallKind::Effect(EffectKind::DbWrite))
                        && text.starts_with('{');
                    match is_row {
                        true => self.table_of_row(operation, part, &bound).unwrap_or(text),
                        false => text,
                    }
                }),
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

    /// The table of a row that a call is given: `diesel::update(&post)`.
    fn table_of_row(&self, operation: &Operation, part: &Part, row: &Bound) -> Option<String> {
        let head = self.unfolding.head(row);
        let by_type = || match part {
            Part::Arg(index, None) => {
                ty_name(self.unfolding, operation.root.arg_types.get(*index)?)
            }
            _ => None,
        };
        let mut at = head;
        // `for (post, author) in rows`: the first of what was read.
        while let Value::Field(base, name) = &*at.value {
            if !name.chars().all(|c| c.is_ascii_digit()) {
                return by_type();
            }
            at = self.unfolding.head(&Bound {
                value: Arc::clone(base),
                env: at.env,
            });
        }
        by_type().or_else(|| self.root_type(&at))
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

    /// The type or table on which a chain begins: `orders::Entity::find().one(db)`.
    fn root_type(&self, head: &Bound) -> Option<String> {
        let mut at = head.clone();
        for _ in 0..20 {
            let next = match &*at.value {
                Value::Apply(apply) => match &apply.receiver {
                    Some(receiver) => receiver,
                    None => {
                        let (ty, _) = apply.path.rsplit_once("::")?;
                        return subject_of(ty).map(str::to_owned);
                    }
                },
                Value::Struct {
                    base: Some(base), ..
                }
                | Value::Item(base) => base,
                // `users::table.filter(…)`
                Value::Path(_) => return hole_name(self.unfolding, &at),
                _ => return None,
            };
            at = self.unfolding.head(&Bound {
                value: Arc::clone(next),
                env: at.env,
            });
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
                None => subject_of(path).map(str::to_owned),
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
    let (ty, _) = operation.root.path.rsplit_once("::")?;
    subject_of(ty).map(str::to_owned)
}

/// The name of the struct that a value is.
fn struct_name(head: &Bound) -> Option<String> {
    match &*head.value {
        Value::Struct { name, .. } if !name.is_empty() => subject_of(name).map(str::to_owned),
        _ => None,
    }
}

/// What a type's path is about: its last segment, without the calls that gave a value of it
/// (`orders::Entity::find()`) and the names that every entity has.
fn subject_of(path: &str) -> Option<&str> {
    path.rsplit("::")
        .find(|segment| {
            !segment.ends_with("()") && !matches!(*segment, "Entity" | "ActiveModel" | "Model")
        })
        .or_else(|| path.rsplit("::").next())
}

/// Whether a value is something temporary, or made from that.
fn is_scratch(unfolding: &Unfolding<'_>, bound: &Bound, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let known = unfolding.timelines().known();
    unfolding.heads(bound, &mut 40).iter().any(|head| {
        let below = |value: &crate::timeline::V| {
            let at = Bound {
                value: Arc::clone(value),
                env: head.env,
            };
            is_scratch(unfolding, &at, depth - 1)
        };
        match &*head.value {
            Value::Apply(apply) => {
                known.is_scratch(&apply.path) || apply.receiver.iter().chain(&apply.args).any(below)
            }
            Value::Field(inner, _) | Value::Item(inner) => below(inner),
            Value::Struct { fields, .. } => fields.iter().any(|(_, value)| below(value)),
            _ => false,
        }
    })
}
