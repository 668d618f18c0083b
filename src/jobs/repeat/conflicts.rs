//! Answers that say "it is there already", where the caller knows them: `409`, `AlreadyExists`.

use std::sync::Arc;

use crate::ir::Literal;
use crate::timeline::{Bound, Happening, V, Value};

use super::super::effect::Reading;

/// Parts of names and texts by which code tells that something is there already.
const WORDS: &[&str] = &[
    "conflict",
    "alreadyexists",
    "already exists",
    "already_exists",
    "duplicate",
    "uniqueviolation",
    "unique_violation",
];

impl Reading<'_, '_> {
    /// Whether a decision behind an effect tells apart that it was there already.
    pub(in crate::jobs) fn knows_conflict(&self, effect: &Happening) -> bool {
        let order = effect.context.moment.order;
        self.unfolding
            .decisions
            .iter()
            .skip_while(|decision| decision.order < order)
            // What comes much later is about something else.
            .take_while(|decision| decision.order < order + 12)
            .any(|decision| {
                let by_label = decision.arms.iter().flatten().any(|label| speaks(label));
                let said = by_label
                    || speaks_of(&decision.on, self, 4)
                    || decision
                        .guards
                        .iter()
                        .any(|guard| speaks_of(guard, self, 4));
                said && self.tells_of(&decision.on, effect)
            })
    }
}

fn speaks(text: &str) -> bool {
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// Whether a value is compared with, or asked for, such an answer.
fn speaks_of(bound: &Bound, reading: &Reading<'_, '_>, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let head = reading.unfolding.head(bound);
    let below = |value: &V| {
        let at = Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        speaks_of(&at, reading, depth - 1)
    };
    match &*head.value {
        Value::Path(path) => speaks(path.rsplit("::").next().unwrap_or(path)),
        Value::Literal(Literal::Str(text)) => speaks(text),
        Value::Literal(Literal::Int(409)) => true,
        Value::Apply(apply) => {
            speaks(&apply.name) || apply.receiver.iter().chain(&apply.args).any(below)
        }
        Value::Operation(_, left, right) => below(left) || below(right),
        _ => false,
    }
}
