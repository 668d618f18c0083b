//! Idempotency keys: whether a call carries one, and whether it is the same on every attempt.

use std::sync::Arc;

use retrysafe_rules::catalog::{EffectEntry, KeySlot};

use crate::ir::{Place, Site};
use crate::timeline::{Bound, EnvId, TextPiece, Unfolding, V, Value};

use super::http;
use super::origin::{Makings, Origin, Work, makings};
use super::part::{Operation, field_of, is_left_out};
use super::text::{fixed, render};

/// A key that a call carries.
#[derive(Debug, Clone)]
pub struct Key {
    /// Its text, what varies as `{name}`.
    pub text: String,
    /// What it is made of, spelled out, where all of that is known: equal for equal keys only.
    pub identity: Option<String>,
    /// The key's expression at the call.
    pub site: Option<Site>,
    /// What in it differs between attempts.
    pub origin: Option<Origin>,
    /// What tells one piece of work from another.
    pub tells: Tells,
    /// Whether anything of the work takes part in the rest of the call.
    pub beside_input: bool,
    /// Whether it is set on some paths only.
    pub is_partial: bool,
}

/// What a key tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tells {
    /// Something: of the input, of what was read, or not known.
    Something,
    /// Nothing: it is a constant.
    Nothing,
    /// Nothing of the item that the call is about.
    NoItem,
}

/// What is called, as far as it bears on where a key can stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Called<'c> {
    /// The entry of the catalogue.
    pub(super) entry: &'c EffectEntry,
    /// The URL, where it is a request.
    pub(super) url: Option<&'c str>,
    /// Whether money is moved: such a service keeps names of the work without looking at them.
    pub(super) moves_money: bool,
}

/// The key of a call, when one of the slots for it is filled.
pub(super) fn key_of(
    unfolding: &Unfolding<'_>,
    work: Work<'_>,
    operation: &Operation,
    called: Called<'_>,
) -> Option<Key> {
    let filled = |operation: &Operation| filled(unfolding, work, operation, called);
    let Filled {
        value: bound,
        place,
        makings,
        is_reference,
    } = filled(operation)?;
    let tells = if is_reference {
        // Nobody is known to drop a second one under it.
        Tells::Something
    } else if makings.is_constant() {
        Tells::Nothing
    } else if !makings.item
        && !makings.unknown
        && !makings.state
        && takes(unfolding, work, operation, &|makings| makings.item)
    {
        Tells::NoItem
    } else {
        Tells::Something
    };
    Some(Key {
        text: render(unfolding, &bound),
        identity: identity(unfolding, &bound, 12),
        site: place.map(|(env, place)| unfolding.site(env, place)),
        origin: makings.origin,
        tells,
        beside_input: takes(unfolding, work, operation, &|makings| {
            makings.input || makings.item || makings.state
        }),
        is_partial: ways(unfolding, operation)
            .iter()
            .any(|way| filled(way).is_none()),
    })
}

/// A slot for a key that is filled.
struct Filled {
    value: Bound,
    place: Option<(EnvId, Place)>,
    makings: Makings,
    is_reference: bool,
}

/// The first slot that is filled.
fn filled(
    unfolding: &Unfolding<'_>,
    work: Work<'_>,
    operation: &Operation,
    called: Called<'_>,
) -> Option<Filled> {
    let of_requests = &unfolding.timelines().known().request_keys;
    let of_requests = of_requests.iter().filter(|_| called.entry.by_url);
    let counts = |slot: &&KeySlot| {
        let is_there = || {
            let url = called.url.unwrap_or_default();
            slot.hosts.is_empty() || slot.hosts.iter().any(|host| http::is_at(url, host))
        };
        let is_ignored = slot.consumer_side || slot.reference && called.moves_money;
        !is_ignored && is_there()
    };
    called
        .entry
        .keys
        .iter()
        .chain(of_requests)
        .filter(counts)
        .find_map(|slot| {
            let (value, place) = slot_value(unfolding, operation, slot)?;
            let makings = makings(unfolding, work, &value);
            let is_stable = makings.origin.is_none() && !makings.is_constant();
            (is_stable || !slot.reference).then_some(Filled {
                value,
                place,
                makings,
                is_reference: slot.reference,
            })
        })
}

/// The ways in which a builder chain may have come about, where a variable holds one of several:
/// each as an operation of its own.
fn ways(unfolding: &Unfolding<'_>, operation: &Operation) -> Vec<Operation> {
    let mut at = operation.terminal.receiver.as_ref().map(|receiver| Bound {
        value: Arc::clone(receiver),
        env: operation.env,
    });
    for _ in 0..12 {
        let Some(bound) = at else { break };
        // `if let Some(key) = key { request.header(…, key) }`: whether there is one is the caller's.
        if let Value::Match(_, arms) = &*bound.value
            && arms
                .iter()
                .any(|(label, _)| label.is_some_and(|label| label.starts_with('?')))
        {
            return Vec::new();
        }
        let heads = unfolding.heads(&bound, &mut 40);
        if heads.len() > 1 {
            return heads
                .into_iter()
                .filter_map(|head| match &*head.value {
                    Value::Apply(apply) => Some(Operation {
                        terminal: Arc::clone(apply),
                        env: head.env,
                        ..operation.clone()
                    }),
                    _ => None,
                })
                .collect();
        }
        at = heads.first().and_then(|head| match &*head.value {
            Value::Apply(apply) => apply.receiver.as_ref().map(|receiver| Bound {
                value: Arc::clone(receiver),
                env: head.env,
            }),
            _ => None,
        });
    }
    Vec::new()
}

