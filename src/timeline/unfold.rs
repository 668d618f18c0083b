//! Splicing: a job's timeline, with every call in its place.
//!
//! Nothing is copied: a call opens an environment in which the callee's own terms are read.
//! A closure's environment stands inside that of the body that made it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use retrysafe_rules::catalog::Regime;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{ExprId, FileId, Gap, GapKind, Name, Place, Site};
use crate::resolve::{FnId, Ty};

use super::node::{Call, CallId, CallTarget, ExitKind, Node, Timeline};
use super::store::Timelines;
use super::value::{Apply, V, Value};

/// How many nodes a job may have before the rest is a gap.
const NODES: u32 = 60_000;
/// How deep calls may nest before the rest is a gap.
const DEPTH: usize = 48;
/// How many times one function is spliced into a job: further calls would show the same effects
/// again, at the same places.
const TIMES: u32 = 200;
/// How many steps the reading of one value may take.
const STEPS: u32 = 400;

/// An environment of an unfolding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EnvId(u32);

/// A term and where its parameters are known.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The term.
    pub value: V,
    /// Its environment.
    pub env: EnvId,
}

struct Env<'a> {
    timeline: &'a Timeline,
    function: Option<FnId>,
    args: Vec<Bound>,
    generics: Vec<Ty>,
    results: FxHashMap<CallId, Vec<Bound>>,
    /// The closure that runs here, inside the environment that made it.
    closure: Option<(ExprId, EnvId)>,
}

/// The circumstances of a happening.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Loops around it, those of callers included.
    pub loops: u32,
    /// Whether a task was started for it.
    pub spawned: bool,
    /// Whether an in-process retry stands around it.
    pub retried: bool,
    /// Whether it is a recorded step.
    pub step: bool,
    /// Whether a transaction is open, by begin or by closure.
    pub in_transaction: bool,
    /// Whether a closure bounds that transaction.
    pub in_closure_transaction: bool,
    /// Whether a branch or an early return before it may skip it.
    pub guarded: bool,
    /// Whether every call on the way is certain.
    pub certain: bool,
    /// Functions from the entry to here.
    pub route: Option<Rc<Route>>,
}

/// A step of a route, with the steps before it.
#[derive(Debug)]
pub struct Route {
    /// The function.
    pub function: FnId,
    /// Where it was called.
    pub call: Option<Site>,
    /// The steps before.
    pub before: Option<Rc<Route>>,
}

/// What kind of thing happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HappeningKind {
    /// A call that the catalogue knows.
    Call,
    /// A function that a mark declares to be an effect.
    Marked(FnId),
}

/// Something that happens on a job's timeline.
#[derive(Debug, Clone)]
pub struct Happening {
    /// What kind of thing.
    pub kind: HappeningKind,
    /// The call.
    pub apply: Option<Arc<Apply>>,
    /// Where its terms are known.
    pub env: EnvId,
    /// Where it stands.
    pub site: Site,
    /// Its circumstances.
    pub context: Context,
}

/// A job's timeline being spliced together.
pub struct Unfolding<'a> {
    timelines: &'a Timelines<'a>,
    envs: RefCell<Vec<Env<'a>>>,
    stack: Vec<FnId>,
    nodes: u32,
    open: u32,
    invoked: FxHashSet<(EnvId, ExprId)>,
    entered: FxHashMap<FnId, u32>,
    only_arm: Option<(Place, Name)>,
    /// What happens, in order.
    pub happenings: Vec<Happening>,
    /// What could not be followed.
    pub gaps: Vec<(FileId, Gap)>,
}

impl std::fmt::Debug for Unfolding<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unfolding")
            .field("happenings", &self.happenings.len())
            .finish_non_exhaustive()
    }
}

impl<'a> Unfolding<'a> {
    /// Unfolds a function from the top.
    pub fn of_function(
        timelines: &'a Timelines<'a>,
        entry: FnId,
        only_arm: Option<(Place, Name)>,
    ) -> Self {
        let mut unfolding = Unfolding::new(timelines, only_arm);
        let timeline = timelines.get(entry);
        let env = unfolding.new_env(timeline, Some(entry), Vec::new(), Vec::new(), None);
        unfolding.stack.push(entry);
        let context = Context {
            certain: true,
            route: Some(route(entry, None, None)),
            ..Context::default()
        };
        unfolding.gaps_of(entry);
        unfolding.walk(&timeline.nodes, env, &context);
        unfolding
    }

