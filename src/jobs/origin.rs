//! What a value is made of: what in it differs between attempts, where that is born, and what of
//! the job's input takes part.

use std::sync::Arc;

use retrysafe_rules::catalog::{CallKind, SourceKind};

use crate::ir::{Name, Site};
use crate::resolve::{CallShape, FnId};
use crate::timeline::{Apply, Bound, EnvId, Looseness, TextPiece, Unfolding, V, Value};

use super::input::Input;
use super::period::{cuts_to_day, divides_by_days};

/// How deep a value is looked into.
const DEPTH: u32 = 14;
/// How many terms of a value are looked at.
const TERMS: u32 = 400;

/// Something that differs between attempts.
#[derive(Debug, Clone)]
pub struct Origin {
    /// Why it differs.
    pub kind: SourceKind,
    /// The call that gives it, as code would name it.
    pub what: String,
    /// The call.
    pub site: Option<Site>,
    /// The call as a term, to be found again in what is stored.
    pub(super) made: Option<Arc<Apply>>,
    /// The calls of the workspace that carried it, innermost first: of whom, and where.
    pub carried: Vec<(FnId, Site)>,
    /// Whether it is a clock reading cut to a day or longer.
    pub is_period: bool,
    /// On which paths the value is made of it.
    pub share: Share,
}

impl Origin {
    /// Whether it is a clock reading.
    pub fn is_clock(&self) -> bool {
        self.kind == SourceKind::Clock
    }

    /// Whether it is a random value.
    pub fn is_random(&self) -> bool {
        self.kind == SourceKind::Random
    }
}

/// On which paths a value is made of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// On all that are known.
    Always,
    /// On one of several.
    Sometimes,
    /// Where the input brings nothing in its place.
    Fallback,
}

/// What a value is made of.
#[derive(Debug, Clone, Default)]
pub(super) struct Makings {
    /// What differs between attempts.
    pub(super) origin: Option<Origin>,
    /// Whether anything of the job's input takes part.
    pub(super) input: bool,
    /// Whether anything takes part that belongs to one item of a collection.
    pub(super) item: bool,
    /// Whether anything takes part that was read or answered.
    pub(super) state: bool,
    /// Whether anything takes part that is not known.
    pub(super) unknown: bool,
}

impl Makings {
    /// Whether it is made of constants alone.
    pub(super) fn is_constant(&self) -> bool {
        self.origin.is_none() && !self.input && !self.item && !self.state && !self.unknown
    }
}

/// What is known of the job whose value is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work<'w> {
    /// Its inputs.
    pub(super) inputs: &'w [Input],
    /// Names of what its framework hands in anew for each attempt.
    pub(super) attempt: &'w [Name],
}

/// Looks into a value.
pub(super) fn makings(unfolding: &Unfolding<'_>, work: Work<'_>, bound: &Bound) -> Makings {
    let mut look = Look {
        unfolding,
        work,
        terms: TERMS,
        found: Makings::default(),
    };
    look.visit(bound, DEPTH, How::default());
    look.found
}

/// Why a value differs between attempts, when some part of it does.
pub(super) fn instability(unfolding: &Unfolding<'_>, bound: &Bound) -> Option<SourceKind> {
    let work = Work {
        inputs: &[],
        attempt: &[],
    };
    makings(unfolding, work, bound)
        .origin
        .map(|origin| origin.kind)
}

/// What happens to a value on the way out.
#[derive(Debug, Clone, Copy, Default)]
struct How {
    /// Cut to a day or longer.
    is_period: bool,
    /// Put into an order.
    is_ordered: bool,
    /// One item of it is taken.
    is_item: bool,
}

struct Look<'l, 'a> {
    unfolding: &'l Unfolding<'a>,
    work: Work<'l>,
    terms: u32,
    found: Makings,
}

