//! Where the values of an INSERT come from, and what it does about a row that is already there.
//! It must not know other statements.

use sqlparser::ast::{
    Assignment as Setting, AssignmentTarget, ConflictTarget as Target, Expr, FunctionArg,
    FunctionArgExpr, Insert, ObjectName, OnConflictAction, OnInsert, Query, Select, SelectItem,
    SetExpr, SqliteOnConflict, TableAlias, TableFactor,
};

use super::filter::conditions;
use super::name::{Names, dotted, is_hole, last};
use super::select;
use super::statement::{
    Assignment, Conflict, ConflictAction, ConflictTarget, Placeholder, Rows, Statement, Value, Verb,
};
use super::value::value;

/// Fills in an INSERT or REPLACE into `table`.
pub(super) fn insert(insert: &Insert, table: &str, statement: &mut Statement) {
    statement.verb = if insert.replace_into {
        Verb::Replace
    } else {
        Verb::Insert
    };
    let alias = insert
        .table_alias
        .as_ref()
        .map(|alias| alias.alias.value.as_str());
    let proposed = insert
        .insert_alias
        .as_ref()
        .map(|alias| last(&alias.row_alias));
    let names = Names::of(table, alias);
    let columns: Vec<String> = insert.columns.iter().map(last).collect();
    match (&insert.source, insert.assignments.as_slice()) {
        (Some(source), _) => from_query(source, &columns, &names, statement),
        (None, []) => {
            // ClickHouse's `FORMAT` brings its rows beside the statement.
            if insert.format_clause.is_some() {
                statement.rows = Rows::Many;
                statement.set = unknown(&columns);
            }
        }
        (None, settings) => statement.set = assignments(settings, &names),
    }
    statement.conflict = conflict(insert, &names.with_proposed(proposed.as_deref()));
}

fn unknown(columns: &[String]) -> Vec<Assignment> {
    let unknown = |column: &String| Assignment {
        column: column.clone(),
        value: Value::Other,
    };
    columns.iter().map(unknown).collect()
}

/// Pairs columns with values; a column without name is called by its position.
fn paired(columns: &[String], values: Vec<Value>) -> Vec<Assignment> {
    let named = values.into_iter().enumerate().map(|(index, value)| {
        let column = columns
            .get(index)
            .cloned()
            .unwrap_or_else(|| format!("#{}", index + 1));
        Assignment { column, value }
    });
    named.collect()
}

fn from_query(source: &Query, columns: &[String], names: &Names, statement: &mut Statement) {
    let mut body = &*source.body;
    while let SetExpr::Query(inner) = body {
        body = &inner.body;
    }
    match body {
        SetExpr::Values(values) => {
            let row: Vec<Value> = values
                .rows
                .first()
                .map(|row| row.iter().map(|expr| value(expr, names)).collect())
                .unwrap_or_default();
            let spliced = matches!(
                row.as_slice(),
                [Value::Other | Value::Placeholder(Placeholder::Named(_))]
            ) && matches!(values.rows.first().and_then(|row| row.first()), Some(Expr::Identifier(ident)) if is_hole(&ident.value));
            statement.rows = if values.rows.len() > 1 || spliced {
                Rows::Many
            } else {
                Rows::One
            };
            statement.set = if spliced && columns.len() != 1 {
                unknown(columns)
            } else {
                paired(columns, row)
            };
        }
        SetExpr::Select(select) => from_select(select, columns, statement),
        _ => {
            statement.rows = Rows::FromSelect;
            statement.set = unknown(columns);
        }
    }
}

fn from_select(select: &Select, columns: &[String], statement: &mut Statement) {
    let names = select::names(select);
    let source = Source::of(select);
    statement.filter = conditions(select.selection.as_ref(), &names);
    statement.rows = if source.unnested {
        Rows::FromUnnest
    } else {
        Rows::FromSelect
    };
    let starred = select.projection.iter().any(|item| {
        matches!(
            item,
            SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..)
        )
    });
    if starred {
        statement.set = match select.projection.len() {
            1 if !source.columns.is_empty() => paired(
                columns,
                source.columns.into_iter().map(|(_, value)| value).collect(),
            ),
            _ => unknown(columns),
        };
        return;
    }
    let mut values = Vec::new();
    for item in &select.projection {
        let (SelectItem::UnnamedExpr(expr)
        | SelectItem::ExprWithAlias { expr, .. }
        | SelectItem::ExprWithAliases { expr, .. }) = item
        else {
            continue;
        };
        values.push(match value(expr, &names) {
            Value::Function(name, mut args) if name == "unnest" && args.len() == 1 => {
                statement.rows = Rows::FromUnnest;
                args.pop().unwrap_or_default()
            }
            value => source.resolve(value),
        });
    }
    statement.set = paired(columns, values);
}

/// Columns of a source that are nothing but arguments: `UNNEST($1, $2) AS t(a, b)`, `(VALUES ($1)) AS v(a)`.
#[derive(Default)]
struct Source {
    alias: String,
    columns: Vec<(String, Value)>,
    unnested: bool,
}

