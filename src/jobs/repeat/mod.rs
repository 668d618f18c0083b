//! What a second run does to an effect: what brings it about, and what stops it.
//!
//! The questions are asked of the order in which things happen. It knows nothing of rules: what
//! it finds stands on the effects of the map.

mod answers;
mod bystanders;
mod checked;
mod conflicts;
mod counts;
mod drawn;
mod keys;
mod markers;
mod own;
mod stuck;
mod together;
mod triggers;
mod unchecked;
mod written_back;

use retrysafe_rules::vocabulary::{Action, Protection};

use crate::timeline::Follows;

use super::effect::{MappedEffect, Reading};
use super::entry::Job;
use super::key::Tells;
use bystanders::Bystanders;

pub(super) use drawn::Drawn;

/// Finds out what a second run does to each effect.
pub(super) fn assess(reading: &Reading<'_, '_>, job: &Job, drawn: &mut [Drawn<'_>]) {
    let bystanders = Bystanders::new(reading);
    for index in 0..drawn.len() {
        if keys::is_kept(reading, drawn, index) {
            let effect = &mut drawn[index].effect;
            if let Some(key) = &mut effect.carried {
                key.origin = None;
                key.tells = Tells::Something;
                effect.protection = Protection::Key;
                effect.evidence = format!(
                    "carries the key `{}`, which is stored before it is used",
                    key.text
                );
            }
        }
        let mut repeats = triggers::of(reading, job, &bystanders, drawn, index);
        let open = drawn[index].effect.is_open() && !drawn[index].effect.is_keyed();
        repeats.is_doubtful = open && bystanders.is_doubtful(drawn[index].happening);
        repeats.unchecked = unchecked::unchecked(&bystanders, drawn, index);
        repeats.stuck = stuck::stuck(reading, &bystanders, drawn, index);
        repeats.computed = written_back::computed(reading, drawn, index);
        repeats.is_locked = repeats.computed.is_some() && checked::is_locked(reading, drawn, index);
        repeats.check = checked::check(reading, &bystanders, drawn, index);
        let is_asked = drawn[index].effect.is_open()
            || overwrites(&drawn[index].effect)
            || repeats.computed.is_some();
        let guard = is_asked
            .then(|| {
                markers::protection(reading, &bystanders, drawn, index)
                    .or_else(|| together::protection(reading, drawn, index))
            })
            .flatten();
        repeats.is_guarded = guard.is_some();
        repeats.is_remade = is_remade(reading, drawn, index);
        let guard = drawn[index].effect.is_open().then(|| {
            // A second attempt with another key is as good as one without; what is recorded only
            // after the effect leaves that attempt open.
            guard.filter(|(protection, _)| open || *protection != Protection::Step)
        });
        let guard = guard.flatten();
        let effect = &mut drawn[index].effect;
        if let Some(computed) = &repeats.computed
            && effect.protection == Protection::Natural
            && !repeats.is_guarded
        {
            effect.protection = Protection::None;
            effect.evidence = format!("`{}` is computed from what it was", computed.column);
        }
        if let Some((protection, evidence)) = guard {
            effect.protection = protection;
            effect.evidence = evidence;
        } else if repeats.is_doubtful && open && effect.protection == Protection::None {
            effect.protection = Protection::Unknown;
            effect.evidence = "behind a condition that is not understood".to_owned();
        }
        effect.repeats = repeats;
    }
}

/// Whether an upsert stores something else on each attempt.
fn overwrites(effect: &MappedEffect) -> bool {
    let stored = effect.stored.as_ref();
    effect.action == Action::Upsert
        && stored.is_some_and(|stored| stored.varying.iter().any(|of| of.on_conflict))
}

/// Whether the rows that a write adds to are deleted before it.
fn is_remade(reading: &Reading<'_, '_>, drawn: &[Drawn<'_>], index: usize) -> bool {
    let this = &drawn[index];
    let at = &this.happening.context.moment;
    this.effect.action == Action::Create
        && drawn.iter().any(|other| {
            let before = &other.happening.context.moment;
            other.effect.action == Action::Delete
                && other.effect.kind == this.effect.kind
                && other.table == this.table
                && reading.unfolding.follows(before, at) == Some(Follows::Later)
        })
}
