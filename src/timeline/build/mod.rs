//! One body to its timeline.

mod arguments;
mod calls;
mod control;
mod exprs;
mod foreign;
mod order;
mod outcomes;
mod patterns;
mod returns;
mod unread;

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::ir::{Body, Expr, ExprId, Name, Pat, Place};
use crate::resolve::{FnId, Inference, Known, ModuleId, Program, infer, infer_const};

use super::node::{Node, Timeline};
use super::value::{V, Value, either, unknown};
use returns::gives_outcome;

/// Builds the timeline of a function.
pub fn build(program: &Program, known: &Known, function: FnId) -> Timeline {
    let def = program.function(function);
    let Some(body) = &def.function.body else {
        return Timeline::default();
    };
    let inference = infer(program, known, function);
    let has_self = def.function.has_self;
    let mut builder = Builder::new(program, known, def.module, body, inference, has_self);
    if has_self && def.function.is_self_mut {
        builder.written.push((0, body.locals.len()));
    }
    for (index, param) in def.function.params.iter().enumerate() {
        let position = index as u32 + u32::from(has_self);
        if let Some(pat) = param.pat {
            builder.bind(pat, &Arc::new(Value::Param(position)));
            if let (true, Pat::Bind(local, _)) = (param.is_mut, body.pat(pat)) {
                builder.written.push((position, local.0 as usize));
            }
        }
    }
    if gives_outcome(def.function.returns.as_ref())
        && let Some(root) = body.root
    {
        builder.note_tails(root);
    }
    builder.run()
}

/// Builds the timeline of a constant's value; only what it returns matters.
pub(super) fn build_const(
    program: &Program,
    known: &Known,
    id: crate::resolve::ConstId,
) -> Timeline {
    let def = &program.consts[id.index()];
    let Some(body) = &def.item.value else {
        return Timeline::default();
    };
    let inference = infer_const(program, known, id);
    Builder::new(program, known, def.module, body, inference, false).run()
}

/// The state of building one timeline.
pub(super) struct Builder<'a> {
    program: &'a Program,
    known: &'a Known,
    module: ModuleId,
    body: &'a Body,
    inference: Inference,
    has_self: bool,
    /// The present value of each local, and at the end that of the receiver.
    locals: Vec<V>,
    /// The parameters that the function may write, by position, and their slots in `locals`.
    written: Vec<(u32, usize)>,
    /// The list of nodes being filled.
    nodes: Vec<Node>,
    /// What `return` gave so far.
    returned: Vec<V>,
    /// Whether the present path has ended.
    ended: bool,
    /// What `break` gave so far in the present labelled block.
    broken: Vec<V>,
    /// The guard of the arm being built.
    guard: Option<V>,
    /// The call that is awaited where it stands.
    awaited: Option<ExprId>,
    /// The statement whose value is dropped, while it is being built.
    dropped: Option<ExprId>,
    /// The calls whose outcome is that of the body, closure or block around them.
    tails: FxHashSet<ExprId>,
    /// Closures that only tell something of an item, and never fail.
    telling: FxHashSet<ExprId>,
    /// The places of the foreign calls met so far.
    met: Vec<Place>,
    /// The calls whose error some `?` inside the present expression already passes on.
    settled: FxHashSet<Place>,
    loops: Vec<(Place, bool)>,
    within: Vec<Place>,
    /// Traits of other crates in scope.
    imported: Vec<Name>,
    out: Timeline,
}

impl<'a> Builder<'a> {
    fn new(
        program: &'a Program,
        known: &'a Known,
        module: ModuleId,
        body: &'a Body,
        inference: Inference,
        has_self: bool,
    ) -> Self {
        let mut locals = vec![unknown(); body.locals.len()];
        locals.push(Arc::new(Value::Param(0)));
        Builder {
            program,
            known,
            module,
            body,
            inference,
            has_self,
            locals,
            written: Vec::new(),
            nodes: Vec::new(),
            returned: Vec::new(),
            ended: false,
            guard: None,
            broken: Vec::new(),
            awaited: None,
            dropped: None,
            tails: FxHashSet::default(),
            telling: FxHashSet::default(),
            met: Vec::new(),
            settled: FxHashSet::default(),
            loops: Vec::new(),
            within: Vec::new(),
            imported: program.imported_traits(module, known),
            out: Timeline::default(),
        }
    }

    fn run(mut self) -> Timeline {
        let Some(root) = self.body.root else {
            return self.out;
        };
        let value = self.expr(root);
        if !self.ended {
            self.returned.push(value);
        }
        self.out.nodes = std::mem::take(&mut self.nodes);
        self.out.returns = Some(either(std::mem::take(&mut self.returned)));
        for (position, slot) in &self.written {
            let value = &self.locals[*slot];
            if !matches!(**value, Value::Param(same) if same == *position) {
                self.out.outs.push((*position, Arc::clone(value)));
            }
        }
        self.out.acts = !self.out.feeds.is_empty()
            || acts(&self.out.nodes)
            || self
                .out
                .closures
                .values()
                .any(|closure| acts(&closure.nodes));
        self.out
    }

    /// The slot of the local or receiver that an expression names.
    fn slot(&self, id: ExprId) -> Option<usize> {
        match self.body.expr(id) {
            Expr::Local(local) => Some(local.0 as usize),
            Expr::Receiver if self.has_self => Some(self.body.locals.len()),
            Expr::Same(inner) => self.slot(*inner),
            _ => None,
        }
    }

    fn place(&self, id: ExprId) -> Place {
        self.body.place(id)
    }

    fn push(&mut self, node: Node) {
        self.nodes.push(node);
    }

    /// Runs `fill` with an empty list of nodes and gives what it filled in.
    fn collect<T>(&mut self, fill: impl FnOnce(&mut Self) -> T) -> (Vec<Node>, T) {
        let outer = std::mem::take(&mut self.nodes);
        let value = fill(self);
        let inner = std::mem::replace(&mut self.nodes, outer);
        (inner, value)
    }
}

/// Whether anything in the nodes matters to a map by itself, calls of known functions aside.
fn acts(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Extern(_) | Node::Transaction { .. } | Node::Unread { .. } => true,
        Node::Call(_) | Node::Exit { .. } => false,
        Node::Branch { arms, .. } => arms.iter().any(|arm| acts(&arm.nodes)),
        Node::Loop { nodes, .. } | Node::Regime { nodes, .. } | Node::Scope { nodes, .. } => {
            acts(nodes)
        }
    })
}
