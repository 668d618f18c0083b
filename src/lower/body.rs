//! Bodies: expressions in control structure, locals bound as they are met.

use syn::{Expr as Syn, UnOp};

use crate::ir::{
    Block, Body, Expr, ExprId, LocalId, LoopHead, Name, Pat, PatId, Path, Piece, Place, Stmt, Use,
};

use super::attributes::is_test;
use super::attributes_of::{attributes_of, attributes_of_statement};
use super::context::FileContext;
use super::literals::lower_literal;
use super::marks::{self, On, Ours};
use super::spans;
use super::types::{lower_generic_args, lower_qualified, member_name, name};

/// Lowers one body.
pub(super) struct Lowerer<'f> {
    pub(super) file: &'f mut FileContext,
    pub(super) body: Body,
    /// The visible locals, innermost last.
    pub(super) scope: Vec<(Name, LocalId)>,
    /// Bindings of the first alternative of the patterns being lowered.
    pub(super) shared: Vec<Vec<(Name, LocalId)>>,
}

impl<'f> Lowerer<'f> {
    pub(super) fn new(file: &'f mut FileContext) -> Self {
        Lowerer {
            file,
            body: Body::default(),
            scope: Vec::new(),
            shared: Vec::new(),
        }
    }

    pub(super) fn finish(mut self, root: ExprId) -> Body {
        self.body.root = Some(root);
        self.body.mentions.sort_unstable();
        self.body.mentions.dedup();
        self.body
    }

    pub(super) fn bind(&mut self, name: Name) -> LocalId {
        if let Some(shared) = self.shared.last()
            && let Some((_, local)) = shared.iter().find(|(bound, _)| *bound == name)
        {
            let binding = (name, *local);
            self.scope.push(binding);
            return binding.1;
        }
        let local = LocalId(self.body.locals.len() as u32);
        self.body.locals.push(name);
        self.scope.push((name, local));
        local
    }

    fn lookup(&self, name: Name) -> Option<LocalId> {
        self.scope
            .iter()
            .rev()
            .find(|(bound, _)| *bound == name)
            .map(|(_, local)| *local)
    }

    pub(super) fn push(&mut self, expr: Expr, place: Place) -> ExprId {
        let id = ExprId(self.body.exprs.len() as u32);
        self.body.exprs.push(expr);
        self.body.places.push(place);
        id
    }

    pub(super) fn push_pat(&mut self, pat: Pat) -> PatId {
        let id = PatId(self.body.pats.len() as u32);
        self.body.pats.push(pat);
        id
    }

    pub(super) fn unit(&mut self, place: Place) -> ExprId {
        self.push(Expr::Tuple(Vec::new()), place)
    }

