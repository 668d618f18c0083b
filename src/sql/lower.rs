//! A parser's tree to the model. It must not know text: whatever is spliced in was mended before.

use sqlparser::ast::{
    self, MergeAction, MergeInsertKind, MergeUpdateKind, OnConflictAction, OnInsert, OutputClause,
    SelectItem, SetExpr, TableObject,
};

use super::filter::conditions;
use super::foreign::Clause;
use super::function::class;
use super::insert;
use super::name::{Names, dotted};
use super::parse::Parsed;
use super::plain::is_session_table;
use super::select;
use super::statement::{
    Conflict, ConflictAction, ConflictTarget, Function, FunctionClass, Statement, Verb,
};
use super::value::arguments;
use super::walk::{Scope, Walk};
use super::write;

/// The model of a parsed statement, but for its range.
pub(super) fn lower(parsed: Parsed) -> Statement {
    let mut statement = build(&parsed.tree, Scope::new());
    statement.holes = parsed.holes;
    statement.unfinished = parsed.unfinished;
    let action = match parsed.clause {
        Clause::Silent => None,
        Clause::OnlyIfAbsent => Some(ConflictAction::Nothing),
        Clause::Upsert => Some(ConflictAction::Update {
            set: statement.set.clone(),
            filter: Vec::new(),
        }),
    };
    let clause = action.map(|action| Conflict {
        target: ConflictTarget::Any,
        action,
    });
    statement.conflict = statement
        .conflict
        .take()
        .or(clause.filter(|_| statement.verb == Verb::Insert));
    statement
}

/// One statement that sees the CTEs in `scope`.
fn build<'a>(tree: &'a ast::Statement, scope: Scope<'a>) -> Statement {
    let mut statement = Statement::default();
    let mut walk = Walk::new(scope);
    match tree {
        ast::Statement::Query(query) => match &*query.body {
            SetExpr::Insert(inner)
            | SetExpr::Update(inner)
            | SetExpr::Delete(inner)
            | SetExpr::Merge(inner) => {
                walk.with(query.with.as_ref());
                written(inner, &mut walk, &mut statement);
            }
            body => {
                walk.query(query);
                select::query(query, &mut statement);
                // The first member of FROM may be a CTE, which is no table: its columns are not the
                // columns of the first table that is read.
                if !statement
                    .table
                    .as_ref()
                    .is_some_and(|table| walk.reads.contains(table))
                {
                    statement.table = walk.reads.first().cloned();
                    if let SetExpr::Select(select) = body
                        && !select.from.is_empty()
                    {
                        statement.filter = conditions(select.selection.as_ref(), &Names::default());
                    }
                }
                if let SetExpr::Select(select) = body {
                    into(select, &mut statement);
                }
            }
        },
        other => written(other, &mut walk, &mut statement),
    }
    statement.lock = statement.lock.take().or(walk.lock);
    statement.temporary |= statement.table.as_deref().is_some_and(is_session_table);
    statement.reads = walk.reads;
    statement.functions = walk.functions;
    statement.nested = walk
        .writes
        .into_iter()
        .map(|(tree, scope)| build(tree, scope))
        .collect();
    statement
}

/// `SELECT … INTO t` creates a table.
fn into(select: &ast::Select, statement: &mut Statement) {
    if let Some(into) = &select.into {
        statement.verb = Verb::Ddl;
        statement.table = into.targets.first().map(ToString::to_string);
        statement.temporary = into.temporary;
    }
}

fn written<'a>(tree: &'a ast::Statement, walk: &mut Walk<'a>, statement: &mut Statement) {
    match tree {
        ast::Statement::Insert(tree) => inserted(tree, walk, statement),
        ast::Statement::Update(tree) => {
            walk.joins(&tree.table);
            walk.tables(write::from_tables(tree.from.as_ref()));
            walk.exprs(tree.assignments.iter().map(|setting| &setting.value));
            walk.exprs(tree.selection.iter().chain(&tree.limit));
            write::update(tree, &walk.scope, statement);
            returned(
                tree.returning.as_deref(),
                tree.output.as_ref(),
                walk,
                statement,
            );
        }
        ast::Statement::Delete(tree) => {
            write::delete(tree, &walk.scope, statement);
            let mut tables = write::deleted_from(tree).iter();
            if let Some(first) = tables.next() {
                walk.joins(first);
            }
            walk.tables(tables.as_slice());
            walk.tables(tree.using.as_deref().unwrap_or_default());
            walk.exprs(tree.selection.iter().chain(&tree.limit));
            returned(
                tree.returning.as_deref(),
                tree.output.as_ref(),
                walk,
                statement,
            );
        }
        ast::Statement::Merge(tree) => {
            walk.table(&tree.source);
            walk.exprs([&*tree.on]);
            merged(tree, walk);
            write::merge(tree, statement);
            returned(None, tree.output.as_ref(), walk, statement);
        }
        ast::Statement::Call(function) => {
            statement.verb = Verb::Call;
            let name = dotted(&function.name).to_ascii_lowercase();
            let class = class(&name, false).unwrap_or(FunctionClass::Other);
            walk.functions.push(Function {
                name,
                class,
                args: arguments(function, &Names::default()),
            });
        }
        _ => statement.verb = Verb::Other,
    }
}

fn inserted<'a>(tree: &'a ast::Insert, walk: &mut Walk<'a>, statement: &mut Statement) {
    if let TableObject::TableName(name) = &tree.table {
        statement.table = Some(dotted(name));
    }
    if let Some(source) = &tree.source {
        walk.query(source);
    }
    walk.exprs(tree.assignments.iter().map(|setting| &setting.value));
    match &tree.on {
        Some(OnInsert::OnConflict(on)) => {
            if let OnConflictAction::DoUpdate(update) = &on.action {
                walk.exprs(
                    update
                        .assignments
                        .iter()
                        .map(|setting| &setting.value)
                        .chain(&update.selection),
                );
            }
        }
        Some(OnInsert::DuplicateKeyUpdate(settings)) => {
            walk.exprs(settings.iter().map(|setting| &setting.value))
        }
        _ => {}
    }
    let table = statement.table.clone().unwrap_or_default();
    insert::insert(tree, &table, statement);
    returned(
        tree.returning.as_deref(),
        tree.output.as_ref(),
        walk,
        statement,
    );
}

fn merged<'a>(tree: &'a ast::Merge, walk: &mut Walk<'a>) {
    for clause in &tree.clauses {
        walk.exprs(&clause.predicate);
        match &clause.action {
            MergeAction::Insert(insert) => {
                if let MergeInsertKind::Values(values) = &insert.kind {
                    for row in &values.rows {
                        walk.exprs(row.iter());
                    }
                }
            }
            MergeAction::Update(update) => {
                if let MergeUpdateKind::Set(settings) = &update.kind {
                    walk.exprs(settings.iter().map(|setting| &setting.value));
                }
            }
            MergeAction::Delete { .. } | MergeAction::DoNothing { .. } => {}
        }
    }
}

fn returned<'a>(
    returning: Option<&'a [SelectItem]>,
    output: Option<&'a OutputClause>,
    walk: &mut Walk<'a>,
    statement: &mut Statement,
) {
    let output = output.map(|output| match output {
        OutputClause::Output { select_items, .. }
        | OutputClause::Returning { select_items, .. } => select_items.as_slice(),
    });
    let items = returning.or(output).unwrap_or_default();
    for item in items {
        walk.item(item);
    }
    statement.returning = select::columns(items);
}
