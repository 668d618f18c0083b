//! The conditions in front of effects, each asked once.

use std::rc::Rc;

use std::collections::BTreeMap;

use crate::timeline::{GuardStep, Happening, TurnStep};

use super::super::effect::Reading;
use super::super::effect::state::{Answers, Asked};
use super::drawn::Drawn;

/// What the conditions and loops around effects ask.
pub(in crate::jobs) struct Bystanders {
    guards: BTreeMap<*const GuardStep, Rc<Answers>>,
    turns: BTreeMap<u32, Rc<Answers>>,
}

impl Bystanders {
    /// Asks every condition and loop around the effects.
    pub(super) fn new(reading: &Reading<'_, '_>, drawn: &[Drawn<'_>]) -> Bystanders {
        let mut bystanders = Bystanders {
            guards: BTreeMap::default(),
            turns: BTreeMap::default(),
        };
        for drawn in drawn {
            for guard in guards(drawn.happening) {
                bystanders
                    .guards
                    .entry(std::ptr::from_ref(guard))
                    .or_insert_with(|| Rc::new(reading.answers(&guard.on)));
            }
            for turn in drawn.happening.context.moment.turns() {
                if let Some(over) = &turn.over {
                    bystanders
                        .turns
                        .entry(turn.id)
                        .or_insert_with(|| Rc::new(reading.answers(over)));
                }
            }
        }
        bystanders
    }

    /// The state that decides whether something happens, with the condition's own remark.
    pub(super) fn asked<'b>(&'b self, happening: &'b Happening) -> impl Iterator<Item = &'b Asked> {
        let guards = guards(happening).filter_map(|guard| self.of_guard(guard));
        let turns = happening
            .context
            .moment
            .turns()
            .filter_map(|turn| self.of_turn(turn));
        guards.chain(turns).flat_map(|answers| &answers.asked)
    }

    /// Whether a condition in front of it may ask for state that is not understood.
    pub(super) fn is_doubtful(&self, happening: &Happening) -> bool {
        guards(happening)
            .filter_map(|guard| self.of_guard(guard))
            .any(|answers| answers.unknown)
    }

    fn of_guard(&self, guard: &GuardStep) -> Option<&Answers> {
        self.guards
            .get(&std::ptr::from_ref(guard))
            .map(|answers| &**answers)
    }

    fn of_turn(&self, turn: &TurnStep) -> Option<&Answers> {
        self.turns.get(&turn.id).map(|answers| &**answers)
    }
}

/// The conditions in front of something, innermost first.
fn guards(happening: &Happening) -> impl Iterator<Item = &GuardStep> {
    std::iter::successors(happening.context.guards.as_deref(), |guard| {
        guard.before.as_deref()
    })
}