impl Source {
    fn of(select: &Select) -> Self {
        let [from] = select.from.as_slice() else {
            return Self::default();
        };
        let none = Names::default();
        let (values, alias, unnested): (Vec<Value>, _, _) = match &from.relation {
            TableFactor::UNNEST {
                array_exprs, alias, ..
            } => (
                array_exprs.iter().map(|expr| value(expr, &none)).collect(),
                alias,
                true,
            ),
            TableFactor::Function {
                name, args, alias, ..
            } if is_unnest(name) => (arguments(args), alias, true),
            TableFactor::Table {
                name,
                args: Some(args),
                alias,
                ..
            } if is_unnest(name) => (arguments(&args.args), alias, true),
            TableFactor::Derived {
                subquery, alias, ..
            } => match &*subquery.body {
                SetExpr::Values(values) => {
                    let row = values.rows.first();
                    (
                        row.map(|row| row.iter().map(|expr| value(expr, &none)).collect())
                            .unwrap_or_default(),
                        alias,
                        false,
                    )
                }
                _ => return Self::default(),
            },
            _ => return Self::default(),
        };
        let names = names_of(alias.as_ref(), values.len());
        let alias = alias
            .as_ref()
            .map(|alias| alias.name.value.clone())
            .unwrap_or_default();
        Self {
            alias,
            columns: names.into_iter().zip(values).collect(),
            unnested,
        }
    }

    /// The argument that a column stands for.
    fn resolve(&self, value: Value) -> Value {
        let Value::Column(column) = &value else {
            return value;
        };
        let bare = column
            .strip_prefix(&self.alias)
            .and_then(|rest| rest.strip_prefix('.'))
            .unwrap_or(column);
        let found = self
            .columns
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(bare));
        found.map_or_else(|| value.clone(), |(_, argument)| argument.clone())
    }
}

fn is_unnest(name: &ObjectName) -> bool {
    last(name).eq_ignore_ascii_case("unnest")
}

fn arguments(args: &[FunctionArg]) -> Vec<Value> {
    let argument = |arg: &FunctionArg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => value(expr, &Names::default()),
        _ => Value::Other,
    };
    args.iter().map(argument).collect()
}

/// The column names of an alias; a single column without names is called like the alias itself.
fn names_of(alias: Option<&TableAlias>, count: usize) -> Vec<String> {
    let Some(alias) = alias else {
        return (1..=count).map(|index| format!("#{index}")).collect();
    };
    if alias.columns.is_empty() && count == 1 {
        return vec![alias.name.value.clone()];
    }
    let named = |index: usize| {
        alias.columns.get(index).map_or_else(
            || format!("#{}", index + 1),
            |column| column.name.value.clone(),
        )
    };
    (0..count).map(named).collect()
}

/// The assignments of a SET clause.
pub(super) fn assignments(settings: &[Setting], names: &Names) -> Vec<Assignment> {
    let mut set = Vec::new();
    for setting in settings {
        match &setting.target {
            AssignmentTarget::ColumnName(name) => {
                let column = last(name);
                let value = value(&setting.value, &names.setting(&column));
                set.push(Assignment { column, value });
            }
            AssignmentTarget::Tuple(columns) => {
                let values = match &setting.value {
                    Expr::Tuple(values) => values.iter().map(|expr| value(expr, names)).collect(),
                    other => vec![value(other, names); columns.len()],
                };
                let columns: Vec<String> = columns.iter().map(last).collect();
                set.extend(paired(&columns, values));
            }
        }
    }
    set
}

fn conflict(insert: &Insert, names: &Names) -> Option<Conflict> {
    let any = |action| {
        Some(Conflict {
            target: ConflictTarget::Any,
            action,
        })
    };
    match &insert.on {
        Some(OnInsert::OnConflict(on)) => {
            let target = match &on.conflict_target {
                None => ConflictTarget::Any,
                Some(Target::OnConstraint(name)) => ConflictTarget::Constraint(dotted(name)),
                Some(Target::Columns { columns, predicate }) => ConflictTarget::Columns {
                    columns: columns.iter().map(|column| column.value.clone()).collect(),
                    predicate: conditions(predicate.as_ref(), names),
                },
            };
            let action = match &on.action {
                OnConflictAction::DoNothing => ConflictAction::Nothing,
                OnConflictAction::DoUpdate(update) => ConflictAction::Update {
                    set: assignments(&update.assignments, names),
                    filter: conditions(update.selection.as_ref(), names),
                },
            };
            Some(Conflict { target, action })
        }
        Some(OnInsert::DuplicateKeyUpdate(settings)) => any(ConflictAction::Update {
            set: assignments(settings, names),
            filter: Vec::new(),
        }),
        Some(_) => None,
        None if insert.replace_into => any(ConflictAction::Replace),
        None if insert.ignore => any(ConflictAction::Nothing),
        None => match insert.or {
            Some(SqliteOnConflict::Ignore) => any(ConflictAction::Nothing),
            Some(SqliteOnConflict::Replace) => any(ConflictAction::Replace),
            Some(SqliteOnConflict::Abort | SqliteOnConflict::Fail | SqliteOnConflict::Rollback) => {
                any(ConflictAction::Fail)
            }
            None => None,
        },
    }
}
