//! The conditions in front of effects, each asked once, when somebody wants to know.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::ir::Site;
use crate::timeline::{
    ArmStep, Bound, EnvId, Fallible, Follows, GuardStep, Happening, Moment, TurnStep, Value,
};

use super::super::effect::Reading;
use super::super::effect::asked::Asked;
use super::super::effect::state::Answers;
use super::counts::EmptyArm;

/// How many decisions a call may hold that finds out whether there is something to do.
const DECISIONS: usize = 12;

/// What the conditions and loops around effects ask.
pub(super) struct Bystanders<'r, 'u, 'a> {
    reading: &'r Reading<'u, 'a>,
    guards: RefCell<BTreeMap<*const GuardStep, Rc<Answers>>>,
    turns: RefCell<BTreeMap<u32, Rc<Answers>>>,
    calls: RefCell<BTreeMap<Site, Rc<Answers>>>,
    choices: RefCell<BTreeMap<*const GuardStep, Rc<Vec<Bound>>>>,
    asked: RefCell<BTreeMap<*const Happening, Rc<Vec<Asked>>>>,
    told: RefCell<BTreeMap<(*const Value, EnvId, *const Happening), bool>>,
    /// The acknowledgements of the message.
    acknowledged: Vec<&'r Happening>,
    /// For each possible end with an error: the arms around it in which nothing has happened.
    empty: Vec<Vec<EmptyArm>>,
}

impl<'r, 'u, 'a> Bystanders<'r, 'u, 'a> {
    pub(super) fn new(reading: &'r Reading<'u, 'a>) -> Self {
        Bystanders {
            reading,
            guards: RefCell::default(),
            turns: RefCell::default(),
            calls: RefCell::default(),
            choices: RefCell::default(),
            asked: RefCell::default(),
            told: RefCell::default(),
            acknowledged: reading
                .unfolding
                .happenings
                .iter()
                .filter(|happening| reading.is_acknowledgement(happening))
                .collect(),
            empty: reading
                .unfolding
                .fallible
                .iter()
                .map(|fallible| reading.empty_arms(&fallible.moment))
                .collect(),
        }
    }

    /// Whether each item of a loop is acknowledged: its items are messages, work of their own.
    pub(super) fn is_over_messages(&self, turn: u32) -> bool {
        let mut acknowledged = self.acknowledged.iter();
        acknowledged.any(|happening| happening.context.moment.is_in_turn(turn))
    }

    /// Whether a condition is about what an effect gave.
    pub(super) fn tells_of(&self, on: &Bound, effect: &Happening) -> bool {
        let key = (Arc::as_ptr(&on.value), on.env, std::ptr::from_ref(effect));
        if let Some(known) = self.told.borrow().get(&key) {
            return *known;
        }
        let tells = self.reading.tells_of(on, effect);
        self.told.borrow_mut().insert(key, tells);
        tells
    }

    /// Whether a loop is left once an effect in it went well: it goes over ways to do one thing.
    pub(super) fn ends_with(&self, effect: &Happening, turn: u32) -> bool {
        let unfolding = self.reading.unfolding;
        let at = &effect.context.moment;
        unfolding.decisions.iter().any(|decision| {
            let mut arms = decision.arms.iter().zip(0..);
            let leaves = arms.any(|(label, index)| {
                let is_success = label.is_some_and(|label| label == "?Ok");
                is_success && unfolding.leaves_loop(at, (decision.branch, index), turn)
            });
            decision.order >= at.order && leaves && self.tells_of(&decision.on, effect)
        })
    }

    /// Whether the message is acknowledged in a task.
    pub(super) fn acknowledges(&self, task: Option<Site>) -> bool {
        let mut acknowledged = self.acknowledged.iter();
        task.is_some() && acknowledged.any(|happening| happening.context.detached == task)
    }

    /// Whether the message has been acknowledged on every path that leads to something.
    pub(super) fn is_acknowledged_before(&self, moment: &Moment) -> bool {
        self.acknowledged.iter().any(|happening| {
            let before = &happening.context.moment;
            self.reading.unfolding.follows(before, moment) == Some(Follows::Later)
                && before
                    .arms()
                    .all(|arm| moment.is_in_arm(arm.branch, arm.arm))
                && moment.is_in_turns_of(before)
        })
    }

    /// The state that decides whether something happens, each once.
    pub(super) fn asked(&self, happening: &Happening) -> Rc<Vec<Asked>> {
        let key = std::ptr::from_ref(happening);
        if let Some(known) = self.asked.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut asked: Vec<Asked> = Vec::new();
        let mut add = |answers: &Answers| {
            for found in &answers.asked {
                if !asked.contains(found) {
                    asked.push(found.clone());
                }
            }
        };
        // An error because another run took the work leaves the rest to that one.
        for guard in refusals(happening) {
            let mut answers = Answers::clone(&self.of_guard(guard));
            answers.asked.retain(|asked| asked.is_claim);
            add(&answers);
        }
        for guard in guards(happening) {
            add(&self.of_guard(guard));
            if let Some(call) = self.reading.unfolding.call_site(&guard.on) {
                add(&self.inside(call));
            }
        }
        for turn in happening.context.moment.turns() {
            if let Some(over) = &turn.over {
                add(&self.of_turn(turn.id, over));
            }
        }
        let asked = Rc::new(asked);
        self.asked.borrow_mut().insert(key, Rc::clone(&asked));
        asked
    }

