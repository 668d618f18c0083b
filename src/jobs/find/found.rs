//! The jobs found so far, each once.

use retrysafe_rules::catalog::Attempts;
use retrysafe_rules::vocabulary::{Delivery, JobKind};
use rustc_hash::FxHashMap;

use crate::ir::{Name, Site};
use crate::resolve::{FnId, Known, ModuleId, Program};

use super::super::entry::{Body, Job, RunsHow};

/// Jobs by the piece of code that is their body: the first evidence stays.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The jobs, in the order in which they were found.
    pub(super) jobs: Vec<Job>,
    by_body: FxHashMap<(FnId, Body), usize>,
}

impl Found {
    pub(super) fn add(&mut self, job: Job) {
        let key = (job.function, job.body);
        match self.by_body.get(&key) {
            None => {
                self.by_body.insert(key, self.jobs.len());
                self.jobs.push(job);
            }
            Some(index) => self.jobs[*index].learn(job),
        }
    }

    /// Whether a function is a job by better evidence than its shape.
    pub(super) fn is_known(&self, function: FnId) -> bool {
        self.by_body
            .get(&(function, Body::Whole))
            .is_some_and(|index| self.jobs[*index].kind != JobKind::Declared)
    }

    /// Whether a part of a function is a job: its loop.
    pub(super) fn has_part(&self, function: FnId) -> bool {
        self.jobs
            .iter()
            .any(|job| job.function == function && matches!(job.body, Body::Part(_)))
    }

    /// Notes that a job hands its work on to others.
    pub(super) fn drives(&mut self, key: (FnId, Body)) {
        if let Some(index) = self.by_body.get(&key) {
            self.jobs[*index].drives = true;
        }
    }

    /// The jobs; a loop in a function that is declared to be a job is that job.
    pub(super) fn into_jobs(self) -> Vec<Job> {
        let mut jobs = self.jobs;
        let declared: Vec<FnId> = jobs
            .iter()
            .filter(|job| job.declaration.is_some() && job.body == Body::Whole)
            .map(|job| job.function)
            .collect();
        let loops = jobs.extract_if(.., |job| {
            matches!(job.body, Body::Part(_)) && declared.contains(&job.function)
        });
        let loops: Vec<Job> = loops.collect();
        for part in loops {
            let whole = jobs
                .iter_mut()
                .find(|job| job.function == part.function && job.declaration.is_some());
            if let Some(whole) = whole {
                whole.learn(part);
            }
        }
        jobs
    }
}

impl Job {
    /// Takes over what a second piece of evidence knows better: a framework tells how a declared
    /// job is run.
    fn learn(&mut self, other: Job) {
        let says_more = self.kind == JobKind::Declared && other.kind != JobKind::Declared;
        if says_more || self.framework.is_none() && other.framework.is_some() {
            let declared = self.runs.clone();
            self.kind = other.kind;
            self.framework = other.framework;
            self.why = format!("{}; {}", self.why, other.why);
            self.runs = other.runs;
            if declared.delivery != Delivery::Unknown {
                self.runs.delivery = declared.delivery;
            }
            if declared.attempts != Attempts::Unknown {
                self.runs.attempts = declared.attempts;
            }
            self.needs_effect &= other.needs_effect;
            // The parameters say less than what is known to be the payload.
            if !other.inputs.is_empty() {
                self.inputs = other.inputs;
            }
        }
    }
}

/// A function as a job of which no more is known than its kind, and why it is one.
pub(super) fn job_of(program: &Program, function: FnId, kind: JobKind, why: String) -> Job {
    Job {
        name: program.full_name(function),
        function,
        body: Body::Whole,
        site: site_of(program, function),
        kind,
        framework: None,
        runs: RunsHow::untold(),
        why,
        key: None,
        inputs: Vec::new(),
        listed: None,
        declaration: None,
        needs_effect: false,
        is_local: false,
        is_unnamed: false,
        drives: false,
    }
}

/// The place of a function's name.
pub(super) fn site_of(program: &Program, function: FnId) -> Site {
    let def = program.function(function);
    Site {
        file: def.file,
        place: def.function.place,
    }
}

/// What a path written in a module leads to in another crate or in the workspace, as text.
pub(super) fn canonical(
    program: &Program,
    known: &Known,
    module: ModuleId,
    path: &crate::ir::Path,
) -> Name {
    program.canonical_path(path, module, known)
}
