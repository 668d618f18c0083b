//! Calls as effects, statements left out.

use retrysafe_rules::catalog::{EffectEntry, Part};
use retrysafe_rules::rule::Confidence;
use retrysafe_rules::vocabulary::{Action, EffectKind, Protection};

use crate::sql::Statement;
use crate::timeline::{Bound, Happening};

use super::super::key::{Called, key_of};
use super::super::part::Operation;
use super::super::statement;
use super::super::stored::Stored;
use super::super::write::Binds;
use super::mapped::{Acts, MappedEffect, api_of, confidence_of};
use super::store::store_of;
use super::{Reading, built, is_protective};

impl Reading<'_, '_> {
    pub(super) fn plain(
        &mut self,
        happening: &Happening,
        operation: &Operation,
        entry: &EffectEntry,
        kind: EffectKind,
    ) -> Option<MappedEffect> {
        let mut kind = self.kind_of(operation, entry, kind);
        let mut action = entry.action.unwrap_or(Action::Call);
        if let Some(classify) = entry.classify {
            action = self.classified(operation, entry, classify, action)?;
            kind = self.kind_of_command(operation, entry, kind);
        }
        let (target, url) = self.target(operation, entry);
        let mut is_natural = false;
        if entry.by_url {
            let request = self.request(
                happening,
                operation,
                (&target, url.as_deref()),
                (kind, action),
            )?;
            kind = request.kind;
            action = request.action;
            is_natural = request.is_natural;
        }
        if kind == EffectKind::File && self.is_scratch(operation, entry) {
            return None;
        }
        let built = self.row_written(operation, entry, (kind, action), &target);
        // What documents and expressions say tells more than the name of the call.
        if (entry.document.is_some() || entry.expressions.is_some())
            && let Some((statement, _)) = &built
            && statement.is_relative()
        {
            action = Action::Relative;
        }
        let in_transaction = self.in_transaction(happening, operation, entry);
        let called = Called {
            entry,
            url: url.as_deref(),
            moves_money: kind == EffectKind::Payment,
        };
        let key = key_of(self.unfolding, self.work, operation, called);
        let (protection, evidence) = self.protection(
            happening,
            operation,
            entry,
            (kind, action),
            key.as_ref(),
            in_transaction,
        );
        let (protection, evidence) =
            if is_natural && protection == Protection::None && key.is_none() {
                let why = "by its name, repeating it changes nothing more";
                (Protection::Natural, why.to_owned())
            } else {
                (protection, evidence)
            };
        if protection == Protection::Upsert && action == Action::Create {
            action = Action::Upsert;
        }
        let site = self
            .unfolding
            .site(operation.root_env, operation.root.place);
        let by_statement = built
            .as_ref()
            .filter(|_| protection != Protection::Step)
            .and_then(|built| self.by_statement(built, action, protection));
        let (protection, evidence) = by_statement.unwrap_or((protection, evidence));
        let stored = built
            .map(|(statement, values)| self.stored(&statement, store_of(entry), &values, site));
        let by_schema = stored.as_ref().and_then(Stored::protection);
        if stored.as_ref().is_some_and(Stored::makes_another) {
            action = Action::Create;
        }
        let (protection, evidence) = match by_schema {
            // A conflict clause protects only if something conflicts with it.
            Some(found) if protection == Protection::Upsert => found,
            Some(found) if !is_protective(&(protection, String::new())) => found,
            _ => (protection, evidence),
        };
        // A request by a method that is not known may as well read.
        let is_told = kind != EffectKind::Http || action != Action::Call;
        let confidence = match confidence_of(&happening.context) {
            _ if !is_told => Confidence::Low,
            confidence => confidence,
        };
        let columns = match &stored {
            Some(stored) => stored
                .statement
                .set
                .iter()
                .map(|set| set.column.clone())
                .collect(),
            None => self.set_columns(operation),
        };
        let acts = Acts {
            kind,
            action,
            target,
        };
        Some(MappedEffect {
            in_transaction,
            columns,
            stored: stored.map(Box::new),
            in_database: entry.executor.is_some(),
            is_addressed: entry.by_url,
            fills_in: entry.fills_in.clone(),
            key: key.as_ref().map(|key| key.text.clone()),
            carried: key,
            api: api_of(&operation.root),
            confidence,
            ..self.mapped(happening, site, acts, (protection, evidence))
        })
    }

    /// The row or the key that a call of a database writes, as a statement, with the values that it binds.
    fn row_written(
        &self,
        operation: &Operation,
        entry: &EffectEntry,
        (kind, action): (EffectKind, Action),
        table: &str,
    ) -> Option<(Statement, Vec<Bound>)> {
        if let (EffectKind::Cache, Some(part)) = (kind, &entry.value) {
            let value = operation.part(self.unfolding, part)?;
            return Some(built::key_set(table, value));
        }
        let runs_on = entry.executor.as_ref();
        let is_row = entry.document.is_some()
            || entry.expressions.is_some()
            || runs_on.is_some_and(|part| !matches!(part, Part::Method(..)));
        (kind == EffectKind::DbWrite && is_row)
            .then(|| self.built(operation, entry, action, table))
            .flatten()
    }

    /// What keeps a repeat of a statement that is built in code from doing harm, where it tells that
    /// better than the call.
    fn by_statement(
        &self,
        (statement, values): &(Statement, Vec<Bound>),
        action: Action,
        by_call: Protection,
    ) -> Option<(Protection, String)> {
        let unstable = |position: usize| self.varies(values, position);
        let binds = Binds {
            unstable: &unstable,
            text: &|_| None,
        };
        let by_update = || statement::update(statement, action == Action::Relative, &binds).1;
        match (action, by_call) {
            // An upsert does harm where it finds nothing the second time, or stores another value.
            (Action::Update, Protection::Upsert) => statement::elusive(statement, &binds)
                .or_else(|| by_update().filter(|found| found.0 == Protection::None)),
            (Action::Update | Action::Relative, _) => by_update(),
            _ => None,
        }
    }
}
