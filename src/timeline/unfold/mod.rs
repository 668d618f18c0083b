//! Splicing: a job's timeline, with every call in its place.
//!
//! Nothing is copied: a call opens an environment in which the callee's own terms are read.
//! A closure's environment stands inside that of the body that made it.

mod bound;
mod branches;
mod calls;
mod moment;
mod order;
mod settings;
mod values;
mod walk;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{ExprId, FileId, Gap, GapKind, Name, Place, Site};
use crate::resolve::{ConstId, FnId, Ty};

use super::node::Timeline;
use super::store::Timelines;
use super::value::CallId;
use super::value::{Apply, Value};

pub use bound::{Bound, EnvId};
pub use moment::{ArmStep, Begin, Decision, Fallible, Follows, Frame, Moment, Settled, TurnStep};
use moment::{Counters, Ends};

/// How many nodes a job may have before the rest is a gap.
const NODES: u32 = 60_000;
/// How deep calls may nest before the rest is a gap.
const DEPTH: usize = 48;
/// How many times one function is spliced into a job: further calls would show the same effects
/// again, at the same places.
const TIMES: u32 = 200;
/// How many times a function is spliced in whatever it costs.
const FEW: u32 = 24;
/// How many nodes the calls of one function may have in all before further calls are left out.
const SHARE: u32 = 10_000;
/// How many steps the reading of one value may take.
const STEPS: u32 = 400;

/// What the calls of a function have cost.
#[derive(Debug, Default)]
struct Entries {
    times: u32,
    nodes: u32,
    /// Whether a gap says that further calls are left out.
    told: bool,
}

struct Env<'a> {
    timeline: &'a Timeline,
    function: Option<FnId>,
    args: Vec<Bound>,
    generics: Vec<Ty>,
    results: FxHashMap<CallId, Vec<Bound>>,
    /// What calls left in arguments that they may write.
    outs: FxHashMap<(CallId, u32), Vec<Bound>>,
    /// The closure that runs here, inside the environment that made it.
    closure: Option<(ExprId, EnvId)>,
    /// Where the body is called.
    caller: Option<(EnvId, Place)>,
}

/// The circumstances of a happening.
#[derive(Debug, Clone)]
pub struct Context {
    /// When it happens.
    pub moment: Moment,
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
    /// What decides whether it happens: conditions that state may change.
    pub guards: Option<Rc<GuardStep>>,
    /// Whether every call on the way is certain.
    pub certain: bool,
    /// The task that nobody waits for, when it runs in one.
    pub detached: Option<Site>,
    /// Where the transaction around it begins.
    pub transaction: Option<Begin>,
    /// Functions from the entry to here.
    pub route: Option<Rc<Route>>,
}

/// A condition that decides whether something happens, with those before it.
#[derive(Debug)]
pub struct GuardStep {
    /// What decides.
    pub on: Bound,
    /// The branch.
    pub site: Site,
    /// Whether the job ends with an error where it does not happen.
    pub fails: bool,
    /// The conditions before.
    pub before: Option<Rc<GuardStep>>,
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
    constants: RefCell<FxHashMap<ConstId, EnvId>>,
    stack: Vec<FnId>,
    nodes: u32,
    open: u32,
    invoked: FxHashSet<(EnvId, ExprId)>,
    entered: FxHashMap<FnId, Entries>,
    only_arm: Option<(Place, Name)>,
    counters: Counters,
    /// How the paths of arms end, where they certainly do.
    ends: Ends,
    /// The loops that are left at the end of their first turn.
    only_turns: FxHashSet<u32>,
    /// Where it is asked for: what decided between the values met on the way to a value.
    choices: RefCell<Option<Vec<Bound>>>,
    /// The tasks that go on for as long as they are given something.
    followers: FxHashSet<Site>,
    /// Where the open transaction began.
    begun: Option<Begin>,
    /// What decides between arms, in order: when, and with which labels.
    pub decisions: Vec<Decision>,
    /// Where transactions end, by commit, rollback or the end of their closure.
    pub settled: Vec<Settled>,
    /// Where a body may end with an error, whatever becomes of that.
    pub errors: Vec<Fallible>,
    /// Where the job may end with an error.
    pub fallible: Vec<Fallible>,
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
        let (env, context) = unfolding.enter_at_top(entry);
        unfolding.walk(&timeline.nodes, env, &context);
        unfolding
    }

    /// Unfolds a part of a function: a closure or a loop, by its place.
    pub fn of_part(timelines: &'a Timelines<'a>, entry: FnId, part: Place) -> Self {
        let mut unfolding = Unfolding::new(timelines, None);
        let timeline = timelines.get(entry);
        let (env, context) = unfolding.enter_at_top(entry);
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
                if let Some(nodes) = timeline.loop_at(part) {
                    unfolding.walk(nodes, env, &context);
                }
            }
        }
        unfolding
    }

    /// The environment and circumstances in which an entry begins.
    fn enter_at_top(&mut self, entry: FnId) -> (EnvId, Context) {
        let timeline = self.timelines.get(entry);
        let env = self.new_env(timeline, Some(entry), Vec::new(), Vec::new(), None);
        self.stack.push(entry);
        self.gaps_of(entry);
        let context = Context {
            moment: Moment {
                order: 0,
                arms: None,
                turns: None,
                frame: self.counters.first_frame(),
            },
            loops: 0,
            spawned: false,
            retried: false,
            step: false,
            in_transaction: false,
            in_closure_transaction: false,
            guarded: false,
            guards: None,
            certain: true,
            detached: None,
            transaction: None,
            route: Some(route(entry, None, None)),
        };
        (env, context)
    }

    fn new(timelines: &'a Timelines<'a>, only_arm: Option<(Place, Name)>) -> Self {
        Unfolding {
            timelines,
            envs: RefCell::new(Vec::new()),
            constants: RefCell::default(),
            stack: Vec::new(),
            nodes: 0,
            open: 0,
            invoked: FxHashSet::default(),
            entered: FxHashMap::default(),
            only_arm,
            counters: Counters::default(),
            ends: Ends::default(),
            only_turns: FxHashSet::default(),
            choices: RefCell::default(),
            followers: FxHashSet::default(),
            begun: None,
            decisions: Vec::new(),
            settled: Vec::new(),
            errors: Vec::new(),
            fallible: Vec::new(),
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
            outs: FxHashMap::default(),
            closure,
            caller: None,
        });
        id
    }

    /// The calls that lead to an environment, innermost first: who is called, and where.
    pub fn calls_to(&self, env: EnvId) -> Vec<(FnId, Site)> {
        let mut calls = Vec::new();
        let mut at = self.function_env(env);
        while let (Some(function), Some((caller, place))) =
            self.with(at, |env| (env.function, env.caller))
        {
            calls.push((function, self.site(caller, place)));
            at = self.function_env(caller);
        }
        calls
    }

    /// Where the call stands whose result a term is.
    pub fn call_site(&self, bound: &Bound) -> Option<Site> {
        let Value::Result(call) = &*bound.value else {
            return None;
        };
        let calls = &self.timeline_of(bound.env).calls;
        let place = calls.get(call.0 as usize)?.place;
        Some(self.site(bound.env, place))
    }

    /// The functions of the workspace whose result a term is.
    pub fn result_of(&self, bound: &Bound) -> Vec<FnId> {
        match &*bound.value {
            Value::Result(call) => {
                let calls = &self.timeline_of(bound.env).calls;
                let call = calls.get(call.0 as usize);
                call.map_or_else(Vec::new, |call| self.targets(call, bound.env))
            }
            _ => Vec::new(),
        }
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
