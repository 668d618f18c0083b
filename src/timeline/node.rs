//! The nodes of a timeline.

use std::sync::Arc;

use retrysafe_rules::catalog::Regime;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{ExprId, Gap, Name, Place};
use crate::resolve::{FnId, JobId, TraitId, Ty};

use super::value::{Apply, CallId, V};

/// What a function does, in order.
#[derive(Debug, Default)]
pub struct Timeline {
    /// What happens.
    pub nodes: Vec<Node>,
    /// The calls, which nodes name by position.
    pub calls: Vec<Call>,
    /// What the closures of the body do.
    pub closures: FxHashMap<ExprId, Closure>,
    /// What the function returns.
    pub returns: Option<V>,
    /// What it leaves in the parameters that it writes, by position.
    pub outs: Vec<(u32, V)>,
    /// Whether any node is an effect, a transaction or the call of a given closure, could not be
    /// understood, or something is put into a channel.
    pub acts: bool,
    /// What could not be understood.
    pub gaps: Vec<Gap>,
    /// Registrations of jobs and consumer calls found on the way.
    pub sightings: Vec<Sighting>,
    /// What it puts into channels of the process.
    pub feeds: Vec<Feed>,
    /// Functions that the body names without calling them: values handed on.
    pub mentioned: Vec<FnId>,
    /// The calls whose error leaves the body, by their places.
    pub passes: FxHashSet<Place>,
}

impl Timeline {
    /// What happens in the body and in each of its closures, in order.
    pub fn lists(&self) -> Vec<&[Node]> {
        let mut closures: Vec<_> = self.closures.iter().collect();
        closures.sort_by_key(|(id, _)| **id);
        let mut lists = vec![self.nodes.as_slice()];
        lists.extend(
            closures
                .into_iter()
                .map(|(_, closure)| closure.nodes.as_slice()),
        );
        lists
    }

    /// What happens in the loop at a place.
    pub fn loop_at(&self, place: Place) -> Option<&[Node]> {
        self.lists()
            .into_iter()
            .find_map(|nodes| find_loop(nodes, place))
    }

    /// What happens in a part of the body: a closure or a loop, by its place.
    pub fn part(&self, place: Place) -> Option<&[Node]> {
        self.closures
            .values()
            .find(|closure| closure.place == place)
            .map(|closure| closure.nodes.as_slice())
            .or_else(|| self.loop_at(place))
    }
}

/// A closure: what it does, and what it gives.
#[derive(Debug)]
pub struct Closure {
    /// How many parameters it takes.
    pub params: u32,
    /// What happens.
    pub nodes: Vec<Node>,
    /// What it returns.
    pub returns: V,
    /// Where it stands.
    pub place: Place,
}

/// A call of a function of the workspace, or of a value.
#[derive(Debug)]
pub struct Call {
    /// Whom it calls.
    pub target: CallTarget,
    /// The arguments, the receiver first.
    pub args: Vec<V>,
    /// The type arguments of the callee.
    pub generics: Vec<Ty>,
    /// Where the call stands.
    pub place: Place,
    /// Whether receiver or path tell whom it calls, not the name alone.
    pub certain: bool,
}

/// Whom a call calls.
#[derive(Debug)]
pub enum CallTarget {
    /// One of these functions.
    Functions(Vec<FnId>),
    /// The implementation for a type parameter.
    Dispatch {
        /// The type parameter.
        param: u32,
        /// The trait.
        trait_id: TraitId,
        /// The method.
        method: Name,
    },
    /// A closure or function held by a value.
    Value(V),
}

/// How a path of execution ends, in the order of how much it leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitKind {
    /// `continue`.
    Continue,
    /// `break`.
    Break,
    /// `break` with a value: the loop was a wait for it.
    Give,
    /// `return` of a value.
    Return,
    /// `return` of nothing.
    Leave,
    /// `return Err(…)`, `bail!`.
    Failure,
    /// A panic.
    Diverge,
    /// `?`: it may end here with an error.
    Try,
    /// The outcome of a call is what the body gives: it may end here with an error.
    Tail,
}

