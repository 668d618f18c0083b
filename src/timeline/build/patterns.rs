//! Patterns: names to the parts of a value.

use std::sync::Arc;

use crate::ir::{Literal, Name, Pat, PatId};
use crate::resolve::Def;

use super::super::value::{V, Value, unknown};
use super::Builder;

impl Builder<'_> {
    /// Binds the names of a pattern to the parts of a value.
    pub(super) fn bind(&mut self, pat: PatId, value: &V) {
        let body = self.body;
        match body.pat(pat) {
            Pat::Bind(local, sub) => {
                self.locals[local.0 as usize] = Arc::clone(value);
                if let Some(sub) = sub {
                    self.bind(*sub, value);
                }
            }
            Pat::Tuple(elems) => {
                for (index, elem) in elems.iter().enumerate() {
                    let Some(elem) = elem else { continue };
                    let part = field(value, Name::from(&index.to_string()));
                    self.bind(*elem, &part);
                }
            }
            Pat::TupleStruct(path, elems) => {
                let is_error = path.last().is_some_and(|last| last == "Err");
                let is_success = path
                    .last()
                    .is_some_and(|last| last == "Ok" || last == "Some");
                for (index, elem) in elems.iter().enumerate() {
                    let Some(elem) = elem else { continue };
                    let part = if is_success {
                        Arc::clone(value)
                    } else if is_error {
                        unknown()
                    } else {
                        field(value, Name::from(&index.to_string()))
                    };
                    self.bind(*elem, &part);
                }
            }
            Pat::Struct(_, fields) => {
                for (name, pat) in fields {
                    let part = field(value, *name);
                    self.bind(*pat, &part);
                }
            }
            Pat::Or(cases) => {
                for case in cases {
                    self.bind(*case, value);
                }
            }
            Pat::Path(_) | Pat::Literal(_) | Pat::Wild => {}
        }
    }

    /// The variant or literal that a pattern is for.
    pub(super) fn label(&self, pat: PatId) -> Option<Name> {
        match self.body.pat(pat) {
            Pat::TupleStruct(path, _) | Pat::Struct(path, _) | Pat::Path(path) => {
                let name = path.last()?;
                match self.inference.pats.get(&pat) {
                    Some(Def::Extern(path)) if path.starts_with("std::") => {
                        Some(Name::from(&format!("?{name}")))
                    }
                    _ => Some(name),
                }
            }
            Pat::Literal(Literal::Str(text)) => Some(*text),
            Pat::Bind(_, Some(sub)) => self.label(*sub),
            Pat::Or(cases) => {
                let labels: Vec<&str> = cases
                    .iter()
                    .filter_map(|case| self.label(*case))
                    .map(|name| name.as_str())
                    .collect();
                (labels.len() == cases.len()).then(|| Name::from(&labels.join("|")))
            }
            _ => None,
        }
    }
}

/// A field of a value, read off at once where the value is a literal.
pub(super) fn field(value: &V, name: Name) -> V {
    match &**value {
        Value::Struct { fields, base, .. } => match fields.iter().find(|(given, _)| *given == name)
        {
            Some((_, found)) => Arc::clone(found),
            None => match base {
                Some(base) => field(base, name),
                None => unknown(),
            },
        },
        Value::Tuple(elems) | Value::Array(elems) => name
            .parse::<usize>()
            .ok()
            .and_then(|index| elems.get(index).cloned())
            .unwrap_or_else(unknown),
        Value::Unknown => unknown(),
        _ => Arc::new(Value::Field(Arc::clone(value), name)),
    }
}