    /// Unfolds a part of a function: a closure or a loop, by its place.
    pub fn of_part(timelines: &'a Timelines<'a>, entry: FnId, part: Place) -> Self {
        let mut unfolding = Unfolding::new(timelines, None);
        let timeline = timelines.get(entry);
        let env = unfolding.new_env(timeline, Some(entry), Vec::new(), Vec::new(), None);
        unfolding.stack.push(entry);
        let context = Context {
            certain: true,
            route: Some(route(entry, None, None)),
            ..Context::default()
        };
        unfolding.gaps_of(entry);
        let closure = timeline
            .closures
            .iter()
            .find(|(_, closure)| closure.place == part);
        match closure {
            Some((id, closure)) => {
                let inner = unfolding.closure_env(env, *id, Vec::new());
                unfolding.walk(&closure.nodes, inner, &context);
            }
            None => {
                let mut lists = vec![&timeline.nodes];
                lists.extend(timeline.closures.values().map(|closure| &closure.nodes));
                if let Some(nodes) = lists.into_iter().find_map(|nodes| find_loop(nodes, part)) {
                    unfolding.walk(nodes, env, &context);
                }
            }
        }
        unfolding
    }

    fn new(timelines: &'a Timelines<'a>, only_arm: Option<(Place, Name)>) -> Self {
        Unfolding {
            timelines,
            envs: RefCell::new(Vec::new()),
            stack: Vec::new(),
            nodes: 0,
            open: 0,
            invoked: FxHashSet::default(),
            entered: FxHashMap::default(),
            only_arm,
            happenings: Vec::new(),
            gaps: Vec::new(),
        }
    }

    /// The store behind it.
    pub fn timelines(&self) -> &'a Timelines<'a> {
        self.timelines
    }

    fn new_env(
        &self,
        timeline: &'a Timeline,
        function: Option<FnId>,
        args: Vec<Bound>,
        generics: Vec<Ty>,
        closure: Option<(ExprId, EnvId)>,
    ) -> EnvId {
        let mut envs = self.envs.borrow_mut();
        let id = EnvId(envs.len() as u32);
        envs.push(Env {
            timeline,
            function,
            args,
            generics,
            results: FxHashMap::default(),
            closure,
        });
        id
    }

    fn closure_env(&self, around: EnvId, closure: ExprId, args: Vec<Bound>) -> EnvId {
        let (timeline, function, generics) = self.with(around, |env| {
            (env.timeline, env.function, env.generics.clone())
        });
        self.new_env(timeline, function, args, generics, Some((closure, around)))
    }

    /// Looks into an environment; what it gives must not borrow from it.
    fn with<T>(&self, env: EnvId, look: impl FnOnce(&Env<'a>) -> T) -> T {
        look(&self.envs.borrow()[env.0 as usize])
    }

    fn timeline_of(&self, env: EnvId) -> &'a Timeline {
        self.with(env, |env| env.timeline)
    }

    fn file(&self, env: EnvId) -> FileId {
        match self.with(env, |env| env.function) {
            Some(function) => self.timelines.program().function(function).file,
            None => FileId(0),
        }
    }

    /// A place in an environment's file.
    pub fn site(&self, env: EnvId, place: Place) -> Site {
        Site {
            file: self.file(env),
            place,
        }
    }

    fn gap(&mut self, env: EnvId, kind: GapKind, place: Place, message: String) {
        let file = self.file(env);
        let gap = Gap {
            kind,
            place,
            message,
        };
        if !self
            .gaps
            .iter()
            .any(|(at, known)| *at == file && *known == gap)
        {
            self.gaps.push((file, gap));
        }
    }

    fn gaps_of(&mut self, function: FnId) {
        let file = self.timelines.program().function(function).file;
        for gap in &self.timelines.get(function).gaps {
            if !self
                .gaps
                .iter()
                .any(|(at, known)| *at == file && known == gap)
            {
                self.gaps.push((file, gap.clone()));
            }
        }
    }

