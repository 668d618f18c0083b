//! Errors that are given only when nothing has happened: `if sent == 0 { return Err(…) }`.

use std::sync::Arc;

use crate::ir::{BinaryOp, Literal};
use crate::timeline::{Bound, Moment, V, Value};

use super::super::effect::Reading;

/// An arm in which a number is zero.
#[derive(Debug)]
pub(in crate::jobs) struct EmptyArm {
    /// The branch.
    pub(in crate::jobs) branch: u32,
    /// The arm.
    pub(in crate::jobs) arm: u32,
    /// Whether the number begins with zero and is only counted up.
    pub(in crate::jobs) is_count: bool,
    /// What the number is of.
    pub(in crate::jobs) counted: Bound,
}

impl Reading<'_, '_> {
    /// The arms around something in which what was counted is still none.
    pub(in crate::jobs) fn empty_arms(&self, then: &Moment) -> Vec<EmptyArm> {
        then.arms()
            .filter_map(|arm| match &*arm.on.value {
                // The first arm is the one in which the condition holds.
                Value::Operation(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
                    let counted = Bound {
                        value: Arc::clone(left),
                        env: arm.on.env,
                    };
                    let holds = (*op == BinaryOp::Equal) == (arm.arm == 0) && is_zero(right);
                    holds.then(|| EmptyArm {
                        branch: arm.branch,
                        arm: arm.arm,
                        is_count: self.is_count(&counted, 6),
                        counted,
                    })
                }
                _ => None,
            })
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
