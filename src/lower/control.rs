//! Expressions with a structure of their own: branches, closures, literals of structs.

use syn::spanned::Spanned;
use syn::{BinOp, Expr as Syn};

use crate::ir::{Arm, BinaryOp, Block, Expr, ExprId, Path, Stmt};

use super::attributes::is_test;
use super::body::Lowerer;
use super::spans;
use super::types::member_name;
use super::types::{lower_qualified, lower_type};

impl Lowerer<'_> {
    pub(super) fn lower_let(&mut self, local: &syn::Local, block: &mut Block) {
        let value = local.init.as_ref().map(|init| self.lower_expr(&init.expr));
        if let Some(value) = value {
            let line = spans::place(local.let_token.span).line;
            self.attach_comments_above(value, line);
            self.attach_comments(value, &local.attrs);
            self.attach_attributes(value, &local.attrs);
        }
        let otherwise = local
            .init
            .as_ref()
            .and_then(|init| init.diverge.as_ref())
            .map(|(_, expr)| self.scoped(|this| this.lower_expr(expr)));
        let ty = match &local.pat {
            syn::Pat::Type(typed) => Some(lower_type(&typed.ty)),
            _ => None,
        };
        let pat = self.lower_pat(&local.pat);
        block.stmts.push(Stmt::Let {
            pat,
            ty,
            value,
            otherwise,
        });
    }

    pub(super) fn lower_binary(&mut self, binary: &syn::ExprBinary) -> ExprId {
        let left = self.lower_expr(&binary.left);
        let right = self.lower_expr(&binary.right);
        let place = self.body.place(left).to(self.body.place(right));
        let (op, assigns) = match &binary.op {
            BinOp::Add(_) => (BinaryOp::Add, false),
            BinOp::Sub(_) => (BinaryOp::Subtract, false),
            BinOp::And(_) => (BinaryOp::And, false),
            BinOp::Or(_) => (BinaryOp::Or, false),
            BinOp::Eq(_) => (BinaryOp::Equal, false),
            BinOp::Ne(_) => (BinaryOp::NotEqual, false),
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => (BinaryOp::Order, false),
            BinOp::AddAssign(_) => (BinaryOp::Add, true),
            BinOp::SubAssign(_) => (BinaryOp::Subtract, true),
            BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_) => (BinaryOp::Arithmetic, true),
            _ => (BinaryOp::Arithmetic, false),
        };
        if assigns {
            self.push(
                Expr::Assign {
                    target: left,
                    value: right,
                    op: Some(op),
                },
                place,
            )
        } else {
            self.push(Expr::Binary { op, left, right }, place)
        }
    }

    pub(super) fn lower_closure(&mut self, closure: &syn::ExprClosure) -> ExprId {
        self.scoped(|this| {
            let types = closure
                .inputs
                .iter()
                .map(|input| match input {
                    syn::Pat::Type(typed) => Some(lower_type(&typed.ty)),
                    _ => None,
                })
                .collect();
            let params = closure
                .inputs
                .iter()
                .map(|input| this.lower_pat(input))
                .collect();
            let body = this.lower_expr(&closure.body);
            let place = spans::place(closure.inputs_begin.spans[0]).to(this.body.place(body));
            this.push(
                Expr::Closure {
                    params,
                    types,
                    body,
                },
                place,
            )
        })
    }

    pub(super) fn lower_if(&mut self, branch: &syn::ExprIf) -> ExprId {
        let (condition, then) = self.scoped(|this| {
            let condition = this.lower_expr(&branch.cond);
            (condition, this.lower_block(&branch.then_branch))
        });
        let otherwise = branch
            .else_branch
            .as_ref()
            .map(|(_, expr)| self.lower_expr(expr));
        let end = self.body.place(otherwise.unwrap_or(then));
        let place = spans::place(branch.if_token.span).to(end);
        self.push(
            Expr::If {
                condition,
                then,
                otherwise,
            },
            place,
        )
    }

    pub(super) fn lower_match(&mut self, matched: &syn::ExprMatch) -> ExprId {
        let value = self.lower_expr(&matched.expr);
        let arms = matched
            .arms
            .iter()
            .filter(|arm| !is_test(&arm.attrs))
            .map(|arm| {
                self.scoped(|this| {
                    let pat = this.lower_pat(&arm.pat);
                    let guard = pattern_guard(&arm.pat).map(|guard| this.lower_expr(guard));
                    let body = this.lower_statement(&arm.body);
                    if !this.file.comments.is_empty() {
                        let first = arm.pat.span().start().line;
                        this.attach_comments_above(body, first as u32);
                    }
                    this.attach_attributes(body, &arm.attrs);
                    Arm { pat, guard, body }
                })
            })
            .collect();
        let place = spans::between(matched.match_token.span, matched.brace_token.span.close());
        self.push(Expr::Match { value, arms }, place)
    }

    pub(super) fn lower_struct(&mut self, literal: &syn::ExprStruct) -> ExprId {
        let path: Path = lower_qualified(literal.qself.as_ref(), &literal.path);
        let fields = literal
            .fields
            .iter()
            .map(|field| {
                let value = self.lower_expr(&field.expr);
                self.attach_attributes(value, &field.attrs);
                (member_name(&field.member), value)
            })
            .collect();
        let base = literal.rest.as_ref().map(|base| self.lower_expr(base));
        let place = path
            .place
            .to(spans::place(literal.brace_token.span.close()));
        self.push(Expr::Struct { path, fields, base }, place)
    }
}

/// The guard of an arm, which the parser keeps in the pattern.
pub(super) fn pattern_guard(pat: &syn::Pat) -> Option<&Syn> {
    match pat {
        syn::Pat::Guard(guard) => Some(&guard.guard),
        _ => None,
    }
}
