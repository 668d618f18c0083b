//! Calls of which nothing is known although their names speak of an effect: gaps.

use crate::ir::{Gap, GapKind, Name, Place};
use crate::resolve::{Callee, Ty};

use super::super::node::Node;
use super::super::value::{V, Value};
use super::Builder;

/// First words of names that speak of a change to the world outside.
const VERBS: &[&str] = &[
    "put",
    "patch",
    "create",
    "insert",
    "update",
    "upsert",
    "delete",
    "remove",
    "write",
    "save",
    "store",
    "enqueue",
    "schedule",
    "execute",
    "emit",
    "invoke",
    "register",
    "cancel",
    "provision",
    "deploy",
    "terminate",
];

/// Those that speak of something sent, paid or handed over.
const SENDING: &[&str] = &[
    "send", "post", "publish", "notify", "charge", "pay", "refund", "transfer", "upload", "submit",
    "call", "deliver",
];

impl Builder<'_> {
    /// Notes an awaited method call that nothing is known of.
    pub(super) fn note_unread_method(
        &mut self,
        callee: &Callee,
        receiver: &Ty,
        bounds: &[Name],
        (method, place): (Name, Place),
        value: &V,
    ) {
        if !is_telling(&method) || begins_with_effect(value) {
            return;
        }
        let path = receiver.extern_path().or_else(|| bounds.first().copied());
        match path {
            Some(path) => self.note_crate(&path, method, place),
            None if matches!(callee, Callee::Unknown | Callee::Derived(_))
                && !matches!(receiver, Ty::Callable(_)) =>
            {
                let message = match receiver {
                    Ty::Adt(id, _) => {
                        let name = self.program.types[id.index()].item.name;
                        format!("`{method}` of `{name}` is not found; it may have an effect")
                    }
                    _ => format!("`{method}` on a value of unknown type may have an effect"),
                };
                self.note(GapKind::UnknownReceiver, place, message);
            }
            None => {}
        }
    }

    /// Notes an awaited call of a function of another crate that nothing is known of.
    pub(super) fn note_unread_function(&mut self, path: Name, name: Name, place: Place) {
        if is_telling(&name) {
            self.note_crate(&path, name, place);
        }
    }

    /// Whether a path leads to another crate of which the catalogue says nothing.
    pub(super) fn is_silent(&self, path: &str) -> bool {
        let externs = &self.program.crate_of(self.module).externs;
        externs.contains_key(&Name::from(root_of(path))) && !self.known.speaks_of(path)
    }

    fn note_crate(&mut self, path: &str, name: Name, place: Place) {
        if self.known.speaks_of(path) {
            return;
        }
        if !self.is_silent(path) {
            // What a macro made, or an import that leads nowhere.
            let message = format!("`{name}` of `{path}` is not found; it may have an effect");
            self.note(GapKind::UnknownReceiver, place, message);
            return;
        }
        let kind = if SENDING.contains(&first_word(&name)) {
            GapKind::UnknownSend
        } else {
            GapKind::UnknownCrate
        };
        let root = root_of(path);
        let message =
            format!("`{name}` of `{root}`, which the catalogue does not know, may have an effect");
        self.note(kind, place, message);
    }

    fn note(&mut self, kind: GapKind, place: Place, message: String) {
        self.push(Node::Unread { place });
        self.out.gaps.push(Gap {
            kind,
            place,
            message,
        });
    }
}

/// The crate that a path begins with.
fn root_of(path: &str) -> &str {
    path.split("::").next().unwrap_or(path)
}

fn first_word(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

fn is_telling(name: &str) -> bool {
    let first = first_word(name);
    VERBS.contains(&first) || SENDING.contains(&first)
}

/// Whether a chain of calls begins with a catalogued effect, or with code that it runs: then
/// what it does is known.
pub(super) fn begins_with_effect(value: &V) -> bool {
    match &**value {
        Value::Closure(_) | Value::Function(_) => true,
        Value::Apply(apply) => {
            apply.effect.is_some() || apply.receiver.as_ref().is_some_and(begins_with_effect)
        }
        _ => false,
    }
}
