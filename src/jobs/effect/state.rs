//! The state that a condition asks: which table, which columns, and whether asking was a claim.

use std::sync::Arc;

use retrysafe_rules::catalog::{CallKind, EffectEntry};
use retrysafe_rules::vocabulary::Protection;

use crate::ir::{Literal, Name};
use crate::sql::{self, Condition, ConflictAction, Projection, Statement, Test, Verb};
use crate::timeline::{Apply, Bound, EnvId, V, Value};

use super::super::part::Operation;
use super::super::statement;
use super::Reading;

/// How deep a condition is looked into.
const DEPTH: u32 = 10;
/// How many values that chose between others are looked at.
const CHOICES: usize = 4;

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

/// How an answer is looked at.
#[derive(Debug, Clone, Copy, Default)]
struct Asking {
    /// The field of it.
    column: Option<Name>,
    /// Whether it is compared, or a method tells something of it.
    is_compared: bool,
    /// Whether it is how many rows there are, whatever stands in them.
    is_counted: bool,
}

/// What a condition asks.
#[derive(Debug, Clone, Default)]
pub(in crate::jobs) struct Answers {
    /// The state that is known.
    pub(in crate::jobs) asked: Vec<Asked>,
    /// Whether something may be state that is not understood.
    pub(in crate::jobs) unknown: bool,
}

impl Reading<'_, '_> {
    /// The state that a condition, or a collection that is gone over, asks for.
    pub(in crate::jobs) fn answers(&self, condition: &Bound) -> Answers {
        let mut answers = Answers::default();
        let mut terms = 200;
        let asking = Asking::default();
        self.ask(condition, asking, DEPTH, &mut terms, &mut answers);
        let mut behind = Answers::default();
        for choice in self.unfolding.choices(condition).iter().take(CHOICES) {
            self.ask(choice, asking, DEPTH, &mut terms, &mut behind);
        }
        for asked in behind.asked {
            if !answers.asked.contains(&asked) {
                answers.asked.push(asked);
            }
        }
        answers
    }

    fn ask(
        &self,
        bound: &Bound,
        asking: Asking,
        depth: u32,
        terms: &mut u32,
        answers: &mut Answers,
    ) {
        if depth == 0 || *terms == 0 {
            return;
        }
        *terms -= 1;
        let mut steps = 60;
        for head in self.unfolding.heads(bound, &mut steps) {
            let at = |value: &V| Bound {
                value: Arc::clone(value),
                env: head.env,
            };
            match &*head.value {
                Value::Field(base, name) => {
                    let asking = Asking {
                        column: Some(*name),
                        ..asking
                    };
                    self.ask(&at(base), asking, depth - 1, terms, answers);
                }
                Value::Item(inner) | Value::Loose(inner, ..) | Value::Out(_, _, inner) => {
                    self.ask(&at(inner), asking, depth - 1, terms, answers);
                }
                Value::Operation(_, left, right) => {
                    let asking = Asking {
                        is_compared: true,
                        ..asking
                    };
                    self.ask(&at(left), asking, depth - 1, terms, answers);
                    self.ask(&at(right), asking, depth - 1, terms, answers);
                }
                Value::Tuple(values) | Value::Array(values) | Value::Either(values) => {
                    for value in values {
                        self.ask(&at(value), asking, depth - 1, terms, answers);
                    }
                }
                Value::Match(on, arms) => {
                    self.ask(&at(on), asking, depth - 1, terms, answers);
                    for (_, value) in arms {
                        self.ask(&at(value), asking, depth - 1, terms, answers);
                    }
                }
                Value::Struct { fields, base, .. } => {
                    for value in fields.iter().map(|(_, value)| value).chain(base) {
                        self.ask(&at(value), asking, depth - 1, terms, answers);
                    }
                }
                Value::Apply(apply) => {
                    self.ask_call(apply, head.env, asking, depth, terms, answers);
                }
                // `rows.filter(|row| row.sent_at.is_none())`.
                Value::Closure(_) => {
                    for result in self.unfolding.values_of(&head, &[], &mut steps) {
                        self.ask(&result, asking, depth - 1, terms, answers);
                    }
                }
                Value::Result(_) => answers.unknown = true,
                _ => {}
            }
        }
    }