/// What a value is made of, spelled out; nothing where some of that is not known.
fn identity(unfolding: &Unfolding<'_>, bound: &Bound, depth: u32) -> Option<String> {
    if depth == 0 {
        return None;
    }
    let heads = unfolding.heads(bound, &mut 40);
    let [head] = heads.as_slice() else {
        let all: Option<Vec<String>> = heads
            .iter()
            .map(|head| identity_of_head(unfolding, head, depth))
            .collect();
        return Some(format!("({})", all?.join("|")));
    };
    identity_of_head(unfolding, head, depth)
}

fn identity_of_head(unfolding: &Unfolding<'_>, head: &Bound, depth: u32) -> Option<String> {
    let below = |value: &V| {
        let at = Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        identity(unfolding, &at, depth - 1)
    };
    match &*head.value {
        Value::Literal(literal) => Some(format!("{literal:?}")),
        Value::Path(path) => Some(path.to_string()),
        Value::Param(index) => Some(format!("{:?}.{index}", head.env)),
        Value::Field(base, name) => Some(format!("{}.{name}", below(base)?)),
        Value::Item(inner) => Some(format!("{}[]", below(inner)?)),
        Value::Format(pieces) => pieces
            .iter()
            .map(|piece| match piece {
                TextPiece::Text(text) => Some(text.to_string()),
                TextPiece::Value(value) => Some(format!("{{{}}}", below(value)?)),
            })
            .collect(),
        Value::Tuple(values) | Value::Array(values) => {
            let all: Option<Vec<String>> = values.iter().map(below).collect();
            Some(format!("({})", all?.join(",")))
        }
        Value::Operation(op, left, right) => {
            Some(format!("({} {op:?} {})", below(left)?, below(right)?))
        }
        Value::Apply(apply) => {
            let parts: Option<Vec<String>> = apply
                .receiver
                .iter()
                .chain(&apply.args)
                .map(below)
                .collect();
            Some(format!("{}({})", apply.path, parts?.join(",")))
        }
        _ => None,
    }
}

/// Whether any argument of the call is made of something.
fn takes(
    unfolding: &Unfolding<'_>,
    work: Work<'_>,
    operation: &Operation,
    of: &dyn Fn(&Makings) -> bool,
) -> bool {
    let mut found = false;
    operation.search_shared(unfolding, &mut |apply, env| {
        // When and on which connection it goes out is not what it is about.
        if is_setting(&apply.name) || Arc::ptr_eq(apply, &operation.terminal) {
            return false;
        }
        found |= apply.args.iter().any(|arg| {
            let arg = Bound {
                value: Arc::clone(arg),
                env,
            };
            of(&makings(unfolding, work, &arg))
        });
        found
    });
    found
}

/// Whether a builder method says when or where something runs, not what it is about.
fn is_setting(name: &str) -> bool {
    [
        "delay", "schedule", "run_at", "backoff", "retries", "attempts", "priority", "channel",
        "queue", "timeout",
    ]
    .iter()
    .any(|word| name.contains(word))
}

fn slot_value(
    unfolding: &Unfolding<'_>,
    operation: &Operation,
    slot: &KeySlot,
) -> Option<(Bound, Option<(EnvId, Place)>)> {
    let (found, place) = if let Some(part) = &slot.part {
        operation.located(unfolding, part)?
    } else if !slot.headers.is_empty() {
        header_value(unfolding, operation, &slot.headers)?
    } else {
        body_field(unfolding, operation, slot)?
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
    // `if let Some(key) = &options.key { … }`, and no key was given.
    if is_left_out(unfolding, &found) {
        return None;
    }
    if !slot.unless.is_empty() {
        let text = render(unfolding, &found);
        if slot.unless.contains(&text) {
            return None;
        }
    }
    Some((found, place))
}

/// The value of a header, wherever in the chain it is set: `.header(name, value)`,
/// `.headers(map)` with `map.insert(name, value)`, a tuple.
fn header_value(
    unfolding: &Unfolding<'_>,
    operation: &Operation,
    headers: &[String],
) -> Option<(Bound, Option<(EnvId, Place)>)> {
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
            let place = apply.arg_places.last().copied();
            found = Some((value, place.map(|place| (env, place))));
        }
        found.is_some()
    });
    found
}

/// The value of a field of the body, wherever in the chain the body is given: a struct, an object,
/// or a map that is filled by and by.
fn body_field(
    unfolding: &Unfolding<'_>,
    operation: &Operation,
    slot: &KeySlot,
) -> Option<(Bound, Option<(EnvId, Place)>)> {
    // What is further down may be a name for something else.
    let depth = if slot.reference { 0 } else { 3 };
    let mut found = None;
    operation.search(unfolding, &mut |apply, env| {
        let bound = |value: &V| Bound {
            value: Arc::clone(value),
            env,
        };
        if let [name, value] = apply.args.as_slice()
            && apply.name == "insert"
            && fixed(unfolding, &bound(name)).is_some_and(|name| slot.fields.contains(&name))
        {
            let place = apply.arg_places.last().copied();
            found = Some((bound(value), place.map(|place| (env, place))));
            return true;
        }
        for (index, arg) in apply.args.iter().enumerate() {
            let value = slot
                .fields
                .iter()
                .find_map(|field| field_of(unfolding, &bound(arg), field, depth));
            if let Some(value) = value {
                let place = apply.arg_places.get(index);
                found = Some((value, place.map(|place| (env, *place))));
                return true;
            }
        }
        false
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
