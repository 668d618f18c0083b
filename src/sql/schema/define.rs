//! A parsed definition to the changes it makes. It must not know text.

use sqlparser::ast::{
    self, AlterColumnOperation, AlterIndexOperation, AlterTableOperation, AlterTypeOperation,
    CreateTableLikeKind, Ident, ObjectName, ObjectType, RenameTableNameKind, Spanned,
    TableConstraint, UserDefinedTypeRepresentation,
};

use super::super::name::{dotted, last};
use super::change::Change;
use super::column::{column, constraint, fill, options_of, parts, predicate};
use super::model::{Fill, Origin, Table, Unique, UniqueKind, UniquePart};

/// What a definition changes; empty for one that is about neither tables nor keys.
///
/// `origin` is where the statement begins: places inside of it count from there.
pub(super) fn changes(tree: &ast::Statement, origin: Origin) -> Vec<Change> {
    match tree {
        ast::Statement::CreateTable(table) => vec![create(table, origin)],
        ast::Statement::CreateIndex(index) if index.unique => {
            let table = dotted(&index.table_name);
            let name = index.name.as_ref().map(last);
            let mut key = Unique::new(
                &table,
                name,
                UniqueKind::Unique,
                parts(&index.columns),
                origin,
            );
            key.predicate = predicate(index.predicate.as_ref());
            key.nulls_differ = index.nulls_distinct != Some(false);
            vec![Change::AddUnique(table, key)]
        }
        ast::Statement::AlterTable(alter) => {
            let table = dotted(&alter.name);
            let steps = alter.operations.iter();
            steps
                .flat_map(|step| altered(&table, step, origin))
                .collect()
        }
        ast::Statement::AlterIndex {
            name,
            operation: AlterIndexOperation::RenameIndex { index_name },
        } => vec![Change::RenameUnique {
            table: None,
            from: last(name),
            to: last(index_name),
        }],
        ast::Statement::RenameTable(renames) => renames
            .iter()
            .map(|rename| Change::Rename {
                from: dotted(&rename.old_name),
                to: dotted(&rename.new_name),
            })
            .collect(),
        ast::Statement::Drop {
            object_type, names, ..
        } => dropped(*object_type, names),
        ast::Statement::CreateType {
            name,
            representation: Some(UserDefinedTypeRepresentation::Enum { labels }),
        } => {
            let labels = labels.iter().map(|label| label.value.clone()).collect();
            vec![Change::Enum(last(name), labels)]
        }
        ast::Statement::AlterType(alter) => match &alter.operation {
            AlterTypeOperation::AddValue(add) => {
                vec![Change::AddValue(last(&alter.name), add.value.value.clone())]
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn create(tree: &ast::CreateTable, origin: Origin) -> Change {
    let name = dotted(&tree.name);
    let mut table = Table {
        origin,
        // What a query gives is not told by its text, nor what a partition takes over.
        is_partial: tree.query.is_some() || tree.clone.is_some(),
        ..Table::default()
    };
    for def in &tree.columns {
        let (column, keys) = column(&name, def, within(origin, def.name.span));
        table.columns.push(column);
        table.uniques.extend(keys);
    }
    for said in &tree.constraints {
        let key = constraint(&name, said, within(origin, said.span()));
        table.uniques.extend(key);
    }
    if tree.temporary {
        table.is_partial = true;
    }
    table.name = name;
    let like = match &tree.like {
        Some(CreateTableLikeKind::Parenthesized(like) | CreateTableLikeKind::Plain(like)) => {
            Some(dotted(&like.name))
        }
        None => None,
    };
    let parent = tree.partition_of.as_ref().map(dotted);
    Change::Create {
        table,
        like: like.into_iter().chain(parent).collect(),
        if_absent: tree.if_not_exists,
    }
}

fn altered(table: &str, step: &AlterTableOperation, origin: Origin) -> Vec<Change> {
    let owned = || table.to_owned();
    let of = |ident: &Ident| ident.value.clone();
    match step {
        AlterTableOperation::AddConstraint {
            constraint: said, ..
        } => added(table, said, within(origin, said.span()))
            .into_iter()
            .collect(),
        AlterTableOperation::AddColumn { column_def, .. } => {
            let (column, keys) = column(table, column_def, within(origin, column_def.name.span));
            let keys = keys.into_iter().map(|key| Change::AddUnique(owned(), key));
            std::iter::once(Change::AddColumn(owned(), column))
                .chain(keys)
                .collect()
        }
        AlterTableOperation::DropColumn { column_names, .. } => column_names
            .iter()
            .map(|name| Change::DropColumn(owned(), of(name)))
            .collect(),
        AlterTableOperation::DropConstraint { name, .. } => {
            vec![Change::DropConstraint(owned(), of(name))]
        }
        AlterTableOperation::DropPrimaryKey { .. } => vec![Change::DropPrimary(owned())],
        AlterTableOperation::DropIndex { name } => {
            vec![Change::DropConstraint(owned(), of(name))]
        }
        AlterTableOperation::RenameColumn {
            old_column_name,
            new_column_name,
        } => vec![Change::RenameColumn {
            table: owned(),
            from: of(old_column_name),
            to: of(new_column_name),
        }],
        AlterTableOperation::RenameTable { table_name } => {
            let (RenameTableNameKind::As(to) | RenameTableNameKind::To(to)) = table_name;
            vec![Change::Rename {
                from: owned(),
                to: moved(table, to),
            }]
        }
        AlterTableOperation::RenameConstraint { old_name, new_name } => {
            vec![Change::RenameUnique {
                table: Some(owned()),
                from: of(old_name),
                to: of(new_name),
            }]
        }
        AlterTableOperation::ChangeColumn {
            old_name,
            new_name,
            data_type,
            options,
            ..
        } => redefined(table, old_name, new_name, data_type, options, origin),
        AlterTableOperation::ModifyColumn {
            col_name,
            data_type,
            options,
            ..
        } => redefined(table, col_name, col_name, data_type, options, origin),
        AlterTableOperation::AlterColumn { column_name, op } => {
            let column = of(column_name);
            match op {
                AlterColumnOperation::SetNotNull => {
                    vec![Change::SetNullable(owned(), column, false)]
                }
                AlterColumnOperation::DropNotNull => {
                    vec![Change::SetNullable(owned(), column, true)]
                }
                AlterColumnOperation::SetDefault { value } => {
                    vec![Change::SetFill(owned(), column, fill(value))]
                }
                AlterColumnOperation::DropDefault => {
                    vec![Change::SetFill(owned(), column, Fill::Nothing)]
                }
                AlterColumnOperation::AddGenerated { .. } => {
                    vec![Change::SetFill(owned(), column, Fill::Fresh)]
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// A constraint that is added to a table.
fn added(table: &str, said: &TableConstraint, origin: Origin) -> Option<Change> {
    match said {
        TableConstraint::PrimaryKeyUsingIndex(adopt) | TableConstraint::UniqueUsingIndex(adopt) => {
            let index = adopt.index_name.value.clone();
            Some(Change::Adopt {
                table: table.to_owned(),
                name: adopt
                    .name
                    .as_ref()
                    .map_or_else(|| index.clone(), |name| name.value.clone()),
                index,
                is_primary: matches!(said, TableConstraint::PrimaryKeyUsingIndex(_)),
            })
        }
        _ => {
            let key = constraint(table, said, origin)?;
            Some(Change::AddUnique(table.to_owned(), key))
        }
    }
}

fn redefined(
    table: &str,
    from: &Ident,
    to: &Ident,
    data_type: &ast::DataType,
    options: &[ast::ColumnOption],
    origin: Origin,
) -> Vec<Change> {
    let (column, kinds) = options_of(&to.value, data_type, options.iter());
    let keys = kinds.into_iter().map(|kind| {
        let parts = vec![UniquePart::column(&to.value)];
        Change::AddUnique(
            table.to_owned(),
            Unique::new(table, None, kind, parts, origin),
        )
    });
    std::iter::once(Change::Redefine(
        table.to_owned(),
        from.value.clone(),
        column,
    ))
    .chain(keys)
    .collect()
}

fn dropped(kind: ObjectType, names: &[ObjectName]) -> Vec<Change> {
    let change: fn(&ObjectName) -> Change = match kind {
        ObjectType::Table => |name| Change::Drop(dotted(name)),
        ObjectType::Index => |name| Change::DropIndex(last(name)),
        ObjectType::Schema => |name| Change::DropSchema(dotted(name)),
        _ => return Vec::new(),
    };
    names.iter().map(change).collect()
}

/// A table keeps its schema when only its name changes.
fn moved(from: &str, to: &ObjectName) -> String {
    match (from.rsplit_once('.'), to.0.len()) {
        (Some((schema, _)), 1) => format!("{schema}.{}", last(to)),
        _ => dotted(to),
    }
}

/// The place of something inside of a statement.
fn within(origin: Origin, span: sqlparser::tokenizer::Span) -> Origin {
    let below = u32::try_from(span.start.line)
        .unwrap_or(0)
        .saturating_sub(1);
    Origin {
        line: origin.line + below,
        ..origin
    }
}
