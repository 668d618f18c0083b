//! Statements that are built in code, as the same model that SQL text gives: columns with their
//! values, conditions and conflict clauses, read off the chain of a query builder.

use std::sync::Arc;

use retrysafe_rules::vocabulary::Action;

use crate::ir::Name;
use crate::sql::{
    Assignment, Condition, Conflict, ConflictAction, ConflictTarget, Placeholder, Statement, Test,
    Value as Sql, Verb,
};
use crate::timeline::{Apply, Bound, EnvId, V, Value};

use super::super::input::struct_fields;
use super::super::part::Operation;
use super::super::text::fixed;
use super::Reading;
use super::state::snake_case;

/// How deep the parts of a row are nested.
const DEPTH: u32 = 5;

/// A statement with the values that it binds, in the order of their positions.
#[derive(Default)]
struct Built {
    set: Vec<Assignment>,
    filter: Vec<Condition>,
    target: Option<ConflictTarget>,
    on_conflict: Option<ConflictAction>,
    values: Vec<Bound>,
}

/// By what a read looks for rows.
#[derive(Default)]
pub(super) struct Matched {
    /// The columns that it compares for equality, or asks to be NULL.
    pub(super) columns: Vec<String>,
    /// Those of them that it compares with a value.
    pub(super) equal: Vec<String>,
    /// Those of them that it compares with a constant, and the constant.
    pub(super) fixed: Vec<(String, String)>,
    /// Whether it compares any with a value.
    pub(super) is_matched: bool,
}

impl Reading<'_, '_> {
    /// The statement that a chain builds, and the values that it binds; none where no column of it is
    /// known.
    pub(super) fn built(
        &self,
        operation: &Operation,
        action: Action,
        table: &str,
    ) -> Option<(Statement, Vec<Bound>)> {
        let verb = match action {
            Action::Create | Action::Upsert => Verb::Insert,
            Action::Update | Action::Relative | Action::Set => Verb::Update,
            Action::Delete => Verb::Delete,
            _ => return None,
        };
        let mut built = Built::default();
        self.gather(operation, verb, &mut built);
        if built.set.is_empty() && verb != Verb::Delete {
            return None;
        }
        let conflict = built.on_conflict.map(|action| Conflict {
            target: built.target.unwrap_or(ConflictTarget::Any),
            action,
        });
        let statement = Statement {
            verb,
            table: Some(table.to_owned()),
            set: built.set,
            filter: built.filter,
            conflict,
            ..Statement::default()
        };
        Some((statement, built.values))
    }

    /// By what a read looks for rows.
    pub(super) fn matched(&self, operation: &Operation) -> Matched {
        let mut built = Built::default();
        self.gather(operation, Verb::Select, &mut built);
        let is_equal = |of: &&Condition| matches!(of.test, Test::Eq | Test::In);
        let mut found = Matched {
            is_matched: built.filter.iter().any(|of| is_equal(&of)),
            ..Matched::default()
        };
        for of in &built.filter {
            let Some(column) = &of.column else { continue };
            if is_equal(&of) {
                found.equal.push(column.clone());
            }
            if is_equal(&of) || of.test == Test::IsNull {
                found.columns.push(column.clone());
            }
            if let (Sql::Literal(text), Test::Eq) = (&of.value, of.test) {
                found.fixed.push((column.clone(), text.clone()));
            }
        }
        found
    }

    fn gather(&self, operation: &Operation, verb: Verb, built: &mut Built) {
        // `update(table.filter(…))`, `on_conflict(OnConflict::column(…))`.
        let holds_chain = |apply: &Apply| {
            matches!(apply.name.as_str(), "on_conflict" | "update" | "delete")
                && (apply.receiver.is_none() || apply.name == "on_conflict")
        };
        operation.chain(self.unfolding, &holds_chain, &mut |apply, env| {
            self.part_of(apply, env, verb, built);
        });
    }

