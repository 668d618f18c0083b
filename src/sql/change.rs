//! Whether repeating a write changes anything: a judgement on the model. It must not know the parser.

use super::name::bare;
use super::statement::{
    Assignment, Condition, ConflictAction, Placeholder, Statement, Test, Value, Verb,
};

/// What the old value of a column has to do with the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Nothing.
    Absolute,
    /// It stays, or the second time changes nothing (`COALESCE(n, $1)`, `GREATEST(n, $1)`, `lower(n)`).
    Kept,
    /// The new part replaces an equal old part (`jsonb_set(data, …)`, `data || $1::jsonb`): the second
    /// time changes nothing if the new part is the same.
    Merged,
    /// It grows, or turns, every time (`n + 1`, `array_append(list, $1)`, `NOT flag`).
    Accumulated,
}

/// Functions of a column that give the same again when given their own result.
const SETTLED: &[&str] = &[
    "abs",
    "array_remove",
    "array_replace",
    "btrim",
    "ceil",
    "date_trunc",
    "floor",
    "greatest",
    "initcap",
    "jsonb_strip_nulls",
    "least",
    "lower",
    "ltrim",
    "nullif",
    "round",
    "rtrim",
    "trim",
    "trunc",
    "upper",
    "&",
    "|",
];

/// Functions that add to a column.
const ADDING: &[&str] = &[
    "array_append",
    "array_cat",
    "array_prepend",
    "arrayconcat",
    "arraypushback",
    "concat",
    "concat_ws",
    "json_array_append",
    "json_array_insert",
    "json_merge_preserve",
    "jsonb_insert",
    "list_append",
    "lpad",
    "not",
    "repeat",
    "rpad",
    "||",
    "~",
];

impl Assignment {
    /// What the column's old value has to do with its new one.
    pub fn change(&self) -> Change {
        change(&self.column, &self.value)
    }
}

fn change(target: &str, value: &Value) -> Change {
    let own = |column: &str| column.eq_ignore_ascii_case(target);
    let most = |parts: &[Value]| {
        parts
            .iter()
            .map(|part| change(target, part))
            .max()
            .unwrap_or(Change::Absolute)
    };
    match value {
        Value::Arithmetic { column } if own(column) => Change::Accumulated,
        Value::Column(column) if own(column) => Change::Kept,
        Value::Coalesce(parts) | Value::List(parts) => most(parts),
        Value::Function(name, parts) => match (most(parts), bare(name)) {
            (Change::Absolute, _) => Change::Absolute,
            (inner, "case" | "if" | "iif") => inner,
            (Change::Kept, name) if SETTLED.contains(&name) => Change::Kept,
            // Of several values in one row; of one column over rows it is an aggregate.
            (Change::Kept, "max" | "min") if parts.len() > 1 => Change::Kept,
            (Change::Kept, "||" | "concat") if parts.iter().any(is_document) => Change::Merged,
            (_, name) if ADDING.contains(&name) => Change::Accumulated,
            (inner, _) => inner.max(Change::Merged),
        },
        _ => Change::Absolute,
    }
}

/// Whether a value is plainly a JSON object, so that `||` merges it rather than appending it.
fn is_document(value: &Value) -> bool {
    match value {
        Value::Function(name, _) => matches!(
            name.as_str(),
            "jsonb_build_object" | "json_build_object" | "hstore" | "to_jsonb"
        ),
        Value::Literal(text) => text.trim_start().starts_with('{') && text.contains(':'),
        _ => false,
    }
}

impl Statement {
    /// Whether it sets a column to something made from the column's own old value, so that a repeat
    /// may change it again: `n = n + $1` and its kin, appending and document merging included. What
    /// kind each assignment is, [`Assignment::change`] tells.
    pub fn is_relative(&self) -> bool {
        self.overwriting()
            .iter()
            .any(|(set, _)| set.iter().any(|one| one.change() >= Change::Merged))
    }

    /// The column whose tested state this statement moves away from, so that a repeat finds nothing
    /// to do: `status = 'pending'` set to another status, `sent_at IS NULL` set to a value, a version
    /// counted up, a column that `COALESCE` fills once.
    pub fn is_conditional(&self) -> Option<String> {
        for (set, filter) in self.overwriting() {
            for condition in filter {
                if let Some(one) = falsified_by(set, condition) {
                    return Some(one.column.clone());
                }
            }
            if set.iter().all(|one| one.change() < Change::Merged) {
                let filled = set.iter().find(|one| is_filled_once(one));
                if let Some(one) = filled {
                    return Some(one.column.clone());
                }
            }
        }
        None
    }

