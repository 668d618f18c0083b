//! One happening to the effects that it is.

pub(super) mod asked;
mod built;
mod call;
mod classify;
mod document;
mod expressions;
mod mapped;
mod operation;
mod protection;
mod query;
mod request;
pub(super) mod state;
mod store;
mod target;
mod transaction;

use retrysafe_rules::catalog::CallKind;
use retrysafe_rules::grammar::Mark;
use retrysafe_rules::rule::Confidence;
use retrysafe_rules::vocabulary::{Action, Protection};

use crate::ir::{Gap, GapKind, Site};
use crate::resolve::FnId;
use crate::timeline::{Context, Happening, HappeningKind, Unfolding};

use super::database;
use super::entry::RunsHow;
use super::origin::Work;
use super::repeats::Repeats;
use super::schemas::Schemas;
use super::statement;
use super::texts::Texts;
use mapped::{Acts, confidence_of, repeat_of};

pub use mapped::MappedEffect;
pub(super) use mapped::{calls_of, route_of};

/// What a happening turned out to be.
pub(super) struct Reading<'r, 'a> {
    pub(super) unfolding: &'r Unfolding<'a>,
    pub(super) texts: Texts<'r>,
    pub(super) schemas: &'r Schemas,
    pub(super) runs: &'r RunsHow,
    pub(super) work: Work<'r>,
    pub(super) gaps: Vec<(crate::ir::FileId, Gap)>,
}

impl Reading<'_, '_> {
    /// The effects of a happening, in the order in which they happen.
    pub(super) fn effects(&mut self, happening: &Happening) -> Vec<MappedEffect> {
        match happening.kind {
            HappeningKind::Marked(function) => {
                self.marked(function, happening).into_iter().collect()
            }
            HappeningKind::Call => self.called(happening),
        }
    }

    fn marked(&self, function: FnId, happening: &Happening) -> Option<MappedEffect> {
        let program = self.unfolding.timelines().program();
        let mark = program
            .function(function)
            .function
            .marks
            .iter()
            .find_map(|mark| match &mark.value {
                Mark::Effect(effect) => Some(effect),
                _ => None,
            })?;
        let protection = match (&mark.key, mark.idempotent) {
            (Some(_), _) => Protection::Key,
            (None, true) => Protection::Declared,
            (None, false) => Protection::Unknown,
        };
        let target = mark.target.clone();
        let target = target.unwrap_or_else(|| program.short_name(function));
        let acts = Acts {
            kind: mark.kind,
            action: Action::Call,
            target,
        };
        let evidence = "declared by its attribute".to_owned();
        Some(MappedEffect {
            key: mark.key.clone(),
            api: program.full_name(function),
            confidence: Confidence::High,
            ..self.mapped(happening, happening.site, acts, (protection, evidence))
        })
    }

    fn called(&mut self, happening: &Happening) -> Vec<MappedEffect> {
        // Taking the message is how the job comes to run, not what it does.
        if self.runs.takes && happening.apply.as_ref().is_some_and(|apply| apply.takes) {
            return Vec::new();
        }
        let known = self.unfolding.timelines().known();
        let mut effects = Vec::new();
        let Some(terminal) = &happening.apply else {
            return effects;
        };
        for (operation, id) in self.operations(terminal, happening.env) {
            let entry = &known.effect(id).entry;
            match entry.kind {
                CallKind::Read | CallKind::Acknowledge => {}
                CallKind::Sql => effects.extend(self.sql(happening, &operation, entry)),
                CallKind::Effect(kind) => {
                    effects.extend(self.plain(happening, &operation, entry, kind));
                }
            }
        }
        effects
    }

    /// Whether a call acknowledges the message, at the end of a builder chain or not.
    pub(super) fn is_acknowledgement(&self, happening: &Happening) -> bool {
        let known = self.unfolding.timelines().known();
        let Some(apply) = &happening.apply else {
            return false;
        };
        self.operations(apply, happening.env)
            .iter()
            .any(|(operation, id)| {
                let entry = &known.effect(*id).entry;
                match entry.kind {
                    CallKind::Acknowledge => true,
                    CallKind::Sql => {
                        statement::text_of(self.unfolding, self.texts, operation, entry)
                            .is_some_and(|text| database::acknowledges(&text, known))
                    }
                    _ => false,
                }
            })
    }

    /// An effect of which no more is known than where it happens and what it does.
    fn mapped(
        &self,
        happening: &Happening,
        site: Site,
        acts: Acts,
        (protection, evidence): (Protection, String),
    ) -> MappedEffect {
        let context = &happening.context;
        MappedEffect {
            kind: acts.kind,
            action: acts.action,
            target: acts.target,
            protection,
            evidence,
            site,
            route: route_of(context),
            calls: calls_of(context),
            client: self.client_of(context),
            columns: Vec::new(),
            stored: None,
            repeat: repeat_of(context),
            in_transaction: context.in_transaction,
            in_database: false,
            is_addressed: false,
            fills_in: None,
            repeats: Repeats::default(),
            key: None,
            carried: None,
            api: String::new(),
            confidence: confidence_of(context),
        }
    }

    fn client_of(&self, context: &Context) -> String {
        let program = self.unfolding.timelines().program();
        let last = context.route.as_ref().map(|step| step.function);
        last.map_or_else(String::new, |function| program.short_name(function))
    }

    fn gap(&mut self, site: Site, kind: GapKind, message: String) {
        let gap = Gap {
            kind,
            place: site.place,
            message,
        };
        if !self
            .gaps
            .iter()
            .any(|(file, known)| *file == site.file && *known == gap)
        {
            self.gaps.push((site.file, gap));
        }
    }
}

/// Whether a protection stops a repeat.
fn is_protective(found: &(Protection, String)) -> bool {
    !matches!(found.0, Protection::Unknown | Protection::None)
}
