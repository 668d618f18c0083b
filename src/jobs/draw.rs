//! A job's side-effect map.

use std::path::Path;

use crate::ir::{FileId, Gap};
use crate::resolve::FnId;
use crate::timeline::{EnvId, Timelines, Unfolding};

use super::effect::{MappedEffect, Reading};
use super::entry::{Body, Job};

/// A job with its effects, in the order in which they happen.
#[derive(Debug)]
pub struct JobMap {
    /// The job.
    pub job: Job,
    /// Its effects.
    pub effects: Vec<MappedEffect>,
    /// What could not be understood on its routes.
    pub gaps: Vec<(FileId, Gap)>,
    /// Every function that the job's routes pass through.
    pub functions: Vec<FnId>,
}

/// Reads texts that code names by path: SQL files. Given by the caller, who may open files.
#[derive(Clone, Copy)]
pub struct Texts<'t> {
    /// Reads a path relative to a file of the project, or to the package it belongs to.
    pub read: &'t (dyn Fn(FileId, &Path, bool) -> Option<String> + Sync),
}

impl std::fmt::Debug for Texts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Texts")
    }
}

impl Texts<'_> {
    /// The text at a path relative to the package.
    pub(super) fn of_package(
        self,
        unfolding: &Unfolding<'_>,
        env: EnvId,
        path: &str,
    ) -> Option<String> {
        (self.read)(
            unfolding.site(env, crate::ir::Place::default()).file,
            Path::new(path),
            true,
        )
    }

    /// The text at a path relative to the source file.
    pub(super) fn beside(
        self,
        unfolding: &Unfolding<'_>,
        env: EnvId,
        path: &str,
    ) -> Option<String> {
        (self.read)(
            unfolding.site(env, crate::ir::Place::default()).file,
            Path::new(path),
            false,
        )
    }
}

/// Draws the map of one job.
pub fn draw(timelines: &Timelines<'_>, job: Job, texts: Texts<'_>) -> JobMap {
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
        runs: &job.runs,
        gaps: Vec::new(),
    };
    let mut effects: Vec<MappedEffect> = Vec::new();
    for happening in &unfolding.happenings {
        for effect in reading.effects(happening) {
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
        gaps,
        functions,
    }
}
