//! When something happens: in which order, in which arms and turns, and whether its error leaves
//! the job.

use std::rc::Rc;

use crate::ir::{Name, Place, Site};

use super::super::node::ExitKind;
use super::bound::Bound;

/// Where something stands among all that happens.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The position in the order of the text, calls in their place.
    pub order: u32,
    /// The arms that it stands in, innermost first.
    pub arms: Option<Rc<ArmStep>>,
    /// The loops that it stands in, innermost first.
    pub turns: Option<Rc<TurnStep>>,
    /// The body that it stands in.
    pub frame: Rc<Frame>,
}

/// An arm of a branch that something stands in.
#[derive(Debug)]
pub struct ArmStep {
    /// Which branch, each time that it is met.
    pub branch: u32,
    /// Which of its arms.
    pub arm: u32,
    /// The variant or literal that the arm is for.
    pub label: Option<Name>,
    /// What decides.
    pub on: Bound,
    /// The condition of the arm itself.
    pub guard: Option<Bound>,
    /// The branch.
    pub site: Site,
    /// The loop around it, when there is one.
    pub(super) turn: Option<u32>,
    /// The loop around the body that it stands in, when there is one.
    pub(super) body_in: Option<u32>,
    /// The arms around it.
    pub before: Option<Rc<ArmStep>>,
}

/// A loop that something stands in.
#[derive(Debug)]
pub struct TurnStep {
    /// Which loop, each time that it is met.
    pub id: u32,
    /// The loop.
    pub site: Site,
    /// What it goes over, when it goes over something.
    pub over: Option<Bound>,
    /// The loops around it.
    pub before: Option<Rc<TurnStep>>,
}

/// A body being run: of a function, a closure or an async block.
#[derive(Debug)]
pub struct Frame {
    id: u32,
    /// The loop that it is run in, when there is one.
    turn: Option<u32>,
    /// Whether an error that leaves it leaves the job.
    pub escapes: bool,
    /// Whether an error that leaves it leaves the body around it.
    pub passes: bool,
    /// Where the body around it calls it.
    pub call: Option<Site>,
    /// The body around it.
    pub around: Option<Rc<Frame>>,
}

impl Frame {
    pub(super) fn is_within(&self, id: u32) -> bool {
        self.id == id
            || self
                .around
                .as_ref()
                .is_some_and(|around| around.is_within(id))
    }
}

/// Where a transaction begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begin {
    /// The call.
    pub site: Site,
    /// Which of those that begin at that call.
    order: u32,
    /// The innermost loop that it stands in.
    turn: Option<u32>,
}

/// How a path ends that something stands in.
#[derive(Debug, Clone, Copy)]
pub(super) enum End {
    /// With the body.
    Body(u32),
    /// With the loop.
    Loop(u32),
    /// With the turn of a loop.
    Turn(u32),
}

/// A possible end of the job with an error.
#[derive(Debug, Clone)]
pub struct Fallible {
    /// When.
    pub moment: Moment,
    /// Where.
    pub site: Site,
    /// The calls whose error it may be, by their places in the same file.
    pub of: Vec<Place>,
    /// Where the transaction around it begins, which it rolls back.
    pub transaction: Option<Begin>,
}

/// The end of a transaction.
#[derive(Debug, Clone)]
pub struct Settled {
    /// Where it began.
    pub begin: Begin,
    /// When it ends.
    pub moment: Moment,
    /// The call.
    pub site: Site,
}

/// A branch that is met.
#[derive(Debug, Clone)]
pub struct Decision {
    /// Which branch.
    pub branch: u32,
    /// The variant or literal that each arm is for.
    pub arms: Vec<Option<Name>>,
    /// When: the last thing before it has this position.
    pub order: u32,
    /// What decides.
    pub on: Bound,
    /// The conditions of its arms.
    pub guards: Vec<Bound>,
}

/// How something follows something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Follows {
    /// In the same turn.
    Later,
    /// In a later turn of a loop around both.
    NextTurn,
}

/// The counters of an unfolding.
#[derive(Debug, Default)]
pub(super) struct Counters {
    order: u32,
    branches: u32,
    turns: u32,
    frames: u32,
}

/// The paths that certainly end, by branch and arm.
pub(super) type Ends = rustc_hash::FxHashMap<(u32, u32), EndOfArm>;

/// How the path of an arm ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndOfArm(pub(super) End);

impl Counters {
    pub(super) fn next_order(&mut self) -> u32 {
        self.order += 1;
        self.order
    }

    /// The position of the last thing met.
    pub(super) fn order(&self) -> u32 {
        self.order
    }

    pub(super) fn next_branch(&mut self) -> u32 {
        self.branches += 1;
        self.branches
    }

