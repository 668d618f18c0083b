//! A job's side-effect map.

use crate::ir::{FileId, Gap, Site};
use crate::resolve::FnId;
use crate::timeline::{Timelines, Unfolding};

use super::effect::{MappedEffect, Reading};
use super::entry::{Body, Job};
use super::locks::{LostLock, lost_locks};
use super::origin::Work;
use super::repeat::{Drawn, assess};
use super::schemas::Schemas;
use super::schemas::plain_table;
use super::texts::Texts;
use super::uncommitted::uncommitted;

/// A job with its effects, in the order in which they happen.
#[derive(Debug)]
pub struct JobMap {
    /// The job.
    pub job: Job,
    /// Its effects.
    pub effects: Vec<MappedEffect>,
    /// Row locks that hold nothing.
    pub locks: Vec<LostLock>,
    /// Where the transactions begin that it ends.
    pub settled: Vec<Site>,
    /// What could not be understood on its routes.
    pub gaps: Vec<(FileId, Gap)>,
    /// Every function that the job's routes pass through.
    pub functions: Vec<FnId>,
}

/// Draws the map of one job.
pub fn draw(timelines: &Timelines<'_>, job: Job, texts: Texts<'_>, schemas: &Schemas) -> JobMap {
    let unfolding = match job.body {
        Body::Whole => Unfolding::of_function(timelines, job.function, None),
        Body::Arm(place, label) => {
            Unfolding::of_function(timelines, job.function, Some((place, label)))
        }
        Body::Part(place) => Unfolding::of_part(timelines, job.function, place),
    };
    let mut reading = Reading {
        unfolding: &unfolding,
        texts,
        schemas,
        runs: &job.runs,
        work: Work {
            inputs: &job.inputs,
            attempt: &job.runs.attempt,
        },
        gaps: Vec::new(),
    };
    let mut drawn: Vec<Drawn<'_>> = Vec::new();
    for happening in &unfolding.happenings {
        let effects = reading.effects(happening);
        drawn.extend(effects.into_iter().map(|effect| Drawn {
            table: plain_table(&effect.target),
            effect,
            happening,
        }));
    }
    assess(&reading, &job, &mut drawn);
    let locks = lost_locks(&reading, &drawn);
    for lost in uncommitted(&reading, &drawn) {
        let repeats = &mut drawn[lost.write].effect.repeats;
        match lost.is_handed_out {
            true => repeats.unit = Some(lost.begin),
            false => repeats.uncommitted = Some(lost.begin),
        }
    }
    let mut settled: Vec<Site> = unfolding.settled.iter().map(|end| end.begin.site).collect();
    settled.sort_unstable();
    settled.dedup();
    let mut effects: Vec<MappedEffect> = Vec::new();
    {
        for effect in drawn.into_iter().map(|drawn| drawn.effect) {
            match effects.iter_mut().find(|known| known.is_again(&effect)) {
                // Reached on several routes: the first one is shown.
                Some(known) => known.repeat = known.repeat.max(effect.repeat),
                None => effects.push(effect),
            }
        }
    }
    let read_gaps = std::mem::take(&mut reading.gaps);
    let mut gaps = unfolding.gaps.clone();
    for gap in read_gaps {
        if !gaps.contains(&gap) {
            gaps.push(gap);
        }
    }
    gaps.sort();
    let functions = unfolding.visited();
    JobMap {
        job,
        effects,
        locks,
        settled,
        gaps,
        functions,
    }
}
