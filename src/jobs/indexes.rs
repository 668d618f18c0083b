//! The unique indexes that code makes for its collections of documents.

use std::sync::Arc;

use retrysafe_rules::catalog::{DefinitionEntry, Part, Says};

use crate::ir::Name;
use crate::resolve::FnId;
use crate::sql::schema::{Change, Unique, UniqueKind, UniquePart};
use crate::timeline::{Apply, Bound, EnvId, Timelines, Unfolding, V, Value};

use super::effect::Reading;
use super::entry::RunsHow;
use super::origin::Work;
use super::part::{Operation, search_calls};
use super::schemas::{Schemas, collection, origin_of};
use super::text::fixed;
use super::texts::Texts;

/// What a function makes of indexes, in order. Its timeline must have been built.
pub fn indexes(timelines: &Timelines<'_>, function: FnId, texts: Texts<'_>) -> Vec<Change> {
    let unfolding = Unfolding::of_function(timelines, function, None);
    let runs = RunsHow::untold();
    let schemas = Schemas::default();
    let reading = Reading {
        unfolding: &unfolding,
        texts,
        schemas: &schemas,
        runs: &runs,
        work: Work {
            inputs: &[],
            attempt: &[],
        },
        gaps: Vec::new(),
    };
    let known = timelines.known();
    let mut changes = Vec::new();
    for happening in &unfolding.happenings {
        let Some(apply) = &happening.apply else {
            continue;
        };
        for (operation, id) in reading.operations(apply, happening.env) {
            let entry = &known.effect(id).entry;
            let parts = entry.document.as_ref();
            if let Some(part) = parts.and_then(|parts| parts.indexes.as_ref()) {
                let (table, _) = reading.target(&operation, entry);
                changes.extend(made(&reading, &operation, part, &table));
            }
        }
    }
    changes
}

/// The indexes of a collection that one call makes.
fn made(reading: &Reading<'_, '_>, operation: &Operation, part: &Part, table: &str) -> Vec<Change> {
    let unfolding = reading.unfolding;
    let site = unfolding.site(operation.root_env, operation.root.place);
    let origin = origin_of(site);
    let mut changes = vec![Change::Create {
        table: collection(table, origin),
        like: Vec::new(),
        if_absent: true,
    }];
    let Some(given) = operation.part(unfolding, part) else {
        return changes;
    };
    for model in models(unfolding, &given, 3) {
        let index = Index::read(reading, &model);
        if !index.is_unique {
            continue;
        }
        if index.columns.is_empty() {
            changes.push(Change::Blur(table.to_owned()));
            continue;
        }
        let parts = index
            .columns
            .iter()
            .map(|name| UniquePart::column(name.as_str()));
        let mut key = Unique::new(
            table,
            index.name,
            UniqueKind::Unique,
            parts.collect(),
            origin,
        );
        key.nulls_differ = index.nulls_differ;
        key.predicate = index.rows;
        changes.push(Change::AddUnique(table.to_owned(), key));
    }
    changes
}

/// The models in a value: itself, or those of a list.
fn models(unfolding: &Unfolding<'_>, given: &Bound, depth: u32) -> Vec<Bound> {
    let head = unfolding.head(given);
    let at = |value: &V| Bound {
        value: Arc::clone(value),
        env: head.env,
    };
    match &*head.value {
        Value::Array(parts) => parts.iter().map(at).collect(),
        // `Some(model)`, `vec.into_iter()`.
        Value::Apply(apply) if depth > 0 => match (&apply.receiver, apply.args.as_slice()) {
            (None, [inner]) => models(unfolding, &at(inner), depth - 1),
            _ => vec![head],
        },
        _ => vec![head],
    }
}

/// What a model says.
#[derive(Default)]
struct Index {
    columns: Vec<Name>,
    is_unique: bool,
    nulls_differ: bool,
    name: Option<String>,
    rows: Vec<crate::sql::Condition>,
}

impl Index {
    fn read(reading: &Reading<'_, '_>, model: &Bound) -> Index {
        let mut index = Index::default();
        let known = reading.unfolding.timelines().known();
        search_calls(reading.unfolding, model, &mut |apply, env| {
            if let Some(says) = word(&known.definitions, apply) {
                index.take(reading, says, apply, env);
            }
            false
        });
        index
    }

    fn take(&mut self, reading: &Reading<'_, '_>, says: Says, apply: &Apply, env: EnvId) {
        let unfolding = reading.unfolding;
        let first = apply.args.first().map(|value| Bound {
            value: Arc::clone(value),
            env,
        });
        let text = || fixed(unfolding, first.as_ref()?);
        let is_no = || text().is_some_and(|text| text == "false");
        match (says, &first) {
            (Says::Column, Some(keys)) => {
                let entries = reading.entries(keys, 2);
                self.columns = entries.into_iter().map(|(name, _)| name).collect();
            }
            (Says::Unique, _) => self.is_unique = !is_no(),
            (Says::NullsDiffer, _) => self.nulls_differ = !is_no(),
            (Says::Name, _) => self.name = text(),
            (Says::Rows, Some(rows)) => self.rows = reading.conditions_of(rows),
            _ => {}
        }
    }
}

/// What a method of a chain says that makes an index: the catalogue names them.
fn word(entries: &[DefinitionEntry], apply: &Apply) -> Option<Says> {
    let of_type = |entry: &&DefinitionEntry| {
        let mut begins = entry.begins.iter();
        begins.any(|begin| {
            let ty = begin.rsplit_once("::").map_or(begin.as_str(), |(ty, _)| ty);
            apply.path.contains(ty)
        })
    };
    let mut fitting = entries.iter().filter(of_type);
    fitting.find_map(|entry| entry.calls.get(apply.name.as_str()).copied())
}
