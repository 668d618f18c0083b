//! Documents that a call is given, as the same model that SQL text gives: a filter's conditions, and
//! what operators such as `$set` change.

use std::sync::Arc;

use retrysafe_rules::catalog::{DocumentParts, Part};

use crate::ir::{Literal, Name};
use crate::sql::{Assignment, Condition, Test, Value as Sql};
use crate::timeline::{Bound, V, Value};

use super::super::part::Operation;
use super::Reading;
use super::built::{Built, DEPTH};

impl Reading<'_, '_> {
    /// What the documents of a call say.
    pub(super) fn documents(
        &self,
        operation: &Operation,
        parts: &DocumentParts,
        built: &mut Built,
    ) {
        built.is_document = true;
        let given = |part: &Option<Part>| operation.part(self.unfolding, part.as_ref()?);
        if let Some(filter) = given(&parts.filter) {
            built.filter = self.selected(&filter, DEPTH, built);
        }
        if let Some(values) = given(&parts.values) {
            self.row(&values, DEPTH, built);
        }
        if let Some(change) = given(&parts.change) {
            self.changed(&change, DEPTH, built);
        }
    }

    /// The conditions of a filter that stands by itself, as that of a partial index.
    pub(in crate::jobs) fn conditions_of(&self, filter: &Bound) -> Vec<Condition> {
        self.selected(filter, DEPTH, &mut Built::default())
    }

