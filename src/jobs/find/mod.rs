//! Finding jobs: by marks, by attributes and traits of known frameworks, by registrations, by
//! loops around a message or a tick, by the verification of a webhook, and by the shape of
//! traits made in the house.

mod attributes;
mod bodies;
mod channels;
mod commands;
mod comparison;
mod dispatch;
mod drivers;
mod found;
mod handing;
mod house;
mod loops;
mod marked;
mod names;
mod outcomes;
mod parameters;
mod reach;
mod sightings;
mod signs;
mod stages;
mod traits;
mod unnamed;
mod webhooks;

use rustc_hash::FxHashMap;

use crate::config::JobRule;
use crate::resolve::Program;
use crate::timeline::Timelines;

use super::entry::Job;
use drivers::Drivers;
use found::Found;

pub use marked::names_job;

/// Finds every job of the program, in the order of files and lines.
pub fn find(timelines: &mut Timelines<'_>, rules: &[JobRule]) -> Vec<Job> {
    let program = timelines.program();
    let known = timelines.known();
    let mut found = Found::default();
    marked::find(program, rules, &mut found);
    attributes::find(program, known, &mut found);
    traits::find(program, known, &mut found);
    let of_channels = sightings::find(timelines, &mut found);
    webhooks::find(timelines, &mut found);
    commands::find(timelines, &mut found);
    let drivers = Drivers::of(timelines, &found);
    house::find(timelines, &drivers, &mut found);
    stages::find(timelines, &drivers, &mut found);
    channels::find(timelines, of_channels, &mut found);
    let jobs = found.into_jobs();
    let mut jobs = dispatch::split(timelines, jobs);
    unnamed::mark(program, &mut jobs);
    in_order(program, jobs)
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
