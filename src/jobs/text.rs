//! Values as text: what is fixed stands as it is, what varies as `{name}`.

use std::sync::Arc;

use retrysafe_rules::catalog::CallKind;

use crate::ir::{Literal, Name};
use crate::resolve::{Def, Ty};
use crate::sql::{self, Projection};
use crate::timeline::{Apply, Bound, EnvId, TextPiece, Unfolding, V, Value};

/// The longest text that is shown of a value.
const LENGTH: usize = 400;

/// A value as text, and whether all of it is fixed.
pub(super) fn render(unfolding: &Unfolding<'_>, bound: &Bound) -> String {
    let mut text = String::new();
    write(unfolding, bound, 12, &mut text);
    text
}

/// The text of a value, when it begins with something fixed or is fixed altogether.
pub(super) fn fixed(unfolding: &Unfolding<'_>, bound: &Bound) -> Option<String> {
    let head = unfolding.head(bound);
    match &*head.value {
        Value::Literal(Literal::Str(text)) => Some(text.to_string()),
        Value::Format(pieces) => {
            let holds_text = pieces
                .iter()
                .any(|piece| matches!(piece, TextPiece::Text(_)));
            holds_text.then(|| render(unfolding, &head))
        }
        Value::Operation(_, left, right) => {
            let at = |value: &V| Bound {
                value: Arc::clone(value),
                env: head.env,
            };
            let left = fixed(unfolding, &at(left))?;
            Some(left + &render(unfolding, &at(right)))
        }
        Value::Apply(apply)
            if matches!(apply.name.as_str(), "join" | "concat" | "push_str")
                && apply.receiver.is_some() =>
        {
            let text = render(unfolding, &head);
            (text.len() > 2).then_some(text)
        }
        // `String::from_utf8`, `AssertSqlSafe(x)`, `x.as_str()`, `x.trim()`: the text inside.
        Value::Apply(apply) => {
            let inner = match (&apply.receiver, apply.args.as_slice()) {
                (Some(receiver), []) => receiver,
                (None, [only]) => only,
                _ => return None,
            };
            fixed(
                unfolding,
                &Bound {
                    value: Arc::clone(inner),
                    env: head.env,
                },
            )
        }
        Value::Struct { fields, .. } if fields.len() == 1 => fixed(
            unfolding,
            &Bound {
                value: Arc::clone(&fields[0].1),
                env: head.env,
            },
        ),
        _ => None,
    }
}

/// What a value stands for where there is one: `None` has no text.
fn given(unfolding: &Unfolding<'_>, bound: &Bound) -> Bound {
    let heads = unfolding.heads(bound, &mut 400);
    let is_none = |head: &&Bound| matches!(&*head.value, Value::Path(path) if path.rsplit("::").next() == Some("None"));
    let given = heads.iter().find(|head| !is_none(head));
    given.or(heads.first()).unwrap_or(bound).clone()
}