    fn ask_call(
        &self,
        apply: &Arc<Apply>,
        env: EnvId,
        asking: Asking,
        depth: u32,
        terms: &mut u32,
        answers: &mut Answers,
    ) {
        let known = self.unfolding.timelines().known();
        let operations = self.operations(apply, env);
        for (operation, id) in &operations {
            let entry = &known.effect(*id).entry;
            answers.asked.extend(self.asked(operation, entry, asking));
        }
        if !operations.is_empty() {
            return;
        }
        // `rows.is_empty()`, `outcome.rows_affected()`: of what the receiver gave.
        let asking = Asking {
            is_compared: true,
            ..asking
        };
        // Neither a transaction that comes along with an answer is state, nor the message itself.
        if apply.begins || apply.takes {
            return;
        }
        answers.unknown |= apply.is_awaited;
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env,
        };
        // `row.get("sent_at")`: a column of what the receiver gave.
        let asking = Asking {
            column: asking.column.or_else(|| column_got(apply)),
            is_counted: asking.is_counted || matches!(apply.name.as_str(), "is_empty" | "len"),
            ..asking
        };
        for part in apply.receiver.iter().chain(&apply.args) {
            self.ask(&at(part), asking, depth - 1, terms, answers);
        }
    }

    /// The state that one operation asks for.
    fn asked(&self, operation: &Operation, entry: &EffectEntry, asking: Asking) -> Option<Asked> {
        let column = asking.column.map(|column| column.to_string());
        // That a statement ran tells nothing of what it changed.
        let is_told = asking.is_compared || operation.terminal.name != "execute";
        match entry.kind {
            CallKind::Acknowledge => None,
            CallKind::Sql => {
                let text = statement::text_of(self.unfolding, self.texts, operation, entry)?;
                let statement = sql::read(&text).into_iter().find_map(Result::ok)?;
                let mut asked = of_statement(&statement, column, text);
                if asking.is_counted && asking.column.is_none() {
                    asked.column = None;
                }
                asked.is_claim &= is_told;
                Some(asked)
            }
            CallKind::Read | CallKind::Effect(_) => {
                let (target, url) = self.target(operation, entry);
                let chosen_by = self.filter_columns(operation);
                let is_claim =
                    matches!(entry.kind, CallKind::Effect(_)) && self.is_claiming(operation, entry);
                Some(Asked {
                    table: plain_table(&target),
                    target,
                    joined: Vec::new(),
                    is_remote: url.is_some(),
                    is_read: entry.kind == CallKind::Read,
                    column,
                    is_choice: url.is_none() && chosen_by.iter().any(|column| !refers(column)),
                    chosen_by,
                    text: None,
                    absent_from: Vec::new(),
                    is_leased: operation.has_method(self.unfolding, "skip_locked"),
                    is_claim: is_claim && is_told,
                })
            }
        }
    }

    /// Whether a call of the chain is one that only one of several callers gets a yes from.
    fn is_claiming(&self, operation: &Operation, entry: &EffectEntry) -> bool {
        let by_guard = self.call_guard(operation, entry);
        if by_guard.is_some_and(|(gives, _)| gives == Protection::Conditional) {
            return true;
        }
        let mut found = false;
        operation.search(self.unfolding, &mut |apply, _| {
            found |= apply.is_claim;
            found
        });
        found
    }

    /// The columns in the filters of a statement that is built in code.
    fn filter_columns(&self, operation: &Operation) -> Vec<String> {
        let mut columns = Vec::new();
        operation.search(self.unfolding, &mut |apply, env| {
            if matches!(
                apply.name.as_str(),
                "filter" | "or_filter" | "and_where" | "find"
            ) {
                for arg in &apply.args {
                    let bound = Bound {
                        value: Arc::clone(arg),
                        env,
                    };
                    self.column_names(&bound, 6, &mut columns);
                }
            }
            false
        });
        columns
    }

    /// The columns that a statement built in code sets.
    pub(super) fn set_columns(&self, operation: &Operation) -> Vec<String> {
        let mut columns = Vec::new();
        operation.search(self.unfolding, &mut |apply, env| {
            let bound = |value: &V| Bound {
                value: Arc::clone(value),
                env,
            };
            if matches!(
                apply.name.as_str(),
                "set" | "values" | "col_expr" | "columns"
            ) {
                for arg in &apply.args {
                    self.column_names(&bound(arg), 4, &mut columns);
                }
            } else if let Some(receiver) = &apply.receiver
                && matches!(apply.name.as_str(), "update" | "insert" | "save")
            {
                // A record whose fields were set one by one.
                self.column_names(&bound(receiver), 2, &mut columns);
            }
            false
        });
        columns
    }

    /// The names of the columns in an expression of a query builder.
    pub(in crate::jobs) fn column_names(&self, bound: &Bound, depth: u32, names: &mut Vec<String>) {
        if depth == 0 || names.len() > 40 {
            return;
        }
        let head = self.unfolding.head(bound);
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Path(path) => {
                let last = path.rsplit("::").next().unwrap_or(path);
                names.push(snake_case(last));
            }
            Value::Apply(apply) => {
                for part in apply.receiver.iter().chain(&apply.args) {
                    self.column_names(&at(part), depth - 1, names);
                }
            }
            Value::Tuple(values) | Value::Array(values) => {
                for value in values {
                    self.column_names(&at(value), depth - 1, names);
                }
            }
            Value::Struct { fields, base, .. } => {
                names.extend(fields.iter().map(|(name, _)| name.to_string()));
                if let Some(base) = base {
                    self.column_names(&at(base), depth - 1, names);
                }
            }
            _ => {}
        }
    }
}

