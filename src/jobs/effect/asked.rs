//! State that is asked for: which rows, by what they are chosen, and whether asking takes them.

use crate::ir::Site;
use crate::sql::{Condition, ConflictAction, Projection, Statement, Test, Value, Verb};

use super::super::schemas::plain_table;

/// State that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::jobs) struct Asked {
    /// The table, key or address.
    pub(in crate::jobs) target: String,
    /// The table's plain name, by which it is compared.
    pub(in crate::jobs) table: String,
    /// The plain names of the other tables that the statement reads.
    pub(in crate::jobs) joined: Vec<String>,
    /// Whether it is a request to another service.
    pub(in crate::jobs) is_remote: bool,
    /// Whether asking changes nothing.
    pub(in crate::jobs) is_read: bool,
    /// Where it is asked.
    pub(in crate::jobs) site: Site,
    /// The columns that the rows have in common: those that are compared for equality.
    pub(in crate::jobs) matched: Vec<String>,
    /// Those of them that are compared with a value, and so are not NULL.
    pub(in crate::jobs) equal: Vec<String>,
    /// Those of them that are compared with a constant, and the constant.
    pub(in crate::jobs) fixed: Vec<(String, String)>,
    /// The columns by which fewer rows count, in ways that no unique key can say: a time from which on, a
    /// text that is like another.
    pub(in crate::jobs) narrowed: Vec<String>,
    /// Whether any of them is compared with something of the work.
    pub(in crate::jobs) is_matched: bool,
    /// Whether it is asked whether there is such a row, as against what stands in those there are.
    pub(in crate::jobs) is_existence: bool,
    /// The column that decides; none where it is whether there is a row at all.
    pub(in crate::jobs) column: Option<String>,
    /// The columns by which rows were chosen, with the qualifier of a joined table.
    pub(in crate::jobs) chosen_by: Vec<String>,
    /// Whether they are chosen by what the work on them may change, as against who they are.
    pub(in crate::jobs) is_choice: bool,
    /// The statement, where the column may be an alias for an expression over others.
    pub(in crate::jobs) text: Option<String>,
    /// The plain names of tables of which a row would keep what is asked from being chosen: those
    /// of an anti-join.
    pub(in crate::jobs) absent_from: Vec<String>,
    /// Whether the rows are held by a lock that others step over: a lease on the work.
    pub(in crate::jobs) is_leased: bool,
    /// Whether the asking itself took the work, so that nobody else gets it.
    pub(in crate::jobs) is_claim: bool,
}

/// The state that a statement asks for, where this column of its answer decides.
pub(super) fn of_statement(
    statement: &Statement,
    column: Option<String>,
    text: String,
    site: Site,
) -> Asked {
    let written = statement.written();
    let target = match statement.verb {
        Verb::Select => statement
            .reads
            .first()
            .cloned()
            .or_else(|| written.first().and_then(|write| write.table.clone())),
        _ => statement.table.clone(),
    };
    // A tuple's position is that of a column of the query.
    let column = column.and_then(|column| match column.parse::<usize>() {
        Ok(position) => match &statement.projection {
            Projection::Columns(columns) => columns.get(position).cloned(),
            _ => None,
        },
        Err(_) => Some(column),
    });
    let column = match (&statement.projection, column) {
        (Projection::Columns(columns), None) => match columns.as_slice() {
            [only] if only != "*" && !is_name(only) => Some(only.clone()),
            _ => None,
        },
        (_, column) => column,
    };
    // How many rows there are, or what all of them come to, is no column of one.
    let column = column.filter(|_| !is_aggregate(&text));
    // What a row is found by is known before: it tells that the row is there.
    let finds = |column: &String| {
        statement.filter.iter().any(|condition| {
            condition.test == Test::Eq
                && condition
                    .column
                    .as_deref()
                    .is_some_and(|by| by.eq_ignore_ascii_case(column))
        })
    };
    let column = column.filter(|column| !finds(column));
    let filters = statement.filter.iter().chain(&statement.picked);
    let target = target.unwrap_or_default();
    let matched = Matched::of(&statement.filter);
    Asked {
        table: plain_table(&target),
        target,
        joined: statement
            .reads
            .iter()
            .skip(1)
            .map(|read| plain_table(read))
            .collect(),
        site,
        matched: matched.columns,
        equal: matched.equal,
        fixed: matched.fixed,
        narrowed: matched.narrowed,
        is_matched: statement.filter.iter().any(|condition| {
            matches!(condition.test, Test::Eq | Test::In)
                && matches!(condition.value, Value::Placeholder(_))
        }),
        is_existence: !is_sum(&text),
        is_remote: false,
        is_read: written.is_empty(),
        column,
        chosen_by: filters
            .flat_map(Condition::columns)
            .map(str::to_owned)
            .collect(),
        is_choice: statement.reads.is_empty() || statement.filter.iter().any(is_choice),
        absent_from: absent_from(statement, &text),
        is_leased: statement.lock.as_ref().is_some_and(|lock| lock.skip_locked),
        text: Some(text),
        is_claim: written.iter().any(|write| is_claim(write)),
    }
}