impl ExitKind {
    /// Whether it is no failure: a job's way of saying "done already".
    pub fn is_quiet(self) -> bool {
        !matches!(self, ExitKind::Failure | ExitKind::Diverge)
    }
}

/// One thing that happens.
#[derive(Debug)]
pub enum Node {
    /// A call of a function of the workspace.
    Call(CallId),
    /// A call of another crate's function that the catalogue knows.
    Extern(Arc<Apply>),
    /// One of several continuations.
    Branch {
        /// The branch.
        place: Place,
        /// What decides.
        on: V,
        /// The continuations.
        arms: Vec<Arm>,
    },
    /// Something that repeats.
    Loop {
        /// The loop.
        place: Place,
        /// Whether it may go on for as long as the process: no `for`, and no `while` that counts.
        forever: bool,
        /// Whether its head takes something in each turn: `while let`.
        takes: bool,
        /// What it goes over, when it goes over something.
        over: Option<V>,
        /// What happens in one turn.
        nodes: Vec<Node>,
    },
    /// Something under another regime.
    Regime {
        /// The regime.
        regime: Regime,
        /// The wrapping call.
        place: Place,
        /// Whether it is a task that nobody waits for.
        is_detached: bool,
        /// What happens under it.
        nodes: Vec<Node>,
    },
    /// Something in a transaction that a closure bounds.
    Transaction {
        /// The call that takes the closure.
        place: Place,
        /// What happens in it.
        nodes: Vec<Node>,
    },
    /// A block that some exits leave without leaving the function.
    Scope {
        /// What an async block gives, which every exit leaves; nothing for a labelled block, which
        /// `break` leaves.
        gives: Option<V>,
        /// What happens in it.
        nodes: Vec<Node>,
    },
    /// A call of which nothing is known although it may be an effect; there is a gap for it.
    Unread {
        /// The call.
        place: Place,
    },
    /// An end, or a possible one.
    Exit {
        /// How.
        kind: ExitKind,
        /// Where.
        place: Place,
        /// For an error: the calls whose error it may be, by their places.
        of: Vec<Place>,
        /// For an error: whether it says that another attempt is of no use.
        is_final: bool,
        /// For an error that says that something is not there: what was asked for.
        absent: Option<V>,
    },
}

/// A continuation of a branch.
#[derive(Debug)]
pub struct Arm {
    /// The variant or literal that it is for; `?Ok` and the like for the standard outcomes, which
    /// values are looked through.
    pub label: Option<Name>,
    /// What must hold besides.
    pub guard: Option<V>,
    /// What happens.
    pub nodes: Vec<Node>,
}

/// A call that a job shape of the catalogue matches.
#[derive(Debug)]
pub struct Sighting {
    /// The shapes, in catalogue order.
    pub jobs: Vec<JobId>,
    /// The call.
    pub apply: Arc<Apply>,
    /// The loops around it, outermost first: where, and whether it is no `for`.
    pub loops: Vec<(Place, bool)>,
    /// Whether it stands inside a spawned task or closure, and which.
    pub within: Vec<Place>,
    /// The turbofish, when there is one.
    pub generics: Vec<Ty>,
}

/// A call that puts something into a channel of the process.
#[derive(Debug)]
pub struct Feed {
    /// The type of what the channel carries.
    pub item: Ty,
    /// The call.
    pub place: Place,
}

fn find_loop(nodes: &[Node], part: Place) -> Option<&[Node]> {
    nodes.iter().find_map(|node| match node {
        Node::Loop { place, nodes, .. } if *place == part => Some(nodes.as_slice()),
        Node::Loop { nodes, .. }
        | Node::Regime { nodes, .. }
        | Node::Transaction { nodes, .. }
        | Node::Scope { nodes, .. } => find_loop(nodes, part),
        Node::Branch { arms, .. } => arms.iter().find_map(|arm| find_loop(&arm.nodes, part)),
        _ => None,
    })
}
