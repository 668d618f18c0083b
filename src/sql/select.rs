//! What a query asks for, of which table, under which conditions. It must not know writes.

use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, LockClause,
    LockType, NonBlock, Query, Select, SelectItem, SetExpr,
};

use super::filter::conditions;
use super::name::{Names, dotted, table, unannotated};
use super::statement::{Condition, Lock, Projection, Statement, Strength, Value, Verb};
use super::value::value;

/// Fills in what a query asks for; tables read are the walk's business.
pub(super) fn query(query: &Query, statement: &mut Statement) {
    statement.verb = Verb::Select;
    statement.lock = lock(&query.locks);
    let mut body = &*query.body;
    let mut united = false;
    loop {
        match body {
            SetExpr::SetOperation { left, .. } => {
                united = true;
                body = left;
            }
            SetExpr::Query(inner) => {
                statement.lock = statement.lock.take().or_else(|| lock(&inner.locks));
                body = &inner.body;
            }
            _ => break,
        }
    }
    match body {
        SetExpr::Select(select) => {
            one(select, statement);
            let locked = query.locks.first().and_then(|lock| lock.of.as_ref());
            if let Some(locked) = locked.and_then(|name| resolve(select, &dotted(name))) {
                statement.table = Some(locked);
            }
        }
        SetExpr::Values(_) => statement.projection = Projection::Constant,
        _ => statement.projection = Projection::Columns(vec!["*".to_owned()]),
    }
    if united {
        // What holds for one arm says nothing of the others.
        statement.filter = vec![Condition::default()];
    }
}

fn one(select: &Select, statement: &mut Statement) {
    // `SELECT EXISTS (SELECT … FROM t WHERE …)` asks t.
    if let (true, [item], None) = (
        select.from.is_empty(),
        select.projection.as_slice(),
        &select.selection,
    ) && let Some((inner, projection)) = item_expr(item).and_then(asked)
    {
        query(inner, statement);
        if let Some(projection) = projection {
            statement.projection = projection;
        }
        return;
    }
    statement.projection = projection(&select.projection);
    statement.table = select
        .from
        .first()
        .and_then(|from| table(&from.relation))
        .map(|(name, _)| dotted(name));
    statement.filter = conditions(select.selection.as_ref(), &names(select));
}

/// How the columns of a query's first table may be called.
pub(super) fn names(select: &Select) -> Names {
    match select.from.first().and_then(|from| table(&from.relation)) {
        Some((name, alias)) => Names::of(&dotted(name), alias.map(|alias| alias.value.as_str())),
        None => Names::default(),
    }
}

/// The table that an alias stands for.
fn resolve(select: &Select, name: &str) -> Option<String> {
    let joined = select
        .from
        .iter()
        .flat_map(|from| from.joins.iter().map(|join| &join.relation));
    let mut all = select
        .from
        .iter()
        .map(|from| &from.relation)
        .chain(joined)
        .filter_map(table);
    all.find_map(|(table, alias)| {
        Names::of(&dotted(table), alias.map(|a| a.value.as_str()))
            .is_own(name)
            .then(|| dotted(table))
    })
}

/// The strongest of several row locks is the first, as written.
pub(super) fn lock(locks: &[LockClause]) -> Option<Lock> {
    locks.first().map(|lock| Lock {
        strength: match lock.lock_type {
            LockType::Update => Strength::Update,
            LockType::Share => Strength::Share,
        },
        skip_locked: matches!(lock.nonblock, Some(NonBlock::SkipLocked)),
        nowait: matches!(lock.nonblock, Some(NonBlock::Nowait)),
    })
}

fn item_expr(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr)
        | SelectItem::ExprWithAlias { expr, .. }
        | SelectItem::ExprWithAliases { expr, .. } => Some(expr),
        SelectItem::QualifiedWildcard(..) | SelectItem::Wildcard(_) => None,
    }
}

