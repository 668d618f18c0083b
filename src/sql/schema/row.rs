//! The row that an insert brings, column by column.

use super::super::statement::{Placeholder, Statement, Value};
use super::given::Given;
use super::model::Table;

/// What is known of the value bound at a place.
pub type Bind<'b> = &'b dyn Fn(&Placeholder) -> Given;

/// What an insert gives to a column; none where it does not name it, or asks for its default.
pub fn given(statement: &Statement, table: &Table, bind: Bind<'_>, column: &str) -> Option<Given> {
    // Without a list of columns, values are told by their positions.
    let position = table
        .columns
        .iter()
        .position(|known| known.name.eq_ignore_ascii_case(column))
        .map(|at| format!("#{}", at + 1));
    let is_it = |name: &str| {
        name.eq_ignore_ascii_case(column) || position.as_deref().is_some_and(|at| at == name)
    };
    let set = statement.set.iter().find(|set| is_it(&set.column))?;
    of(&set.value, bind)
}

/// What is known of a value; none for a column's default.
fn of(value: &Value, bind: Bind<'_>) -> Option<Given> {
    Some(match value {
        Value::Default => return None,
        Value::Placeholder(placeholder) => bind(placeholder),
        Value::Literal(text) => Given::Text(text.clone()),
        Value::Null => Given::Null,
        Value::Clock | Value::Random => Given::Fresh,
        // It is NULL only where all of them are.
        Value::Coalesce(parts) => {
            let parts: Vec<Given> = parts.iter().filter_map(|part| of(part, bind)).collect();
            let last = parts.last().cloned().unwrap_or(Given::Unknown);
            match (together(parts), last) {
                (Given::Optional | Given::Null, Given::Same | Given::Text(_)) => Given::Same,
                (all, _) => all,
            }
        }
        // A time that is cut to an hour or a day names that.
        Value::Function(name, _) if cuts(name) => Given::Unknown,
        Value::List(parts) | Value::Function(_, parts) => {
            match together(parts.iter().filter_map(|part| of(part, bind)).collect()) {
                Given::Null => Given::Optional,
                all => all,
            }
        }
        Value::Excluded(_)
        | Value::Column(_)
        | Value::Arithmetic { .. }
        | Value::Subquery
        | Value::Other => Given::Unknown,
    })
}

/// Whether a function gives the period that a time lies in.
pub fn cuts(function: &str) -> bool {
    matches!(
        function,
        "date_trunc"
            | "date"
            | "date_part"
            | "extract"
            | "to_char"
            | "strftime"
            | "year"
            | "month"
            | "week"
            | "day"
    )
}

/// What is known of something made of several values.
fn together(parts: Vec<Given>) -> Given {
    let has = |wanted: &Given| parts.contains(wanted);
    if has(&Given::Fresh) {
        Given::Fresh
    } else if has(&Given::Unknown) {
        Given::Unknown
    } else if has(&Given::Optional) || has(&Given::Null) {
        Given::Optional
    } else {
        Given::Same
    }
}