    /// Walks nodes in order. Gives how the path ends in them, when it certainly does.
    fn walk(&mut self, nodes: &'a [Node], env: EnvId, context: &Context) -> Option<ExitKind> {
        let mut context = context.clone();
        for node in nodes {
            self.nodes += 1;
            if self.nodes > NODES {
                if self.nodes == NODES + 1 {
                    let place = node_place(node);
                    self.gap(
                        env,
                        GapKind::Budget,
                        place,
                        "the job is too large: the rest is not followed".to_owned(),
                    );
                }
                return None;
            }
            context.in_transaction = self.open > 0 || context.in_closure_transaction;
            match node {
                Node::Call(id) => self.call(*id, env, &context),
                Node::Extern(apply) => self.extern_call(apply, env, &context),
                Node::Branch { place, on, arms } => {
                    let chosen = match self.only_arm.filter(|(at, _)| at == place) {
                        Some((_, label)) => Some(
                            (0..arms.len())
                                .filter(|index| arms[*index].label == Some(label))
                                .collect(),
                        ),
                        None if arms.iter().any(|arm| arm.label.is_some()) => {
                            let labels = arms.iter().map(|arm| arm.label);
                            self.chosen_arms(
                                &Bound {
                                    value: Arc::clone(on),
                                    env,
                                },
                                labels,
                                &mut 60,
                            )
                        }
                        None => None,
                    };
                    let mut inner = context.clone();
                    let may_guard = self.depends_on_state(
                        &Bound {
                            value: Arc::clone(on),
                            env,
                        },
                        8,
                    );
                    let decided = chosen.as_ref().is_some_and(|chosen| chosen.len() == 1);
                    inner.guarded |= !decided && may_guard;
                    let before = self.open;
                    let mut after = Vec::new();
                    let mut may_skip = false;
                    for (index, arm) in arms.iter().enumerate() {
                        if chosen
                            .as_ref()
                            .is_some_and(|chosen| !chosen.contains(&index))
                        {
                            continue;
                        }
                        self.open = before;
                        let mut inner = inner.clone();
                        inner.guarded |= arm.guard.as_ref().is_some_and(|guard| {
                            self.depends_on_state(
                                &Bound {
                                    value: Arc::clone(guard),
                                    env,
                                },
                                8,
                            )
                        });
                        let ended = self.walk(&arm.nodes, env, &inner);
                        if ended.is_some() {
                            may_skip |= ends_quietly(&arm.nodes);
                        } else {
                            after.push(self.open);
                        }
                    }
                    self.open = after.into_iter().min().unwrap_or(before);
                    context.guarded |= may_skip && may_guard;
                }
                Node::Loop { nodes, .. } => {
                    let mut inner = context.clone();
                    inner.loops += 1;
                    self.walk(nodes, env, &inner);
                }
                Node::Regime { regime, nodes, .. } => {
                    let mut inner = context.clone();
                    match regime {
                        Regime::Spawned => inner.spawned = true,
                        Regime::Retried => inner.retried = true,
                        Regime::Step => inner.step = true,
                        Regime::Loop => inner.loops += 1,
                        Regime::Timeout => {}
                    }
                    self.walk(nodes, env, &inner);
                }
                Node::Transaction { nodes, .. } => {
                    let mut inner = context.clone();
                    inner.in_closure_transaction = true;
                    self.walk(nodes, env, &inner);
                }
                Node::Scope { is_async, nodes } => {
                    let ended = self.walk(nodes, env, &context);
                    if !is_async && ended.is_some_and(|kind| kind != ExitKind::Break) {
                        return ended;
                    }
                }
                Node::Exit { kind, .. } => match kind {
                    ExitKind::Try => {}
                    kind => return Some(*kind),
                },
            }
        }
        None
    }

    fn call(&mut self, id: CallId, env: EnvId, context: &Context) {
        let timeline = self.timeline_of(env);
        let call = &timeline.calls[id.0 as usize];
        let mut context = context.clone();
        context.certain &= call.certain;
        match &call.target {
            CallTarget::Value(value) => {
                let args: Vec<Bound> = call
                    .args
                    .iter()
                    .map(|arg| Bound {
                        value: Arc::clone(arg),
                        env,
                    })
                    .collect();
                self.invoke(
                    id,
                    &Bound {
                        value: Arc::clone(value),
                        env,
                    },
                    args,
                    env,
                    &context,
                );
            }
            _ => {
                let opened = self.results_of(id, env);
                for (function, inner) in opened {
                    self.enter(function, inner, call, env, &context);
                }
                self.leftover_closures(call, env, &context);
            }
        }
    }