    /// The state that the conditions in front of something ask for, each with its condition.
    pub(super) fn conditions<'h>(
        &self,
        happening: &'h Happening,
    ) -> Vec<(&'h GuardStep, Rc<Answers>)> {
        guards(happening)
            .map(|guard| (guard, self.of_guard(guard)))
            .collect()
    }

    /// The reading of what happens.
    pub(super) fn reading(&self) -> &'r Reading<'u, 'a> {
        self.reading
    }

    /// The state that a loop goes over.
    pub(super) fn gone_over(&self, turn: &TurnStep) -> Rc<Answers> {
        turn.over
            .as_ref()
            .map_or_else(Rc::default, |over| self.of_turn(turn.id, over))
    }

    /// Whether a condition in front of it may ask for state that is not understood.
    pub(super) fn is_doubtful(&self, happening: &Happening) -> bool {
        guards(happening).any(|guard| self.of_guard(guard).unknown)
    }

    /// Whether an arm is of a branch that chose the values by which an effect is decided.
    pub(super) fn is_chosen_by(&self, effect: &Happening, arm: &ArmStep) -> bool {
        guards(effect).any(|guard| {
            self.choices_of(guard)
                .iter()
                .any(|choice| choice.env == arm.on.env && Arc::ptr_eq(&choice.value, &arm.on.value))
        })
    }

    fn choices_of(&self, guard: &GuardStep) -> Rc<Vec<Bound>> {
        let key = std::ptr::from_ref(guard);
        if let Some(known) = self.choices.borrow().get(&key) {
            return Rc::clone(known);
        }
        let choices = Rc::new(self.reading.unfolding.choices(&guard.on));
        self.choices.borrow_mut().insert(key, Rc::clone(&choices));
        choices
    }

    /// Whether something stands in a call of which the outcome decides whether an effect happens.
    pub(super) fn is_decided_inside(&self, effect: &Happening, inner: &Moment) -> bool {
        guards(effect).any(|guard| {
            let call = self.reading.unfolding.call_site(&guard.on);
            call.is_some() && inner.frames().any(|frame| frame.call == call)
        })
    }

    /// Whether the error at this position is given only when an effect has not happened.
    pub(super) fn says_nothing_happened(&self, effect: &Happening, position: usize) -> bool {
        let moment = &effect.context.moment;
        self.empty[position].iter().any(|empty| {
            !moment.is_in_arm(empty.branch, empty.arm)
                && (empty.is_count || self.tells_of(&empty.counted, effect))
        })
    }

    /// Whether an error is what an effect's own answer brings: a status that is looked at, or what
    /// is done only because it failed.
    pub(super) fn is_answer(&self, effect: &Happening, error: &Fallible) -> bool {
        let at = &effect.context.moment;
        error.moment.arms().any(|arm| {
            let is_failure = arm.label.is_some_and(|label| label == "?Err")
                || arm.arm == 0
                    && matches!(&*arm.on.value, Value::Apply(apply) if apply.name == "is_err");
            (is_failure || error.of.is_empty())
                && !at.is_in_arm(arm.branch, arm.arm)
                && self.tells_of(&arm.on, effect)
        })
    }

    fn of_guard(&self, guard: &GuardStep) -> Rc<Answers> {
        let key = std::ptr::from_ref(guard);
        if let Some(known) = self.guards.borrow().get(&key) {
            return Rc::clone(known);
        }
        let answers = Rc::new(self.reading.answers(&guard.on));
        self.guards.borrow_mut().insert(key, Rc::clone(&answers));
        answers
    }

    /// What is asked inside a call of which the outcome decides: `fn take(…) -> Option<Order>`
    /// gives nothing for what is done already.
    fn inside(&self, call: Site) -> Rc<Answers> {
        if let Some(known) = self.calls.borrow().get(&call) {
            return Rc::clone(known);
        }
        let unfolding = self.reading.unfolding;
        let is_inside = |moment: &&Moment| moment.frames().any(|frame| frame.call == Some(call));
        let happening = unfolding.happenings.iter().map(|of| &of.context.moment);
        let fallible = unfolding.fallible.iter().map(|of| &of.moment);
        let orders = || {
            let moments = happening.clone().chain(fallible.clone());
            moments.filter(is_inside).map(|moment| moment.order)
        };
        let mut answers = Answers::default();
        if let (Some(first), Some(last)) = (orders().min(), orders().max()) {
            let decisions = unfolding.decisions.iter();
            let inside = decisions.filter(|of| of.order >= first && of.order < last);
            let inside: Vec<_> = inside.take(DECISIONS + 1).collect();
            // What decides as much as that does more than find out whether there is work.
            for decision in inside.iter().filter(|_| inside.len() <= DECISIONS) {
                answers
                    .asked
                    .extend(self.reading.answers(&decision.on).asked);
            }
        }
        let answers = Rc::new(answers);
        self.calls.borrow_mut().insert(call, Rc::clone(&answers));
        answers
    }

    fn of_turn(&self, id: u32, over: &Bound) -> Rc<Answers> {
        if let Some(known) = self.turns.borrow().get(&id) {
            return Rc::clone(known);
        }
        let answers = Rc::new(self.reading.answers(over));
        self.turns.borrow_mut().insert(id, Rc::clone(&answers));
        answers
    }
}

/// The conditions in front of something, innermost first.
fn guards(happening: &Happening) -> impl Iterator<Item = &GuardStep> {
    steps(happening).filter(|guard| !guard.fails)
}

/// The conditions in front of something without which the job ends with an error.
fn refusals(happening: &Happening) -> impl Iterator<Item = &GuardStep> {
    steps(happening).filter(|guard| guard.fails)
}

fn steps(happening: &Happening) -> impl Iterator<Item = &GuardStep> {
    std::iter::successors(happening.context.guards.as_deref(), |guard| {
        guard.before.as_deref()
    })
}