/// By what a filter looks for rows.
pub(super) struct Matched {
    /// The columns that it compares for equality, or asks to be NULL.
    pub(super) columns: Vec<String>,
    /// All the columns that it tests.
    pub(super) all: Vec<String>,
    /// Those of them that it compares with a value.
    pub(super) equal: Vec<String>,
    /// Those of them that it compares with a constant, and the constant.
    pub(super) fixed: Vec<(String, String)>,
    /// Those by which fewer rows count, in ways that no unique key can say.
    pub(super) narrowed: Vec<String>,
    /// Whether it asks for what work on a row changes.
    pub(super) is_choice: bool,
    /// Whether it compares any with a value.
    pub(super) is_matched: bool,
}

impl Matched {
    pub(super) fn of(filter: &[Condition]) -> Matched {
        let is_equal = |of: &Condition| matches!(of.test, Test::Eq | Test::In);
        let is_met = |of: &Condition| is_equal(of) || of.test == Test::IsNull;
        let columns = |is_one: &dyn Fn(&Condition) -> bool| -> Vec<String> {
            let conditions = filter.iter().filter(|of| is_one(of));
            conditions.filter_map(|of| of.column.clone()).collect()
        };
        let below = |is_one: &dyn Fn(&Condition) -> bool| -> Vec<String> {
            let conditions = filter.iter().filter(|of| is_one(of));
            let columns = conditions.flat_map(Condition::columns);
            columns.map(str::to_owned).collect()
        };
        let constant = |of: &Condition| match (&of.value, of.test) {
            (Value::Literal(text), Test::Eq) => Some((of.column.clone()?, text.clone())),
            _ => None,
        };
        Matched {
            columns: columns(&is_met),
            all: below(&|_| true),
            equal: columns(&is_equal),
            fixed: filter.iter().filter_map(constant).collect(),
            narrowed: below(&|of| !(of.arms.is_empty() && is_met(of))),
            is_choice: filter.iter().any(is_choice),
            is_matched: filter.iter().any(is_equal),
        }
    }
}

/// Whether a column only names a row, so that it tells no more than that the row is there.
fn is_name(column: &str) -> bool {
    matches!(column, "id" | "uuid")
}

/// Whether a column tells whose a row is.
pub(super) fn refers(column: &str) -> bool {
    is_name(column) || column.ends_with("_id") || column.ends_with("_uuid")
}

/// Whether a condition asks for what work on a row changes: not who it is, nor what it is for good
/// (`is_active`, `email IS NOT NULL`).
fn is_choice(condition: &Condition) -> bool {
    let is_state = |column: &str| {
        let mut words = column.rsplit('.').next().unwrap_or(column).split('_');
        words.any(|word| matches!(word, "status" | "state" | "stage" | "phase"))
    };
    let arms = condition.arms.iter().chain(&condition.parts);
    let is_one = match (&condition.column, condition.test, &condition.value) {
        (None, Test::Exists | Test::NotExists, _) => true,
        (None, ..) => false,
        (_, Test::IsNotNull, _) => false,
        (_, Test::Eq, Value::Literal(value)) if is_yes(value) => false,
        (_, Test::NotEq, Value::Literal(value)) if value.is_empty() => false,
        (Some(column), Test::Eq | Test::In, Value::Placeholder(_)) => is_state(column),
        (_, Test::Eq, Value::Column(_)) => false,
        _ => true,
    };
    is_one || arms.into_iter().any(is_choice)
}

/// Whether a statement adds up or compares what stands in rows.
fn is_sum(text: &str) -> bool {
    let text = text.to_lowercase();
    ["max(", "min(", "sum(", "avg("]
        .iter()
        .any(|function| text.contains(function))
}

/// Whether a statement asks for what many rows come to.
fn is_aggregate(text: &str) -> bool {
    let text = text.to_lowercase();
    [
        "count(",
        "max(",
        "min(",
        "sum(",
        "bool_or(",
        "bool_and(",
        "exists(",
    ]
    .iter()
    .any(|function| text.contains(function))
        && !text.contains("group by")
}

/// Whether a constant is the yes of a flag; SQLite has numbers for it.
fn is_yes(value: &str) -> bool {
    value.eq_ignore_ascii_case("true") || value == "1"
}

/// The tables of an anti-join: `LEFT JOIN t … WHERE t.id IS NULL`, `NOT EXISTS`, `NOT IN`.
fn absent_from(statement: &Statement, text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let is_anti = text.contains("not exists")
        || text.contains("not in (select")
        || text.contains("left join") && text.contains("is null");
    let others = statement.reads.iter().skip(1).filter(|_| is_anti);
    others.map(|table| plain_table(table)).collect()
}

/// Whether a statement takes the work: a second one finds nothing to take.
pub(super) fn is_claim(statement: &Statement) -> bool {
    match statement.verb {
        Verb::Update => statement.is_conditional().is_some(),
        Verb::Delete => true,
        Verb::Insert => statement
            .conflict
            .as_ref()
            .is_some_and(|conflict| matches!(conflict.action, ConflictAction::Nothing)),
        _ => false,
    }
}
