//! Changes applied in order. It must not know the parser.

use super::super::name::bare;
use super::change::Change;
use super::model::{Schema, Table, Unique, UniqueKind, UniquePart};

impl Schema {
    /// Applies changes in order. What is about a table that is not there changes nothing.
    pub fn apply(&mut self, changes: impl IntoIterator<Item = Change>) {
        for change in changes {
            self.step(change);
        }
    }

    fn step(&mut self, change: Change) {
        match change {
            Change::Create {
                table,
                like,
                if_absent,
            } => self.create(table, &like, if_absent),
            Change::Drop(name) => {
                if let Some(key) = self.key_of(&name) {
                    self.tables.remove(&key);
                }
            }
            Change::Rename { from, to } => {
                let known = self.key_of(&from);
                if let Some(mut table) = known.and_then(|key| self.tables.remove(&key)) {
                    to.clone_into(&mut table.name);
                    self.tables.insert(to.to_ascii_lowercase(), table);
                } else {
                    // An index is renamed like a table.
                    self.step(Change::RenameUnique {
                        table: None,
                        from,
                        to: bare(&to).to_owned(),
                    });
                }
            }
            Change::DropSchema(name) => {
                let prefix = format!("{}.", name.to_ascii_lowercase());
                self.tables.retain(|key, _| !key.starts_with(&prefix));
            }
            Change::Blur(table) => self.on(&table, |table| table.is_partial = true),
            Change::AddColumn(table, column) => self.on(&table, |table| {
                if table.column(&column.name).is_none() {
                    table.columns.push(column);
                }
            }),
            Change::DropColumn(table, name) => self.on(&table, |table| {
                table.columns.retain(|column| !same(&column.name, &name));
                let is_of = |key: &Unique| {
                    let in_rows = key
                        .predicate
                        .iter()
                        .flat_map(|condition| condition.columns());
                    key.columns()
                        .into_iter()
                        .chain(in_rows)
                        .any(|column| same(column, &name))
                };
                table.uniques.retain(|key| !is_of(key));
            }),
            Change::RenameColumn { table, from, to } => {
                self.on(&table, |table| rename_column(table, &from, &to));
            }
            Change::SetNullable(table, name, is_nullable) => self.on(&table, |table| {
                for column in table.columns.iter_mut().filter(|of| same(&of.name, &name)) {
                    column.is_nullable = is_nullable;
                }
            }),
            Change::SetFill(table, name, fill) => self.on(&table, |table| {
                for column in table.columns.iter_mut().filter(|of| same(&of.name, &name)) {
                    column.fill.clone_from(&fill);
                }
            }),
            Change::Redefine(table, from, column) => self.on(&table, |table| {
                rename_column(table, &from, &column.name);
                for known in &mut table.columns {
                    if same(&known.name, &column.name) {
                        known.clone_from(&column);
                    }
                }
            }),
            Change::AddUnique(table, key) => self.on(&table, |table| add(table, key)),
            Change::DropConstraint(table, name) => self.on(&table, |table| {
                table.uniques.retain(|key| !is_called(key, &name));
            }),
            Change::DropPrimary(table) => self.on(&table, |table| {
                table.uniques.retain(|key| key.kind != UniqueKind::Primary);
            }),
            Change::RenameUnique { table, from, to } => {
                let rename = |table: &mut Table| {
                    for key in &mut table.uniques {
                        if same(&key.name, bare(&from)) {
                            key.name.clone_from(&to);
                        }
                    }
                };
                match table {
                    Some(table) => self.on(&table, rename),
                    None => self.tables.values_mut().for_each(rename),
                }
            }
            Change::Adopt {
                table,
                index,
                name,
                is_primary,
            } => self.on(&table, |table| {
                for key in &mut table.uniques {
                    if is_called(key, &index) {
                        key.name.clone_from(&name);
                        if is_primary {
                            key.kind = UniqueKind::Primary;
                        }
                    }
                }
            }),
            Change::DropIndex(name) => {
                for table in self.tables.values_mut() {
                    table.uniques.retain(|key| !same(&key.name, bare(&name)));
                }
            }
            Change::Enum(name, values) => {
                self.enums.insert(name.to_ascii_lowercase(), values);
            }
            Change::AddValue(name, value) => {
                self.enums
                    .entry(name.to_ascii_lowercase())
                    .or_default()
                    .push(value);
            }
        }
    }

    fn create(&mut self, mut table: Table, like: &[String], if_absent: bool) {
        let key = table.name.to_ascii_lowercase();
        if let Some(known) = self.tables.get_mut(&key) {
            // Which of two that contradict each other is there, nobody knows.
            let differs = like.is_empty() && known.columns != table.columns;
            if if_absent {
                known.is_partial |= differs && known.columns.len() < table.columns.len();
                return;
            }
            table.is_partial |= differs;
        }
        for other in like {
            match self.table(other) {
                Some(other) => {
                    table.columns.splice(0..0, other.columns.iter().cloned());
                    table.uniques.extend(other.uniques.iter().cloned());
                }
                None => table.is_partial = true,
            }
        }
        let keys = std::mem::take(&mut table.uniques);
        for key in keys {
            add(&mut table, key);
        }
        self.tables.insert(key, table);
    }

    fn on(&mut self, name: &str, change: impl FnOnce(&mut Table)) {
        if let Some(key) = self.key_of(name)
            && let Some(table) = self.tables.get_mut(&key)
        {
            change(table);
        }
    }
}

/// Adds a key; the columns of a primary key are never NULL.
fn add(table: &mut Table, key: Unique) {
    let is_known = table.uniques.iter().any(|known| {
        same(&known.name, &key.name) && (known.parts == key.parts || known.kind == key.kind)
    });
    if key.kind == UniqueKind::Primary {
        for column in &mut table.columns {
            if key.columns().iter().any(|of| same(of, &column.name)) {
                column.is_nullable = false;
            }
        }
    }
    if !is_known {
        table.uniques.push(key);
    }
}

/// Whether a key has a name. MySQL calls one without a name by its first column.
fn is_called(key: &Unique, name: &str) -> bool {
    let is_default = key.name.ends_with("_key") || key.name.ends_with("_pkey");
    same(&key.name, bare(name))
        || is_default
            && key
                .parts
                .first()
                .is_some_and(|part| part.is_plain() && same(&part.text, name))
}

fn rename_column(table: &mut Table, from: &str, to: &str) {
    if same(from, to) {
        return;
    }
    for column in table.columns.iter_mut().filter(|of| same(&of.name, from)) {
        to.clone_into(&mut column.name);
    }
    for key in &mut table.uniques {
        for part in &mut key.parts {
            rename_part(part, from, to);
        }
        for condition in &mut key.predicate {
            condition.rename_column(from, to);
        }
    }
}

fn rename_part(part: &mut UniquePart, from: &str, to: &str) {
    if part.is_plain() && same(&part.text, from) {
        to.clone_into(&mut part.text);
    } else if part.columns.iter().any(|column| same(column, from)) {
        part.text = part.text.replace(from, to);
    }
    for column in part.columns.iter_mut().filter(|column| same(column, from)) {
        to.clone_into(column);
    }
}

fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}
