//! Statements that are built in code, as the same model that SQL text gives: columns with their
//! values, conditions and conflict clauses, read off the chain of a query builder.

use std::sync::Arc;

use retrysafe_rules::catalog::EffectEntry;
use retrysafe_rules::vocabulary::Action;

use crate::ir::{Literal, Name};
use crate::resolve::{Def, TypeId};
use crate::sql::{
    Assignment, Condition, Conflict, ConflictAction, ConflictTarget, Placeholder, Statement, Test,
    Value as Sql, Verb,
};
use crate::timeline::{Apply, Bound, EnvId, V, Value};

use super::super::input::{fields_of, struct_named};
use super::super::part::Operation;
use super::super::text::{fixed, literal_text};
use super::Reading;
use super::asked::Matched;
use super::state::snake_case;

/// How deep the parts of a row are nested.
pub(super) const DEPTH: u32 = 5;

/// A statement with the values that it binds, in the order of their positions.
#[derive(Default)]
pub(super) struct Built {
    pub(super) set: Vec<Assignment>,
    pub(super) filter: Vec<Condition>,
    target: Option<ConflictTarget>,
    pub(super) on_conflict: Option<ConflictAction>,
    values: Vec<Bound>,
    /// Whether it is a document, which names its fields as it is serialised.
    pub(super) is_document: bool,
}

impl Reading<'_, '_> {
    /// The statement that a chain builds, or that documents say, and the values that it binds; none where
    /// no column of it is known.
    pub(super) fn built(
        &self,
        operation: &Operation,
        entry: &EffectEntry,
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
        self.gather(operation, entry, verb, &mut built);
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
    pub(super) fn matched(&self, operation: &Operation, entry: &EffectEntry) -> Matched {
        let mut built = Built::default();
        self.gather(operation, entry, Verb::Select, &mut built);
        Matched::of(&built.filter)
    }

    fn gather(&self, operation: &Operation, entry: &EffectEntry, verb: Verb, built: &mut Built) {
        if let Some(parts) = &entry.document {
            return self.documents(operation, parts, built);
        }
        if let Some(methods) = &entry.expressions {
            return self.expressions(operation, methods, built);
        }
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
    pub(super) fn row(&self, bound: &Bound, depth: u32, built: &mut Built) {
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
            Value::Struct {
                def, fields, base, ..
            } => {
                let of = match def {
                    Some(Def::Type(id)) => Some(*id),
                    _ => None,
                };
                for (name, value) in fields {
                    let column = self.column_of(of, *name, built.is_document);
                    self.cell(&column, at(value), built);
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
        let found = path
            .last()
            .and_then(|last| struct_named(program, function, last));
        let Some(id) = found else { return };
        for field in fields_of(program, id) {
            let name = Name::from(&field.name);
            let value = Bound {
                value: Arc::new(Value::Field(Arc::clone(&head.value), name)),
                env: head.env,
            };
            let column = self.column_of(Some(id), name, built.is_document);
            self.cell(&column, value, built);
        }
    }

    /// The name under which a field of a type is stored.
    fn column_of(&self, of: Option<TypeId>, field: Name, is_document: bool) -> String {
        let program = self.unfolding.timelines().program();
        let Some(item) = of.map(|id| &program.types[id.index()].item) else {
            return field.to_string();
        };
        let mut renamed = item.variants.iter().flat_map(|variant| &variant.renamed);
        let own = renamed.find(|of| of.field == field && of.is_column != is_document);
        if let Some(own) = own {
            return own.stored.to_string();
        }
        let values = || item.attributes.iter().flat_map(|of| &of.values);
        let in_camel_case = values().any(|(key, value)| {
            key == "rename_all" && matches!(value, Literal::Str(case) if case == "camelCase")
        });
        match is_document && in_camel_case {
            true => camel_case(field.as_str()),
            false => field.to_string(),
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
    pub(super) fn bind(&self, value: Bound, built: &mut Built) -> Sql {
        let head = self.unfolding.head(&value);
        match &*head.value {
            Value::Path(path) => {
                return match path.rsplit("::").next() {
                    Some("None" | "Null") => Sql::Null,
                    name => Sql::Literal(name.unwrap_or_default().to_owned()),
                };
            }
            Value::Literal(Literal::Other(text)) if text == "null" => return Sql::Null,
            Value::Literal(literal) => return Sql::Literal(literal_text(literal)),
            _ => {}
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
        let apply = match &*head.value {
            Value::Apply(apply) => apply,
            // `filter(posts::is_public)`
            Value::Path(_) => return self.flag(bound, Test::Eq, built),
            _ => return,
        };
        let test = match apply.name.as_str() {
            "eq" | "is" => Test::Eq,
            "ne" | "is_not" => Test::NotEq,
            "is_null" => Test::IsNull,
            "is_not_null" => Test::IsNotNull,
            "eq_any" | "is_in" => Test::In,
            "ne_all" | "is_not_in" => Test::NotIn,
            "lt" | "le" | "lte" => Test::Less,
            "gt" | "ge" | "gte" => Test::Greater,
            "like" | "ilike" | "between" | "contains" | "starts_with" => Test::Other,
            "and" | "add" if depth > 0 => {
                for part in apply.receiver.iter().chain(&apply.args) {
                    self.conditions(&at(part), depth - 1, built);
                }
                return;
            }
            "not" => {
                if let Some(inner) = apply.args.first().or(apply.receiver.as_ref()) {
                    self.flag(&at(inner), Test::NotEq, built);
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
            column: names.into_iter().next().map(|name| snake_case(&name)),
            test,
            value,
            ..Condition::default()
        });
    }

    /// A column that stands alone as a condition.
    fn flag(&self, column: &Bound, test: Test, built: &mut Built) {
        let head = self.unfolding.head(column);
        if let Value::Path(path) = &*head.value {
            let name = path.rsplit("::").next().unwrap_or(path);
            built.filter.push(Condition {
                column: Some(snake_case(name)),
                test,
                value: Sql::Literal("true".to_owned()),
                ..Condition::default()
            });
        }
    }
}

/// A key of a cache that is set to a value, as an update of a row with one column.
pub(super) fn key_set(key: &str, value: Bound) -> (Statement, Vec<Bound>) {
    let statement = Statement {
        verb: Verb::Update,
        table: Some(key.to_owned()),
        set: vec![Assignment {
            column: VALUE.to_owned(),
            value: Sql::Placeholder(Placeholder::Position(1)),
        }],
        ..Statement::default()
    };
    (statement, vec![value])
}

/// What the one column of a key is called.
const VALUE: &str = "value";

fn conflict_target(columns: Vec<String>) -> Option<ConflictTarget> {
    (!columns.is_empty()).then(|| ConflictTarget::Columns {
        columns,
        predicate: Vec::new(),
    })
}

/// `sent_at` as `sentAt`.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut all, word| {
        let mut letters = word.chars();
        all.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        all.push_str(letters.as_str());
        all
    })
}
