//! What unique keys forbid: a second row, a second creation behind one check, and which key a
//! conflict clause means.

use super::super::statement::{Condition, ConflictTarget};
use super::given::Given;
use super::model::{Fill, Table, Unique, UniqueKind};
use super::predicate::holds;

/// Why a key does not forbid something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// It also has these columns, in which two rows may differ.
    Wider(Vec<String>),
    /// The column may be NULL, and NULLs never conflict.
    Null(String),
    /// The column gets another value on every attempt.
    Fresh(String),
    /// Nothing is known of what the column gets.
    Unknown(String),
    /// It is about other rows.
    OtherRows,
    /// It is about some rows, and it is not known whether this is one of them.
    SomeRows,
}

/// Whether some key forbids something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<'s> {
    /// This key does.
    Forbidden(&'s Unique),
    /// This one may: it depends on what is not known.
    Perhaps(&'s Unique, Reason),
    /// None does; why each key of the table does not.
    Allowed(Vec<(&'s Unique, Reason)>),
}

impl Reason {
    fn is_open(&self) -> bool {
        matches!(self, Reason::Unknown(_) | Reason::SomeRows)
    }
}

/// What an insert gives to columns; none for a column that it does not name.
pub type Row<'r> = &'r dyn Fn(&str) -> Option<Given>;

impl Table {
    /// What a new row has in a column: what is given, else what the column gets by itself.
    fn given(&self, row: Row<'_>, name: &str) -> Given {
        if let Some(given) = row(name) {
            let column = self.column(name).filter(|column| !column.is_nullable);
            let never_null = column.is_some();
            let is_filled = column.is_some_and(|column| column.fill == Fill::Fresh);
            return match given {
                // NULL stands for what the column gets by itself.
                Given::Null if is_filled => Given::Fresh,
                Given::Optional if never_null => Given::Same,
                given => given,
            };
        }
        match self.column(name) {
            None => Given::Unknown,
            Some(column) => match &column.fill {
                // A primary key that nobody gives is numbered by the database.
                Fill::Nothing if self.is_primary(name) => Given::Fresh,
                Fill::Nothing => Given::Null,
                Fill::Fixed(text) => Given::Text(text.clone()),
                Fill::Fresh => Given::Fresh,
                Fill::Computed => Given::Same,
            },
        }
    }

    fn is_primary(&self, name: &str) -> bool {
        let mut primary = self
            .uniques
            .iter()
            .filter(|key| key.kind == UniqueKind::Primary);
        primary.any(|key| {
            key.columns()
                .iter()
                .any(|column| column.eq_ignore_ascii_case(name))
        })
    }

    /// Whether some key forbids that the same row is inserted a second time.
    pub fn second_row(&self, row: Row<'_>) -> Verdict<'_> {
        self.judge(|key| {
            let columns = key.columns();
            let fresh = columns
                .iter()
                .find(|column| self.given(row, column) == Given::Fresh);
            match fresh {
                Some(column) => Some(Reason::Fresh((*column).to_owned())),
                None => self.why_not(key, row),
            }
        })
    }

    /// Whether a key tells rows apart by when they were made: the table keeps a history.
    pub fn keeps_history(&self, row: Row<'_>) -> bool {
        self.uniques.iter().any(|key| {
            let columns = key.columns();
            let is_time = |column: &&str| {
                let is_fresh = self.given(row, column) == Given::Fresh;
                let by_type = self.column(column).is_some_and(|column| {
                    column.ty.starts_with("timestamp") || column.ty.starts_with("date")
                });
                is_fresh && by_type
            };
            columns.len() > 1 && columns.iter().any(is_time)
        })
    }

    /// Whether some key forbids that two workers insert who both saw that no row has these values in the
    /// columns that were checked.
    ///
    /// `is_equal` says which of them were compared with a value.
    pub fn second_create(
        &self,
        is_checked: &dyn Fn(&str) -> bool,
        is_equal: &dyn Fn(&str) -> bool,
        row: Row<'_>,
    ) -> Verdict<'_> {
        self.judge(|key| {
            // Expressions over what was checked are the same for both.
            let differs = |column: &&str| {
                !is_checked(column) && !matches!(self.given(row, column), Given::Text(_))
            };
            let wider: Vec<String> = key
                .columns()
                .into_iter()
                .filter(differs)
                .map(str::to_owned)
                .collect();
            // What equals a value is not NULL.
            let row = |column: &str| match row(column) {
                None | Some(Given::Optional | Given::Unknown) if is_equal(column) => {
                    Some(Given::Same)
                }
                given => given,
            };
            if wider.is_empty() {
                self.why_not(key, &row)
            } else {
                Some(Reason::Wider(wider))
            }
        })
    }

    /// The key that a conflict clause names; none where no key is of these columns.
    pub fn arbiter(&self, target: &ConflictTarget) -> Option<&Unique> {
        match target {
            ConflictTarget::Any => None,
            ConflictTarget::Constraint(name) => self
                .uniques
                .iter()
                .find(|key| key.name.eq_ignore_ascii_case(name)),
            ConflictTarget::Columns { columns, predicate } => self
                .uniques
                .iter()
                .find(|key| is_of(key, columns) && implies(predicate, &key.predicate)),
        }
    }

    /// Whether a key would be the one that a conflict clause names, if that also said which rows it is about.
    pub fn is_near(target: &ConflictTarget, key: &Unique) -> Option<Reason> {
        match target {
            ConflictTarget::Columns { columns, .. } if is_of(key, columns) => {
                Some(Reason::SomeRows)
            }
            _ => None,
        }
    }

    /// Why a row that is given twice does not run into a key that a conflict clause names.
    pub fn evades(&self, key: &Unique, row: Row<'_>) -> Option<Reason> {
        let fresh = key
            .columns()
            .into_iter()
            .find(|column| self.given(row, column) == Given::Fresh);
        match fresh {
            Some(column) => Some(Reason::Fresh(column.to_owned())),
            None => self.null_in(key, row),
        }
    }

    fn judge(&self, why_not: impl Fn(&Unique) -> Option<Reason>) -> Verdict<'_> {
        let mut reasons = Vec::new();
        let mut perhaps = None;
        for key in &self.uniques {
            match why_not(key) {
                None => return Verdict::Forbidden(key),
                Some(reason) if reason.is_open() && perhaps.is_none() => {
                    perhaps = Some((key, reason));
                }
                Some(reason) => reasons.push((key, reason)),
            }
        }
        match perhaps {
            Some((key, reason)) => Verdict::Perhaps(key, reason),
            None => Verdict::Allowed(reasons),
        }
    }

    /// Why a key lets two rows of the same values through.
    fn why_not(&self, key: &Unique, row: Row<'_>) -> Option<Reason> {
        let given = |column: &str| self.given(row, column);
        match holds(&key.predicate, &given) {
            Some(true) => {}
            Some(false) => return Some(Reason::OtherRows),
            None => return Some(Reason::SomeRows),
        }
        let unknown = key
            .columns()
            .into_iter()
            .find(|column| given(column) == Given::Unknown);
        match unknown {
            Some(column) => Some(Reason::Unknown(column.to_owned())),
            None => self.null_in(key, row),
        }
    }

    fn null_in(&self, key: &Unique, row: Row<'_>) -> Option<Reason> {
        if !key.nulls_differ || key.kind == UniqueKind::Primary {
            return None;
        }
        // Expressions such as `COALESCE(revision, '')` are there to have a value.
        let mut plain = key.parts.iter().filter(|part| part.is_plain());
        let found =
            plain.find(|part| matches!(self.given(row, &part.text), Given::Null | Given::Optional));
        found.map(|part| Reason::Null(part.text.clone()))
    }
}

/// Whether a key is of these columns and no others, in any order.
fn is_of(key: &Unique, columns: &[String]) -> bool {
    let mut wanted: Vec<String> = columns.iter().map(|text| plain(text)).collect();
    wanted.sort();
    wanted.dedup();
    let mut parts: Vec<String> = key.parts.iter().map(|part| plain(&part.text)).collect();
    parts.sort();
    parts == wanted
}

/// Whether the predicate of a conflict clause says all that a partial index asks for.
fn implies(said: &[Condition], asked: &[Condition]) -> bool {
    asked.iter().all(|condition| said.contains(condition))
}

/// An expression without what may be written in several ways.
fn plain(text: &str) -> String {
    let kept = text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '"' | '`'));
    let text: String = kept.collect::<String>().to_ascii_lowercase();
    let is_wrapped = text.starts_with('(') && text.ends_with(')');
    match is_wrapped {
        true => text[1..text.len() - 1].to_owned(),
        false => text,
    }
}