fn write(unfolding: &Unfolding<'_>, bound: &Bound, depth: u32, out: &mut String) {
    if depth == 0 || out.len() > LENGTH {
        return;
    }
    let head = given(unfolding, bound);
    let at = |value: &V| Bound {
        value: Arc::clone(value),
        env: head.env,
    };
    match &*head.value {
        Value::Apply(apply) if let Some(query) = query_of(unfolding, apply, head.env) => {
            // What a query gave has the name that the code or the query gives it.
            let by_code = match &*bound.value {
                Value::Apply(_) => None,
                _ => hole_name(unfolding, bound),
            };
            let name = by_code.or_else(|| column_of(&query, 0));
            push_hole(name.as_deref().unwrap_or_default(), out);
        }
        Value::Literal(literal) => out.push_str(&literal_text(literal)),
        Value::Format(pieces) => {
            for piece in pieces {
                match piece {
                    TextPiece::Text(text) => out.push_str(text),
                    TextPiece::Value(value) => write(unfolding, &at(value), depth - 1, out),
                }
            }
        }
        Value::Path(path) => out.push_str(&path_text(path)),
        Value::Loose(inner, ..) => write(unfolding, &at(inner), depth - 1, out),
        Value::Operation(_, left, right) => {
            write(unfolding, &at(left), depth - 1, out);
            write(unfolding, &at(right), depth - 1, out);
        }
        Value::Array(elems) if elems.len() == 1 => write(unfolding, &at(&elems[0]), depth - 1, out),
        Value::Apply(apply)
            if matches!(apply.name.as_str(), "join" | "concat")
                && is_list(unfolding, apply, head.env) =>
        {
            write_joined(unfolding, apply, head.env, depth, out);
        }
        Value::Apply(apply) => match (&apply.receiver, apply.args.as_slice()) {
            // Conversions and joins show what they convert.
            (Some(receiver), args) if args.len() <= 1 => {
                write(unfolding, &at(receiver), depth - 1, out);
                if let [arg] = args {
                    match apply.name.as_str() {
                        "push_str" => write(unfolding, &at(arg), depth - 1, out),
                        "push" if is_text(&apply.receiver_ty) => {
                            write(unfolding, &at(arg), depth - 1, out);
                        }
                        "join" | "push" | "child" => {
                            if !out.ends_with('/') {
                                out.push('/');
                            }
                            let from = out.len();
                            write(unfolding, &at(arg), depth - 1, out);
                            if out[from..].starts_with('/') {
                                out.remove(from);
                            }
                        }
                        _ => {}
                    }
                }
            }
            // `String::new()` is no text yet.
            (None, _)
                if matches!(
                    apply.path.as_str(),
                    "std::string::String::new" | "std::string::String::with_capacity"
                ) => {}
            (None, [only]) => write(unfolding, &at(only), depth - 1, out),
            // `Mailbox::new(None, address)`: what it is made of says more than that it is made.
            (None, args) if apply.name == "new" => {
                match args.iter().rev().find_map(|arg| named(unfolding, &at(arg))) {
                    Some(name) => push_hole(&name, out),
                    None => push_hole(made(apply), out),
                }
            }
            _ => push_hole(made(apply), out),
        },
        Value::Struct { fields, .. } if fields.len() == 1 => {
            write(unfolding, &at(&fields[0].1), depth - 1, out)
        }
        _ => match hole_name(unfolding, &head) {
            Some(name) => push_hole(&name, out),
            None => push_hole("", out),
        },
    }
}

fn is_text(ty: &Ty) -> bool {
    ty.extern_path()
        .is_some_and(|path| path == "std::string::String")
}

/// The text of the query that a chain begins with: `query_as("SELECT …").fetch_one(pool)`.
fn query_of(unfolding: &Unfolding<'_>, apply: &Apply, env: EnvId) -> Option<String> {
    match &apply.receiver {
        Some(receiver) => match &**receiver {
            Value::Apply(inner) => query_of(unfolding, inner, env),
            _ => None,
        },
        None => {
            let known = unfolding.timelines().known();
            let entry = &known.effect(apply.effect?).entry;
            let text = apply.args.first().filter(|_| entry.kind == CallKind::Sql)?;
            let text = Bound {
                value: Arc::clone(text),
                env,
            };
            fixed(unfolding, &text)
        }
    }
}

/// The name of a column that a query gives, by its position.
fn column_of(query: &str, position: usize) -> Option<String> {
    let statement = sql::read(query).into_iter().find_map(Result::ok)?;
    match statement.projection {
        Projection::Columns(columns) => {
            let column = columns.get(position)?;
            (column != "*").then(|| column.clone())
        }
        _ => None,
    }
}

/// Whether a method is called on a list that is written out.
fn is_list(unfolding: &Unfolding<'_>, apply: &Apply, env: EnvId) -> bool {
    apply.receiver.as_ref().is_some_and(|receiver| {
        let bound = Bound {
            value: Arc::clone(receiver),
            env,
        };
        matches!(&*unfolding.head(&bound).value, Value::Array(_))
    })
}

/// `[a, b].join(separator)` and `[a, b].concat()`.
fn write_joined(
    unfolding: &Unfolding<'_>,
    apply: &Apply,
    env: EnvId,
    depth: u32,
    out: &mut String,
) {
    let Some(receiver) = &apply.receiver else {
        return;
    };
    let list = unfolding.head(&Bound {
        value: Arc::clone(receiver),
        env,
    });
    let Value::Array(elems) = &*list.value else {
        return;
    };
    for (index, elem) in elems.iter().enumerate() {
        if index > 0
            && let Some(separator) = apply.args.first()
        {
            write(
                unfolding,
                &Bound {
                    value: Arc::clone(separator),
                    env,
                },
                depth - 1,
                out,
            );
        }
        write(
            unfolding,
            &Bound {
                value: Arc::clone(elem),
                env: list.env,
            },
            depth - 1,
            out,
        );
    }
}

