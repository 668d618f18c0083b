//! UPDATE, DELETE and MERGE. It must not know INSERT's own clauses.

use sqlparser::ast::{
    BinaryOperator, Delete, Expr, FromTable, InTarget, Merge, MergeAction, MergeInsertKind,
    MergeUpdateKind, Query, Select, SetExpr, TableFactor, TableWithJoins, Update,
    UpdateTableFromKind,
};

use super::filter::{conditions, joined};
use super::insert::assignments;
use super::name::{Names, dotted, last, same_table, table};
use super::select::{lock, names as names_of};
use super::statement::{
    Assignment, Conflict, ConflictAction, ConflictTarget, Statement, Test, Verb,
};
use super::value::value;
use super::walk::Scope;

/// Fills in an UPDATE.
pub(super) fn update(update: &Update, scope: &Scope<'_>, statement: &mut Statement) {
    statement.verb = Verb::Update;
    let names = target(&update.table.relation, statement);
    statement.set = assignments(&update.assignments, &names);
    statement.filter = conditions(update.selection.as_ref(), &names);
    let from = from_tables(update.from.as_ref());
    pick(scope, from, update.selection.as_ref(), statement);
}

/// The tables of an UPDATE's FROM.
pub(super) fn from_tables(from: Option<&UpdateTableFromKind>) -> &[TableWithJoins] {
    match from {
        Some(UpdateTableFromKind::BeforeSet(tables) | UpdateTableFromKind::AfterSet(tables)) => {
            tables
        }
        None => &[],
    }
}

/// Fills in a DELETE.
pub(super) fn delete(delete: &Delete, scope: &Scope<'_>, statement: &mut Statement) {
    statement.verb = Verb::Delete;
    let tables = deleted_from(delete);
    let mut names = match tables.first() {
        Some(first) => target(&first.relation, statement),
        None => Names::default(),
    };
    // MySQL's `DELETE a FROM t a JOIN …` names what it deletes before FROM, by alias or name.
    if let Some(named) = delete.tables.first().map(dotted) {
        let joined = tables
            .iter()
            .flat_map(|table| table.joins.iter().map(|join| &join.relation));
        let mut all = tables.iter().map(|table| &table.relation).chain(joined);
        let meant = all.find(|factor| {
            let (name, alias) = table(factor).unzip();
            name.is_some_and(|name| same_table(&dotted(name), &named))
                || alias
                    .flatten()
                    .is_some_and(|alias| alias.value.eq_ignore_ascii_case(&named))
        });
        match meant {
            Some(factor) => names = target(factor, statement),
            None => statement.table = Some(named),
        }
    }
    statement.filter = conditions(delete.selection.as_ref(), &names);
    pick(
        scope,
        delete.using.as_deref().unwrap_or_default(),
        delete.selection.as_ref(),
        statement,
    );
}

/// The tables after a DELETE's FROM.
pub(super) fn deleted_from(delete: &Delete) -> &[TableWithJoins] {
    let (FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables)) = &delete.from;
    tables
}

/// Sets the table that is written and says how it may be called.
fn target(factor: &TableFactor, statement: &mut Statement) -> Names {
    let Some((name, alias)) = table(factor) else {
        return Names::default();
    };
    let name = dotted(name);
    let names = Names::of(&name, alias.map(|alias| alias.value.as_str()));
    statement.table = Some(name);
    names
}

