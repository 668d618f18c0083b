//! One step that a definition takes. It must not know the parser, nor what came before.

use super::model::{Column, Fill, Table, Unique};

/// A step from one schema to the next. Names are as written, without quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A table is created; what it takes over from others comes before its own columns.
    Create {
        /// The table.
        table: Table,
        /// The tables that it is made like.
        like: Vec<String>,
        /// Whether nothing happens when it is there already.
        if_absent: bool,
    },
    /// A table is dropped.
    Drop(String),
    /// A table gets another name.
    Rename {
        /// Its name before.
        from: String,
        /// Its name after.
        to: String,
    },
    /// A schema is dropped with all that is in it.
    DropSchema(String),
    /// Something about a table's keys is not understood.
    Blur(String),
    /// A column is added.
    AddColumn(String, Column),
    /// A column is dropped, and the keys that it is part of.
    DropColumn(String, String),
    /// A column gets another name.
    RenameColumn {
        /// The table.
        table: String,
        /// Its name before.
        from: String,
        /// Its name after.
        to: String,
    },
    /// Whether a column may be NULL is said anew.
    SetNullable(String, String, bool),
    /// What a column gets by itself is said anew.
    SetFill(String, String, Fill),
    /// A column is said anew, under the name before.
    Redefine(String, String, Column),
    /// A key is added.
    AddUnique(String, Unique),
    /// A constraint is dropped by its name.
    DropConstraint(String, String),
    /// The primary key is dropped.
    DropPrimary(String),
    /// A constraint or an index gets another name; the table is known for a constraint.
    RenameUnique {
        /// The table.
        table: Option<String>,
        /// Its name before.
        from: String,
        /// Its name after.
        to: String,
    },
    /// A constraint takes over an index.
    Adopt {
        /// The table.
        table: String,
        /// The index.
        index: String,
        /// What it is called from then on.
        name: String,
        /// Whether it becomes the primary key.
        is_primary: bool,
    },
    /// An index is dropped by its name.
    DropIndex(String),
    /// The values of an enumerated type.
    Enum(String, Vec<String>),
    /// A value is added to an enumerated type.
    AddValue(String, String),
}

impl Change {
    /// Counts the lines of its places from a line of a text around it.
    pub fn begin_at(&mut self, line: u32) {
        let shift = |origin: &mut super::model::Origin| origin.line += line.saturating_sub(1);
        match self {
            Change::Create { table, .. } => {
                shift(&mut table.origin);
                for key in &mut table.uniques {
                    shift(&mut key.origin);
                }
            }
            Change::AddUnique(_, key) => shift(&mut key.origin),
            _ => {}
        }
    }
}