/// The query that an expression asks, and what it asks if that is not the query's own projection.
fn asked(expr: &Expr) -> Option<(&Query, Option<Projection>)> {
    match expr {
        Expr::Exists { subquery, .. } => Some((subquery, Some(Projection::Exists))),
        Expr::Subquery(query) => Some((query, None)),
        Expr::Nested(inner)
        | Expr::Cast { expr: inner, .. }
        | Expr::UnaryOp { expr: inner, .. } => asked(inner),
        Expr::BinaryOp { left, op, right } if is_comparison(op) => {
            let (query, _) = asked(left).or_else(|| asked(right))?;
            Some((query, Some(Projection::Exists)))
        }
        Expr::Function(function) => match &function.args {
            FunctionArguments::List(list) => match list.args.first()? {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(first)) => asked(first),
                _ => None,
            },
            FunctionArguments::Subquery(query) => Some((query, None)),
            FunctionArguments::None => None,
        },
        _ => None,
    }
}

fn is_comparison(op: &BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(op, B::Eq | B::NotEq | B::Lt | B::LtEq | B::Gt | B::GtEq)
}

/// What a SELECT asks for.
fn projection(items: &[SelectItem]) -> Projection {
    if let [only] = items
        && let Some(single) = item_expr(only).and_then(single)
    {
        return single;
    }
    Projection::Columns(columns(items))
}

/// A projection of one expression that is no column.
fn single(expr: &Expr) -> Option<Projection> {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => single(inner),
        Expr::Function(function) => match dotted(&function.name).to_ascii_lowercase().as_str() {
            "count" => Some(Projection::Count),
            "coalesce" | "bool_or" | "max" => match value(expr, &Names::default()) {
                Value::Coalesce(parts) if matches!(parts.first(), Some(Value::Function(name, _)) if name == "count") => {
                    Some(Projection::Count)
                }
                _ => None,
            },
            _ => None,
        },
        Expr::Exists { .. } => Some(Projection::Exists),
        Expr::BinaryOp { left, op, .. } if is_comparison(op) => {
            matches!(single(left), Some(Projection::Count)).then_some(Projection::Exists)
        }
        _ => match value(expr, &Names::default()) {
            Value::Literal(_) | Value::Null => Some(Projection::Constant),
            _ => None,
        },
    }
}

/// Columns by their own names, expressions by alias or function.
pub(super) fn columns(items: &[SelectItem]) -> Vec<String> {
    items.iter().map(column).collect()
}

fn column(item: &SelectItem) -> String {
    let (expr, alias): (&Expr, Option<&Ident>) = match item {
        SelectItem::UnnamedExpr(expr) => (expr, None),
        SelectItem::ExprWithAlias { expr, alias } => (expr, Some(alias)),
        SelectItem::ExprWithAliases { expr, aliases } => (expr, aliases.first()),
        SelectItem::QualifiedWildcard(..) | SelectItem::Wildcard(_) => return "*".to_owned(),
    };
    let alias = alias
        .map(|alias| unannotated(&alias.value))
        .filter(|alias| !alias.is_empty() && *alias != "_");
    match expr {
        Expr::Identifier(ident) => ident.value.clone(),
        Expr::CompoundIdentifier(parts) => parts
            .last()
            .map(|part| part.value.clone())
            .unwrap_or_default(),
        Expr::Function(function) => alias.map_or_else(
            || dotted(&function.name).to_ascii_lowercase(),
            str::to_owned,
        ),
        Expr::Cast { expr: inner, .. } | Expr::Nested(inner) => match &**inner {
            Expr::Identifier(ident) => ident.value.clone(),
            Expr::CompoundIdentifier(parts) => parts
                .last()
                .map(|part| part.value.clone())
                .unwrap_or_default(),
            _ => alias.unwrap_or("?").to_owned(),
        },
        _ => alias.unwrap_or("?").to_owned(),
    }
}