    /// Runs `lower` with the names it binds forgotten afterwards.
    pub(super) fn scoped<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.scope.len();
        let value = lower(self);
        self.scope.truncate(before);
        value
    }

    fn lower_all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Syn>) -> Vec<ExprId> {
        exprs
            .into_iter()
            .map(|expr| self.lower_expr(expr))
            .collect()
    }

    pub(super) fn lower_block(&mut self, block: &syn::Block) -> ExprId {
        let place = spans::between(
            block.brace_token.span.open(),
            block.brace_token.span.close(),
        );
        self.scoped(|this| {
            let lowered = this.lower_stmts(&block.stmts);
            this.push(Expr::Block(lowered), place)
        })
    }

    pub(super) fn lower_stmts(&mut self, stmts: &[syn::Stmt]) -> Block {
        let around = self.import(stmts);
        let mut block = Block::default();
        for (index, stmt) in stmts.iter().enumerate() {
            if is_test(attributes_of_stmt(stmt)) {
                continue;
            }
            let last = index + 1 == stmts.len();
            match stmt {
                syn::Stmt::Local(local) => self.lower_let(local, &mut block),
                syn::Stmt::Item(syn::Item::Use(_)) => {}
                syn::Stmt::Item(item) => {
                    let ours = self.file.ours.clone();
                    self.file.lifted.push((item.clone(), ours));
                }
                syn::Stmt::Expr(expr, semi) => {
                    let id = self.lower_statement(expr);
                    if last && semi.is_none() {
                        block.tail = Some(id);
                    } else {
                        block.stmts.push(Stmt::Expr(id));
                    }
                }
                syn::Stmt::Macro(stmt) => {
                    let id = self.lower_macro(&stmt.mac);
                    self.attach_comments(id, &stmt.attrs);
                    self.attach_attributes(id, &stmt.attrs);
                    if last && stmt.semi_token.is_none() {
                        block.tail = Some(id);
                    } else {
                        block.stmts.push(Stmt::Expr(id));
                    }
                }
            }
        }
        if let Some(around) = around {
            self.file.ours = around;
        }
        block
    }

    /// Reads the imports of a block, which hold in all of it. Gives back the names that our
    /// attributes have around it, where the block adds some.
    fn import(&mut self, stmts: &[syn::Stmt]) -> Option<Ours> {
        let mut uses: Vec<Use> = Vec::new();
        for stmt in stmts {
            match stmt {
                syn::Stmt::Item(syn::Item::Use(item)) if !is_test(&item.attrs) => {
                    super::uses::flatten_use(item, &mut uses);
                }
                _ => {}
            }
        }
        if uses.is_empty() {
            return None;
        }
        let ours = self.file.ours.and_uses(&uses);
        self.body.uses.extend(uses);
        Some(std::mem::replace(&mut self.file.ours, ours))
    }

    pub(super) fn lower_statement(&mut self, expr: &Syn) -> ExprId {
        let attributes = attributes_of_statement(expr);
        let before = self.body.marks.len();
        let id = self.lower_expr(expr);
        // Those of the leftmost operand are meant for the whole.
        for (on, mark) in &mut self.body.marks[before..] {
            if attributes.iter().any(|attr| marks::stands_in(mark, attr)) {
                *on = id;
            }
        }
        self.attach_comments(id, attributes);
        id
    }

    /// Declarations in comments directly above a statement.
    pub(super) fn attach_comments(&mut self, id: ExprId, attributes: &[syn::Attribute]) {
        let line = self.body.place(id).line;
        let first = attributes
            .first()
            .map_or(line, |first| spans::place(first.pound_token.spans[0]).line);
        self.attach_comments_above(id, first.min(line));
        self.attach_comments_above(id, line);
    }

    /// Declarations in comments directly above a line.
    pub(super) fn attach_comments_above(&mut self, id: ExprId, line: u32) {
        let found = self.file.comments.take_above(line);
        let fitting = marks::on_statement(found, &mut self.file.mistakes);
        self.body.marks.extend(fitting.map(|mark| (id, mark)));
    }

    pub(super) fn attach_attributes(&mut self, id: ExprId, attributes: &[syn::Attribute]) {
        if attributes.is_empty() {
            return;
        }
        let file = &mut *self.file;
        let found =
            marks::from_attributes(attributes, On::Statement, &file.ours, &mut file.mistakes);
        self.body
            .marks
            .extend(found.into_iter().map(|mark| (id, mark)));
    }

    pub(super) fn lower_expr(&mut self, expr: &Syn) -> ExprId {
        let id = self.lower_bare(expr);
        self.attach_attributes(id, attributes_of(expr));
        id
    }

    fn lower_bare(&mut self, expr: &Syn) -> ExprId {
        match expr {
            Syn::Lit(literal) => {
                let place = spans::place(literal.lit.span());
                self.push(Expr::Literal(lower_literal(&literal.lit)), place)
            }
            Syn::Path(path) => self.lower_path_expr(path.qself.as_ref(), &path.path),
            Syn::MethodCall(call) => self.lower_method_call(call),
            Syn::Call(call) => self.lower_call(call),
            Syn::Macro(mac) => self.lower_macro(&mac.mac),
            Syn::Field(field) => {
                let base = self.lower_expr(&field.base);
                let end = match &field.member {
                    syn::Member::Named(ident) => ident.span(),
                    syn::Member::Unnamed(index) => index.span,
                };
                let place = self.body.place(base).to(spans::place(end));
                self.push(
                    Expr::Field {
                        base,
                        name: member_name(&field.member),
                    },
                    place,
                )
            }
            Syn::Await(wait) => {
                let base = self.lower_expr(&wait.base);
                let place = self
                    .body
                    .place(base)
                    .to(spans::place(wait.await_token.span));
                self.push(Expr::Await(base), place)
            }
            Syn::Try(attempt) => {
                let inner = self.lower_expr(&attempt.expr);
                let place = self
                    .body
                    .place(inner)
                    .to(spans::place(attempt.question_token.spans[0]));
                self.push(Expr::Try(inner), place)
            }
            Syn::Reference(reference) => {
                let inner = self.lower_expr(&reference.expr);
                let place = spans::place(reference.and_token.spans[0]).to(self.body.place(inner));
                self.push(Expr::Same(inner), place)
            }
            Syn::RawAddr(address) => self.lower_expr(&address.expr),
            Syn::Paren(paren) => self.lower_expr(&paren.expr),
            Syn::Group(group) => self.lower_expr(&group.expr),
            Syn::Cast(cast) => self.lower_expr(&cast.expr),
            Syn::Unary(unary) => {
                let inner = self.lower_expr(&unary.expr);
                let (lowered, span) = match &unary.op {
                    UnOp::Not(token) => (Expr::Not(inner), token.spans[0]),
                    UnOp::Neg(token) => (Expr::Negate(inner), token.spans[0]),
                    UnOp::Deref(token) => (Expr::Same(inner), token.spans[0]),
                    _ => return inner,
                };
                let place = spans::place(span).to(self.body.place(inner));
                self.push(lowered, place)
            }
            Syn::Binary(binary) => self.lower_binary(binary),
            Syn::Assign(assign) => {
                let value = self.lower_expr(&assign.right);
                let target = self.lower_expr(&assign.left);
                let place = self.body.place(target).to(self.body.place(value));
                self.push(
                    Expr::Assign {
                        target,
                        value,
                        op: None,
                    },
                    place,
                )
            }
            Syn::Block(block) if block.label.is_some() => {
                let inner = self.lower_block(&block.block);
                let place = self.body.place(inner);
                self.push(Expr::Labelled(inner), place)
            }
            Syn::Block(block) => self.lower_block(&block.block),
            Syn::Yield(yielded) => match &yielded.expr {
                Some(expr) => self.lower_expr(expr),
                None => self.unit(spans::place(yielded.yield_token.span)),
            },
            Syn::Unsafe(block) => self.lower_block(&block.block),
            Syn::Const(block) => self.lower_block(&block.block),
            Syn::TryBlock(block) => self.lower_block(&block.block),
            Syn::Async(block) => {
                let inner = self.lower_block(&block.block);
                let place = spans::place(block.async_token.span).to(self.body.place(inner));
                self.push(Expr::Async(inner), place)
            }
            Syn::Closure(closure) => self.lower_closure(closure),
            Syn::If(branch) => self.lower_if(branch),
            Syn::Let(binding) => {
                let value = self.lower_expr(&binding.expr);
                let pat = self.lower_pat(&binding.pat);
                let place = spans::place(binding.let_token.span).to(self.body.place(value));
                self.push(Expr::Let { pat, value }, place)
            }
            Syn::Match(matched) => self.lower_match(matched),
            Syn::Loop(looped) => {
                let body = self.lower_block(&looped.body);
                let place = spans::place(looped.loop_token.span).to(self.body.place(body));
                self.push(
                    Expr::Loop {
                        head: LoopHead::Forever,
                        body,
                    },
                    place,
                )
            }
            Syn::While(looped) => self.scoped(|this| {
                let condition = this.lower_expr(&looped.cond);
                let body = this.lower_block(&looped.body);
                let place = spans::place(looped.while_token.span).to(this.body.place(body));
                this.push(
                    Expr::Loop {
                        head: LoopHead::While(condition),
                        body,
                    },
                    place,
                )
            }),
            Syn::ForLoop(looped) => {
                let items = self.lower_expr(&looped.expr);
                self.scoped(|this| {
                    let pat = this.lower_pat(&looped.pat);
                    let body = this.lower_block(&looped.body);
                    let place = spans::place(looped.for_token.span).to(this.body.place(body));
                    this.push(
                        Expr::Loop {
                            head: LoopHead::For { pat, items },
                            body,
                        },
                        place,
                    )
                })
            }
            Syn::Return(returned) => {
                let value = returned.expr.as_ref().map(|expr| self.lower_expr(expr));
                let start = spans::place(returned.return_token.span);
                let place = value.map_or(start, |value| start.to(self.body.place(value)));
                self.push(
                    Expr::Return {
                        value,
                        failure: false,
                    },
                    place,
                )
            }
            Syn::Break(broken) => {
                let value = broken.expr.as_ref().map(|expr| self.lower_expr(expr));
                self.push(Expr::Break(value), spans::place(broken.break_token.span))
            }
            Syn::Continue(token) => {
                self.push(Expr::Continue, spans::place(token.continue_token.span))
            }
            Syn::Struct(literal) => self.lower_struct(literal),
            Syn::Tuple(tuple) => {
                let place = spans::between(
                    tuple.paren_token.span.open(),
                    tuple.paren_token.span.close(),
                );
                let elems = self.lower_all(&tuple.elems);
                self.push(Expr::Tuple(elems), place)
            }
            Syn::Array(array) => {
                let place = spans::between(
                    array.bracket_token.span.open(),
                    array.bracket_token.span.close(),
                );
                let elems = self.lower_all(&array.elems);
                self.push(Expr::Array(elems), place)
            }
            Syn::Repeat(repeat) => {
                let place = spans::between(
                    repeat.bracket_token.span.open(),
                    repeat.bracket_token.span.close(),
                );
                let elems = vec![self.lower_expr(&repeat.expr)];
                self.push(Expr::Array(elems), place)
            }
            Syn::Range(range) => {
                let ends = self.lower_all(range.start.iter().chain(&range.end).map(|end| &**end));
                let place = ends
                    .first()
                    .map_or_else(Place::default, |end| self.body.place(*end));
                self.push(Expr::Range(ends), place)
            }
            Syn::Index(index) => {
                let base = self.lower_expr(&index.expr);
                let place = self
                    .body
                    .place(base)
                    .to(spans::place(index.bracket_token.span.close()));
                let index = self.lower_expr(&index.index);
                self.push(Expr::Index { base, index }, place)
            }
            other => self.push(Expr::Unread, spans::place(spans::any_span(other))),
        }
    }

    pub(super) fn lower_path_expr(
        &mut self,
        qself: Option<&syn::QSelf>,
        path: &syn::Path,
    ) -> ExprId {
        if qself.is_none()
            && let Some(ident) = path.get_ident()
        {
            let place = spans::place(ident.span());
            if ident == "self" {
                return self.push(Expr::Receiver, place);
            }
            if let Some(local) = self.lookup(name(ident)) {
                return self.push(Expr::Local(local), place);
            }
        }
        let lowered = lower_qualified(qself, path);
        let place = lowered.place;
        self.push(Expr::Path(lowered), place)
    }

    fn lower_method_call(&mut self, call: &syn::ExprMethodCall) -> ExprId {
        let receiver = self.lower_expr(&call.receiver);
        let method = name(&call.method);
        self.body.mentions.push(method);
        let generics = call
            .turbofish
            .as_ref()
            .map(lower_generic_args)
            .unwrap_or_default();
        let args = self.lower_all(&call.args);
        let place = self
            .body
            .place(receiver)
            .to(spans::place(call.paren_token.span.close()));
        let name_place = spans::place(call.method.span());
        self.push(
            Expr::MethodCall {
                receiver,
                method,
                name_place,
                generics,
                args,
            },
            place,
        )
    }

    fn lower_call(&mut self, call: &syn::ExprCall) -> ExprId {
        let callee = self.lower_expr(&call.func);
        if let Expr::Path(path) = self.body.expr(callee)
            && let Some(last) = path.last()
        {
            self.body.mentions.push(last);
        }
        let args = self.lower_all(&call.args);
        let place = self
            .body
            .place(callee)
            .to(spans::place(call.paren_token.span.close()));
        self.push(Expr::Call { callee, args }, place)
    }

    pub(super) fn text_piece(&mut self, text: &str, pieces: &mut Vec<Piece>) {
        if !text.is_empty() {
            pieces.push(Piece::Text(Name::from(text)));
        }
    }

    /// A variable named inside a format string.
    pub(super) fn named(&mut self, ident: &str, place: Place) -> ExprId {
        let ident = Name::from(ident);
        let expr = match self.lookup(ident) {
            Some(local) => Expr::Local(local),
            None if ident == "self" => Expr::Receiver,
            None => Expr::Path(Path::plain([ident], place)),
        };
        self.push(expr, place)
    }
}

fn attributes_of_stmt(stmt: &syn::Stmt) -> &[syn::Attribute] {
    match stmt {
        syn::Stmt::Local(local) => &local.attrs,
        syn::Stmt::Item(_) => &[],
        syn::Stmt::Expr(expr, _) => attributes_of_statement(expr),
        syn::Stmt::Macro(stmt) => &stmt.attrs,
    }
}
