//! Definitions of tables in code: how a builder of migrations spells them.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A chain of calls that defines something.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DefinitionEntry {
    /// Unique in its file.
    pub id: String,
    /// The ends of the paths that a chain begins with: `Table::create`.
    pub begins: Vec<String>,
    /// What it defines.
    pub makes: Makes,
    /// What the methods of the chain say.
    #[serde(default)]
    pub calls: BTreeMap<String, Says>,
    /// What a reader should know.
    #[serde(default)]
    pub note: Option<String>,
}

/// What a chain defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Makes {
    /// A table.
    Table,
    /// A change of a table.
    Change,
    /// A table is dropped.
    DropTable,
    /// A table gets another name.
    RenameTable,
    /// An index.
    Index,
    /// An index is dropped.
    DropIndex,
    /// A column, named by the first argument.
    Column,
}

/// What a method of such a chain says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Says {
    /// The table: of several arguments, from which name to which.
    Table,
    /// The name of what is defined.
    Name,
    /// A column: a chain of its own, or for an index its name.
    Column,
    /// A column is said anew.
    Redefine,
    /// A column is dropped.
    DropColumn,
    /// A column gets another name.
    RenameColumn,
    /// A key of the table, a chain of its own.
    Key,
    /// The columns of the primary key, a chain of its own.
    PrimaryKey,
    /// It is a primary key.
    Primary,
    /// It is unique.
    Unique,
    /// NULLs are alike.
    NullsAlike,
    /// Nothing conflicts with what has no value in it.
    NullsDiffer,
    /// The rows that an index is about, as a filter.
    Rows,
    /// It may not be NULL.
    Required,
    /// It may be NULL.
    Optional,
    /// The database numbers it.
    Numbered,
    /// What it gets by itself.
    Default,
    /// Nothing happens when it is there.
    IfAbsent,
}