    /// The conditions of a filter, which all must hold.
    fn selected(&self, filter: &Bound, depth: u32, built: &mut Built) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for (name, value) in self.entries(filter, depth) {
            match name.as_str() {
                "$and" => {
                    for part in self.elements(&value) {
                        conditions.extend(self.selected(&part, depth.saturating_sub(1), built));
                    }
                }
                "$or" => {
                    let arms = self.elements(&value);
                    let arms = arms.iter().map(|arm| Condition {
                        parts: self.selected(arm, depth.saturating_sub(1), built),
                        ..Condition::default()
                    });
                    conditions.push(Condition {
                        arms: arms.collect(),
                        ..Condition::default()
                    });
                }
                other if other.starts_with('$') => conditions.push(Condition::default()),
                _ => conditions.extend(self.tested(name, value, built)),
            }
        }
        conditions
    }

    /// The conditions on one field: a value that it has, or operators.
    fn tested(&self, field: Name, value: Bound, built: &mut Built) -> Vec<Condition> {
        let operators: Vec<(Name, Bound)> = self
            .entries(&value, 1)
            .into_iter()
            .filter(|(name, _)| name.starts_with('$'))
            .collect();
        let condition = |test, value| Condition {
            column: Some(field.to_string()),
            test,
            value,
            ..Condition::default()
        };
        let equal = |value: Sql, test: Test, of_null: Test| match value {
            Sql::Null => condition(of_null, Sql::Null),
            value => condition(test, value),
        };
        if operators.is_empty() {
            return vec![equal(self.bind(value, built), Test::Eq, Test::IsNull)];
        }
        let all = operators.into_iter().map(|(operator, value)| {
            let is_yes = |sql: &Sql| matches!(sql, Sql::Literal(text) if text == "true");
            match operator.as_str() {
                "$eq" => equal(self.bind(value, built), Test::Eq, Test::IsNull),
                "$ne" => equal(self.bind(value, built), Test::NotEq, Test::IsNotNull),
                "$in" => condition(Test::In, self.list(&value, built)),
                "$nin" => condition(Test::NotIn, self.list(&value, built)),
                "$lt" => condition(Test::Less, self.bind(value, built)),
                "$gt" => condition(Test::Greater, self.bind(value, built)),
                "$lte" | "$gte" => Condition {
                    inclusive: true,
                    ..condition(
                        match operator.as_str() {
                            "$lte" => Test::Less,
                            _ => Test::Greater,
                        },
                        self.bind(value, built),
                    )
                },
                "$exists" if is_yes(&self.bind(value.clone(), built)) => {
                    condition(Test::IsNotNull, Sql::Null)
                }
                "$exists" => condition(Test::IsNull, Sql::Null),
                _ => condition(Test::Other, Sql::Other),
            }
        });
        all.collect()
    }

    fn list(&self, value: &Bound, built: &mut Built) -> Sql {
        let elements = self.elements(value);
        match elements.is_empty() {
            true => self.bind(value.clone(), built),
            false => Sql::List(
                elements
                    .into_iter()
                    .map(|element| self.bind(element, built))
                    .collect(),
            ),
        }
    }

    /// What the operators of an update set.
    fn changed(&self, change: &Bound, depth: u32, built: &mut Built) {
        let entries = self.entries(change, depth);
        let has_operators = entries.iter().any(|(name, _)| name.starts_with('$'));
        // A pipeline of stages.
        if entries.is_empty() {
            for stage in self.elements(change) {
                if depth > 0 {
                    self.changed(&stage, depth - 1, built);
                }
            }
            return;
        }
        if !has_operators {
            self.row(change, depth, built);
            return;
        }
        for (operator, fields) in entries {
            if operator == "$set" {
                self.row(&fields, depth, built);
                continue;
            }
            for (field, value) in self.entries(&fields, depth) {
                let name = field.to_string();
                let own = || Sql::Column(name.clone());
                let value = match operator.as_str() {
                    "$inc" | "$mul" | "$bit" | "$pop" => Sql::Arithmetic {
                        column: name.clone(),
                    },
                    "$push" | "$pushAll" => {
                        let value = self.bind(value, built);
                        Sql::Function("array_append".to_owned(), vec![own(), value])
                    }
                    "$pull" | "$pullAll" => {
                        let value = self.bind(value, built);
                        Sql::Function("array_remove".to_owned(), vec![own(), value])
                    }
                    "$min" => {
                        let value = self.bind(value, built);
                        Sql::Function("least".to_owned(), vec![own(), value])
                    }
                    "$max" => {
                        let value = self.bind(value, built);
                        Sql::Function("greatest".to_owned(), vec![own(), value])
                    }
                    // Only what is not there yet gets it.
                    "$setOnInsert" => Sql::Coalesce(vec![own(), self.bind(value, built)]),
                    "$unset" => Sql::Null,
                    "$currentDate" => Sql::Clock,
                    "$addToSet" => self.bind(value, built),
                    _ => Sql::Other,
                };
                built.set.push(Assignment {
                    column: name,
                    value,
                });
            }
        }
    }

    /// The named values of a document, whatever it is wrapped in.
    pub(in crate::jobs) fn entries(&self, bound: &Bound, depth: u32) -> Vec<(Name, Bound)> {
        let head = self.unfolding.head(bound);
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Struct { fields, base, .. } => {
                let mut entries: Vec<(Name, Bound)> = fields
                    .iter()
                    .map(|(name, value)| (*name, at(value)))
                    .collect();
                if let Some(base) = base.as_ref().filter(|_| depth > 0) {
                    for entry in self.entries(&at(base), depth - 1) {
                        if !entries.iter().any(|(name, _)| *name == entry.0) {
                            entries.push(entry);
                        }
                    }
                }
                entries
            }
            Value::Apply(apply) if depth > 0 => match (&apply.receiver, apply.args.as_slice()) {
                // `filter.insert("state", "open")` on a document that is built step by step.
                (Some(base), [name, value]) if apply.name == "insert" => {
                    let mut entries = self.entries(&at(base), depth - 1);
                    let name = self.unfolding.head(&at(name));
                    if let Value::Literal(Literal::Str(name)) = &*name.value {
                        entries.push((*name, at(value)));
                    }
                    entries
                }
                (Some(inner), []) | (None, [inner]) => self.entries(&at(inner), depth - 1),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn elements(&self, bound: &Bound) -> Vec<Bound> {
        let head = self.unfolding.head(bound);
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Array(elements) => elements.iter().map(at).collect(),
            _ => Vec::new(),
        }
    }
}
