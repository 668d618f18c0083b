//! What has no one text or order: floats, the items of hash maps; and what puts items in order.

use std::sync::Arc;

use crate::resolve::Ty;

use super::super::value::{Apply, Looseness, V, Value};

/// Whether a number has several texts.
pub(super) fn is_float(ty: &Ty) -> bool {
    matches!(
        ty.extern_path().as_deref(),
        Some("std::primitive::f32" | "std::primitive::f64")
    )
}

/// Whether a collection gives its items in no fixed order.
pub(super) fn is_hashed(ty: &Ty) -> bool {
    matches!(
        ty.extern_path().as_deref(),
        Some("std::collections::HashMap" | "std::collections::HashSet")
    )
}

/// Whether a collection gives its items in the order of their keys, however it was filled.
pub(super) fn is_sorted(ty: &Ty) -> bool {
    matches!(
        ty.extern_path().as_deref(),
        Some("std::collections::BTreeMap" | "std::collections::BTreeSet")
    )
}

/// Whether a value is items in no fixed order.
pub(super) fn is_unordered(value: &Value) -> bool {
    match value {
        Value::Loose(_, Looseness::Unordered, _) => true,
        Value::Apply(apply) if apply.effect.is_none() => apply
            .receiver
            .as_ref()
            .is_some_and(|receiver| is_unordered(receiver)),
        _ => false,
    }
}

/// A value after its items were put into an order.
pub(super) fn in_order(value: V) -> V {
    match &*value {
        Value::Loose(inner, Looseness::Unordered, _) => Arc::clone(inner),
        // `items.iter().cloned()`
        Value::Apply(apply) if apply.effect.is_none() => {
            let Some(receiver) = &apply.receiver else {
                return value;
            };
            let ordered = in_order(Arc::clone(receiver));
            if Arc::ptr_eq(&ordered, receiver) {
                return value;
            }
            Arc::new(Value::Apply(Arc::new(Apply {
                receiver: Some(ordered),
                ..Apply::clone(apply)
            })))
        }
        _ => value,
    }
}
