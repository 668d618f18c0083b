//! What an expression is made of, one level down. It must not know what is gathered from it.

use sqlparser::ast::{
    AccessExpr, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, InTarget, OrderByExpr, Query, Subscript, WindowType,
};

/// Something still to be walked through.
pub(super) enum Open<'a> {
    Expr(&'a Expr),
    Query(&'a Query),
    /// A call whose arguments lie above it on the stack.
    Call(&'a Function),
}

/// What an expression is made of, in order.
pub(super) fn push_parts<'a>(expr: &'a Expr, open: &mut Vec<Open<'a>>) {
    match expr {
        Expr::Function(function) => push_call(function, open),
        Expr::Subquery(query)
        | Expr::Exists {
            subquery: query, ..
        } => open.push(Open::Query(query)),
        Expr::In { expr, target, .. } => {
            open.push(Open::Expr(expr));
            match target {
                InTarget::List(list) => open.extend(list.iter().map(Open::Expr)),
                InTarget::Subquery(query) => open.push(Open::Query(query)),
                InTarget::Unnest(array) => open.push(Open::Expr(array)),
                InTarget::Table { .. } => {}
            }
        }
        Expr::BinaryOp { left, right, .. }
        | Expr::AnyOp { left, right, .. }
        | Expr::AllOp { left, right, .. }
        | Expr::IsDistinctFrom(left, right)
        | Expr::IsNotDistinctFrom(left, right)
        | Expr::AtTimeZone {
            timestamp: left,
            time_zone: right,
        }
        | Expr::Position {
            expr: left,
            r#in: right,
        } => open.extend([Open::Expr(left), Open::Expr(right)]),
        Expr::Like { expr, pattern, .. }
        | Expr::ILike { expr, pattern, .. }
        | Expr::SimilarTo { expr, pattern, .. }
        | Expr::RLike { expr, pattern, .. } => open.extend([Open::Expr(expr), Open::Expr(pattern)]),
        Expr::Between {
            expr, low, high, ..
        } => open.extend([Open::Expr(expr), Open::Expr(low), Open::Expr(high)]),
        Expr::Nested(inner)
        | Expr::IsFalse(inner)
        | Expr::IsNotFalse(inner)
        | Expr::IsTrue(inner)
        | Expr::IsNotTrue(inner)
        | Expr::IsNull(inner)
        | Expr::IsNotNull(inner)
        | Expr::IsUnknown(inner)
        | Expr::IsNotUnknown(inner)
        | Expr::UnaryOp { expr: inner, .. }
        | Expr::Cast { expr: inner, .. }
        | Expr::Convert { expr: inner, .. }
        | Expr::Extract { expr: inner, .. }
        | Expr::Ceil { expr: inner, .. }
        | Expr::Floor { expr: inner, .. }
        | Expr::Collate { expr: inner, .. }
        | Expr::Named { expr: inner, .. }
        | Expr::Prefixed { value: inner, .. }
        | Expr::JsonAccess { value: inner, .. }
        | Expr::IsJson { expr: inner, .. }
        | Expr::IsNormalized { expr: inner, .. }
        | Expr::OuterJoin(inner)
        | Expr::Prior(inner) => open.push(Open::Expr(inner)),
        Expr::Interval(interval) => open.push(Open::Expr(&interval.value)),
        Expr::Array(array) => open.extend(array.elem.iter().map(Open::Expr)),
        Expr::Tuple(parts) | Expr::Struct { values: parts, .. } => {
            open.extend(parts.iter().map(Open::Expr))
        }
        Expr::Substring {
            expr,
            substring_from,
            substring_for,
            ..
        } => {
            open.push(Open::Expr(expr));
            open.extend(
                [substring_from, substring_for]
                    .into_iter()
                    .flatten()
                    .map(|part| Open::Expr(part)),
            );
        }
        Expr::Trim {
            expr, trim_what, ..
        } => {
            open.push(Open::Expr(expr));
            open.extend(trim_what.as_deref().map(Open::Expr));
        }
        Expr::Overlay {
            expr,
            overlay_what,
            overlay_from,
            ..
        } => {
            open.extend([
                Open::Expr(expr),
                Open::Expr(overlay_what),
                Open::Expr(overlay_from),
            ]);
        }
        Expr::Case {
            operand,
            conditions,
            else_result,
            ..
        } => {
            open.extend(operand.as_deref().map(Open::Expr));
            for when in conditions {
                open.extend([Open::Expr(&when.condition), Open::Expr(&when.result)]);
            }
            open.extend(else_result.as_deref().map(Open::Expr));
        }
        Expr::CompoundFieldAccess { root, access_chain } => {
            open.push(Open::Expr(root));
            for access in access_chain {
                match access {
                    AccessExpr::Dot(expr)
                    | AccessExpr::Subscript(Subscript::Index { index: expr }) => {
                        open.push(Open::Expr(expr));
                    }
                    AccessExpr::Subscript(Subscript::Slice { .. }) => {}
                }
            }
        }
        Expr::MemberOf(member) => {
            open.extend([Open::Expr(&member.value), Open::Expr(&member.array)])
        }
        _ => {}
    }
}

pub(super) fn push_args<'a>(args: &'a [FunctionArg], open: &mut Vec<Open<'a>>) {
    for arg in args {
        let (FunctionArg::Named { arg, .. }
        | FunctionArg::ExprNamed { arg, .. }
        | FunctionArg::Unnamed(arg)) = arg;
        if let FunctionArgExpr::Expr(expr) = arg {
            open.push(Open::Expr(expr));
        }
    }
}

fn push_call<'a>(function: &'a Function, open: &mut Vec<Open<'a>>) {
    match &function.args {
        FunctionArguments::None => {}
        FunctionArguments::Subquery(query) => open.push(Open::Query(query)),
        FunctionArguments::List(list) => {
            push_args(&list.args, open);
            for clause in &list.clauses {
                match clause {
                    FunctionArgumentClause::OrderBy(order) => push_order(order, open),
                    FunctionArgumentClause::Where(expr) | FunctionArgumentClause::Limit(expr) => {
                        open.push(Open::Expr(expr));
                    }
                    _ => {}
                }
            }
        }
    }
    push_order(&function.within_group, open);
    open.extend(function.filter.as_deref().map(Open::Expr));
    if let Some(WindowType::WindowSpec(window)) = &function.over {
        open.extend(window.partition_by.iter().map(Open::Expr));
        push_order(&window.order_by, open);
    }
    open.push(Open::Call(function));
}

fn push_order<'a>(order: &'a [OrderByExpr], open: &mut Vec<Open<'a>>) {
    open.extend(order.iter().map(|order| Open::Expr(&order.expr)));
}

/// The columns in an expression, each once, in order.
pub(super) fn columns_in(expr: &Expr) -> Vec<String> {
    let mut open = vec![Open::Expr(expr)];
    let mut columns: Vec<String> = Vec::new();
    while let Some(next) = open.pop() {
        let Open::Expr(expr) = next else { continue };
        let column = match expr {
            Expr::Identifier(ident) => Some(&ident.value),
            Expr::CompoundIdentifier(path) => path.last().map(|ident| &ident.value),
            _ => None,
        };
        if let Some(column) = column.filter(|column| !columns.contains(column)) {
            columns.push(column.clone());
        }
        let from = open.len();
        push_parts(expr, &mut open);
        open[from..].reverse();
    }
    columns
}
