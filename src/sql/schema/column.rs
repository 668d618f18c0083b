//! Columns and keys as definitions spell them. It must not know which statement they stand in.

use sqlparser::ast::{
    ColumnDef, ColumnOption, DataType, Expr, IndexColumn, NullsDistinctOption, TableConstraint,
};

use super::super::filter::conditions;
use super::super::name::{Names, bare};
use super::super::part::columns_in;
use super::super::statement::{Condition, Value};
use super::super::value::value;
use super::model::{Column, Fill, Origin, Unique, UniqueKind, UniquePart};

/// A column, and the keys that are said beside it.
pub(super) fn column(table: &str, def: &ColumnDef, origin: Origin) -> (Column, Vec<Unique>) {
    let name = def.name.value.clone();
    let options = def.options.iter().map(|option| &option.option);
    let (mut column, kinds) = options_of(&name, &def.data_type, options);
    let mut uniques = Vec::new();
    for kind in kinds {
        if kind == UniqueKind::Primary {
            column.is_nullable = false;
        }
        let parts = vec![UniquePart::column(&name)];
        uniques.push(Unique::new(table, None, kind, parts, origin));
    }
    (column, uniques)
}

/// A column by its type and options, and the kinds of keys that it is by itself.
pub(super) fn options_of<'o>(
    name: &str,
    data_type: &DataType,
    options: impl Iterator<Item = &'o ColumnOption>,
) -> (Column, Vec<UniqueKind>) {
    let ty = data_type.to_string().to_lowercase();
    let is_serial = ["serial", "bigserial", "smallserial"]
        .iter()
        .any(|serial| ty == *serial)
        || ty.starts_with("serial");
    let mut column = Column {
        name: name.to_owned(),
        is_nullable: !is_serial,
        fill: if is_serial {
            Fill::Fresh
        } else {
            Fill::Nothing
        },
        ty,
    };
    let mut kinds = Vec::new();
    for option in options {
        match option {
            ColumnOption::NotNull => column.is_nullable = false,
            ColumnOption::Null => column.is_nullable = true,
            ColumnOption::Default(expr) => column.fill = fill(expr),
            ColumnOption::PrimaryKey(_) => {
                kinds.push(UniqueKind::Primary);
                // SQLite numbers such a column by itself.
                if column.ty == "integer" && column.fill == Fill::Nothing {
                    column.fill = Fill::Fresh;
                }
            }
            ColumnOption::Unique(_) => kinds.push(UniqueKind::Unique),
            ColumnOption::Generated {
                generation_expr, ..
            } => {
                column.fill = match generation_expr {
                    Some(_) => Fill::Computed,
                    None => {
                        column.is_nullable = false;
                        Fill::Fresh
                    }
                };
            }
            ColumnOption::Identity(_) => column.fill = Fill::Fresh,
            ColumnOption::DialectSpecific(tokens) => {
                let numbers = tokens
                    .iter()
                    .any(|token| token.to_string().to_uppercase().starts_with("AUTO"));
                if numbers {
                    column.fill = Fill::Fresh;
                }
            }
            _ => {}
        }
    }
    (column, kinds)
}

/// What a default gives.
pub(super) fn fill(expr: &Expr) -> Fill {
    match value(expr, &Names::default()) {
        Value::Null => Fill::Nothing,
        Value::Literal(text) => Fill::Fixed(text),
        Value::List(_) => Fill::Fixed(expr.to_string()),
        // A bare word such as CURRENT_USER is no column here.
        other => {
            let is_fresh = |part: &Value| {
                matches!(
                    part,
                    Value::Clock
                        | Value::Random
                        | Value::Subquery
                        | Value::Other
                        | Value::Column(_)
                ) || matches!(part, Value::Function(name, _) if !is_pure(name))
            };
            if other.any(&is_fresh) {
                Fill::Fresh
            } else {
                Fill::Fixed(expr.to_string())
            }
        }
    }
}

/// Functions in defaults that give the same each time.
fn is_pure(name: &str) -> bool {
    matches!(
        bare(name),
        "lower"
            | "upper"
            | "jsonb_build_object"
            | "json_build_object"
            | "array"
            | "interval"
            | "cast"
            | "to_jsonb"
            | "concat"
            | "coalesce"
            | "md5"
            | "make_interval"
            | "-"
            | "+"
            | "||"
    )
}

/// A key that a constraint of a table says.
pub(super) fn constraint(
    table: &str,
    constraint: &TableConstraint,
    origin: Origin,
) -> Option<Unique> {
    match constraint {
        TableConstraint::Unique(said) => {
            let name = said.name.as_ref().or(said.index_name.as_ref());
            let mut found = Unique::new(
                table,
                name.map(|name| name.value.clone()),
                UniqueKind::Unique,
                parts(&said.columns),
                origin,
            );
            found.nulls_differ = said.nulls_distinct != NullsDistinctOption::NotDistinct;
            Some(found)
        }
        TableConstraint::PrimaryKey(said) => Some(Unique::new(
            table,
            said.name.as_ref().map(|name| name.value.clone()),
            UniqueKind::Primary,
            parts(&said.columns),
            origin,
        )),
        _ => None,
    }
}

/// What the columns of an index say.
pub(super) fn parts(columns: &[IndexColumn]) -> Vec<UniquePart> {
    columns
        .iter()
        .map(|column| match strip(&column.column.expr) {
            Expr::Identifier(ident) => UniquePart::column(&ident.value),
            Expr::CompoundIdentifier(path) => {
                UniquePart::column(path.last().map_or("", |ident| &ident.value))
            }
            // MySQL's index over a prefix of a column.
            Expr::Function(function)
                if function.name.0.len() == 1 && is_prefix(&function.to_string()) =>
            {
                UniquePart::column(function.name.to_string().trim_matches(['`', '"']))
            }
            expr => UniquePart {
                text: expr.to_string(),
                columns: columns_in(expr),
            },
        })
        .collect()
}

/// `name(191)`.
fn is_prefix(text: &str) -> bool {
    text.split_once('(').is_some_and(|(_, rest)| {
        let digits = rest.trim_end_matches(')');
        !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
    })
}

fn strip(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) => strip(inner),
        Expr::Collate { expr, .. } => strip(expr),
        expr => expr,
    }
}

/// The predicate of a partial index.
pub(super) fn predicate(expr: Option<&Expr>) -> Vec<Condition> {
    conditions(expr, &Names::default())
}
