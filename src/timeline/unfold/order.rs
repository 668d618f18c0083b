//! What can happen after what.

use crate::ir::Site;

use super::Unfolding;
use super::moment::{End, EndOfArm, Follows, Moment};

impl Unfolding<'_> {
    /// Whether something can happen after something else in one run of the job, and how.
    pub fn follows(&self, first: &Moment, then: &Moment) -> Option<Follows> {
        if first.order < then.order && self.is_open(first, then, None) {
            return Some(Follows::Later);
        }
        // In a later turn the arms are chosen anew.
        first
            .turns()
            .filter(|turn| then.is_in_turn(turn.id) && self.may_turn_again(first, turn.id))
            .any(|turn| self.is_open(first, then, Some(turn.id)))
            .then_some(Follows::NextTurn)
    }

    /// Whether a task goes on for as long as it is given something: it follows what others do.
    pub fn is_follower(&self, task: Site) -> bool {
        self.followers.contains(&task)
    }

    /// Whether a loop may go on after something in it: what leaves it at the end of its turn is not
    /// reached from an arm that goes on by itself.
    pub fn may_turn_again(&self, first: &Moment, turn: u32) -> bool {
        !self.only_turns.contains(&turn)
            || first.arms().any(|step| {
                let end = self.ends.get(&(step.branch, step.arm));
                matches!(end, Some(EndOfArm(End::Turn(of))) if *of == turn)
            })
    }

    /// Whether the path of an arm certainly ends in it.
    pub fn ends_in(&self, branch: u32, arm: u32) -> bool {
        self.ends.contains_key(&(branch, arm))
    }

    /// Whether an arm of a branch leaves a loop that something stands in.
    pub fn leaves_loop(&self, at: &Moment, (branch, arm): (u32, u32), turn: u32) -> bool {
        match self.ends.get(&(branch, arm)) {
            Some(EndOfArm(End::Turn(_))) | None => false,
            Some(EndOfArm(End::Loop(of))) => *of == turn,
            Some(EndOfArm(End::Body(of))) => at.is_loop_of(turn, *of),
        }
    }

    /// Whether no arm that the first stands in keeps it from the second: in the same turn of every
    /// loop, or in a later turn of one.
    fn is_open(&self, first: &Moment, then: &Moment, turn: Option<u32>) -> bool {
        let is_around = |inner: Option<u32>, turn: u32| {
            inner.is_some_and(|inner| {
                first
                    .turns()
                    .skip_while(|known| known.id != inner)
                    .any(|known| known.id == turn)
            })
        };
        first.arms().all(|step| {
            let end = self.ends.get(&(step.branch, step.arm));
            if let Some(turn) = turn {
                // In the next turn the arms inside are chosen anew, if there is a next turn.
                return !is_around(step.turn, turn)
                    || match end {
                        Some(EndOfArm(End::Loop(left))) => *left != turn,
                        Some(EndOfArm(End::Body(_))) => is_around(step.body_in, turn),
                        Some(EndOfArm(End::Turn(_))) | None => true,
                    };
            }
            if then.is_in_arm(step.branch, step.arm) {
                return true;
            }
            let is_exclusive = then.arms().any(|other| other.branch == step.branch);
            !is_exclusive
                && match end {
                    Some(EndOfArm(End::Body(frame))) => !then.frame.is_within(*frame),
                    Some(EndOfArm(End::Loop(left) | End::Turn(left))) => !then.is_in_turn(*left),
                    None => true,
                }
        })
    }
}
