//! What a write to a table stores, and what the schema says of a second one.

use retrysafe_rules::vocabulary::Protection;

use crate::ir::Site;
use crate::sql::schema::{Bind, Given, Reason, Table, Unique, Verdict, cuts, given};
use crate::sql::{
    Assignment, Change, Conflict, ConflictAction, ConflictTarget, Placeholder, Statement, Value,
    Verb,
};

use super::origin::Origin;
use super::schemas::{Database, Schemas, Store, Untold, collection, origin_of, site_of};

/// A write to a table.
#[derive(Debug, Clone)]
pub struct Stored {
    /// What it says.
    pub statement: Statement,
    /// What it writes to.
    pub store: Store,
    /// The columns that get another value on every attempt, and why.
    pub varying: Vec<Varying>,
    /// What the schema says of the same write again.
    pub again: Again,
    /// The first column that is set to something made of what it was, so that it changes each time.
    pub relative: Option<String>,
    /// What is known of each value that is bound, by its position from 1.
    pub(super) values: Vec<Given>,
    /// The values that are bound.
    pub(super) bounds: Vec<crate::timeline::Bound>,
}

/// A column that gets another value on every attempt.
#[derive(Debug, Clone)]
pub struct Varying {
    /// The column.
    pub column: String,
    /// Whether it is a clock reading, by the database or in code.
    pub is_clock: bool,
    /// Where the value is born, when that is in code.
    pub origin: Option<Origin>,
    /// Whether the conflict clause sets it, as against the insert or the update itself.
    pub on_conflict: bool,
}

/// What the schema says of a write that is repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Again {
    /// It is no insert.
    NotAsked,
    /// This key forbids it, or leads it to the row that is there.
    Key(Told),
    /// A key does so under a condition that is not known to hold.
    Perhaps(String),
    /// No key does, and why.
    Free(Vec<Told>),
    /// The table keeps a history: a key of it says when a row was made.
    History,
    /// A conflict clause names columns that no key is of; the keys that the table has, and why each is none.
    NoArbiter(Vec<Told>),
    /// A conflict clause names a key that a repeat does not run into, and why.
    Evaded(Told),
    /// Nothing is known of the table.
    Untold(Untold),
}

/// A key, and what is said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Its name.
    pub name: String,
    /// Its columns, or expressions.
    pub parts: Vec<String>,
    /// Why it does not hold; empty where it does.
    pub reason: String,
    /// Where it is said.
    pub site: Site,
    /// The same, to be read.
    pub place: String,
}

/// What differs between attempts in a bound value.
pub(super) type Birth<'b> = &'b dyn Fn(&Placeholder) -> Option<Origin>;

/// What is known of bound values: what the row gets, and where that differs.
struct Bindings<'b> {
    given: Bind<'b>,
    origin: Birth<'b>,
}

/// What is known of the value bound at a place.
fn given_at(values: &[Given], placeholder: &Placeholder) -> Given {
    match placeholder {
        Placeholder::Position(position) => position
            .checked_sub(1)
            .and_then(|at| values.get(at))
            .cloned()
            .unwrap_or(Given::Unknown),
        Placeholder::Named(_) => Given::Unknown,
    }
}

impl Stored {
    /// What a statement stores, that stands in a file.
    pub(super) fn of(
        statement: &Statement,
        store: Store,
        values: &[Given],
        bounds: &[crate::timeline::Bound],
        origin: Birth<'_>,
        schemas: &Schemas,
        site: Site,
    ) -> Stored {
        let bound = &Bindings {
            given: &|placeholder| given_at(values, placeholder),
            origin,
        };
        let again = match statement.verb {
            Verb::Insert => again(statement, store, bound, schemas, site),
            _ => Again::NotAsked,
        };
        let mut found = varying(&statement.set, bound, false);
        if let Some(Conflict {
            action: ConflictAction::Update { set, .. },
            ..
        }) = &statement.conflict
        {
            found.extend(varying(set, bound, true));
        }
        Stored {
            statement: statement.clone(),
            store,
            varying: found,
            again,
            relative: relative_column(statement, store, schemas, site),
            values: values.to_vec(),
            bounds: bounds.to_vec(),
        }
    }
}

impl Varying {
    /// Whether it is a random value, by the database or in code.
    pub fn is_random(&self) -> bool {
        !self.is_clock && self.origin.as_ref().is_none_or(Origin::is_random)
    }
}

impl Stored {
    /// The columns that most likely name the piece of work: those that get the same value each time and
    /// are called like a reference.
    pub fn names_work(&self) -> Option<String> {
        let is_stable = |column: &str| !self.varying.iter().any(|of| of.column == column);
        let set = self.statement.set.iter().map(|set| set.column.as_str());
        let columns: Vec<String> = set
            .filter(|column| is_stable(column))
            .filter(|column| {
                column.ends_with("_id") || column.ends_with("_key") || column.ends_with("_ref")
            })
            .map(|column| format!("`{column}`"))
            .collect();
        (!columns.is_empty()).then(|| columns.join(", "))
    }