impl Look<'_, '_> {
    fn visit(&mut self, bound: &Bound, depth: u32, how: How) {
        if depth == 0 || self.terms == 0 {
            self.found.unknown = true;
            return;
        }
        let mut steps = 80;
        let heads = self.unfolding.heads(bound, &mut steps);
        if let [only] = heads.as_slice() {
            self.head(only, depth, how);
            return;
        }
        let before = self.found.origin.take();
        let mut born = None;
        let mut kept = 0;
        let mut given = false;
        for head in &heads {
            self.head(head, depth, how);
            match self.found.origin.take() {
                Some(origin) => born = born.or(Some(origin)),
                None => {
                    kept += 1;
                    given |= matches!(&*head.value, Value::Param(_) | Value::Field(..));
                }
            }
        }
        if let Some(origin) = &mut born
            && kept > 0
        {
            origin.share = if given {
                Share::Fallback
            } else {
                Share::Sometimes
            };
        }
        self.found.origin = before.or(born);
    }

    fn head(&mut self, head: &Bound, depth: u32, how: How) {
        if self.terms == 0 {
            self.found.unknown = true;
            return;
        }
        self.terms -= 1;
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Literal(_) | Value::Function(_) | Value::Closure(_) | Value::Const(_) => {}
            Value::Path(path) => self.path(*path),
            Value::Param(index) => self.param(head, *index),
            Value::ClosureParam(..) => self.found.input = true,
            Value::Format(pieces) => {
                for piece in pieces {
                    if let TextPiece::Value(value) = piece {
                        self.visit(&at(value), depth - 1, how);
                    }
                }
            }
            Value::Field(base, name) => self.field(&at(base), *name, depth, how),
            Value::Item(inner) => {
                self.found.item = true;
                let how = How {
                    is_item: true,
                    ..how
                };
                self.visit(&at(inner), depth - 1, how);
            }
            Value::Struct { fields, base, .. } => {
                for value in fields.iter().map(|(_, value)| value).chain(base) {
                    self.visit(&at(value), depth - 1, how);
                }
            }
            Value::Tuple(elems) | Value::Array(elems) | Value::Either(elems) => {
                for elem in elems {
                    self.visit(&at(elem), depth - 1, how);
                }
            }
            Value::Match(_, arms) => {
                for (_, value) in arms {
                    self.visit(&at(value), depth - 1, how);
                }
            }
            Value::Operation(op, left, right) => {
                let is_period = how.is_period || divides_by_days(self.unfolding, *op, &at(right));
                let how = How { is_period, ..how };
                self.visit(&at(left), depth - 1, how);
                self.visit(&at(right), depth - 1, how);
            }
            Value::Loose(inner, looseness, place) => {
                let what = match looseness {
                    Looseness::Unordered => "a hash map's order",
                    Looseness::Float => "a floating-point number",
                };
                let is_loose = *looseness == Looseness::Float || !how.is_ordered && !how.is_item;
                if is_loose {
                    let site = self.unfolding.site(head.env, *place);
                    self.born(
                        SourceKind::Unordered,
                        what.to_owned(),
                        Some(site),
                        head,
                        how,
                    );
                }
                self.visit(&at(inner), depth - 1, how);
            }
            Value::Result(_) => self.result(head, how),
            Value::Out(_, _, before) => self.visit(&at(before), depth - 1, how),
            Value::Apply(apply) => self.apply(apply, head, depth, how),
            Value::Unknown => self.found.unknown = true,
        }
    }

    fn born(&mut self, kind: SourceKind, what: String, site: Option<Site>, head: &Bound, how: How) {
        if self.found.origin.is_none() {
            self.found.origin = Some(Origin {
                kind,
                what,
                site,
                made: match &*head.value {
                    Value::Apply(apply) => Some(Arc::clone(apply)),
                    _ => None,
                },
                carried: self.unfolding.calls_to(head.env),
                is_period: how.is_period,
                share: Share::Always,
            });
        }
    }

    fn path(&mut self, path: Name) {
        let known = self.unfolding.timelines().known();
        if let Some(source) = known.source_value(path)
            && differs(source.kind)
            && self.found.origin.is_none()
        {
            self.found.origin = Some(Origin {
                kind: source.kind,
                what: short_path(&path),
                site: None,
                made: None,
                carried: Vec::new(),
                is_period: false,
                share: Share::Always,
            });
        }
    }

    /// A parameter that nothing was given for: of the job itself.
    fn param(&mut self, head: &Bound, index: u32) {
        let Some(function) = self.unfolding.function(head.env) else {
            self.found.unknown = true;
            return;
        };
        let def = &self
            .unfolding
            .timelines()
            .program()
            .function(function)
            .function;
        let Some(position) = (index as usize).checked_sub(usize::from(def.has_self)) else {
            self.found.input = true;
            return;
        };
        let Some(param) = def.params.get(position) else {
            self.found.unknown = true;
            return;
        };
        let type_name = match &param.ty {
            crate::ir::TypeRef::Path(path) => path.last(),
            _ => None,
        };
        let by_type = type_name.is_some_and(|name| self.work.attempt.contains(&name));
        if by_type || param.name.is_some_and(|name| self.is_attempt(name)) {
            let what = param.name.map_or_else(String::new, |name| name.to_string());
            self.born(SourceKind::Attempt, what, None, head, How::default());
        } else {
            self.found.input = true;
        }
    }

    fn is_attempt(&self, name: Name) -> bool {
        self.work.attempt.contains(&name)
            || self.unfolding.timelines().known().is_attempt_name(&name)
    }

    fn field(&mut self, base: &Bound, name: Name, depth: u32, how: How) {
        if self.is_attempt(name) {
            self.born(SourceKind::Attempt, name.to_string(), None, base, how);
            return;
        }
        let is_self = matches!(&*base.value, Value::Param(0))
            && self.unfolding.function(base.env).is_some_and(|function| {
                let program = self.unfolding.timelines().program();
                program.function(function).function.has_self
            });
        if is_self {
            // A service of the job, unless the job is its own payload.
            let is_input = self
                .work
                .inputs
                .iter()
                .any(|input| name == input.name.as_str());
            self.found.input |= is_input;
            self.found.unknown |= !is_input;
            return;
        }
        self.visit(base, depth - 1, how);
    }

    /// The result of a function that says whether it is stable, or that is not known.
    fn result(&mut self, head: &Bound, how: How) {
        let timelines = self.unfolding.timelines();
        let functions = self.unfolding.result_of(head);
        let declared = functions
            .iter()
            .find_map(|function| Some((*function, timelines.declared_stability(*function)?)));
        match declared {
            Some((function, false)) => {
                let what = timelines.program().short_name(function);
                self.born(SourceKind::Random, what, None, head, how);
            }
            Some((_, true)) => self.found.state = true,
            None => self.found.unknown = true,
        }
    }

    fn apply(&mut self, apply: &Arc<Apply>, head: &Bound, depth: u32, how: How) {
        let timelines = self.unfolding.timelines();
        let known = timelines.known();
        if apply.takes {
            self.found.input = true;
            return;
        }
        if self.is_attempt(apply.name) && apply.receiver.is_some() {
            let site = self.unfolding.site(head.env, apply.place);
            self.born(
                SourceKind::Attempt,
                apply.name.to_string(),
                Some(site),
                head,
                how,
            );
            return;
        }
        let source = known.source_of(&shape_of(apply));
        if let Some(source) = source.filter(|source| differs(source.kind))
            && !(source.kind == SourceKind::Unordered && (how.is_ordered || how.is_item))
            && !self.is_seeded(apply, head)
        {
            let site = self.unfolding.site(head.env, apply.place);
            self.born(source.kind, short_path(&apply.path), Some(site), head, how);
            return;
        }
        if source.is_some_and(|source| source.kind == SourceKind::Configuration) {
            return;
        }
        // What was read or answered is the same when it is read again.
        if self.is_answer(apply, head) {
            self.found.state = true;
            return;
        }
        // What somebody else answers is no function of what they are asked.
        if apply.is_awaited && apply.receiver.is_some() {
            self.found.unknown = true;
            return;
        }
        let how = How {
            is_period: how.is_period || cuts_to_day(self.unfolding, apply, head),
            is_ordered: how.is_ordered || apply.name.starts_with("sort"),
            ..how
        };
        let parts: Vec<&V> = apply.receiver.iter().chain(&apply.args).collect();
        if parts.is_empty() && !apply.is_macro {
            // A constructor of something empty is a constant; anything else may be anything.
            let is_empty = matches!(
                apply.name.as_str(),
                "new" | "default" | "nil" | "with_capacity"
            );
            self.found.unknown |= !is_empty;
        }
        for part in parts {
            let part = Bound {
                value: Arc::clone(part),
                env: head.env,
            };
            self.visit(&part, depth - 1, how);
        }
    }

    /// Whether a value is what a catalogued call gave, at the end of its builder chain or not.
    fn is_answer(&self, apply: &Arc<Apply>, head: &Bound) -> bool {
        let known = self.unfolding.timelines().known();
        let mut at = Some((Arc::clone(apply), head.env));
        for _ in 0..12 {
            let Some((apply, env)) = at else { return false };
            if let Some(id) = apply.effect {
                return !matches!(known.effect(id).entry.kind, CallKind::Acknowledge);
            }
            at = apply.receiver.as_ref().and_then(|receiver| {
                let from = self.unfolding.head(&Bound {
                    value: Arc::clone(receiver),
                    env,
                });
                applied(self.unfolding, from)
            });
        }
        false
    }

    /// Whether a generator was made from a seed, so that it gives the same again.
    fn is_seeded(&self, apply: &Apply, head: &Bound) -> bool {
        let mut at = apply.receiver.as_ref().map(|receiver| Bound {
            value: Arc::clone(receiver),
            env: head.env,
        });
        for _ in 0..8 {
            let Some(bound) = at else { return false };
            let from = self.unfolding.head(&bound);
            let Value::Apply(made) = &*from.value else {
                return false;
            };
            if made.receiver.is_none() {
                return matches!(made.name.as_str(), "seed_from_u64" | "from_seed");
            }
            at = made.receiver.as_ref().map(|receiver| Bound {
                value: Arc::clone(receiver),
                env: from.env,
            });
        }
        false
    }
}

