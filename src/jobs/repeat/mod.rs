//! What a second run does to an effect: what brings it about, and what stops it.
//!
//! The questions are asked of the order in which things happen. It knows nothing of rules: what
//! it finds stands on the effects of the map.

mod bystanders;
mod markers;
mod triggers;

use retrysafe_rules::vocabulary::{Protection, Trigger};

use crate::ir::Site;
use crate::timeline::Happening;

use super::effect::{MappedEffect, Reading};
use super::entry::Job;

pub(super) use bystanders::Bystanders;

/// What a repeat of an effect comes from, and what it meets.
#[derive(Debug, Clone, Default)]
pub struct Repeats {
    /// What makes the job run again after it; empty where the job never does.
    pub triggers: Vec<Trigger>,
    /// The first thing that can fail after it and so bring a second run.
    pub failing: Option<Site>,
    /// The loop over items in which it happens, when a failure at one item repeats those before.
    pub per_item: Option<Site>,
    /// The innermost loop over items in which it happens.
    pub items: Option<Site>,
    /// Whether it happens in a loop that goes over nothing, as in a task that lives on.
    pub is_endless: bool,
    /// Where the transaction around it begins.
    pub transaction: Option<Site>,
    /// The task that nobody awaits, when it runs in one.
    pub detached: Option<Site>,
    /// Whether something in front of it may be a check that is not understood.
    pub is_doubtful: bool,
    /// Whether it stands in one of several arms, by branch and arm, outermost first.
    pub arms: Vec<(u32, u32)>,
    /// Whether what it gives back is dropped.
    pub is_dropped: bool,
}

/// An effect with the happening that it was read from.
pub(super) struct Drawn<'h> {
    /// The effect.
    pub(super) effect: MappedEffect,
    /// The happening.
    pub(super) happening: &'h Happening,
}

/// Finds out what a second run does to each effect.
pub(super) fn assess(reading: &Reading<'_, '_>, job: &Job, drawn: &mut [Drawn<'_>]) {
    let bystanders = Bystanders::new(reading, drawn);
    for index in 0..drawn.len() {
        let mut repeats = triggers::of(reading, job, drawn, index);
        let open = matches!(
            drawn[index].effect.protection,
            Protection::None | Protection::Unknown
        ) && drawn[index].effect.carried.is_none();
        repeats.is_doubtful = bystanders.is_doubtful(drawn[index].happening);
        let guard = open
            .then(|| markers::protection(reading, &bystanders, drawn, index))
            .flatten();
        let effect = &mut drawn[index].effect;
        if let Some((protection, evidence)) = guard {
            effect.protection = protection;
            effect.evidence = evidence;
        }
        effect.repeats = repeats;
    }
}
