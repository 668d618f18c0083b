//! Idempotency keys: whether a call carries one, and whether it is the same on every attempt.

use std::sync::Arc;

use retrysafe_rules::catalog::{EffectEntry, KeySlot, SourceKind};

use crate::resolve::CallShape;
use crate::timeline::{Apply, Bound, TextPiece, Unfolding, V, Value};

use super::part::Operation;
use super::text::{fixed, render};

/// A key that a call carries.
#[derive(Debug, Clone)]
pub(super) struct Key {
    /// Its text, what varies as `{name}`.
    pub(super) text: String,
    /// Why it differs between attempts, when it does.
    pub(super) unstable: Option<SourceKind>,
}

/// The key of a call, when one of the entry's slots is filled.
pub(super) fn key_of(
    unfolding: &Unfolding<'_>,
    operation: &Operation,
    entry: &EffectEntry,
) -> Option<Key> {
    entry
        .keys
        .iter()
        .filter(|slot| !slot.consumer_side)
        .find_map(|slot| slot_value(unfolding, operation, slot))
        .map(|bound| Key {
            text: render(unfolding, &bound),
            unstable: instability(unfolding, &bound),
        })
}

fn slot_value(unfolding: &Unfolding<'_>, operation: &Operation, slot: &KeySlot) -> Option<Bound> {
    let found = match &slot.part {
        Some(part) => operation.part(unfolding, part)?,
        None => header_value(unfolding, operation, &slot.headers)?,
    };
    if !slot.within.is_empty() {
        let head = unfolding.head(&found);
        let name = match &*head.value {
            Value::Apply(apply) => apply.path,
            Value::Struct { name, .. } => *name,
            Value::Path(path) => *path,
            _ => return None,
        };
        let last = |path: &str| path.rsplit("::").next().map(str::to_owned);
        if !slot.within.iter().any(|wanted| last(wanted) == last(&name)) {
            return None;
        }
    }
    if !slot.unless.is_empty() {
        let text = render(unfolding, &found);
        if slot.unless.contains(&text) {
            return None;
        }
    }
    Some(found)
}

/// The value of a header, wherever in the chain it is set: `.header(name, value)`,
/// `.headers(map)` with `map.insert(name, value)`, a tuple.
fn header_value(
    unfolding: &Unfolding<'_>,
    operation: &Operation,
    headers: &[String],
) -> Option<Bound> {
    let mut found = None;
    operation.search(unfolding, &mut |apply, env| {
        let bound = |value: &V| Bound {
            value: Arc::clone(value),
            env,
        };
        let pair = match apply.args.as_slice() {
            [name, value] => Some((bound(name), bound(value))),
            [only] => match &*unfolding.head(&bound(only)).value {
                Value::Tuple(elems) if elems.len() == 2 => {
                    Some((bound(&elems[0]), bound(&elems[1])))
                }
                _ => None,
            },
            _ => None,
        };
        if let Some((name, value)) = pair
            && let Some(text) = header_name(unfolding, &name)
            && headers
                .iter()
                .any(|header| header.eq_ignore_ascii_case(&text))
        {
            found = Some(value);
        }
        found.is_some()
    });
    found
}

fn header_name(unfolding: &Unfolding<'_>, bound: &Bound) -> Option<String> {
    fixed(unfolding, bound).or_else(|| match &*unfolding.head(bound).value {
        // `header::IDEMPOTENCY_KEY`: the constant's name says what it holds.
        Value::Path(path) => path.rsplit("::").next().map(|last| last.replace('_', "-")),
        _ => None,
    })
}

/// Why a value differs between attempts, when some part of it does.
pub(super) fn instability(unfolding: &Unfolding<'_>, bound: &Bound) -> Option<SourceKind> {
    let mut terms = 300;
    find_source(unfolding, bound, 12, &mut terms)
}

fn find_source(
    unfolding: &Unfolding<'_>,
    bound: &Bound,
    depth: u32,
    terms: &mut u32,
) -> Option<SourceKind> {
    let mut steps = 80;
    unfolding
        .heads(bound, &mut steps)
        .into_iter()
        .find_map(|head| {
            if depth == 0 || *terms == 0 {
                return None;
            }
            *terms -= 1;
            let at = |value: &V| Bound {
                value: Arc::clone(value),
                env: head.env,
            };
            match &*head.value {
                Value::Apply(apply) => source_of(unfolding, apply).or_else(|| {
                    apply
                        .receiver
                        .iter()
                        .chain(&apply.args)
                        .find_map(|value| find_source(unfolding, &at(value), depth - 1, terms))
                }),
                Value::Path(path) => unfolding
                    .timelines()
                    .known()
                    .source_value(*path)
                    .map(|source| source.kind)
                    .filter(|kind| differs(*kind)),
                Value::Format(pieces) => pieces.iter().find_map(|piece| match piece {
                    TextPiece::Text(_) => None,
                    TextPiece::Value(value) => find_source(unfolding, &at(value), depth - 1, terms),
                }),
                Value::Struct { fields, .. } => fields
                    .iter()
                    .find_map(|(_, value)| find_source(unfolding, &at(value), depth - 1, terms)),
                Value::Tuple(elems) | Value::Array(elems) => elems
                    .iter()
                    .find_map(|value| find_source(unfolding, &at(value), depth - 1, terms)),
                Value::Operation(_, left, right) => {
                    find_source(unfolding, &at(left), depth - 1, terms)
                        .or_else(|| find_source(unfolding, &at(right), depth - 1, terms))
                }
                // A field of something whose fields are not known may be any of them.
                Value::Field(_, _) => None,
                Value::Item(inner) => find_source(unfolding, &at(inner), depth - 1, terms),
                _ => None,
            }
        })
}

fn source_of(unfolding: &Unfolding<'_>, apply: &Apply) -> Option<SourceKind> {
    let known = unfolding.timelines().known();
    let shape = CallShape {
        path: apply.receiver.is_none().then_some(apply.path),
        is_macro: apply.is_macro,
        method: apply.receiver.is_some().then_some(apply.name),
        receiver: apply.receiver_ty.extern_path(),
        unknown_receiver: apply.receiver.is_some() && apply.receiver_ty.is_unknown(),
        arguments: apply.args.len(),
        ..CallShape::default()
    };
    known
        .source_of(&shape)
        .map(|source| source.kind)
        .filter(|kind| differs(*kind))
}

/// Configuration is the same until the next deployment.
fn differs(kind: SourceKind) -> bool {
    kind != SourceKind::Configuration
}

/// What a value from such a source is, in words.
pub(super) fn source_word(kind: retrysafe_rules::catalog::SourceKind) -> &'static str {
    use retrysafe_rules::catalog::SourceKind as Kind;
    match kind {
        Kind::Random => "random",
        Kind::Clock => "a clock reading",
        Kind::Environment => "the identity of the process",
        Kind::Attempt => "different on every attempt",
        Kind::Unordered => "in no fixed order",
        Kind::Configuration => "configuration",
    }
}
