//! A schema as plain data. It must not know the parser.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::name::{bare, same_table};
use super::super::statement::Condition;

/// Where a fact of a schema was said.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Origin {
    /// The source, as the caller numbers them.
    pub source: u32,
    /// The line in it, from 1.
    pub line: u32,
}

/// The tables of one database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Schema {
    /// By name in lower case, schema kept.
    pub tables: BTreeMap<String, Table>,
    /// The values of enumerated types, by the type's name in lower case.
    pub enums: BTreeMap<String, Vec<String>>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Table {
    /// Its name as written, without quotes, schema kept.
    pub name: String,
    /// Its columns, in order.
    pub columns: Vec<Column>,
    /// Its primary and unique keys.
    pub uniques: Vec<Unique>,
    /// Where it is created.
    pub origin: Origin,
    /// Whether it has columns or keys that are not known.
    pub is_partial: bool,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name, without quotes.
    pub name: String,
    /// Its type as written, in lower case.
    pub ty: String,
    /// Whether it may be NULL.
    pub is_nullable: bool,
    /// What it gets when an insert says nothing of it.
    pub fill: Fill,
}

/// What a column gets when an insert says nothing of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fill {
    /// NULL, or nothing where that is forbidden.
    Nothing,
    /// The same value each time: a constant without quotes.
    Fixed(String),
    /// Another value each time: a sequence, a random value, the clock.
    Fresh,
    /// What other columns make of it.
    Computed,
}

/// A primary or unique key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unique {
    /// Its name: its own, or the one that Postgres gives.
    pub name: String,
    /// What kind it is.
    pub kind: UniqueKind,
    /// What must differ.
    pub parts: Vec<UniquePart>,
    /// The rows that it is about: all of these hold for them.
    pub predicate: Vec<Condition>,
    /// Whether two rows may both have NULL in it.
    pub nulls_differ: bool,
    /// Where it is said.
    pub origin: Origin,
}

/// What kind of unique key it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum UniqueKind {
    /// The primary key.
    Primary,
    /// `UNIQUE`, or a unique index.
    Unique,
}

/// A column of a unique key, or an expression over some.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UniquePart {
    /// The column, or the expression as written.
    pub text: String,
    /// The columns in it.
    pub columns: Vec<String>,
}

impl UniquePart {
    /// A column as it is.
    pub fn column(name: impl Into<String>) -> Self {
        let name = name.into();
        UniquePart {
            text: name.clone(),
            columns: vec![name],
        }
    }

    /// Whether it is a column as it is, and no expression.
    pub fn is_plain(&self) -> bool {
        self.columns.len() == 1 && self.columns[0] == self.text
    }
}

impl Unique {
    /// A key with the name that it has, or else gets from Postgres.
    pub fn new(
        table: &str,
        name: Option<String>,
        kind: UniqueKind,
        parts: Vec<UniquePart>,
        origin: Origin,
    ) -> Unique {
        Unique {
            name: name.unwrap_or_else(|| named(table, kind, &parts)),
            kind,
            parts,
            predicate: Vec::new(),
            nulls_differ: true,
            origin,
        }
    }

    /// The columns in it, each once.
    pub fn columns(&self) -> Vec<&str> {
        let mut columns: Vec<&str> = Vec::new();
        for column in self.parts.iter().flat_map(|part| &part.columns) {
            if !columns.contains(&column.as_str()) {
                columns.push(column);
            }
        }
        columns
    }
}

/// The name that Postgres gives a key that has none.
fn named(table: &str, kind: UniqueKind, parts: &[UniquePart]) -> String {
    let table = bare(table);
    match kind {
        UniqueKind::Primary => format!("{table}_pkey"),
        UniqueKind::Unique => {
            // Postgres calls expressions by their function; nobody names such a key.
            let columns = parts.iter().map(|part| match part.is_plain() {
                true => part.text.as_str(),
                false => "expr",
            });
            let columns: Vec<&str> = columns.collect();
            format!("{table}_{}_key", columns.join("_"))
        }
    }
}

impl Table {
    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns
            .iter()
            .find(|column| column.name.eq_ignore_ascii_case(name))
    }
}

impl Schema {
    /// A table by the name that a statement calls it: exactly, then in the default schema, then the only
    /// one of that name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        let key = name.to_ascii_lowercase();
        if let Some(table) = self.tables.get(&key) {
            return Some(table);
        }
        let mut found = self
            .tables
            .iter()
            .filter(|(known, _)| same_table(known, &key))
            .map(|(_, table)| table);
        let first = found.next()?;
        let is_default = |table: &&Table| {
            let schema = table.name.rsplit('.').nth(1).unwrap_or_default();
            matches!(schema, "public" | "dbo" | "main")
        };
        if found.next().is_none() {
            return Some(first);
        }
        self.tables
            .values()
            .find(|table| is_default(table) && bare(&table.name).eq_ignore_ascii_case(bare(&key)))
    }

    /// The key under which a table is kept that a statement calls by this name.
    pub(super) fn key_of(&self, name: &str) -> Option<String> {
        self.table(name)
            .map(|table| table.name.to_ascii_lowercase())
    }
}
