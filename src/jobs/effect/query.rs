//! Statements as effects.

use retrysafe_rules::catalog::{EffectEntry, Part};
use retrysafe_rules::vocabulary::{Action, Protection};

use crate::ir::GapKind;
use crate::timeline::{Bound, Happening};

use super::super::origin::source_word;
use super::super::part::Operation;
use super::super::statement;
use super::super::text::fixed;
use super::super::write::Binds;
use super::mapped::{Acts, MappedEffect, api_of};
use super::store::store_of;
use super::{Reading, is_protective};

impl Reading<'_, '_> {
    pub(super) fn sql(
        &mut self,
        happening: &Happening,
        operation: &Operation,
        entry: &EffectEntry,
    ) -> Vec<MappedEffect> {
        let site = self
            .unfolding
            .site(operation.root_env, operation.root.place);
        let in_transaction = self.in_transaction(happening, operation, entry);
        let text = statement::text_of(self.unfolding, self.texts, operation, entry);
        let Some(text) = text else {
            // A statement that a catalogued builder made counts where it was built.
            let subject = operation.part(
                self.unfolding,
                entry.subject.as_ref().unwrap_or(&Part::Arg(0, None)),
            );
            if subject.is_some_and(|subject| self.is_built(&subject)) {
                return Vec::new();
            }
            self.gap(
                site,
                GapKind::UnreadSql,
                format!("the SQL text of `{}` is not known", operation.root.name),
            );
            return Vec::new();
        };
        let binds = statement::binds_of(self.unfolding, operation, entry);
        let unstable = |position: usize| self.varies(&binds, position);
        let text_at = |position: usize| {
            let bound = binds.get(position.checked_sub(1)?)?;
            fixed(self.unfolding, bound).filter(|text| !text.contains('{'))
        };
        let known = self.unfolding.timelines().known();
        let values = binds.as_slice();
        let binds = Binds {
            unstable: &unstable,
            text: &text_at,
        };
        let read = statement::read(&text, entry, known, &binds);
        for message in read.unread {
            self.gap(site, GapKind::UnreadSql, message);
        }
        read.writes
            .into_iter()
            .map(|mut write| {
                let stored = write.statement.map(|statement| {
                    Box::new(self.stored(&statement, store_of(entry), values, site))
                });
                let by_schema = stored.as_ref().and_then(|stored| stored.protection());
                // What is merged into a document is in there the second time.
                let merges = write.action == Action::Relative
                    && write.protection.is_none()
                    && stored
                        .as_ref()
                        .is_some_and(|stored| stored.only_merges() && stored.varying.is_empty());
                if merges {
                    write.action = Action::Update;
                    let why = "what it merges in is there the second time".to_owned();
                    write.protection = Some((Protection::Natural, why));
                }
                let by_place =
                    || self.contextual(happening, write.kind, write.action, in_transaction);
                let (protection, evidence) = match by_schema {
                    Some(found) if is_protective(&found) => found,
                    // What the schema lets through may be stopped by where it stands.
                    Some(found) => Some(by_place()).filter(is_protective).unwrap_or(found),
                    None => write.protection.unwrap_or_else(by_place),
                };
                let makes_another = stored.as_ref().is_some_and(|stored| stored.makes_another());
                let acts = Acts {
                    kind: write.kind,
                    action: match makes_another {
                        true => Action::Create,
                        false => write.action,
                    },
                    target: write.table,
                };
                MappedEffect {
                    in_transaction,
                    columns: write.columns,
                    stored,
                    in_database: true,
                    api: api_of(&operation.root),
                    ..self.mapped(happening, site, acts, (protection, evidence))
                }
            })
            .collect()
    }

    /// Why the value at a position differs between attempts.
    pub(super) fn varies(&self, values: &[Bound], position: usize) -> Option<&'static str> {
        let bound = values.get(position.checked_sub(1)?)?;
        self.origin(bound).map(|origin| source_word(origin.kind))
    }
}
