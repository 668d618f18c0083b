//! The state that a condition asks: which table, which columns, and whether asking was a claim.

use std::sync::Arc;

use retrysafe_rules::catalog::{CallKind, EffectEntry};
use retrysafe_rules::vocabulary::Protection;

use crate::ir::{Literal, Name};
use crate::timeline::{Apply, Bound, EnvId, V, Value};

use super::super::part::Operation;
use super::super::schemas::plain_table;
use super::super::statement;
use super::Reading;
use super::asked::{self, Asked, of_statement, refers};

/// How deep a condition is looked into.
const DEPTH: u32 = 10;
/// How many values that chose between others are looked at.
const CHOICES: usize = 4;

/// How an answer is looked at.
#[derive(Debug, Clone, Copy, Default)]
struct Asking {
    /// The field of it.
    column: Option<Name>,
    /// Whether it is compared, or a method tells something of it.
    is_compared: bool,
    /// Whether it is how many rows there are, whatever stands in them.
    is_counted: bool,
    /// Whether it is whether there is something.
    is_tested: bool,
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
            is_tested: asking.is_tested || matches!(apply.name.as_str(), "is_some" | "is_none"),
            ..asking
        };
        let Some(receiver) = &apply.receiver else {
            for arg in &apply.args {
                self.ask(&at(arg), asking, depth - 1, terms, answers);
            }
            return;
        };
        self.ask(&at(receiver), asking, depth - 1, terms, answers);
        // What it is compared with may be state as well, but not what the answer is about.
        let mut beside = Answers::default();
        for arg in &apply.args {
            self.ask(&at(arg), asking, depth - 1, terms, &mut beside);
        }
        answers.asked.append(&mut beside.asked);
    }

    /// The state that one operation asks for.
    fn asked(&self, operation: &Operation, entry: &EffectEntry, asking: Asking) -> Option<Asked> {
        let column = asking.column.map(|column| column.to_string());
        let root = &operation.root;
        let site = self.unfolding.site(operation.root_env, root.place);
        // That a statement ran tells nothing of what it changed.
        let is_told = asking.is_compared || operation.terminal.name != "execute";
        match entry.kind {
            CallKind::Acknowledge => None,
            CallKind::Sql => {
                let text = statement::text_of(self.unfolding, self.texts, operation, entry)?;
                let statements = statement::statements(&text, entry);
                let statement = statements.into_iter().find_map(Result::ok)?;
                let mut asked = of_statement(&statement, column, text, site);
                let gives_one = matches!(
                    operation.terminal.name.as_str(),
                    "fetch_optional" | "query_opt"
                );
                let is_counted = asking.is_counted || asking.is_tested && gives_one;
                if is_counted && asking.column.is_none() {
                    asked.column = None;
                }
                asked.is_claim &= is_told;
                asked.is_existence &= asking.is_counted || !gives_many(&operation.terminal.name);
                Some(asked)
            }
            CallKind::Read | CallKind::Effect(_) => {
                let (target, url) = self.target(operation, entry);
                let matched = self.matched(operation, entry);
                let chosen_by = match matched.all.is_empty() {
                    true => self.filter_columns(operation),
                    false => matched.all.clone(),
                };
                let is_claim =
                    matches!(entry.kind, CallKind::Effect(_)) && self.is_claiming(operation, entry);
                Some(Asked {
                    table: plain_table(&target),
                    target,
                    joined: Vec::new(),
                    site,
                    equal: matched.equal,
                    matched: matched.columns,
                    fixed: matched.fixed,
                    narrowed: matched.narrowed,
                    is_matched: matched.is_matched,
                    is_existence: asking.is_counted || !gives_many(&operation.terminal.name),
                    is_remote: url.is_some(),
                    is_read: entry.kind == CallKind::Read,
                    column,
                    is_choice: url.is_none()
                        && match matched.all.is_empty() {
                            true => chosen_by.iter().any(|column| !refers(column)),
                            false => matched.is_choice,
                        },
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
        let target = || self.target(operation, entry).0;
        let built = entry
            .action
            .and_then(|action| self.built(operation, entry, action, &target()));
        if built.is_some_and(|(statement, _)| asked::is_claim(&statement)) {
            return true;
        }
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
                // `type_` is how Rust has to call the column `type`.
                let last = path.rsplit("::").next().unwrap_or(path);
                names.push(snake_case(last.trim_end_matches('_')));
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

/// Whether a method gives all the rows that there are.
fn gives_many(method: &str) -> bool {
    matches!(
        method,
        "fetch_all"
            | "fetch"
            | "fetch_many"
            | "query"
            | "query_map"
            | "query_raw"
            | "load"
            | "get_results"
            | "all"
            | "stream"
            | "find"
    )
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

/// `Column::ReminderSentAt` as a column of a table.
pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for (index, c) in name.chars().enumerate() {
        if c.is_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}
