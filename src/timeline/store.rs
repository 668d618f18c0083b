//! Timelines of the functions that are needed, each built once.

use std::sync::OnceLock;

use rayon::prelude::*;
use retrysafe_rules::grammar::Mark;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::resolve::{ConstId, FnId, Known, Program};

use super::build::{build, build_const};
use super::node::{CallTarget, Timeline};

/// The timelines of all functions that some root reaches.
pub struct Timelines<'a> {
    program: &'a Program,
    known: &'a Known,
    built: FxHashMap<FnId, Timeline>,
    consts: Vec<OnceLock<Timeline>>,
    acting: FxHashSet<FnId>,
    callers: FxHashMap<FnId, Vec<FnId>>,
    followed: FxHashSet<FnId>,
    drawn_alone: FxHashSet<FnId>,
    /// The functions that declare whether their result is the same on every attempt.
    declared: FxHashMap<FnId, bool>,
    empty: Timeline,
}

impl std::fmt::Debug for Timelines<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Timelines")
            .field("built", &self.built.len())
            .finish_non_exhaustive()
    }
}

impl<'a> Timelines<'a> {
    /// An empty store.
    pub fn new(program: &'a Program, known: &'a Known) -> Self {
        Timelines {
            program,
            known,
            built: FxHashMap::default(),
            consts: program.consts.iter().map(|_| OnceLock::new()).collect(),
            acting: FxHashSet::default(),
            callers: FxHashMap::default(),
            followed: FxHashSet::default(),
            drawn_alone: FxHashSet::default(),
            declared: declared(program),
            empty: Timeline::default(),
        }
    }

    /// Builds the timelines of functions, in parallel, without following their calls.
    pub fn build(&mut self, functions: &[FnId]) {
        let mut wanted: Vec<FnId> = functions
            .iter()
            .copied()
            .filter(|id| !self.built.contains_key(id))
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let built: Vec<(FnId, Timeline)> = wanted
            .par_iter()
            .map(|id| (*id, build(self.program, self.known, *id)))
            .collect();
        self.built.extend(built);
    }

    /// Builds everything that the roots reach, and finds out what acts.
    pub fn follow(&mut self, roots: &[FnId]) {
        let mut frontier: Vec<FnId> = Vec::new();
        for root in roots {
            if self.followed.insert(*root) {
                frontier.push(*root);
            }
        }
        while !frontier.is_empty() {
            self.build(&frontier);
            let mut next = Vec::new();
            for function in &frontier {
                for callee in self.callees(*function) {
                    self.callers.entry(callee).or_default().push(*function);
                    if self.followed.insert(callee) {
                        next.push(callee);
                    }
                }
            }
            next.sort_unstable();
            frontier = next;
        }
        self.spread();
    }

    /// Says which functions have a timeline of their own to be drawn: a call that may mean any of
    /// several of them hands on to them, and what they do is not repeated there.
    pub fn draw_alone(&mut self, functions: impl IntoIterator<Item = FnId>) {
        self.drawn_alone.extend(functions);
    }

    /// Whether a function has a timeline of its own to be drawn.
    pub fn is_drawn_alone(&self, function: FnId) -> bool {
        self.drawn_alone.contains(&function)
    }

    /// Whether any function declares whether its result is stable.
    pub fn declares_results(&self) -> bool {
        !self.declared.is_empty()
    }

    /// Whether a function declares that its result is the same on every attempt, or that it is not.
    pub fn declared_stability(&self, function: FnId) -> Option<bool> {
        self.declared.get(&function).copied()
    }

    /// What calls something that acts, acts: also where the callee was known to act before its
    /// caller was followed.
    fn spread(&mut self) {
        let acts = |id: &FnId| self.acting.contains(id) || self.get(*id).acts;
        let mut queue: Vec<FnId> = self.followed.iter().copied().filter(acts).collect();
        self.acting.extend(queue.iter().copied());
        while let Some(function) = queue.pop() {
            for caller in self.callers.get(&function).into_iter().flatten() {
                if self.acting.insert(*caller) {
                    queue.push(*caller);
                }
            }
        }
    }

    /// The functions whose bodies name a function, whether they call it or not; their timelines
    /// are built.
    pub fn naming(&mut self, function: FnId) -> Vec<FnId> {
        let name = self.program.function(function).function.name;
        let naming: Vec<FnId> = (0..self.program.functions.len() as u32)
            .map(FnId)
            .filter(|id| {
                let body = self.program.function(*id).function.body.as_ref();
                *id != function && body.is_some_and(|body| body.mentions(name))
            })
            .collect();
        self.build(&naming);
        naming
    }

    /// The functions that a call may mean; none for the call of a value.
    pub fn meant_by(&self, target: &CallTarget) -> Vec<FnId> {
        match target {
            CallTarget::Functions(functions) => functions.clone(),
            CallTarget::Dispatch {
                trait_id, method, ..
            } => self.program.implementations(*trait_id, *method),
            CallTarget::Value(_) => Vec::new(),
        }
    }

    fn callees(&self, function: FnId) -> Vec<FnId> {
        let timeline = self.get(function);
        let mut callees = timeline.mentioned.clone();
        for call in &timeline.calls {
            callees.extend(self.meant_by(&call.target));
        }
        callees.sort_unstable();
        callees.dedup();
        callees
    }

    /// The timeline of a function; empty when it was not built.
    pub fn get(&self, function: FnId) -> &Timeline {
        self.built.get(&function).unwrap_or(&self.empty)
    }

    /// The timeline of a constant's value.
    pub fn constant(&self, id: ConstId) -> &Timeline {
        match self.consts.get(id.index()) {
            Some(cell) => cell.get_or_init(|| build_const(self.program, self.known, id)),
            None => &self.empty,
        }
    }

    /// Whether anything that matters happens in a function or below it.
    pub fn acts(&self, function: FnId) -> bool {
        self.acting.contains(&function)
    }

    /// The functions that were built, in order.
    pub fn functions(&self) -> Vec<FnId> {
        let mut functions: Vec<FnId> = self.built.keys().copied().collect();
        functions.sort_unstable();
        functions
    }

    /// The workspace's definitions.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// The catalogue.
    pub fn known(&self) -> &'a Known {
        self.known
    }
}

fn declared(program: &Program) -> FxHashMap<FnId, bool> {
    let functions = program.functions.iter().enumerate();
    functions
        .filter_map(|(index, def)| {
            let is_stable = def
                .function
                .marks
                .iter()
                .find_map(|mark| match mark.value {
                    Mark::Stable => Some(true),
                    Mark::Unstable => Some(false),
                    _ => None,
                })?;
            Some((FnId(index as u32), is_stable))
        })
        .collect()
}
