//! Expressions to values.

use std::sync::Arc;

use crate::ir::{Expr, ExprId, Literal, Name, Piece};
use crate::resolve::{Callee, Def};

use super::super::node::{ExitKind, Node};
use super::super::value::{Looseness, TextPiece, V, Value, unknown};
use super::Builder;
use super::order::{is_float, is_hashed};
use super::patterns::field;

impl Builder<'_> {
    /// The value of an expression; what it does is pushed as nodes.
    pub(super) fn expr(&mut self, id: ExprId) -> V {
        if !self.tails.contains(&id) {
            return self.plain_expr(id);
        }
        let since = self.mark();
        let value = self.plain_expr(id);
        self.end_with(id, since, &value);
        value
    }

    fn plain_expr(&mut self, id: ExprId) -> V {
        let body = self.body;
        match body.expr(id) {
            Expr::Local(local) => Arc::clone(&self.locals[local.0 as usize]),
            Expr::Receiver if self.has_self => Arc::clone(&self.locals[self.body.locals.len()]),
            Expr::Receiver => unknown(),
            Expr::Path(path) => match self.inference.defs.get(&id) {
                Some(Def::Const(constant)) => Arc::new(Value::Const(*constant)),
                Some(Def::Function(function)) => {
                    let function = *function;
                    self.out.mentioned.push(function);
                    Arc::new(Value::Function(function))
                }
                Some(Def::Extern(path)) => Arc::new(Value::Path(*path)),
                _ => Arc::new(Value::Path(Name::from(&path.text()))),
            },
            Expr::Literal(literal) => Arc::new(Value::Literal(literal.clone())),
            Expr::Call { callee, args } => self.call(id, *callee, args),
            Expr::MethodCall {
                receiver,
                method,
                name_place,
                args,
                ..
            } => self.method_call(id, *receiver, *method, *name_place, args),
            Expr::Macro { path, args } => {
                let written = args.first().copied();
                let places = args.iter().map(|arg| self.place(*arg)).collect();
                let args: Vec<V> = args.iter().map(|arg| self.expr(*arg)).collect();
                if let (Some(target), [_, text]) = (written, args.as_slice())
                    && path
                        .last()
                        .is_some_and(|last| last == "write" || last == "writeln")
                    && self.inference.ty(target).extern_path().as_deref()
                        == Some("std::string::String")
                {
                    self.assign(target, text, true);
                }
                let canonical = match self.inference.callees.get(&id) {
                    Some(Callee::Path(canonical)) => *canonical,
                    _ => Name::from(&path.text()),
                };
                self.foreign_macro(id, canonical, args, places)
            }
            Expr::Format { pieces, diverges } => {
                let pieces = pieces
                    .iter()
                    .map(|piece| match piece {
                        Piece::Text(text) => TextPiece::Text(*text),
                        Piece::Value(value) => TextPiece::Value(self.written(*value)),
                    })
                    .collect();
                if *diverges {
                    self.exit(ExitKind::Diverge, self.place(id), false);
                }
                Arc::new(Value::Format(pieces))
            }
            Expr::Object(entries) => {
                let fields = entries
                    .iter()
                    .map(|(name, value)| (*name, self.expr(*value)))
                    .collect();
                Arc::new(Value::Struct {
                    def: None,
                    name: Name::from("json"),
                    fields,
                    base: None,
                })
            }
            Expr::Field { base, name } => {
                let base = self.expr(*base);
                field(&base, *name)
            }
            Expr::Index { base, index } => {
                let base = self.expr(*base);
                let index = self.expr(*index);
                match (&*base, &*index) {
                    (Value::Array(_), Value::Literal(Literal::Int(position))) => {
                        field(&base, Name::from(&position.to_string()))
                    }
                    _ => Arc::new(Value::Item(base)),
                }
            }
            Expr::Same(inner) => self.expr(*inner),
            Expr::Not(inner) | Expr::Negate(inner) => self.expr(*inner),
            Expr::Binary { op, left, right } => {
                let left = self.expr(*left);
                let right = self.expr(*right);
                Arc::new(Value::Operation(*op, left, right))
            }
            Expr::Assign { target, value, op } => {
                let value = self.expr(*value);
                self.assign(*target, &value, op.is_some());
                unknown()
            }
            Expr::Block(block) => self.block(block),
            Expr::Async(inner) => self.async_block(*inner),
            Expr::Labelled(inner) => {
                let ended = self.ended;
                let broken = std::mem::take(&mut self.broken);
                let (nodes, value) = self.collect(|this| this.expr(*inner));
                let mut values = std::mem::replace(&mut self.broken, broken);
                // A path that breaks out of it goes on behind it.
                self.ended = ended;
                self.push_scope(None, nodes);
                values.push(value);
                super::super::value::either(values)
            }
            Expr::Closure { params, body, .. } => self.closure(id, params, *body),
            Expr::If {
                condition,
                then,
                otherwise,
            } => self.if_expr(self.place(id), *condition, *then, *otherwise),
            Expr::Let { pat, value } => {
                let value = self.expr(*value);
                self.bind(*pat, &value);
                value
            }
            Expr::Match { value, arms } => self.match_expr(self.place(id), *value, arms),
            Expr::Loop { head, body } => self.loop_expr(self.place(id), head, *body),
            Expr::Select(arms) => self.select(self.place(id), arms),
            Expr::Join { futures, fallible } => {
                let since = self.mark();
                let values = futures.iter().map(|future| self.expr(*future)).collect();
                let value = Arc::new(Value::Tuple(values));
                if *fallible {
                    self.may_fail(ExitKind::Try, self.place(id), since, &value, id);
                }
                value
            }
            Expr::Try(inner) => {
                let since = self.mark();
                let value = self.expr(*inner);
                self.may_fail(ExitKind::Try, self.place(id), since, &value, *inner);
                value
            }
            Expr::Await(inner) => {
                self.awaited = Some(*inner);
                self.expr(*inner)
            }
            Expr::Return { value, failure } => {
                let is_error = *failure || value.is_some_and(|value| self.is_error(value));
                let is_final = value.is_some_and(|value| self.gives_up(value));
                if let Some(value) = value.filter(|_| !is_error) {
                    self.note_tails(value);
                }
                let value = value.map_or_else(unknown, |value| self.expr(value));
                if is_error {
                    self.exit(ExitKind::Failure, self.place(id), is_final);
                } else {
                    let is_unit = matches!(&*value, Value::Unknown)
                        || matches!(&*value, Value::Tuple(elems) if elems.is_empty());
                    self.returned.push(value);
                    let kind = if is_unit {
                        ExitKind::Leave
                    } else {
                        ExitKind::Return
                    };
                    self.exit(kind, self.place(id), false);
                }
                unknown()
            }
            Expr::Break(value) => {
                let value = value.map(|value| self.expr(value));
                let kind = match value {
                    Some(_) => ExitKind::Give,
                    None => ExitKind::Break,
                };
                self.broken.extend(value);
                self.exit(kind, self.place(id), false);
                unknown()
            }
            Expr::Continue => {
                self.exit(ExitKind::Continue, self.place(id), false);
                unknown()
            }
            Expr::Struct { path, fields, base } => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| (*name, self.expr(*value)))
                    .collect();
                let base = base.map(|base| self.expr(base));
                let def = self.inference.structs.get(&id).copied();
                let name = Name::from(&path.text());
                Arc::new(Value::Struct {
                    def,
                    name,
                    fields,
                    base,
                })
            }
            Expr::Tuple(elems) => Arc::new(Value::Tuple(
                elems.iter().map(|elem| self.expr(*elem)).collect(),
            )),
            Expr::Array(elems) => Arc::new(Value::Array(
                elems.iter().map(|elem| self.expr(*elem)).collect(),
            )),
            Expr::Range(ends) => {
                for end in ends {
                    self.expr(*end);
                }
                unknown()
            }
            Expr::Unread => unknown(),
        }
    }

    /// A value as it is written into a text.
    fn written(&mut self, id: ExprId) -> V {
        let value = self.expr(id);
        let looseness = match self.inference.ty(id) {
            ty if is_hashed(ty) => Looseness::Unordered,
            ty if is_float(ty) => Looseness::Float,
            _ => return value,
        };
        Arc::new(Value::Loose(value, looseness, self.place(id)))
    }

    /// A `?` or `return` inside leaves the block, not the function.
    fn async_block(&mut self, inner: ExprId) -> V {
        let ended = std::mem::replace(&mut self.ended, false);
        let returned = std::mem::take(&mut self.returned);
        self.note_tails(inner);
        let (nodes, value) = self.collect(|this| this.expr(inner));
        let mut returns = std::mem::replace(&mut self.returned, returned);
        if !self.ended {
            returns.push(value);
        }
        self.ended = ended;
        let gives = super::super::value::either(returns);
        self.push_scope(Some(Arc::clone(&gives)), nodes);
        gives
    }

    fn push_scope(&mut self, gives: Option<V>, nodes: Vec<Node>) {
        // What begins in an async block may end with it.
        if holds_exit(&nodes) || gives.is_some() && !nodes.is_empty() {
            self.push(Node::Scope { gives, nodes });
        } else {
            self.nodes.extend(nodes);
        }
    }

    pub(super) fn assign(&mut self, target: ExprId, value: &V, compound: bool) {
        match self.body.expr(target) {
            Expr::Local(local) => {
                let slot = &mut self.locals[local.0 as usize];
                *slot = if compound {
                    Arc::new(Value::Operation(
                        crate::ir::BinaryOp::Add,
                        Arc::clone(slot),
                        Arc::clone(value),
                    ))
                } else {
                    Arc::clone(value)
                };
            }
            Expr::Same(inner) => self.assign(*inner, value, compound),
            Expr::Field { base, name } => self.assign_field(*base, *name, value),
            // `body["name"] = value`
            Expr::Index { base, index } => {
                if let Expr::Literal(Literal::Str(name)) = self.body.expr(*index) {
                    self.assign_field(*base, *name, value);
                }
            }
            _ => {}
        }
    }

    fn assign_field(&mut self, base: ExprId, name: Name, value: &V) {
        let Some(slot) = self.slot(base) else { return };
        let slot = &mut self.locals[slot];
        // What is assigned to stays what it is.
        let (def, known_as) = match &**slot {
            Value::Struct { def, name, .. } => (*def, *name),
            _ => (None, Name::from("")),
        };
        *slot = Arc::new(Value::Struct {
            def,
            name: known_as,
            fields: vec![(name, Arc::clone(value))],
            base: Some(Arc::clone(slot)),
        });
    }
}

/// Whether some path certainly ends in the nodes.
fn holds_exit(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Exit { kind, .. } => !matches!(kind, ExitKind::Try | ExitKind::Tail),
        Node::Branch { arms, .. } => arms.iter().any(|arm| holds_exit(&arm.nodes)),
        _ => false,
    })
}
