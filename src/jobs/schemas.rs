//! The databases of a workspace, and which table of which of them code means.

use std::path::{Path, PathBuf};

use crate::ir::{FileId, Place, Site};
use crate::sql::schema::{Column, Fill, Origin, Schema, Table, Unique, UniqueKind, UniquePart};

/// A database: the schema that a folder of migrations, a file or the code itself builds.
#[derive(Debug)]
pub struct Database {
    /// Where its migrations lie.
    pub folder: PathBuf,
    /// The package that they belong to.
    pub package: PathBuf,
    /// What keeps its rows.
    pub store: Store,
    /// Whether code defines it, so that names and steps may depend on what is known at run time only.
    pub in_code: bool,
    /// Its tables; the sources of their facts are the numbers of files.
    pub schema: Schema,
}

/// What keeps rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// Tables with columns.
    Tables,
    /// Collections of documents, which have the indexes that code makes for them.
    Documents,
    /// Items that overwrite those of the same key; what their keys are is said outside of the code.
    Items,
}

/// The databases of a workspace.
#[derive(Debug, Default)]
pub struct Schemas {
    /// In the order of their folders.
    pub databases: Vec<Database>,
    /// The path of each source file and how it is shown, by its number.
    pub files: Vec<(PathBuf, String)>,
}

/// Why nothing is known of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untold {
    /// No migrations were found.
    NoSchema,
    /// None of the migrations makes it.
    NoTable,
    /// The workspace makes no index of documents.
    NoIndexes,
    /// None of the indexes that the workspace makes is one of it.
    NoIndex,
    /// Several databases have one of that name.
    Unclear,
    /// Part of what defines it is not understood.
    Partial,
}

impl Untold {
    /// In words, behind "the table".
    pub fn words(self) -> &'static str {
        match self {
            Untold::NoSchema => "no schema was found",
            Untold::NoTable => "no migration that was found makes the table",
            Untold::NoIndexes => "no code was found that makes indexes",
            Untold::NoIndex => "no code was found that makes an index of it",
            Untold::Unclear => "several databases have a table of that name",
            Untold::Partial => "part of the table's definition is not understood",
        }
    }
}

impl Schemas {
    /// The table that a statement in a file calls by a name.
    pub(super) fn table(
        &self,
        from: FileId,
        name: &str,
        store: Store,
    ) -> Result<(&Table, &Database), Untold> {
        let (no_schema, no_table) = match store {
            Store::Tables | Store::Items => (Untold::NoSchema, Untold::NoTable),
            Store::Documents => (Untold::NoIndexes, Untold::NoIndex),
        };
        if self.of(store).next().is_none() {
            return Err(no_schema);
        }
        let mut found = self.having(store, &|database| database.schema.table(name));
        if found.is_empty() {
            // Code calls a table `Invoice` or `line_item::Entity` that is `invoices` or `line_items`.
            let wanted = plain_table(name);
            found = self.having(store, &|database| {
                let mut tables = database.schema.tables.values();
                tables.find(|table| plain_table(&table.name) == wanted)
            });
        }
        let Some((from, _)) = self.files.get(from.0 as usize) else {
            return Err(Untold::Unclear);
        };
        // The nearest database is meant: that of the same package, then the one with the most folders in
        // common.
        let nearness = |database: &Database| {
            let is_own = from.starts_with(&database.package);
            (is_own, shared(from, &database.folder))
        };
        let Some(best) = found.iter().map(|(database, _)| nearness(database)).max() else {
            return Err(no_table);
        };
        let mut nearest = found
            .iter()
            .filter(|(database, _)| nearness(database) == best);
        match nearest.next() {
            Some((database, first)) if nearest.all(|(_, other)| are_alike(first, other)) => {
                Ok((first, *database))
            }
            _ => Err(Untold::Unclear),
        }
    }
}

impl Schemas {
    /// A place as a reader finds it: `migrations/1_init.sql:3`.
    pub(super) fn shown(&self, site: Site) -> String {
        let file = self.files.get(site.file.0 as usize);
        let name = file.map_or("", |(_, shown)| shown);
        format!("{name}:{}", site.place.line)
    }
}

impl Schemas {
    fn of(&self, store: Store) -> impl Iterator<Item = &Database> {
        let databases = self.databases.iter();
        databases.filter(move |database| database.store == store)
    }

    fn having<'s>(
        &'s self,
        store: Store,
        find: &dyn Fn(&'s Database) -> Option<&'s Table>,
    ) -> Vec<(&'s Database, &'s Table)> {
        self.of(store)
            .filter_map(|database| Some((database, find(database)?)))
            .collect()
    }
}

/// A table by its plain name: `Invoice`, `public.invoices` and `"invoices"` are one.
pub(in crate::jobs) fn plain_table(name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    let plain = last.trim_matches('"').to_lowercase().replace('_', "");
    plain.trim_end_matches('s').to_owned()
}

/// The place that an origin is.
pub(super) fn site_of(origin: Origin) -> Site {
    Site {
        file: FileId(origin.source),
        place: Place {
            line: origin.line,
            column: 0,
            end_line: origin.line,
            end_column: 0,
        },
    }
}

/// The origin that a place is.
pub(super) fn origin_of(site: Site) -> Origin {
    Origin {
        source: site.file.0,
        line: site.place.line,
    }
}

/// A collection of documents of which nothing more is known: each has an `_id` of its own, which it gets
/// when none is given.
pub(super) fn collection(name: &str, origin: Origin) -> Table {
    let id = UniquePart::column("_id");
    Table {
        name: name.to_owned(),
        columns: vec![Column {
            name: "_id".to_owned(),
            ty: String::new(),
            is_nullable: false,
            fill: Fill::Fresh,
        }],
        uniques: vec![Unique::new(
            name,
            Some("_id".to_owned()),
            UniqueKind::Primary,
            vec![id],
            origin,
        )],
        origin,
        is_partial: false,
    }
}

/// How many folders two paths have in common.
fn shared(one: &Path, other: &Path) -> usize {
    one.components()
        .zip(other.components())
        .take_while(|(left, right)| left == right)
        .count()
}

/// Whether two tables forbid the same, as those of one schema written for two databases do.
fn are_alike(one: &Table, other: &Table) -> bool {
    let keys = |table: &Table| {
        let mut keys: Vec<Vec<String>> = table
            .uniques
            .iter()
            .map(|key| {
                let mut columns: Vec<String> = key
                    .columns()
                    .iter()
                    .map(|c| c.to_ascii_lowercase())
                    .collect();
                columns.sort();
                columns
            })
            .collect();
        keys.sort();
        keys
    };
    keys(one) == keys(other)
}