    /// The callees of a call with their environments, opened anew.
    fn results_of(&self, id: CallId, env: EnvId) -> Vec<(FnId, EnvId)> {
        let timeline = self.timeline_of(env);
        let call = &timeline.calls[id.0 as usize];
        let functions = self.targets(call, env);
        let args: Vec<Bound> = call
            .args
            .iter()
            .map(|arg| Bound {
                value: Arc::clone(arg),
                env,
            })
            .collect();
        let generics: Vec<Ty> = self.with(env, |env| {
            call.generics
                .iter()
                .map(|ty| ty.substitute(&env.generics))
                .collect()
        });
        let mut opened = Vec::with_capacity(functions.len());
        let mut results = Vec::with_capacity(functions.len());
        for function in functions {
            let callee = self.timelines.get(function);
            let inner = self.new_env(callee, Some(function), args.clone(), generics.clone(), None);
            opened.push((function, inner));
            if let Some(returns) = &callee.returns {
                results.push(Bound {
                    value: Arc::clone(returns),
                    env: inner,
                });
            }
        }
        self.set_results(env, id, results);
        opened
    }

    fn set_results(&self, env: EnvId, id: CallId, results: Vec<Bound>) {
        self.envs.borrow_mut()[env.0 as usize]
            .results
            .insert(id, results);
    }

    fn targets(&self, call: &Call, env: EnvId) -> Vec<FnId> {
        match &call.target {
            CallTarget::Functions(functions) => functions.clone(),
            CallTarget::Dispatch {
                param,
                trait_id,
                method,
            } => {
                let ty = self.with(env, |env| {
                    env.generics
                        .get(*param as usize)
                        .cloned()
                        .unwrap_or_default()
                });
                self.timelines.program().dispatch(&ty, *trait_id, *method)
            }
            CallTarget::Value(_) => Vec::new(),
        }
    }

    fn enter(&mut self, function: FnId, inner: EnvId, call: &Call, env: EnvId, context: &Context) {
        let program = self.timelines.program();
        let marked = program
            .function(function)
            .function
            .marks
            .iter()
            .any(|mark| matches!(mark.value, retrysafe_rules::grammar::Mark::Effect(_)));
        let site = self.site(env, call.place);
        if marked {
            self.happenings.push(Happening {
                kind: HappeningKind::Marked(function),
                apply: None,
                env: inner,
                site,
                context: context.clone(),
            });
            return;
        }
        if !self.timelines.acts(function) && !self.takes_closure(call, env) {
            return;
        }
        let takes_closure = self.takes_closure(call, env);
        // A function that runs what it is given may well be given itself.
        let allowed = if takes_closure { 3 } else { 1 };
        if self
            .stack
            .iter()
            .filter(|entered| **entered == function)
            .count()
            >= allowed
        {
            // One of several that a call may mean is often a wrapper around the others.
            let others = self.targets(call, env).len() > 1;
            if others || takes_closure || !self.timelines.acts(function) {
                return;
            }
            let name = program.short_name(function);
            self.gap(
                env,
                GapKind::Recursion,
                call.place,
                format!("`{name}` calls itself on this route"),
            );
            return;
        }
        if self.stack.len() >= DEPTH {
            self.gap(
                env,
                GapKind::Budget,
                call.place,
                "the route is too deep to follow".to_owned(),
            );
            return;
        }
        let times = self.entered.entry(function).or_default();
        *times += 1;
        if *times > TIMES {
            if *times == TIMES + 1 {
                let name = program.short_name(function);
                let message = format!("`{name}` is called too often to follow every call");
                self.gap(env, GapKind::Budget, call.place, message);
            }
            return;
        }
        self.gaps_of(function);
        let mut deeper = context.clone();
        deeper.route = Some(route(function, Some(site), context.route.clone()));
        deeper.step |= is_step(program, function);
        let open = self.open;
        self.stack.push(function);
        let timeline = self.timelines.get(function);
        self.walk(&timeline.nodes, inner, &deeper);
        self.stack.pop();
        // A transaction that the callee began and did not hand out ends with it.
        if self.open > open && !self.hands_out_transaction(inner) {
            self.open = open;
        }
    }