    /// Whether it is an update that makes a column of what it was, and the second time the same.
    pub(super) fn only_merges(&self) -> bool {
        self.statement.verb == Verb::Update && self.relative.is_none()
    }

    /// Whether it is said to overwrite what is there, and never finds it.
    pub(super) fn makes_another(&self) -> bool {
        self.store == Store::Items && matches!(self.again, Again::Free(_))
    }

    /// The columns that a conflict clause names.
    pub fn conflict_target(&self) -> Option<String> {
        match &self.statement.conflict.as_ref()?.target {
            ConflictTarget::Columns { columns, .. } => Some(columns.join(", ")),
            ConflictTarget::Constraint(name) => Some(name.clone()),
            ConflictTarget::Any => None,
        }
    }

    /// What the schema makes of a repeat.
    pub(super) fn protection(&self) -> Option<(Protection, String)> {
        let has_clause = self.statement.conflict.is_some();
        match &self.again {
            Again::Key(key) if !has_clause => Some((
                Protection::Unique,
                format!("`{}` forbids a second row ({})", key.name, key.place),
            )),
            Again::NoArbiter(_) => Some((
                Protection::None,
                "no unique key is of the columns that its conflict clause names".to_owned(),
            )),
            Again::Evaded(key) => Some((
                Protection::None,
                format!(
                    "its conflict key `{}` {} ({})",
                    key.name, key.reason, key.place
                ),
            )),
            Again::Free(keys) if self.store == Store::Items => Some((
                Protection::None,
                keys.iter()
                    .map(|key| format!("its key `{}` {}", key.name, key.reason))
                    .collect(),
            )),
            Again::Free(_) if has_clause => Some((
                Protection::None,
                "no unique key stops a second row, so nothing conflicts".to_owned(),
            )),
            Again::Free(_) => Some((
                Protection::Unknown,
                "no unique key forbids a second row".to_owned(),
            )),
            Again::Untold(why) if !has_clause => Some((
                Protection::Unknown,
                format!("{}, so what it forbids is not known", why.words()),
            )),
            Again::History => Some((
                Protection::Unknown,
                "the table keeps a history of rows by their time".to_owned(),
            )),
            Again::Perhaps(why) if !has_clause => Some((
                Protection::Unknown,
                format!("whether a second row is refused is not known: {why}"),
            )),
            Again::Key(_) | Again::Perhaps(_) | Again::Untold(_) | Again::NotAsked => None,
        }
    }
}

/// The first column that is set to something made of what it was. Documents are merged, and the second
/// time there is nothing new in them.
fn relative_column(
    statement: &Statement,
    store: Store,
    schemas: &Schemas,
    site: Site,
) -> Option<String> {
    let on_conflict = statement
        .conflict
        .iter()
        .flat_map(|conflict| match &conflict.action {
            ConflictAction::Update { set, .. } => set.as_slice(),
            _ => &[],
        });
    let name = statement.table.as_deref().unwrap_or_default();
    let table = schemas.table(site.file, name, store);
    let table = table.map(|(table, _)| table).ok();
    let is_document = |column: &str| {
        let column = table.and_then(|table| table.column(column));
        column.is_some_and(|column| column.ty.starts_with("json"))
    };
    let mut set = statement.set.iter().chain(on_conflict);
    set.find(|set| set.change() == Change::Accumulated && !is_document(&set.column))
        .map(|set| set.column.clone())
}

fn varying(set: &[Assignment], bound: &Bindings<'_>, on_conflict: bool) -> Vec<Varying> {
    let of = |assignment: &Assignment| {
        let value = &assignment.value;
        if matches!(value, Value::Function(name, _) if cuts(name)) {
            return None;
        }
        let found = |is_clock, origin| {
            Some(Varying {
                column: assignment.column.clone(),
                is_clock,
                origin,
                on_conflict,
            })
        };
        if value.any(&|part| matches!(part, Value::Clock)) {
            return found(true, None);
        }
        if value.any(&|part| matches!(part, Value::Random)) {
            return found(false, None);
        }
        let origin = value
            .placeholders()
            .into_iter()
            .find_map(|placeholder| (bound.origin)(placeholder))?;
        let is_clock = origin.is_clock();
        found(is_clock, Some(origin))
    };
    set.iter().filter_map(of).collect()
}

/// What the schema says of an insert that is repeated.
fn again(
    statement: &Statement,
    store: Store,
    bound: &Bindings<'_>,
    schemas: &Schemas,
    site: Site,
) -> Again {
    let name = statement.table.as_deref().unwrap_or_default();
    if store == Store::Items {
        return again_by_key(statement, bound, schemas, site);
    }
    match (schemas.table(site.file, name, store), store) {
        (Ok((table, database)), _) => again_in(table, Some(database), statement, bound, schemas),
        (Err(why), Store::Tables | Store::Items) => Again::Untold(why),
        // A document always has its own key.
        (Err(why), Store::Documents) => {
            let table = collection(name, origin_of(site));
            match again_in(&table, None, statement, bound, schemas) {
                Again::Free(_) => Again::Untold(why),
                told => told,
            }
        }
    }
}

