//! Values by where they come from.

use std::sync::Arc;

use crate::ir::{BinaryOp, ExprId, Literal, Name, Place};
use crate::resolve::{ConstId, Def, EffectId, FnId, Ty};

/// A call within one timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u32);

/// A shared value.
pub type V = Arc<Value>;

/// A value as a term over what the function was given.
#[derive(Debug, Clone)]
pub enum Value {
    /// Not resolved.
    Unknown,
    /// A parameter by position; `self` is the first where there is one.
    Param(u32),
    /// A parameter of a closure in the same body.
    ClosureParam(ExprId, u32),
    /// A literal.
    Literal(Literal),
    /// Text put together.
    Format(Vec<TextPiece>),
    /// A field.
    Field(V, Name),
    /// A struct or variant with its fields; those not given come from the base.
    Struct {
        /// What it builds, when that is resolved.
        def: Option<Def>,
        /// Its name as written, or `json` for an object.
        name: Name,
        /// The fields.
        fields: Vec<(Name, V)>,
        /// Where the other fields come from.
        base: Option<V>,
    },
    /// A tuple.
    Tuple(Vec<V>),
    /// A collection of these.
    Array(Vec<V>),
    /// An item of a collection.
    Item(V),
    /// The result of a call of a function of the workspace, or of a value.
    Result(CallId),
    /// What a call of a function of the workspace left in an argument that it may write: the
    /// argument's position, and what was in it before.
    Out(CallId, u32, V),
    /// The result of a call of another crate's function.
    Apply(Arc<Apply>),
    /// One of several.
    Either(Vec<V>),
    /// What the arm of a match gives that fits: what is matched, and each arm's label and value.
    Match(V, Vec<(Option<Name>, V)>),
    /// A constant of the workspace.
    Const(ConstId),
    /// A path that stands for itself: a unit struct, a variant, a table.
    Path(Name),
    /// A closure of the same body.
    Closure(ExprId),
    /// A function of the workspace.
    Function(FnId),
    /// The same value again may have another text or order: a hash map's items, a float.
    Loose(V, Looseness, Place),
    /// An operation on two values.
    Operation(BinaryOp, V, V),
}

impl Value {
    /// The values that it is made of, one level down; for a match, what the arms give and what
    /// chooses between them.
    pub fn parts(&self) -> Vec<&V> {
        match self {
            Value::Unknown
            | Value::Param(_)
            | Value::ClosureParam(..)
            | Value::Literal(_)
            | Value::Result(_)
            | Value::Const(_)
            | Value::Path(_)
            | Value::Closure(_)
            | Value::Function(_) => Vec::new(),
            Value::Field(inner, _)
            | Value::Item(inner)
            | Value::Out(_, _, inner)
            | Value::Loose(inner, ..) => vec![inner],
            Value::Format(pieces) => pieces
                .iter()
                .filter_map(|piece| match piece {
                    TextPiece::Value(value) => Some(value),
                    TextPiece::Text(_) => None,
                })
                .collect(),
            Value::Struct { fields, base, .. } => {
                fields.iter().map(|(_, value)| value).chain(base).collect()
            }
            Value::Tuple(values) | Value::Array(values) | Value::Either(values) => {
                values.iter().collect()
            }
            Value::Apply(apply) => apply.receiver.iter().chain(&apply.args).collect(),
            Value::Match(on, arms) => std::iter::once(on)
                .chain(arms.iter().map(|(_, value)| value))
                .collect(),
            Value::Operation(_, left, right) => vec![left, right],
        }
    }

    /// Whether it, or one of the values that it is made of so many levels down, is such a one.
    pub fn any(&self, depth: u32, is_it: &dyn Fn(&Value) -> bool) -> bool {
        is_it(self)
            || depth > 0
                && self
                    .parts()
                    .into_iter()
                    .any(|part| part.any(depth - 1, is_it))
    }
}

/// Why a value has no one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looseness {
    /// It is in no fixed order.
    Unordered,
    /// It is a floating-point number.
    Float,
}

/// A piece of a text.
#[derive(Debug, Clone)]
pub enum TextPiece {
    /// Fixed text.
    Text(Name),
    /// A value.
    Value(V),
}

/// A call of another crate's function, method or macro, kept as a term.
#[derive(Debug, Clone)]
pub struct Apply {
    /// The canonical path of a function or macro; for methods `Receiver::method` where the
    /// receiver's type is known, else the method's name alone.
    pub path: Name,
    /// The name of the function, method or macro.
    pub name: Name,
    /// Whether it is a macro.
    pub is_macro: bool,
    /// The receiver of a method.
    pub receiver: Option<V>,
    /// The receiver's type.
    pub receiver_ty: Ty,
    /// The arguments.
    pub args: Vec<V>,
    /// The types of the arguments.
    pub arg_types: Vec<Ty>,
    /// Where the arguments stand; fewer than arguments where a macro was expanded.
    pub arg_places: Vec<Place>,
    /// The type arguments.
    pub generics: Vec<Ty>,
    /// The call from its name to its end.
    pub place: Place,
    /// The effect that the catalogue says it is, or is the beginning of.
    pub effect: Option<EffectId>,
    /// Whether the method's name makes some catalogued builder happen.
    pub is_terminal: bool,
    /// Whether it begins a transaction.
    pub begins: bool,
    /// Whether it ends a transaction.
    pub ends: bool,
    /// Whether it takes a message off a queue.
    pub takes: bool,
    /// Whether only one of several callers gets a yes from it, as from `SET NX`.
    pub is_claim: bool,
    /// Whether it is awaited where it stands.
    pub is_awaited: bool,
}

/// The value of which nothing is known.
pub fn unknown() -> V {
    thread_local! {
        static UNKNOWN: V = Arc::new(Value::Unknown);
    }
    UNKNOWN.with(Arc::clone)
}

/// One of several values; the same value twice counts once.
pub fn either(mut values: Vec<V>) -> V {
    let mut kept: Vec<V> = Vec::with_capacity(values.len());
    for value in values.drain(..) {
        if !kept.iter().any(|known| Arc::ptr_eq(known, &value)) {
            kept.push(value);
        }
    }
    match kept.len() {
        0 => unknown(),
        1 => kept.remove(0),
        _ => Arc::new(Value::Either(kept)),
    }
}
