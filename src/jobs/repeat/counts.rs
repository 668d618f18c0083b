//! Errors that are given only when nothing has happened: `if sent == 0 { return Err(…) }`.

use std::sync::Arc;

use crate::ir::{BinaryOp, Literal};
use crate::timeline::{Bound, Moment, V, Value};

use super::super::effect::Reading;

impl Reading<'_, '_> {
    /// The arms around something, by branch and arm, in which a count that began with zero is zero
    /// still.
    pub(in crate::jobs) fn empty_arms(&self, then: &Moment) -> Vec<(u32, u32)> {
        then.arms()
            .filter(|arm| match &*arm.on.value {
                // The first arm is the one in which the condition holds.
                Value::Operation(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
                    let at = Bound {
                        value: Arc::clone(left),
                        env: arm.on.env,
                    };
                    let holds = (*op == BinaryOp::Equal) == (arm.arm == 0);
                    holds && is_zero(right) && self.is_count(&at, 6)
                }
                _ => false,
            })
            .map(|arm| (arm.branch, arm.arm))
            .collect()
    }

    /// Whether a value is a number that begins with zero and is only ever counted up.
    fn is_count(&self, bound: &Bound, depth: u32) -> bool {
        if depth == 0 {
            return true;
        }
        let heads = self.unfolding.heads(bound, &mut 60);
        let counted = heads
            .iter()
            .any(|head| matches!(&*head.value, Value::Operation(BinaryOp::Add, ..)));
        counted
            && heads.iter().all(|head| match &*head.value {
                Value::Literal(Literal::Int(0)) => true,
                Value::Operation(BinaryOp::Add, left, _) => {
                    is_zero(left)
                        || self.is_count(
                            &Bound {
                                value: Arc::clone(left),
                                env: head.env,
                            },
                            depth - 1,
                        )
                }
                _ => false,
            })
    }
}

fn is_zero(value: &V) -> bool {
    matches!(&**value, Value::Literal(Literal::Int(0)))
}