    /// What one call of a chain says.
    fn part_of(&self, apply: &Apply, env: EnvId, verb: Verb, built: &mut Built) {
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env,
        };
        let args = || apply.args.iter().map(at);
        match apply.name.as_str() {
            "values" | "set" => {
                for arg in args() {
                    self.row(&arg, DEPTH, built);
                }
            }
            "col_expr" => {
                if let [column, value] = apply.args.as_slice() {
                    self.cell_of(&at(column), at(value), built);
                }
            }
            // A record that says itself which columns it has: `model.insert(db)`, `Entity::insert(model)`.
            "insert" | "update" | "save" | "insert_many" | "one" | "many" => {
                for of in apply.receiver.iter().map(at).chain(args()) {
                    self.row(&of, DEPTH, built);
                }
            }
            "filter" | "find" | "and_where" if verb != Verb::Insert => {
                for arg in args() {
                    self.conditions(&arg, DEPTH, built);
                }
            }
            "on_conflict" => {
                if let Some(target) = apply.args.first() {
                    let mut columns = Vec::new();
                    self.column_names(&at(target), 4, &mut columns);
                    built.target = conflict_target(columns).or(built.target.take());
                }
            }
            // `OnConflict::column(…)`, `OnConflict::columns([…])`.
            "column" | "columns" if apply.path.contains("OnConflict") => {
                let mut columns = Vec::new();
                for arg in args() {
                    self.column_names(&arg, 4, &mut columns);
                }
                built.target = conflict_target(columns);
            }
            "do_nothing" | "on_conflict_do_nothing" | "insert_or_ignore_into" | "do_nothing_on" => {
                built.on_conflict = Some(ConflictAction::Nothing);
            }
            "replace_into" => built.on_conflict = Some(ConflictAction::Replace),
            "do_update" | "update_column" | "update_columns" => {
                let mut columns = Vec::new();
                for arg in args() {
                    self.column_names(&arg, 4, &mut columns);
                }
                let set = columns.into_iter().map(|column| Assignment {
                    value: Sql::Excluded(column.clone()),
                    column,
                });
                built.on_conflict = Some(ConflictAction::Update {
                    set: set.collect(),
                    filter: Vec::new(),
                });
            }
            _ => {}
        }
    }

    /// The columns of a row, or of what is set.
    fn row(&self, bound: &Bound, depth: u32, built: &mut Built) {
        if depth == 0 || built.set.len() > 80 {
            return;
        }
        let head = self.unfolding.head(bound);
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Apply(apply) => match (&apply.receiver, apply.args.as_slice()) {
                (Some(column), [value]) if apply.name == "eq" => {
                    self.cell_of(&at(column), at(value), built);
                }
                // `model.into_active_model()`, `row.clone()`, `Some(row)`.
                (Some(inner), []) => self.row(&at(inner), depth - 1, built),
                (None, [inner]) => self.row(&at(inner), depth - 1, built),
                _ => {}
            },
            Value::Tuple(parts) => {
                for part in parts {
                    self.row(&at(part), depth - 1, built);
                }
            }
            // Of many rows each has the same columns.
            Value::Array(parts) => {
                if let Some(first) = parts.first() {
                    self.row(&at(first), depth - 1, built);
                }
            }
            Value::Struct { fields, base, .. } => {
                for (name, value) in fields {
                    self.cell(name.as_str(), at(value), built);
                }
                if let Some(base) = base {
                    self.row(&at(base), depth - 1, built);
                }
            }
            Value::Param(index) => self.row_of_param(&head, *index, built),
            _ => {}
        }
    }

    /// The columns of a row that comes as a parameter: the fields of its type.
    fn row_of_param(&self, head: &Bound, index: u32, built: &mut Built) {
        let Some(function) = self.unfolding.function(head.env) else {
            return;
        };
        let program = self.unfolding.timelines().program();
        let Some(param) = self.param(head, index) else {
            return;
        };
        let crate::ir::TypeRef::Path(path) = &param.ty else {
            return;
        };
        let fields = path
            .last()
            .and_then(|last| struct_fields(program, function, last));
        for field in fields.into_iter().flatten() {
            let name = Name::from(&field.name);
            let value = Bound {
                value: Arc::new(Value::Field(Arc::clone(&head.value), name)),
                env: head.env,
            };
            self.cell(&field.name, value, built);
        }
    }

    fn cell_of(&self, column: &Bound, value: Bound, built: &mut Built) {
        let mut names = Vec::new();
        self.column_names(column, 2, &mut names);
        if let Some(name) = names.pop() {
            self.cell(&name, value, built);
        }
    }

    /// A column with its value, `Set(…)` taken off; the first that is said of a column counts.
    fn cell(&self, column: &str, value: Bound, built: &mut Built) {
        let head = self.unfolding.head(&value);
        let mut value = value;
        if let Value::Apply(apply) = &*head.value {
            match (apply.name.as_str(), &apply.receiver, apply.args.as_slice()) {
                ("Set" | "Unchanged" | "value" | "val", _, [inner]) => {
                    value = Bound {
                        value: Arc::clone(inner),
                        env: head.env,
                    };
                }
                ("NotSet" | "not_set", ..) => return,
                _ => {}
            }
        }
        let is_left_to_default = matches!(&*head.value, Value::Path(path)
            if matches!(path.rsplit("::").next(), Some("NotSet" | "default")));
        let is_known = built.set.iter().any(|set| set.column == column);
        if is_left_to_default || is_known {
            return;
        }
        let value = self.bind(value, built);
        built.set.push(Assignment {
            column: column.to_owned(),
            value,
        });
    }

    /// A value as SQL would have it: a constant, or a bind.
    fn bind(&self, value: Bound, built: &mut Built) -> Sql {
        let head = self.unfolding.head(&value);
        if let Value::Path(path) = &*head.value {
            return match path.rsplit("::").next() {
                Some("None") => Sql::Null,
                name => Sql::Literal(name.unwrap_or_default().to_owned()),
            };
        }
        if let Some(text) = fixed(self.unfolding, &value).filter(|text| !text.contains('{')) {
            return Sql::Literal(text);
        }
        built.values.push(value);
        Sql::Placeholder(Placeholder::Position(built.values.len()))
    }

    /// The conditions of a filter that AND joins.
    fn conditions(&self, bound: &Bound, depth: u32, built: &mut Built) {
        let head = self.unfolding.head(bound);
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        let Value::Apply(apply) = &*head.value else {
            return;
        };
        let test = match apply.name.as_str() {
            "eq" => Test::Eq,
            "ne" => Test::NotEq,
            "is_null" => Test::IsNull,
            "is_not_null" => Test::IsNotNull,
            "eq_any" | "is_in" => Test::In,
            "and" | "add" if depth > 0 => {
                for part in apply.receiver.iter().chain(&apply.args) {
                    self.conditions(&at(part), depth - 1, built);
                }
                return;
            }
            _ => return,
        };
        let Some(receiver) = &apply.receiver else {
            return;
        };
        let mut names = Vec::new();
        self.column_names(&at(receiver), 2, &mut names);
        let value = apply
            .args
            .first()
            .map_or(Sql::Null, |value| self.bind(at(value), built));
        built.filter.push(Condition {
            column: names.pop().map(|name| snake_case(&name)),
            test,
            value,
            ..Condition::default()
        });
    }
}

fn conflict_target(columns: Vec<String>) -> Option<ConflictTarget> {
    (!columns.is_empty()).then(|| ConflictTarget::Columns {
        columns,
        predicate: Vec::new(),
    })
}
