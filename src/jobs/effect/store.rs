//! What an operation stores: the values bound to its columns.

use std::sync::Arc;

use retrysafe_rules::catalog::{CallKind, EffectEntry, SourceKind};

use crate::ir::{Param, Site};
use crate::sql::schema::Given;
use crate::sql::{Placeholder, Statement};
use crate::timeline::{Bound, Happening, V, Value};

use super::super::origin::{Origin, Share, makings};
use super::super::part::is_left_out;
use super::super::schemas::Store;
use super::super::statement::{statements, text_of};
use super::super::stored::Stored;
use super::super::text::fixed;
use super::Reading;

/// A statement that is run.
pub(in crate::jobs) struct Said {
    /// What it says.
    pub(in crate::jobs) statement: Statement,
    /// Whether it certainly runs on a pool, where each statement commits by itself.
    pub(in crate::jobs) on_pool: bool,
    /// The call or macro that names it.
    pub(in crate::jobs) site: Site,
}

impl Reading<'_, '_> {
    /// What a statement stores, given the values that are bound to it.
    pub(super) fn stored(
        &self,
        statement: &Statement,
        store: Store,
        values: &[Bound],
        site: Site,
    ) -> Stored {
        let at = |placeholder: &Placeholder| match placeholder {
            Placeholder::Position(position) => values.get(position.checked_sub(1)?),
            Placeholder::Named(_) => None,
        };
        let origin = |placeholder: &Placeholder| self.origin(at(placeholder)?);
        let given: Vec<Given> = values.iter().map(|bound| self.given(bound)).collect();
        Stored::of(
            statement,
            store,
            &given,
            values,
            &origin,
            self.schemas,
            site,
        )
    }

    /// The statements of a happening that is one of SQL.
    pub(in crate::jobs) fn statements(&self, happening: &Happening) -> Vec<Said> {
        let known = self.unfolding.timelines().known();
        let Some(apply) = &happening.apply else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (operation, id) in &self.operations(apply, happening.env) {
            let entry = &known.effect(*id).entry;
            if entry.kind == CallKind::Sql
                && let Some(text) = text_of(self.unfolding, self.texts, operation, entry)
            {
                let on_pool = self.runs_on_pool(operation, entry);
                let statements = statements(&text, entry).into_iter().flatten();
                let site = self
                    .unfolding
                    .site(operation.root_env, operation.root.place);
                found.extend(statements.map(|statement| Said {
                    statement,
                    on_pool,
                    site,
                }));
            }
        }
        found
    }

    /// What differs between attempts in a value.
    pub(super) fn origin(&self, bound: &Bound) -> Option<Origin> {
        makings(self.unfolding, self.work, bound)
            .origin
            .filter(is_fresh)
    }

    /// What is known of a value that a row gets.
    fn given(&self, bound: &Bound) -> Given {
        let made = makings(self.unfolding, self.work, bound);
        if let Some(origin) = made.origin.as_ref().filter(|origin| is_fresh(origin)) {
            // A clock reading that is cut to something names a period.
            let is_cut = origin.is_clock() && !self.is_reading(bound, 8);
            return if is_cut { Given::Unknown } else { Given::Fresh };
        }
        if is_left_out(self.unfolding, bound) {
            return Given::Null;
        }
        if let Some(text) = fixed(self.unfolding, bound).filter(|text| !text.contains('{')) {
            return Given::Text(text);
        }
        if self.may_be_none(bound) {
            return Given::Optional;
        }
        match made.unknown {
            true => Given::Unknown,
            false => Given::Same,
        }
    }

    /// Whether a value is a clock reading as it is, in whatever form.
    fn is_reading(&self, bound: &Bound, depth: u32) -> bool {
        let head = self.unfolding.head(bound);
        let Value::Apply(apply) = &*head.value else {
            return false;
        };
        let at = |value: &V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match (&apply.receiver, apply.args.as_slice()) {
            (Some(inner), []) if depth > 0 && keeps_time(&apply.name) => {
                self.is_reading(&at(inner), depth - 1)
            }
            (None, [inner]) if depth > 0 => self.is_reading(&at(inner), depth - 1),
            (_, []) => !keeps_time(&apply.name),
            _ => false,
        }
    }

    /// Whether a value is `None` on some path, or an optional parameter.
    fn may_be_none(&self, bound: &Bound) -> bool {
        let heads = self.unfolding.heads(bound, &mut 40);
        heads.iter().any(|head| match &*head.value {
            Value::Path(path) => path.rsplit("::").next() == Some("None"),
            Value::Param(index) => self.is_optional(head, *index),
            _ => false,
        })
    }

    fn is_optional(&self, head: &Bound, index: u32) -> bool {
        let param = self.param(head, index);
        param.is_some_and(|param| param.ty.is_named("Option"))
    }

    /// The parameter that a value is.
    pub(super) fn param(&self, head: &Bound, index: u32) -> Option<&Param> {
        let function = self.unfolding.function(head.env)?;
        let function = &self
            .unfolding
            .timelines()
            .program()
            .function(function)
            .function;
        let index = index as usize;
        match function.has_self {
            true => function.params.get(index.checked_sub(1)?),
            false => function.params.get(index),
        }
    }
}

/// Whether a method gives the same moment in another form.
fn keeps_time(method: &str) -> bool {
    matches!(
        method,
        "timestamp"
            | "timestamp_millis"
            | "timestamp_micros"
            | "unix_timestamp"
            | "naive_utc"
            | "naive_local"
            | "and_utc"
            | "fixed_offset"
            | "to_rfc3339"
            | "to_string"
            | "to_owned"
            | "into"
            | "clone"
            | "as_secs"
            | "as_millis"
    )
}

/// Whether a row gets another value by it: rows in another order are the same rows.
fn is_fresh(origin: &Origin) -> bool {
    matches!(origin.kind, SourceKind::Random | SourceKind::Clock)
        && origin.share == Share::Always
        && !origin.is_period
}

/// What an operation keeps rows in.
pub(super) fn store_of(entry: &EffectEntry) -> Store {
    match entry.document {
        Some(_) => Store::Documents,
        None if entry.overwrites || entry.expressions.is_some() => Store::Items,
        None => Store::Tables,
    }
}