/// What is said of an item that overwrites the one of the same key: what names it is most likely in that.
fn again_by_key(
    statement: &Statement,
    bound: &Bindings<'_>,
    schemas: &Schemas,
    site: Site,
) -> Again {
    let overwrites = statement
        .conflict
        .as_ref()
        .is_some_and(|conflict| conflict.action == ConflictAction::Replace);
    let names = |column: &str| matches!(column, "id" | "uuid" | "pk" | "sk");
    let varying = varying(&statement.set, bound, false);
    let mut fresh = varying.iter().filter(|of| of.is_random());
    match fresh.find(|of| overwrites && names(&of.column)) {
        Some(of) => Again::Free(vec![Told {
            name: of.column.clone(),
            parts: vec![of.column.clone()],
            reason: "differs on every attempt".to_owned(),
            site,
            place: schemas.shown(site),
        }]),
        None => Again::NotAsked,
    }
}

fn again_in(
    table: &Table,
    database: Option<&Database>,
    statement: &Statement,
    bound: &Bindings<'_>,
    schemas: &Schemas,
) -> Again {
    let row = |column: &str| given(statement, table, bound.given, column);
    if statement.conflict.is_none() && table.keeps_history(&row) {
        return Again::History;
    }
    let told = |key: &Unique, reason: Option<&Reason>| told(schemas, key, reason);
    // What has a column that is not known of the table was made with more than is known.
    let is_named = |set: &Assignment| {
        set.column.starts_with('#')
            || table.columns.is_empty()
            || table.column(&set.column).is_some()
    };
    let in_tables = database.is_some_and(|of| of.store == Store::Tables);
    let in_code = database.is_none_or(|of| of.in_code);
    let is_partial = table.is_partial || in_tables && !statement.set.iter().all(is_named);
    let unless_partial = |found: Again| match is_partial {
        true => Again::Untold(Untold::Partial),
        false => found,
    };
    let target = statement.conflict.as_ref().map(|conflict| &conflict.target);
    match target {
        None | Some(ConflictTarget::Any) => match table.second_row(&row) {
            Verdict::Forbidden(key) => Again::Key(told(key, None)),
            Verdict::Perhaps(key, reason) => Again::Perhaps(said(&key.name, &reason)),
            Verdict::Allowed(reasons) => {
                let keys = reasons.iter().map(|(key, reason)| told(key, Some(reason)));
                unless_partial(Again::Free(keys.collect()))
            }
        },
        Some(target) => match table.arbiter(target) {
            // A database refuses such a statement: a step in code is more likely missed.
            None if in_code => Again::Untold(Untold::Partial),
            None => {
                let keys = table.uniques.iter();
                let keys = keys.map(|key| told(key, Table::is_near(target, key).as_ref()));
                unless_partial(Again::NoArbiter(keys.collect()))
            }
            Some(key) => match table.evades(key, &row) {
                None => Again::Key(told(key, None)),
                Some(reason) => Again::Evaded(told(key, Some(&reason))),
            },
        },
    }
}

/// What is said of a creation behind a check of these columns.
pub(super) fn second_create(
    stored: &Stored,
    table: &Table,
    is_checked: &dyn Fn(&str) -> bool,
    is_equal: &dyn Fn(&str) -> bool,
    schemas: &Schemas,
) -> Again {
    let bind = |placeholder: &Placeholder| given_at(&stored.values, placeholder);
    let row = |column: &str| given(&stored.statement, table, &bind, column);
    if table.keeps_history(&row) {
        return Again::History;
    }
    match table.second_create(is_checked, is_equal, &row) {
        Verdict::Forbidden(key) => Again::Key(told(schemas, key, None)),
        Verdict::Perhaps(key, reason) => Again::Perhaps(said(&key.name, &reason)),
        Verdict::Allowed(_) if table.is_partial => Again::Untold(Untold::Partial),
        Verdict::Allowed(reasons) => Again::Free(
            reasons
                .iter()
                .map(|(key, reason)| told(schemas, key, Some(reason)))
                .collect(),
        ),
    }
}

fn told(schemas: &Schemas, key: &Unique, reason: Option<&Reason>) -> Told {
    let site = site_of(key.origin);
    Told {
        name: key.name.clone(),
        parts: key.parts.iter().map(|part| part.text.clone()).collect(),
        reason: reason.map(why).unwrap_or_default(),
        site,
        place: schemas.shown(site),
    }
}

fn said(name: &str, reason: &Reason) -> String {
    format!("`{name}` {}", why(reason))
}

/// Why a key does not hold, behind its name.
fn why(reason: &Reason) -> String {
    match reason {
        Reason::Wider(columns) => {
            let columns: Vec<String> = columns.iter().map(|name| format!("`{name}`")).collect();
            format!("also has {}", columns.join(", "))
        }
        Reason::Null(column) => format!("lets NULL in `{column}` through"),
        Reason::Fresh(column) => format!("has `{column}`, which differs on every attempt"),
        Reason::Unknown(column) => format!("has `{column}`, of which nothing is known"),
        Reason::OtherRows => "is about other rows".to_owned(),
        Reason::SomeRows => "is about some rows only".to_owned(),
    }
}