/// The conditions and locks of the queries over the same table that choose the rows.
fn pick(
    scope: &Scope<'_>,
    from: &[TableWithJoins],
    selection: Option<&Expr>,
    statement: &mut Statement,
) {
    let mut queries: Vec<&Query> = scope.iter().map(|(_, query)| *query).collect();
    let relations = from.iter().flat_map(|from| {
        from.joins
            .iter()
            .map(|join| &join.relation)
            .chain([&from.relation])
    });
    queries.extend(relations.filter_map(derived));
    for part in selection
        .map(|selection| joined(selection, &BinaryOperator::And))
        .unwrap_or_default()
    {
        match part {
            Expr::In {
                target: InTarget::Subquery(query),
                negated: false,
                ..
            } => queries.push(query),
            Expr::BinaryOp {
                op: BinaryOperator::Eq,
                right,
                ..
            } => queries.extend(subquery(right)),
            Expr::AnyOp {
                compare_op: BinaryOperator::Eq,
                right,
                ..
            } => queries.extend(subquery(right)),
            _ => {}
        }
    }
    let mut next = 0;
    while let Some(query) = queries.get(next).copied() {
        next += 1;
        queries.extend(
            query
                .with
                .iter()
                .flat_map(|with| with.cte_tables.iter().map(|cte| &*cte.query)),
        );
        let Some(select) = select_of(query) else {
            continue;
        };
        queries.extend(
            select
                .from
                .iter()
                .filter_map(|from| derived(&from.relation)),
        );
        let read = select
            .from
            .first()
            .and_then(|from| table(&from.relation))
            .map(|(name, _)| dotted(name));
        if let (Some(read), Some(written)) = (read, &statement.table)
            && same_table(&read, written)
        {
            statement
                .picked
                .extend(conditions(select.selection.as_ref(), &names_of(select)));
            statement.lock = statement.lock.take().or_else(|| lock(&query.locks));
        }
    }
}

fn derived(factor: &TableFactor) -> Option<&Query> {
    match factor {
        TableFactor::Derived { subquery, .. } => Some(subquery),
        _ => None,
    }
}

/// The query that an expression is, bare or as an array.
fn subquery(expr: &Expr) -> Option<&Query> {
    match expr {
        Expr::Subquery(query) => Some(query),
        Expr::Nested(inner) => subquery(inner),
        Expr::Function(function) => match &function.args {
            sqlparser::ast::FunctionArguments::Subquery(query) => Some(query),
            _ => None,
        },
        _ => None,
    }
}

fn select_of(query: &Query) -> Option<&Select> {
    match &*query.body {
        SetExpr::Select(select) => Some(select),
        SetExpr::Query(inner) => select_of(inner),
        _ => None,
    }
}

/// Fills in a MERGE: what it inserts is `set`, what it does about a match is `conflict`.
pub(super) fn merge(merge: &Merge, statement: &mut Statement) {
    statement.verb = Verb::Merge;
    let names = target(&merge.table, statement);
    let on = conditions(Some(&merge.on), &names);
    let mut matched = None;
    for clause in &merge.clauses {
        let predicate = || conditions(clause.predicate.as_ref(), &names);
        match &clause.action {
            MergeAction::Insert(insert) => {
                let MergeInsertKind::Values(values) = &insert.kind else {
                    continue;
                };
                let row = values
                    .rows
                    .first()
                    .map(|row| row.iter())
                    .into_iter()
                    .flatten();
                let set = insert.columns.iter().zip(row);
                statement.set = set
                    .map(|(column, expr)| Assignment {
                        column: last(column),
                        value: value(expr, &names),
                    })
                    .collect();
            }
            MergeAction::Update(update) => {
                let set = match &update.kind {
                    MergeUpdateKind::Set(settings) => assignments(settings, &names),
                    MergeUpdateKind::Wildcard => Vec::new(),
                };
                matched = matched.or(Some(ConflictAction::Update {
                    set,
                    filter: predicate(),
                }));
            }
            MergeAction::Delete { .. } => matched = matched.or(Some(ConflictAction::Delete)),
            MergeAction::DoNothing { .. } => matched = matched.or(Some(ConflictAction::Nothing)),
        }
    }
    let columns = on
        .iter()
        .filter(|condition| condition.test == Test::Eq)
        .filter_map(|condition| condition.column.clone());
    statement.conflict = Some(Conflict {
        target: ConflictTarget::Columns {
            columns: columns.collect(),
            predicate: Vec::new(),
        },
        action: matched.unwrap_or(ConflictAction::Nothing),
    });
}
