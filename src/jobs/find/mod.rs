//! Finding jobs: by marks, by attributes and traits of known frameworks, by registrations, by
//! loops around a message or a tick, by the verification of a webhook, and by the shape of
//! traits made in the house.

mod attributes;
mod dispatch;
mod house;
mod loops;
mod marked;
mod sightings;
mod stages;
mod traits;
mod webhooks;

use retrysafe_rules::vocabulary::JobKind;
use rustc_hash::FxHashMap;

use crate::config::JobRule;
use crate::ir::{Name, Site};
use crate::resolve::{FnId, Known, ModuleId, Program};
use crate::timeline::Timelines;

use super::entry::{Body, Job};

/// Finds every job of the program, in the order of files and lines.
pub fn find(timelines: &mut Timelines<'_>, rules: &[JobRule]) -> Vec<Job> {
    let program = timelines.program();
    let known = timelines.known();
    let mut found = Found::default();
    marked::find(program, rules, &mut found);
    attributes::find(program, known, &mut found);
    traits::find(program, known, &mut found);
    sightings::find(timelines, &mut found);
    webhooks::find(timelines, &mut found);
    house::find(program, &mut found);
    stages::find(timelines, &mut found);
    let jobs = found.into_jobs();
    let jobs = dispatch::split(timelines, jobs);
    in_order(program, jobs)
}

/// Jobs by the piece of code that is their body: the first evidence stays.
#[derive(Debug, Default)]
struct Found {
    jobs: Vec<Job>,
    by_body: FxHashMap<(FnId, Body), usize>,
}

impl Found {
    fn add(&mut self, job: Job) {
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
    fn is_known(&self, function: FnId) -> bool {
        self.by_body
            .get(&(function, Body::Whole))
            .is_some_and(|index| self.jobs[*index].kind != JobKind::Declared)
    }

    fn into_jobs(self) -> Vec<Job> {
        self.jobs
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
            if declared.delivery != retrysafe_rules::vocabulary::Delivery::Unknown {
                self.runs.delivery = declared.delivery;
            }
            if declared.attempts != retrysafe_rules::catalog::Attempts::Unknown {
                self.runs.attempts = declared.attempts;
            }
            self.needs_effect &= other.needs_effect;
            if self.inputs.is_empty() {
                self.inputs = other.inputs;
            }
        }
    }
}

/// The place of a function's name.
fn site_of(program: &Program, function: FnId) -> Site {
    let def = program.function(function);
    Site {
        file: def.file,
        place: def.function.place,
    }
}

/// What a path written in a module leads to in another crate or in the workspace, as text.
fn canonical(program: &Program, known: &Known, module: ModuleId, path: &crate::ir::Path) -> Name {
    program.canonical_path(path, module, known)
}

/// Sorts jobs by place and makes their names differ.
fn in_order(program: &Program, mut jobs: Vec<Job>) -> Vec<Job> {
    jobs.sort_by(|a, b| (a.site, a.body, &a.name).cmp(&(b.site, b.body, &b.name)));
    let mut counts: FxHashMap<String, u32> = FxHashMap::default();
    for job in &jobs {
        *counts.entry(job.name.clone()).or_default() += 1;
    }
    for job in &mut jobs {
        if counts.get(&job.name).copied().unwrap_or(0) > 1 {
            let krate = program.crate_of(program.function(job.function).module).name;
            let prefixed = format!("{krate}::{}", job.name);
            job.name = prefixed;
        }
    }
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    for job in &mut jobs {
        let count = seen.entry(job.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            job.name = format!("{}#{count}", job.name);
        }
    }
    jobs
}