    fn takes_closure(&self, call: &Call, env: EnvId) -> bool {
        call.args.iter().any(|arg| {
            matches!(&**arg, Value::Closure(_) | Value::Function(_))
                || matches!(&**arg, Value::Param(_) | Value::ClosureParam(..))
                    && self
                        .head(&Bound {
                            value: Arc::clone(arg),
                            env,
                        })
                        .value
                        .is_closure()
        })
    }

    fn hands_out_transaction(&self, inner: EnvId) -> bool {
        let Some(returns) = &self.timeline_of(inner).returns else {
            return false;
        };
        let mut steps = STEPS;
        self.holds_transaction(
            &Bound {
                value: Arc::clone(returns),
                env: inner,
            },
            3,
            &mut steps,
        )
    }

    fn holds_transaction(&self, bound: &Bound, depth: u32, steps: &mut u32) -> bool {
        self.heads(bound, steps)
            .iter()
            .any(|head| match &*head.value {
                Value::Apply(apply) => apply.begins,
                Value::Struct { fields, .. } if depth > 0 => fields.iter().any(|(_, value)| {
                    self.holds_transaction(
                        &Bound {
                            value: Arc::clone(value),
                            env: head.env,
                        },
                        depth - 1,
                        steps,
                    )
                }),
                _ => false,
            })
    }

    /// Closures that were handed to a function which never called them where we could see.
    fn leftover_closures(&mut self, call: &Call, env: EnvId, context: &Context) {
        for arg in &call.args {
            if let Value::Closure(id) = &**arg
                && !self.invoked.contains(&(env, *id))
            {
                let bound = Bound {
                    value: Arc::clone(arg),
                    env,
                };
                self.invoke_closure(*id, &bound, Vec::new(), context);
            }
        }
    }

    fn invoke(
        &mut self,
        id: CallId,
        called: &Bound,
        args: Vec<Bound>,
        env: EnvId,
        context: &Context,
    ) {
        let mut steps = STEPS;
        let mut results = Vec::new();
        for head in self.heads(called, &mut steps) {
            match &*head.value {
                Value::Closure(closure) => {
                    results.extend(self.invoke_closure(*closure, &head, args.clone(), context));
                }
                Value::Function(function) => {
                    let callee = self.timelines.get(*function);
                    let inner =
                        self.new_env(callee, Some(*function), args.clone(), Vec::new(), None);
                    if let Some(returns) = &callee.returns {
                        results.push(Bound {
                            value: Arc::clone(returns),
                            env: inner,
                        });
                    }
                    let timeline = self.timeline_of(env);
                    let call = &timeline.calls[id.0 as usize];
                    self.enter(*function, inner, call, env, context);
                }
                _ => {}
            }
        }
        self.set_results(env, id, results);
    }

    fn invoke_closure(
        &mut self,
        id: ExprId,
        head: &Bound,
        args: Vec<Bound>,
        context: &Context,
    ) -> Option<Bound> {
        let timeline = self.timeline_of(head.env);
        let closure = timeline.closures.get(&id)?;
        self.invoked.insert((head.env, id));
        let inner = self.closure_env(head.env, id, args);
        if self.stack.len() < DEPTH {
            // A closure that runs itself again does so through its own function.
            let depth = self.stack.len();
            if let Some(function) = self.with(head.env, |env| env.function) {
                self.stack.push(function);
            }
            self.walk(&closure.nodes, inner, context);
            self.stack.truncate(depth);
        }
        Some(Bound {
            value: Arc::clone(&closure.returns),
            env: inner,
        })
    }

    fn extern_call(&mut self, apply: &Arc<Apply>, env: EnvId, context: &Context) {
        if apply.begins {
            self.open += 1;
            return;
        }
        if apply.ends {
            self.open = self.open.saturating_sub(1);
            return;
        }
        if apply.effect.is_none() && !apply.is_terminal {
            return;
        }
        self.happenings.push(Happening {
            kind: HappeningKind::Call,
            apply: Some(Arc::clone(apply)),
            env,
            site: self.site(env, apply.place),
            context: context.clone(),
        });
    }

