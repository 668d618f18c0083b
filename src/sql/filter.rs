//! The conditions of a WHERE clause. It must not know which statement it belongs to.

use sqlparser::ast::{BinaryOperator, Expr, InTarget, UnaryOperator};

use super::name::Names;
use super::statement::{Condition, Test, Value};
use super::value::value;

/// The conditions that AND joins.
pub(super) fn conditions(filter: Option<&Expr>, names: &Names) -> Vec<Condition> {
    let mut found = Vec::new();
    for part in filter
        .map(|filter| joined(filter, &BinaryOperator::And))
        .unwrap_or_default()
    {
        condition(part, names, &mut found);
    }
    found
}

/// The parts of a chain of one operator, in order, without their parentheses.
pub(super) fn joined<'e>(expr: &'e Expr, by: &BinaryOperator) -> Vec<&'e Expr> {
    let mut parts = Vec::new();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Nested(inside) => open.push(inside),
            Expr::BinaryOp { left, op, right } if op == by => open.extend([&**right, &**left]),
            other => parts.push(other),
        }
    }
    parts
}

fn condition(expr: &Expr, names: &Names, found: &mut Vec<Condition>) {
    match expr {
        Expr::BinaryOp {
            op: BinaryOperator::Or,
            ..
        } => found.push(either(expr, names)),
        Expr::BinaryOp { left, op, right } => compare(left, op, right, names, found),
        Expr::IsNull(tested) => found.push(test(tested, Test::IsNull, Value::Null, names)),
        Expr::IsNotNull(tested) => found.push(test(tested, Test::IsNotNull, Value::Null, names)),
        Expr::IsDistinctFrom(left, right) => {
            compare(left, &BinaryOperator::NotEq, right, names, found)
        }
        Expr::IsNotDistinctFrom(left, right) => {
            compare(left, &BinaryOperator::Eq, right, names, found)
        }
        Expr::IsTrue(tested) => found.push(test(tested, Test::Eq, boolean(true), names)),
        Expr::IsFalse(tested) => found.push(test(tested, Test::Eq, boolean(false), names)),
        Expr::IsNotTrue(tested) => found.push(test(tested, Test::NotEq, boolean(true), names)),
        Expr::IsNotFalse(tested) => found.push(test(tested, Test::NotEq, boolean(false), names)),
        Expr::UnaryOp {
            op: UnaryOperator::Not | UnaryOperator::BangNot,
            expr,
        } => negated(expr, names, found),
        Expr::Exists { negated, .. } => {
            let test = if *negated {
                Test::NotExists
            } else {
                Test::Exists
            };
            found.push(Condition {
                test,
                value: Value::Subquery,
                ..Condition::default()
            });
        }
        Expr::In {
            expr,
            target,
            negated,
            ..
        } => within(expr, target, *negated, names, found),
        Expr::AnyOp {
            left,
            compare_op: BinaryOperator::Eq,
            right,
            ..
        } => any(left, right, Test::In, names, found),
        Expr::AllOp {
            left,
            compare_op: BinaryOperator::NotEq,
            right,
        } => any(left, right, Test::NotIn, names, found),
        Expr::Between {
            expr,
            negated: false,
            low,
            high,
        } => {
            found.push(Condition {
                inclusive: true,
                ..test(expr, Test::Greater, value(low, names), names)
            });
            found.push(Condition {
                inclusive: true,
                ..test(expr, Test::Less, value(high, names), names)
            });
        }
        Expr::Like { expr, pattern, .. } | Expr::ILike { expr, pattern, .. } => {
            found.push(test(expr, Test::Other, value(pattern, names), names));
        }
        // A bare boolean column.
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => match value(expr, names) {
            Value::Column(_) => found.push(test(expr, Test::Eq, boolean(true), names)),
            other => found.push(Condition {
                value: other,
                ..Condition::default()
            }),
        },
        other => found.push(Condition {
            column: column(other, names),
            value: value(other, names),
            ..Condition::default()
        }),
    }
}

fn boolean(value: bool) -> Value {
    Value::Literal(value.to_string())
}

fn test(tested: &Expr, test: Test, value: Value, names: &Names) -> Condition {
    Condition {
        column: column(tested, names),
        test,
        value,
        ..Condition::default()
    }
}

fn negated(expr: &Expr, names: &Names, found: &mut Vec<Condition>) {
    let mut inner = conditions(Some(expr), names);
    let opposite = match inner.as_slice() {
        [only] => match only.test {
            Test::Exists => Some(Test::NotExists),
            Test::NotExists => Some(Test::Exists),
            Test::IsNull => Some(Test::IsNotNull),
            Test::IsNotNull => Some(Test::IsNull),
            Test::In => Some(Test::NotIn),
            Test::NotIn => Some(Test::In),
            Test::NotEq => Some(Test::Eq),
            Test::Eq if only.value == boolean(true) => {
                found.push(Condition {
                    value: boolean(false),
                    ..only.clone()
                });
                return;
            }
            Test::Eq => Some(Test::NotEq),
            _ => None,
        },
        _ => None,
    };
    match (opposite, inner.pop()) {
        (Some(test), Some(only)) => found.push(Condition { test, ..only }),
        (_, only) => found.push(Condition {
            column: only.and_then(|only| only.column),
            ..Condition::default()
        }),
    }
}

