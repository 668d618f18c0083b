//! Names of tables and columns as the model spells them. It must not know what they are used for.

use sqlparser::ast::{Ident, ObjectName, ObjectNamePart, TableFactor};

/// A dotted name without quotes.
pub(super) fn dotted(name: &ObjectName) -> String {
    let mut text = String::new();
    for part in &name.0 {
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(part_text(part));
    }
    text
}

/// The last part of a dotted name, without quotes.
pub(super) fn last(name: &ObjectName) -> String {
    name.0
        .last()
        .map(|part| part_text(part).to_owned())
        .unwrap_or_default()
}

fn part_text(part: &ObjectNamePart) -> &str {
    match part {
        ObjectNamePart::Identifier(ident) => &ident.value,
        ObjectNamePart::Function(function) => &function.name.value,
    }
}

/// The name and alias of a table that stands in a FROM clause or after UPDATE; not of a table function.
pub(super) fn table(factor: &TableFactor) -> Option<(&ObjectName, Option<&Ident>)> {
    match factor {
        TableFactor::Table {
            name,
            alias,
            args: None,
            ..
        } => Some((name, alias.as_ref().map(|alias| &alias.name))),
        TableFactor::NestedJoin {
            table_with_joins, ..
        } => table(&table_with_joins.relation),
        _ => None,
    }
}

/// What comes after the last dot of a dotted name.
pub(super) fn bare(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether two dotted names may mean the same table: the parts that both spell are equal.
pub(super) fn same_table(left: &str, right: &str) -> bool {
    let mut left = left.rsplit('.');
    let mut right = right.rsplit('.');
    loop {
        match (left.next(), right.next()) {
            (Some(one), Some(other)) if one.eq_ignore_ascii_case(other) => {}
            (Some(_), Some(_)) => return false,
            _ => return true,
        }
    }
}

/// Whether a word is spliced-in text rather than a name.
pub(super) fn is_hole(word: &str) -> bool {
    word.contains('{')
}

/// What sqlx reads from an alias (`id!`, `id: Uuid`) taken off.
pub(super) fn unannotated(alias: &str) -> &str {
    let name = alias.split_once(':').map_or(alias, |(name, _)| name);
    name.trim().trim_end_matches(['!', '?'])
}

/// How a table may be called inside a statement, and which names mean the proposed row.
#[derive(Default, Clone)]
pub(super) struct Names {
    own: Vec<String>,
    proposed: Vec<String>,
    /// The column being set, preferred where several take part in a computation.
    pub(super) target: Option<String>,
}

impl Names {
    /// The names of a table: as written, its last part, its alias.
    pub(super) fn of(table: &str, alias: Option<&str>) -> Self {
        let mut own = vec![table.to_owned()];
        if bare(table) != table {
            own.push(bare(table).to_owned());
        }
        own.extend(alias.map(str::to_owned));
        Self {
            own,
            proposed: Vec::new(),
            target: None,
        }
    }

    /// The same with names for the proposed row of a conflict clause.
    pub(super) fn with_proposed(mut self, alias: Option<&str>) -> Self {
        self.proposed.push("excluded".to_owned());
        self.proposed.extend(alias.map(str::to_owned));
        self
    }

    /// The same for a computation that sets `column`.
    pub(super) fn setting(&self, column: &str) -> Self {
        Self {
            target: Some(column.to_owned()),
            ..self.clone()
        }
    }

    /// Whether `qualifier` means the statement's own table.
    pub(super) fn is_own(&self, qualifier: &str) -> bool {
        self.own
            .iter()
            .any(|own| own.eq_ignore_ascii_case(qualifier))
    }

    /// Whether `qualifier` means the proposed row.
    pub(super) fn is_proposed(&self, qualifier: &str) -> bool {
        self.proposed
            .iter()
            .any(|name| name.eq_ignore_ascii_case(qualifier))
    }
}