    /// What a term stands for, as far as one answer is known.
    pub fn head(&self, bound: &Bound) -> Bound {
        let mut steps = STEPS;
        self.heads(bound, &mut steps)
            .into_iter()
            .next()
            .unwrap_or_else(|| bound.clone())
    }

    /// Everything that a term may stand for.
    pub fn heads(&self, bound: &Bound, steps: &mut u32) -> Vec<Bound> {
        if *steps == 0 {
            return vec![bound.clone()];
        }
        *steps -= 1;
        let at = |value: &V, env: EnvId| Bound {
            value: Arc::clone(value),
            env,
        };
        let stuck = || vec![bound.clone()];
        match &*bound.value {
            Value::Param(index) => {
                let env = self.function_env(bound.env);
                match self.with(env, |env| env.args.get(*index as usize).cloned()) {
                    Some(arg) => self.heads(&arg, steps),
                    None => stuck(),
                }
            }
            Value::ClosureParam(id, index) => match self.closure_arg(bound.env, *id, *index) {
                Some(arg) => self.heads(&arg, steps),
                None => stuck(),
            },
            Value::Result(call) => {
                let results = self.results(bound.env, *call, steps);
                if results.is_empty() {
                    return stuck();
                }
                results
                    .iter()
                    .flat_map(|result| self.heads(result, steps))
                    .collect()
            }
            Value::Match(on, arms) => {
                let chosen = self.chosen_arms(
                    &at(on, bound.env),
                    arms.iter().map(|(label, _)| *label),
                    steps,
                );
                arms.iter()
                    .enumerate()
                    .filter(|(index, _)| {
                        chosen.as_ref().is_none_or(|chosen| chosen.contains(index))
                    })
                    .flat_map(|(_, (_, value))| self.heads(&at(value, bound.env), steps))
                    .collect()
            }
            Value::Either(values) => values
                .iter()
                .flat_map(|value| self.heads(&at(value, bound.env), steps))
                .collect(),
            Value::Const(id) => {
                let timeline = self.timelines.constant(*id);
                match &timeline.returns {
                    // A constant's term has no parameters, so any environment will do.
                    Some(returns) => self.heads(&at(returns, bound.env), steps),
                    None => stuck(),
                }
            }
            Value::Field(base, name) => {
                let mut found = Vec::new();
                for head in self.heads(&at(base, bound.env), steps) {
                    found.extend(self.field(&head, *name, steps));
                }
                if found.is_empty() { stuck() } else { found }
            }
            Value::Item(inner) => {
                let mut found = Vec::new();
                for head in self.heads(&at(inner, bound.env), steps) {
                    if let Value::Array(elems) = &*head.value {
                        for elem in elems {
                            found.extend(self.heads(&at(elem, head.env), steps));
                        }
                    }
                }
                if found.is_empty() { stuck() } else { found }
            }
            _ => stuck(),
        }
    }

