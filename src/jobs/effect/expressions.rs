//! Requests that say in expressions what they do, as the same model that SQL text gives.

use std::sync::Arc;

use retrysafe_rules::catalog::ExpressionMethods;

use crate::sql::expression::{Request, statement};
use crate::sql::{Assignment, Condition, Placeholder, Test, Value as Sql, read};
use crate::timeline::{Bound, V};

use super::super::part::Operation;
use super::super::text::fixed;
use super::Reading;
use super::built::Built;

/// What a builder was given, in the order of its calls.
#[derive(Default)]
struct Given {
    key: Vec<(String, Bound)>,
    item: Vec<(String, Bound)>,
    names: Vec<(String, String)>,
    values: Vec<(String, Bound)>,
    update: Option<String>,
    condition: Option<String>,
}

impl Reading<'_, '_> {
    /// What a request says.
    pub(super) fn expressions(
        &self,
        operation: &Operation,
        methods: &ExpressionMethods,
        built: &mut Built,
    ) {
        let given = self.given_to(operation, methods);
        built.filter = given
            .key
            .iter()
            .map(|(name, value)| Condition {
                column: Some(name.clone()),
                test: Test::Eq,
                value: self.bind(value.clone(), built),
                ..Condition::default()
            })
            .collect();
        let named = |pairs: &[(String, Bound)]| -> Vec<(String, String)> {
            let pairs = pairs.iter().enumerate();
            pairs
                .map(|(at, (name, _))| (name.clone(), format!(":item{at}")))
                .collect()
        };
        let item = named(&given.item);
        let text = statement(&Request {
            table: "item",
            key: &[],
            item: &item,
            update: given.update.as_deref(),
            condition: given.condition.as_deref(),
            names: &given.names,
        });
        let said = text.and_then(|text| read(&text).into_iter().find_map(Result::ok));
        let Some(said) = said else { return };
        let value_of = |name: &str| {
            let own = item.iter().position(|(_, value)| value == name);
            match own {
                Some(at) => Some(given.item[at].1.clone()),
                None => {
                    let mut values = given.values.iter();
                    values
                        .find(|(short, _)| short == name)
                        .map(|(_, value)| value.clone())
                }
            }
        };
        for set in said.set {
            let value = self.bound_in(set.value, &value_of, built);
            built.set.push(Assignment {
                column: set.column,
                value,
            });
        }
        for mut condition in said.filter {
            condition.value = self.bound_in(condition.value, &value_of, built);
            built.filter.push(condition);
        }
        built.on_conflict = said.conflict.map(|of| of.action);
    }

    /// A value with what its names stand for put in.
    fn bound_in(
        &self,
        value: Sql,
        value_of: &dyn Fn(&str) -> Option<Bound>,
        built: &mut Built,
    ) -> Sql {
        let mut all = |parts: Vec<Sql>| -> Vec<Sql> {
            let parts = parts.into_iter();
            parts
                .map(|part| self.bound_in(part, value_of, built))
                .collect()
        };
        match value {
            Sql::Coalesce(parts) => Sql::Coalesce(all(parts)),
            Sql::List(parts) => Sql::List(all(parts)),
            Sql::Function(name, parts) => Sql::Function(name, all(parts)),
            Sql::Placeholder(Placeholder::Named(name)) => match value_of(&name) {
                Some(value) => self.bind(value, built),
                None => Sql::Other,
            },
            other => other,
        }
    }

    fn given_to(&self, operation: &Operation, methods: &ExpressionMethods) -> Given {
        let mut given = Given::default();
        operation.chain(self.unfolding, &|_| false, &mut |apply, env| {
            let at = |value: &V| Bound {
                value: Arc::clone(value),
                env,
            };
            let text =
                |value: &V| fixed(self.unfolding, &at(value)).filter(|text| !text.contains('{'));
            let name = apply.name.as_str();
            match apply.args.as_slice() {
                [short, value] => {
                    let Some(short) = text(short) else { return };
                    if name == methods.key {
                        given.key.push((short, at(value)));
                    } else if name == methods.item {
                        given.item.push((short, at(value)));
                    } else if name == methods.values {
                        given.values.push((short, at(value)));
                    } else if name == methods.names
                        && let Some(long) = text(value)
                    {
                        given.names.push((short, long));
                    }
                }
                [only] if name == methods.update => given.update = text(only),
                [only] if name == methods.condition => given.condition = text(only),
                _ => {}
            }
        });
        given
    }
}