/// An OR: equalities of one column are a list, arms that test one column keep its name.
fn either(expr: &Expr, names: &Names) -> Condition {
    let mut arms = Vec::new();
    for part in joined(expr, &BinaryOperator::Or) {
        let inner = conditions(Some(part), names);
        match <[Condition; 1]>::try_from(inner) {
            Ok([only]) => arms.push(only),
            Err(parts) => arms.push(Condition {
                parts,
                ..Condition::default()
            }),
        }
    }
    let column = arms.first().and_then(|first| first.column.clone());
    let column = column.filter(|column| arms.iter().all(|arm| arm.column.as_ref() == Some(column)));
    if column.is_some() && arms.iter().all(|arm| arm.test == Test::Eq) {
        let values = arms.into_iter().map(|arm| arm.value).collect();
        return Condition {
            column,
            test: Test::In,
            value: Value::List(values),
            ..Condition::default()
        };
    }
    Condition {
        column,
        arms,
        ..Condition::default()
    }
}

fn within(
    expr: &Expr,
    target: &InTarget,
    negated: bool,
    names: &Names,
    found: &mut Vec<Condition>,
) {
    let tested = if negated { Test::NotIn } else { Test::In };
    let value = match target {
        InTarget::List(values) => match values.as_slice() {
            [only] if !negated => match value(only, names) {
                // `IN ($1)` is one value, `IN ({list})` any number.
                single @ (Value::Literal(_) | Value::Null | Value::Clock) => {
                    found.push(test(expr, Test::Eq, single, names));
                    return;
                }
                other => Value::List(vec![other]),
            },
            values => Value::List(values.iter().map(|item| value(item, names)).collect()),
        },
        InTarget::Unnest(array) => value(array, names),
        InTarget::Subquery(_) | InTarget::Table { .. } => Value::Subquery,
    };
    for tested_column in columns_of(expr) {
        let value = match (&value, expr) {
            // Which of a list of tuples a column must be in is not followed further.
            (Value::List(_), Expr::Tuple(_)) => Value::Other,
            (value, _) => value.clone(),
        };
        found.push(test(tested_column, tested, value, names));
    }
}

/// `column = ANY(array)`; an array column that holds a value is no test of equality.
fn any(left: &Expr, right: &Expr, tested: Test, names: &Names, found: &mut Vec<Condition>) {
    match (column(left, names), value(right, names)) {
        (Some(_), value) => found.push(test(left, tested, value, names)),
        (None, _) => found.push(Condition {
            column: column(right, names),
            value: value(left, names),
            ..Condition::default()
        }),
    }
}

fn columns_of(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Tuple(parts) => parts.iter().collect(),
        Expr::Nested(inside) => columns_of(inside),
        other => vec![other],
    }
}

fn compare(
    left: &Expr,
    op: &BinaryOperator,
    right: &Expr,
    names: &Names,
    found: &mut Vec<Condition>,
) {
    if let (Expr::Tuple(lefts), Expr::Tuple(rights), BinaryOperator::Eq) = (left, right, op) {
        for (left, right) in lefts.iter().zip(rights) {
            compare(left, op, right, names, found);
        }
        return;
    }
    let (tested, other, flipped) = match (column(left, names), column(right, names)) {
        (None, Some(_)) => (right, left, true),
        // In a join the statement's own column is the one tested.
        (Some(one), Some(other)) if one.contains('.') && !other.contains('.') => {
            (right, left, true)
        }
        _ => (left, right, false),
    };
    use BinaryOperator as B;
    let (kind, inclusive) = match (op, flipped) {
        (B::Eq | B::Is | B::Spaceship, _) => (Test::Eq, false),
        (B::NotEq | B::IsNot, _) => (Test::NotEq, false),
        (B::Lt, false) | (B::Gt, true) => (Test::Less, false),
        (B::LtEq, false) | (B::GtEq, true) => (Test::Less, true),
        (B::Gt, false) | (B::Lt, true) => (Test::Greater, false),
        (B::GtEq, false) | (B::LtEq, true) => (Test::Greater, true),
        _ => (Test::Other, false),
    };
    found.push(Condition {
        inclusive,
        ..test(tested, kind, value(other, names), names)
    });
}

/// The column that an expression tests, or the expression as written if it computes on one column.
fn column(expr: &Expr, names: &Names) -> Option<String> {
    match expr {
        Expr::Nested(inside) | Expr::Collate { expr: inside, .. } => column(inside, names),
        Expr::Cast { expr: inside, .. } => column(inside, names),
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => match value(expr, names) {
            Value::Column(column) => Some(column),
            _ => None,
        },
        Expr::Function(_)
        | Expr::BinaryOp { .. }
        | Expr::CompoundFieldAccess { .. }
        | Expr::JsonAccess { .. } => {
            let mut columns = Vec::new();
            collect(&value(expr, names), &mut columns);
            columns.dedup();
            (columns.len() == 1).then(|| expr.to_string())
        }
        _ => None,
    }
}

fn collect(value: &Value, columns: &mut Vec<String>) {
    match value {
        Value::Column(column) | Value::Arithmetic { column } => columns.push(column.clone()),
        Value::Coalesce(parts) | Value::Function(_, parts) | Value::List(parts) => {
            for part in parts {
                collect(part, columns);
            }
        }
        _ => {}
    }
}
