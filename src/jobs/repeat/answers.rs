//! What becomes of what an effect gives back.

use std::sync::Arc;

use retrysafe_rules::vocabulary::{Action, EffectKind};

use crate::ir::Site;
use crate::timeline::{Apply, Bound, Happening, V, Value};

use super::super::effect::Reading;
use super::drawn::Drawn;

/// How deep a value is searched for an answer.
const DEPTH: u32 = 10;

impl Reading<'_, '_> {
    /// Whether a condition is about what an effect gave.
    pub(in crate::jobs) fn tells_of(&self, on: &Bound, effect: &Happening) -> bool {
        let Some(apply) = &effect.apply else {
            return false;
        };
        let frames = effect.context.moment.frames();
        let calls: Vec<Site> = frames.filter_map(|frame| frame.call).collect();
        self.stands_for(on, &calls, DEPTH, &mut 200) || self.holds(on, apply, DEPTH, &mut 200)
    }

    /// Whether nothing that happens later takes what an effect gave, and the job does not return
    /// it.
    pub(in crate::jobs) fn is_dropped(
        &self,
        effect: &Happening,
        drawn: &[Drawn<'_>],
        index: usize,
    ) -> bool {
        let of = &drawn[index].effect;
        let makes = matches!(
            of.kind,
            EffectKind::Http | EffectKind::Payment | EffectKind::Cloud | EffectKind::Chat
        ) && matches!(of.action, Action::Create | Action::Send);
        let Some(apply) = effect.apply.as_ref().filter(|_| makes) else {
            return false;
        };
        let later = drawn.iter().skip(index + 1);
        // Past so many terms nobody knows: then it is not said to be dropped.
        let mut terms = 1500;
        let is_kept = later
            .filter_map(|drawn| Some((drawn.happening.apply.as_ref()?, drawn.happening.env)))
            .any(|(other, env)| {
                let at = Bound {
                    value: Arc::new(Value::Apply(Arc::clone(other))),
                    env,
                };
                !Arc::ptr_eq(other, apply) && self.holds(&at, apply, DEPTH, &mut terms)
            });
        !is_kept && terms > 0
    }

    /// Whether something that happens is given what a call gave.
    pub(super) fn takes(&self, happening: &Happening, made: &Arc<Apply>) -> bool {
        let Some(apply) = &happening.apply else {
            return false;
        };
        let at = Bound {
            value: Arc::new(Value::Apply(Arc::clone(apply))),
            env: happening.env,
        };
        self.holds(&at, made, DEPTH, &mut 400)
    }

    /// Whether a value is made from the result of one of these calls, as far as the body says.
    fn stands_for(&self, bound: &Bound, calls: &[Site], depth: u32, terms: &mut u32) -> bool {
        if depth == 0 || *terms == 0 {
            return false;
        }
        *terms -= 1;
        if let Some(site) = self.unfolding.call_site(bound) {
            return calls.contains(&site);
        }
        let mut below = |value: &V| {
            let at = Bound {
                value: Arc::clone(value),
                env: bound.env,
            };
            self.stands_for(&at, calls, depth - 1, terms)
        };
        match &*bound.value {
            // What chooses between values is no part of them.
            Value::Match(_, arms) => arms.iter().any(|(_, value)| below(value)),
            value => value.parts().into_iter().any(below),
        }
    }

    /// Whether a value is made from what a call gave.
    fn holds(&self, bound: &Bound, apply: &Arc<Apply>, depth: u32, terms: &mut u32) -> bool {
        if depth == 0 || *terms == 0 {
            return false;
        }
        *terms -= 1;
        self.unfolding.heads(bound, &mut 40).iter().any(|head| {
            let mut below = |value: &V| {
                let at = Bound {
                    value: Arc::clone(value),
                    env: head.env,
                };
                self.holds(&at, apply, depth - 1, terms)
            };
            let is_it = matches!(&*head.value, Value::Apply(found) if Arc::ptr_eq(found, apply));
            is_it || head.value.parts().into_iter().any(&mut below)
        })
    }
}