    /// A loop that is entered.
    pub(super) fn turn(
        &mut self,
        site: Site,
        over: Option<Bound>,
        before: Option<Rc<TurnStep>>,
    ) -> Rc<TurnStep> {
        self.turns += 1;
        Rc::new(TurnStep {
            id: self.turns,
            site,
            over,
            before,
        })
    }

    /// The body of the job.
    pub(super) fn first_frame(&mut self) -> Rc<Frame> {
        self.frames += 1;
        Rc::new(Frame {
            id: self.frames,
            turn: None,
            escapes: true,
            passes: false,
            call: None,
            around: None,
        })
    }

    /// A body that is entered, and whether its errors leave the body around it.
    pub(super) fn frame(&mut self, at: &Moment, passes: bool, call: Option<Site>) -> Rc<Frame> {
        self.frames += 1;
        Rc::new(Frame {
            id: self.frames,
            turn: at.turns.as_ref().map(|turn| turn.id),
            escapes: at.frame.escapes && passes,
            passes,
            call,
            around: Some(Rc::clone(&at.frame)),
        })
    }
}

impl Moment {
    /// An arm that is entered here.
    pub(super) fn arm(
        &self,
        (branch, arm, label): (u32, u32, Option<Name>),
        on: Bound,
        guard: Option<Bound>,
        site: Site,
    ) -> Rc<ArmStep> {
        Rc::new(ArmStep {
            branch,
            arm,
            label,
            on,
            guard,
            site,
            body_in: self.frame.turn,
            turn: self.turns.as_ref().map(|turn| turn.id),
            before: self.arms.clone(),
        })
    }

    /// How a path that ends here in this way ends.
    pub(super) fn end(&self, kind: ExitKind) -> EndOfArm {
        let turn = self.turns.as_ref().map(|turn| turn.id);
        EndOfArm(match (kind, turn) {
            (ExitKind::Break | ExitKind::Give, Some(turn)) => End::Loop(turn),
            (ExitKind::Continue, Some(turn)) => End::Turn(turn),
            _ => End::Body(self.frame.id),
        })
    }

    /// A transaction that begins here, at this position.
    pub(super) fn begin(&self, site: Site, order: u32) -> Begin {
        Begin {
            site,
            order,
            turn: self.turns.as_ref().map(|turn| turn.id),
        }
    }

    /// Whether a transaction that began so goes on after this turn of the innermost loop.
    pub fn is_outlived_by(&self, begin: Begin) -> bool {
        self.turns
            .as_ref()
            .is_some_and(|turn| begin.turn != Some(turn.id))
    }

    /// The arms that it stands in, innermost first.
    pub fn arms(&self) -> impl Iterator<Item = &ArmStep> {
        std::iter::successors(self.arms.as_deref(), |arm| arm.before.as_deref())
    }

    /// The loops that it stands in, innermost first.
    pub fn turns(&self) -> impl Iterator<Item = &TurnStep> {
        std::iter::successors(self.turns.as_deref(), |turn| turn.before.as_deref())
    }

    /// The bodies that it stands in, innermost first.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(Some(&*self.frame), |frame| frame.around.as_deref())
    }

    /// Whether an error here keeps something that comes later from being reached: it leaves a body
    /// that the other stands in.
    pub fn leaves_out(&self, later: &Moment) -> bool {
        let holds = |id: u32| later.frames().any(|frame| frame.id == id);
        let mut frame = &*self.frame;
        loop {
            if holds(frame.id) {
                return true;
            }
            match &frame.around {
                Some(around) if frame.passes => frame = around,
                _ => return false,
            }
        }
    }

    /// Whether a loop that it stands in is one of a body, and not around that.
    pub(super) fn is_loop_of(&self, turn: u32, body: u32) -> bool {
        let Some(frame) = self.frames().find(|frame| frame.id == body) else {
            return false;
        };
        let around = self.turns().skip_while(|step| Some(step.id) != frame.turn);
        frame.turn.is_none() || around.into_iter().all(|step| step.id != turn)
    }

    /// Whether it stands in a loop.
    pub fn is_in_turn(&self, id: u32) -> bool {
        self.turns().any(|turn| turn.id == id)
    }

    /// Whether it stands in every loop that something else stands in.
    pub fn is_in_turns_of(&self, other: &Moment) -> bool {
        other.turns().all(|turn| self.is_in_turn(turn.id))
    }

    /// Whether it stands in an arm.
    pub fn is_in_arm(&self, branch: u32, arm: u32) -> bool {
        self.arms()
            .any(|step| (step.branch, step.arm) == (branch, arm))
    }
}