    /// What it does to rows that exist, with the conditions for it.
    fn overwriting(&self) -> Vec<(&[Assignment], Vec<&Condition>)> {
        let mut all = Vec::new();
        if self.verb == Verb::Update {
            all.push((
                self.set.as_slice(),
                self.filter.iter().chain(&self.picked).collect(),
            ));
        }
        if let Some(ConflictAction::Update { set, filter }) =
            self.conflict.as_ref().map(|conflict| &conflict.action)
        {
            all.push((set.as_slice(), filter.iter().collect()));
        }
        all
    }
}

fn is_filled_once(one: &Assignment) -> bool {
    let own = |value: &Value| matches!(value, Value::Column(column) if column.eq_ignore_ascii_case(&one.column));
    matches!(&one.value, Value::Coalesce(parts) if parts.len() > 1 && parts.first().is_some_and(own))
}

/// The assignment that makes a condition false.
fn falsified_by<'a>(set: &'a [Assignment], condition: &Condition) -> Option<&'a Assignment> {
    if !condition.parts.is_empty() {
        return condition
            .parts
            .iter()
            .find_map(|part| falsified_by(set, part));
    }
    if let Some((first, others)) = condition.arms.split_first() {
        let moved = falsified_by(set, first);
        return moved.filter(|_| others.iter().all(|arm| falsified_by(set, arm).is_some()));
    }
    set.iter().find(|one| moves_away(one, condition))
}

/// Whether the condition is false once the assignment was made.
fn moves_away(one: &Assignment, condition: &Condition) -> bool {
    if !condition
        .column
        .as_ref()
        .is_some_and(|column| column.eq_ignore_ascii_case(&one.column))
    {
        return false;
    }
    match condition.test {
        Test::Eq => differs(&condition.value, one),
        Test::In => match &condition.value {
            Value::List(values) => values.iter().all(|value| differs(value, one)),
            other => differs(other, one),
        },
        Test::NotEq => same(&condition.value, &one.value),
        Test::NotIn => match &condition.value {
            Value::List(values) => values.iter().any(|value| same(value, &one.value)),
            _ => false,
        },
        Test::IsNull => is_something(&one.value),
        Test::IsNotNull => one.value == Value::Null,
        // A bound moves only if the column is set to the bound itself, or both are points in time
        // (a lease that ran out is renewed).
        Test::Less | Test::Greater => {
            let renewed = condition.test == Test::Less
                && is_time(&condition.value, one)
                && is_time(&one.value, one);
            (same(&condition.value, &one.value) && !condition.inclusive) || renewed
        }
        Test::Exists | Test::NotExists | Test::Other => false,
    }
}

/// Whether the value set is another than the one tested for; of two binds this is assumed.
fn differs(tested: &Value, one: &Assignment) -> bool {
    match (&one.value, tested) {
        (Value::Function(name, results), _) if name == "case" => {
            let differs = |result: &Value| {
                differs(
                    tested,
                    &Assignment {
                        column: one.column.clone(),
                        value: result.clone(),
                    },
                )
            };
            results.iter().all(differs)
        }
        (Value::Column(column), _) if column.eq_ignore_ascii_case(&one.column) => false,
        (Value::Arithmetic { column }, _) => column.eq_ignore_ascii_case(&one.column),
        (Value::Literal(set), Value::Literal(tested)) => set != tested,
        (
            Value::Null | Value::Default | Value::Random | Value::Clock,
            Value::Literal(_) | Value::Placeholder(_),
        ) => true,
        (Value::Placeholder(set), Value::Placeholder(tested)) => set != tested,
        (Value::Placeholder(_), Value::Literal(_)) | (Value::Literal(_), Value::Placeholder(_)) => {
            true
        }
        _ => false,
    }
}

fn same(tested: &Value, set: &Value) -> bool {
    let known = matches!(
        set,
        Value::Literal(_) | Value::Placeholder(_) | Value::Excluded(_) | Value::Column(_)
    );
    known && tested == set
}

/// Whether a value is surely, or by all likelihood, not null.
fn is_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Default | Value::Other | Value::Subquery => false,
        Value::Coalesce(parts) => parts.iter().any(is_something),
        Value::Function(name, parts) if name == "case" => parts.iter().all(is_something),
        Value::Column(_) => true,
        _ => true,
    }
}

/// Whether a value is a point in time: the clock, or a bind for a column that is named like one.
fn is_time(value: &Value, one: &Assignment) -> bool {
    let column = one.column.to_ascii_lowercase();
    let named = [
        "_at", "_until", "_after", "_time", "deadline", "lease", "expires", "expiry",
    ];
    match value {
        Value::Clock => true,
        Value::Placeholder(Placeholder::Position(_) | Placeholder::Named(_)) => {
            named.iter().any(|part| column.ends_with(part))
        }
        _ => false,
    }
}