    fn field(&self, head: &Bound, name: Name, steps: &mut u32) -> Vec<Bound> {
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Struct { fields, base, .. } => {
                match fields.iter().find(|(given, _)| *given == name) {
                    Some((_, value)) => self.heads(&at(value), steps),
                    None => match base {
                        Some(base) => {
                            let inner = Value::Field(Arc::clone(base), name);
                            self.heads(
                                &Bound {
                                    value: Arc::new(inner),
                                    env: head.env,
                                },
                                steps,
                            )
                        }
                        None => Vec::new(),
                    },
                }
            }
            Value::Tuple(elems) => match name
                .parse::<usize>()
                .ok()
                .and_then(|index| elems.get(index))
            {
                Some(value) => self.heads(&at(value), steps),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Whether what decides a branch may be state that a first run has changed: what a call gave,
    /// as against the payload and constants alone.
    fn depends_on_state(&self, on: &Bound, depth: u32) -> bool {
        if depth == 0 {
            return true;
        }
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: on.env,
        };
        let any = |values: &[V]| {
            values
                .iter()
                .any(|value| self.depends_on_state(&at(value), depth - 1))
        };
        match &*on.value {
            Value::Param(index) => {
                let env = self.function_env(on.env);
                self.with(env, |env| env.args.get(*index as usize).cloned())
                    .is_some_and(|arg| self.depends_on_state(&arg, depth - 1))
            }
            Value::ClosureParam(id, index) => self
                .closure_arg(on.env, *id, *index)
                .is_none_or(|arg| self.depends_on_state(&arg, depth - 1)),
            Value::Literal(_)
            | Value::Const(_)
            | Value::Path(_)
            | Value::Function(_)
            | Value::Closure(_)
            | Value::Format(_) => false,
            Value::Field(base, _) | Value::Item(base) => {
                self.depends_on_state(&at(base), depth - 1)
            }
            Value::Operation(_, left, right) => {
                self.depends_on_state(&at(left), depth - 1)
                    || self.depends_on_state(&at(right), depth - 1)
            }
            Value::Tuple(elems) | Value::Array(elems) | Value::Either(elems) => any(elems),
            Value::Struct { fields, base, .. } => fields
                .iter()
                .map(|(_, value)| value)
                .chain(base)
                .any(|value| self.depends_on_state(&at(value), depth - 1)),
            Value::Match(matched, arms) => {
                self.depends_on_state(&at(matched), depth - 1)
                    || arms
                        .iter()
                        .any(|(_, value)| self.depends_on_state(&at(value), depth - 1))
            }
            // A function of ours that only computes.
            Value::Result(call) => {
                let results = self.results(on.env, *call, &mut 60);
                results.is_empty()
                    || results
                        .iter()
                        .any(|result| self.depends_on_state(result, depth - 1))
            }
            // `payload.name.starts_with("x")`: a view of a plain value.
            Value::Apply(apply) => match (&apply.receiver, apply.receiver_ty.extern_path()) {
                (Some(receiver), Some(path)) if path.starts_with("std::") => {
                    self.depends_on_state(&at(receiver), depth - 1) || any(&apply.args)
                }
                _ => true,
            },
            Value::Unknown => true,
        }
    }

    /// The arms of a branch that fit what is known of the value it is on; `None` when that is
    /// not enough to choose.
    fn chosen_arms(
        &self,
        on: &Bound,
        labels: impl Iterator<Item = Option<Name>> + Clone,
        steps: &mut u32,
    ) -> Option<Vec<usize>> {
        // Outcomes are looked through, so their variants are not seen in values.
        let outcome = |label: Option<Name>| label.is_some_and(|label| label.starts_with('?'));
        if labels.clone().any(outcome) {
            return None;
        }
        let mut chosen = Vec::new();
        for head in self.heads(on, steps) {
            let variant = match &*head.value {
                Value::Struct {
                    def: Some(crate::resolve::Def::Variant(..)),
                    name,
                    ..
                }
                | Value::Path(name) => Name::from(name.rsplit("::").next().unwrap_or(name)),
                Value::Literal(crate::ir::Literal::Str(text)) => *text,
                _ => return None,
            };
            let fits = |label: &Option<Name>| {
                label.is_some_and(|label| label.split('|').any(|name| name == variant.as_str()))
            };
            let before = chosen.len();
            chosen.extend(
                labels
                    .clone()
                    .enumerate()
                    .filter(|(_, label)| fits(label))
                    .map(|(index, _)| index),
            );
            if chosen.len() == before {
                // No arm is for it by name: one without a name takes it, when there is one.
                // A path may be a constant, whose value nobody knows.
                if matches!(&*head.value, Value::Path(_)) {
                    return None;
                }
                let others: Vec<usize> = labels
                    .clone()
                    .enumerate()
                    .filter(|(_, label)| label.is_none())
                    .map(|(index, _)| index)
                    .collect();
                if others.is_empty() {
                    return None;
                }
                chosen.extend(others);
            }
        }
        (!chosen.is_empty()).then_some(chosen)
    }

    fn function_env(&self, mut env: EnvId) -> EnvId {
        while let Some((_, around)) = self.with(env, |env| env.closure) {
            env = around;
        }
        env
    }

    fn closure_arg(&self, mut env: EnvId, id: ExprId, index: u32) -> Option<Bound> {
        loop {
            let (closure, around) = self.with(env, |env| env.closure)?;
            if closure == id {
                return self.with(env, |env| env.args.get(index as usize).cloned());
            }
            env = around;
        }
    }

    /// What a call gave; opened now where the walk has passed it by.
    fn results(&self, env: EnvId, call: CallId, steps: &mut u32) -> Vec<Bound> {
        let mut at = env;
        loop {
            let found = self.with(at, |env| (env.results.get(&call).cloned(), env.closure));
            match found {
                (Some(results), _) => return results,
                (None, Some((_, around))) => at = around,
                (None, None) => break,
            }
        }
        match &self.timeline_of(env).calls[call.0 as usize].target {
            CallTarget::Value(value) => {
                let args = self.timeline_of(env).calls[call.0 as usize].args.iter();
                let args: Vec<Bound> = args
                    .map(|arg| Bound {
                        value: Arc::clone(arg),
                        env,
                    })
                    .collect();
                let results = self.values_of(
                    &Bound {
                        value: Arc::clone(value),
                        env,
                    },
                    &args,
                    steps,
                );
                self.set_results(env, call, results);
            }
            _ => {
                self.results_of(call, env);
            }
        }
        self.with(env, |env| env.results.get(&call).cloned())
            .unwrap_or_default()
    }

    /// What a closure or function gives for these arguments.
    fn values_of(&self, called: &Bound, args: &[Bound], steps: &mut u32) -> Vec<Bound> {
        self.heads(called, steps)
            .into_iter()
            .filter_map(|head| match &*head.value {
                Value::Closure(id) => {
                    let closure = self.timeline_of(head.env).closures.get(id)?;
                    let inner = self.closure_env(head.env, *id, args.to_vec());
                    Some(Bound {
                        value: Arc::clone(&closure.returns),
                        env: inner,
                    })
                }
                Value::Function(function) => {
                    let callee = self.timelines.get(*function);
                    let inner =
                        self.new_env(callee, Some(*function), args.to_vec(), Vec::new(), None);
                    callee.returns.as_ref().map(|returns| Bound {
                        value: Arc::clone(returns),
                        env: inner,
                    })
                }
                _ => None,
            })
            .collect()
    }

    /// Every function that the routes pass through, in order.
    pub fn visited(&self) -> Vec<FnId> {
        let mut functions: Vec<FnId> = self.entered.keys().copied().collect();
        functions.sort_unstable();
        functions
    }

    /// The function whose parameters a term is over.
    pub fn function(&self, env: EnvId) -> Option<FnId> {
        self.with(env, |env| env.function)
    }
}

impl Value {
    fn is_closure(&self) -> bool {
        matches!(self, Value::Closure(_))
    }
}

fn route(function: FnId, call: Option<Site>, before: Option<Rc<Route>>) -> Rc<Route> {
    Rc::new(Route {
        function,
        call,
        before,
    })
}

fn is_step(program: &crate::resolve::Program, function: FnId) -> bool {
    let marks = &program.function(function).function.marks;
    marks
        .iter()
        .any(|mark| matches!(mark.value, retrysafe_rules::grammar::Mark::Step))
}

fn find_loop(nodes: &[Node], part: Place) -> Option<&Vec<Node>> {
    nodes.iter().find_map(|node| match node {
        Node::Loop { place, nodes, .. } if *place == part => Some(nodes),
        Node::Loop { nodes, .. } | Node::Regime { nodes, .. } | Node::Transaction { nodes, .. } => {
            find_loop(nodes, part)
        }
        Node::Branch { arms, .. } => arms.iter().find_map(|arm| find_loop(&arm.nodes, part)),
        _ => None,
    })
}

/// Whether the nodes end in a return that is no failure: the job's way of saying "done already".
fn ends_quietly(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| {
        matches!(
            node,
            Node::Exit {
                kind: ExitKind::Return | ExitKind::Leave | ExitKind::Continue | ExitKind::Break,
                ..
            }
        )
    })
}

fn node_place(node: &Node) -> Place {
    match node {
        Node::Extern(apply) => apply.place,
        Node::Branch { place, .. }
        | Node::Loop { place, .. }
        | Node::Regime { place, .. }
        | Node::Transaction { place, .. }
        | Node::Exit { place, .. } => *place,
        Node::Call(_) | Node::Scope { .. } => Place::default(),
    }
}