/// The call that a value is of, or an item or field of what it gave.
fn applied(unfolding: &Unfolding<'_>, mut value: Bound) -> Option<(Arc<Apply>, EnvId)> {
    for _ in 0..4 {
        let inner = match &*value.value {
            Value::Apply(inner) => return Some((Arc::clone(inner), value.env)),
            Value::Item(inner) | Value::Field(inner, _) | Value::Loose(inner, ..) => inner,
            _ => return None,
        };
        value = unfolding.head(&Bound {
            value: Arc::clone(inner),
            env: value.env,
        });
    }
    None
}

fn shape_of(apply: &Apply) -> CallShape<'_> {
    CallShape {
        path: apply.receiver.is_none().then_some(apply.path),
        is_macro: apply.is_macro,
        method: apply.receiver.is_some().then_some(apply.name),
        receiver: apply.receiver_ty.extern_path(),
        unknown_receiver: apply.receiver.is_some() && apply.receiver_ty.is_unknown(),
        arguments: apply.args.len(),
        ..CallShape::default()
    }
}

/// Configuration is the same until the next deployment.
fn differs(kind: SourceKind) -> bool {
    kind != SourceKind::Configuration
}

/// The last two segments of a path, as code would write it.
fn short_path(path: &str) -> String {
    let mut segments: Vec<&str> = path.rsplit("::").take(2).collect();
    segments.reverse();
    segments.join("::")
}

/// What a value from such a source is, in words.
pub(super) fn source_word(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Random => "random",
        SourceKind::Clock => "a clock reading",
        SourceKind::Environment => "the identity of the process",
        SourceKind::Attempt => "different on every attempt",
        SourceKind::Unordered => "in no fixed order",
        SourceKind::Configuration => "configuration",
    }
}