/// The name of a parameter, a field or what is made of one alone.
fn named(unfolding: &Unfolding<'_>, bound: &Bound) -> Option<String> {
    let head = unfolding.head(bound);
    match &*head.value {
        Value::Param(_) | Value::Field(..) | Value::Item(_) => {
            hole_name(unfolding, &head).filter(|name| name != "self")
        }
        Value::Apply(apply) => {
            let inner = apply.receiver.as_ref().or(match apply.args.as_slice() {
                [only] => Some(only),
                _ => None,
            })?;
            let at = Bound {
                value: Arc::clone(inner),
                env: head.env,
            };
            named(unfolding, &at)
        }
        _ => None,
    }
}

fn push_hole(name: &str, out: &mut String) {
    out.push('{');
    out.push_str(name);
    out.push('}');
}

/// The name of something that varies: a field, a parameter, what a call is called.
pub(super) fn hole_name(unfolding: &Unfolding<'_>, bound: &Bound) -> Option<String> {
    let at = |value: &V| Bound {
        value: Arc::clone(value),
        env: bound.env,
    };
    match &*bound.value {
        Value::Field(base, name) => {
            let numeric = name.chars().all(|c| c.is_ascii_digit());
            if numeric {
                let of_query = match &*unfolding.head(&at(base)).value {
                    Value::Apply(apply) => query_of(unfolding, apply, bound.env),
                    Value::Item(item) => match &**item {
                        Value::Apply(apply) => query_of(unfolding, apply, bound.env),
                        _ => None,
                    },
                    _ => None,
                };
                let position = name.parse().unwrap_or_default();
                match of_query {
                    Some(query) => column_of(&query, position),
                    None => hole_name(unfolding, &at(base)),
                }
            } else {
                Some(name.to_string())
            }
        }
        Value::Param(index) => {
            let function = unfolding.function(bound.env)?;
            let def = &unfolding.timelines().program().function(function).function;
            let position = (*index as usize).checked_sub(usize::from(def.has_self));
            match position {
                None => Some("self".to_owned()),
                Some(position) => def.params.get(position)?.name.map(|name| name.to_string()),
            }
        }
        Value::Item(inner) | Value::Loose(inner, ..) => hole_name(unfolding, &at(inner)),
        Value::Result(_) => None,
        Value::Out(_, _, before) => hole_name(unfolding, &at(before)),
        // A chain is called by what it begins with.
        Value::Apply(apply) if let Some(query) = query_of(unfolding, apply, bound.env) => {
            column_of(&query, 0)
        }
        Value::Apply(apply) => match &apply.receiver {
            Some(receiver) => {
                hole_name(unfolding, &at(receiver)).or_else(|| Some(apply.name.to_string()))
            }
            None => Some(made(apply).to_owned()),
        },
        Value::Function(function) => Some(
            unfolding
                .timelines()
                .program()
                .function(*function)
                .function
                .name
                .to_string(),
        ),
        Value::Path(path) => Some(path_text(path)),
        Value::Struct { def, name, .. } => Some(match def {
            Some(Def::Type(id)) if name == "Self" => {
                let program = unfolding.timelines().program();
                program.types[id.index()].item.name.to_string()
            }
            _ => path_text(&Name::from(without_function(name))),
        }),
        _ => None,
    }
}

/// A path without the function of a type that it ends in: `ActiveModel::from` is about the type.
fn without_function(path: &str) -> &str {
    match path.rsplit_once("::") {
        Some((owner, last))
            if last.starts_with(char::is_lowercase)
                && owner
                    .rsplit("::")
                    .next()
                    .is_some_and(|name| name.starts_with(char::is_uppercase)) =>
        {
            owner
        }
        _ => path,
    }
}

/// What a call makes: constructors are called by their type.
fn made(apply: &Apply) -> &str {
    let mut segments = apply.path.rsplit("::").skip(1);
    match (apply.name.as_str(), segments.next()) {
        ("new" | "default" | "from", Some(owner))
            if owner.starts_with(char::is_uppercase) && apply.receiver.is_none() =>
        {
            owner
        }
        (name, _) => name,
    }
}

pub(super) fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Str(text) | Literal::Other(text) => text.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Bool(value) => value.to_string(),
    }
}

/// A path as a target: `schema::users::table` is the table `users`, `Queue::Mail` is `Mail`.
fn path_text(path: &Name) -> String {
    let mut segments: Vec<&str> = path.split("::").collect();
    if segments.len() > 1
        && matches!(
            segments.last(),
            Some(&"table" | &"Table" | &"Entity" | &"ActiveModel" | &"Model")
        )
    {
        segments.pop();
    }
    segments.last().copied().unwrap_or_default().to_owned()
}