/// The column, by name or position, that a call takes out of a row.
fn column_got(apply: &Apply) -> Option<Name> {
    let is_got = matches!(apply.name.as_str(), "get" | "try_get");
    match apply.args.first().map(|arg| &**arg) {
        Some(Value::Literal(Literal::Str(name))) if is_got => Some(*name),
        Some(Value::Literal(Literal::Int(position))) if is_got => {
            Some(Name::from(&position.to_string()))
        }
        _ => None,
    }
}

/// A table by its plain name: `Invoice`, `public.invoices` and `"invoices"` are one.
pub(in crate::jobs) fn plain_table(name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    let plain = last.trim_matches('"').to_lowercase().replace('_', "");
    plain.trim_end_matches('s').to_owned()
}

/// `Column::ReminderSentAt` as a column of a table.
fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for (index, c) in name.chars().enumerate() {
        if c.is_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

fn of_statement(statement: &Statement, column: Option<String>, text: String) -> Asked {
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
    let filters = statement.filter.iter().chain(&statement.picked);
    let target = target.unwrap_or_default();
    Asked {
        table: plain_table(&target),
        target,
        joined: statement
            .reads
            .iter()
            .skip(1)
            .map(|read| plain_table(read))
            .collect(),
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

/// Whether a column only names a row, so that it tells no more than that the row is there.
fn is_name(column: &str) -> bool {
    matches!(column, "id" | "uuid")
}

/// Whether a column tells whose a row is.
fn refers(column: &str) -> bool {
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
        (_, Test::Eq, sql::Value::Literal(value)) if value.eq_ignore_ascii_case("true") => false,
        (_, Test::NotEq, sql::Value::Literal(value)) if value.is_empty() => false,
        (Some(column), Test::Eq | Test::In, sql::Value::Placeholder(_)) => is_state(column),
        (_, Test::Eq, sql::Value::Column(_)) => false,
        _ => true,
    };
    is_one || arms.into_iter().any(is_choice)
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
fn is_claim(statement: &Statement) -> bool {
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
