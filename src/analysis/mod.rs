//! The whole way from a project to the maps of all jobs.

mod collections;
mod databases;
mod declared;
mod definitions;
mod load;
mod macros;

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;
use retrysafe_rules::catalog::{CatalogError, built_in};
use retrysafe_rules::vocabulary::EffectKind;
use rustc_hash::FxHashSet;

use crate::config::{Config, ConfigPlace};
use crate::ir::{FileId, Gap, GapKind};
use crate::jobs::{
    Again, Body, Job, JobMap, MappedEffect, Texts, Untold, draw, find, settle_units,
};
use crate::project::{Problem, Project, read_text};
use crate::resolve::{FnId, Known, Program};
use crate::timeline::Timelines;

pub use load::{Loaded, SourceFile, load_program};

/// Everything that was found in a project.
#[derive(Debug)]
pub struct Analysis {
    /// The files.
    pub files: Vec<SourceFile>,
    /// The definitions.
    pub program: Program,
    /// The maps, in the order of files and lines.
    pub maps: Vec<JobMap>,
    /// What could not be read.
    pub problems: Vec<Problem>,
    /// The entries of the configuration about calls that name functions of the workspace.
    pub named: Vec<ConfigPlace>,
}

impl Analysis {
    /// A file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }
}

/// The built-in catalogue, and what the configuration adds to it.
///
/// # Errors
/// What is wrong with the built-in catalogue.
pub fn knowledge(config: &Config) -> Result<Known, Vec<CatalogError>> {
    let mut files = built_in()?;
    files.extend(config.catalogue.clone());
    Ok(Known::new(files))
}

/// Analyses a project.
pub fn analyse(project: &Project, known: &Known, config: &Config) -> Analysis {
    let Loaded {
        mut files,
        mut program,
        problems,
    } = load_program(project, known);
    let named = declared::mark_functions(&mut program, &config.calls);
    for file in &mut files {
        file.selected &= !config.excludes(&file.shown);
    }
    let (mut schemas, unread) = databases::databases(project, config, known, &program, &mut files);
    let maps = {
        let mut timelines = Timelines::new(&program, known);
        let jobs = find(&mut timelines, &config.jobs);
        let jobs: Vec<Job> = jobs
            .into_iter()
            .filter(|job| files[job.site.file.0 as usize].selected && is_reported(&program, job))
            .collect();
        let roots: Vec<FnId> = jobs.iter().map(|job| job.function).collect();
        timelines.follow(&roots);
        let by_function = jobs.iter().filter(|job| !matches!(job.body, Body::Part(_)));
        timelines.draw_alone(by_function.map(|job| job.function));
        let read = |file: FileId, path: &Path, of_package: bool| {
            let base = match of_package {
                true => package_dir(project, &files[file.0 as usize].path)?,
                false => files[file.0 as usize].path.parent()?.to_owned(),
            };
            read_text(&project.root, &base.join(path)).ok()
        };
        let texts = Texts { read: &read };
        schemas.databases.extend(collections::collections(
            project,
            &mut timelines,
            texts,
            &files,
        ));
        let mut maps: Vec<JobMap> = jobs
            .into_par_iter()
            .map(|job| draw(&timelines, job, texts, &schemas))
            .collect();
        settle_units(&mut maps);
        for map in &mut maps {
            add_file_gaps(map, &program, &files);
            add_schema_gaps(map, &unread);
        }
        tell_missing_schemas(project, &files, &mut maps);
        without_echoes(maps)
    };
    Analysis {
        files,
        program,
        maps,
        problems,
        named,
    }
}

/// Adds what could not be read in the bodies that a job's routes pass through.
fn add_file_gaps(map: &mut JobMap, program: &Program, files: &[SourceFile]) {
    for function in map.functions.iter().chain([&map.job.function]) {
        let def = program.function(*function);
        for gap in &files[def.file.0 as usize].gaps {
            let found = (def.file, gap.clone());
            if def.function.extent.covers(gap.place) && !map.gaps.contains(&found) {
                map.gaps.push(found);
            }
        }
    }
    map.gaps.sort();
}

/// Adds what could not be read of the schema to a job that writes into a database.
fn add_schema_gaps(map: &mut JobMap, unread: &[(FileId, Gap)]) {
    if map.effects.iter().any(|effect| effect.in_database) {
        map.gaps.extend(unread.iter().cloned());
        map.gaps.sort();
    }
}

/// What is said where no schema was found.
const MISSING: &[(Untold, &str)] = &[
    (
        Untold::NoSchema,
        "no schema was found for this package, so what its unique keys forbid is not known: name its migrations \
         in `[schema] migrations`",
    ),
    (
        Untold::NoIndexes,
        "no code was found that makes indexes for the collections of this package, so what they forbid is not \
         known: make its unique indexes at start, with `create_index`",
    ),
];

/// Says once for each package that inserts into tables of which no schema was found.
fn tell_missing_schemas(project: &Project, files: &[SourceFile], maps: &mut [JobMap]) {
    let mut told = BTreeSet::new();
    for map in maps {
        for (untold, message) in MISSING {
            let missing = map.effects.iter().find(|effect| {
                let stored = effect.stored.as_ref();
                stored.is_some_and(|stored| stored.again == Again::Untold(*untold))
            });
            let Some(site) = missing.map(|effect| effect.site) else {
                continue;
            };
            let package = package_dir(project, &files[site.file.0 as usize].path);
            if told.insert((package, *message)) {
                let gap = Gap {
                    kind: GapKind::NoSchema,
                    place: site.place,
                    message: (*message).to_owned(),
                };
                map.gaps.push((site.file, gap));
                map.gaps.sort();
            }
        }
    }
}

fn is_reported(program: &Program, job: &Job) -> bool {
    program
        .crate_of(program.function(job.function).module)
        .selected
}

/// Whether effects of a kind are how a queue notes what became of a message.
fn keeps_books(kind: EffectKind) -> bool {
    matches!(
        kind,
        EffectKind::DbWrite | EffectKind::Cache | EffectKind::Publish | EffectKind::Enqueue
    )
}

fn package_dir(project: &Project, file: &Path) -> Option<std::path::PathBuf> {
    project
        .packages
        .iter()
        .filter(|package| file.starts_with(&package.dir))
        .max_by_key(|package| package.dir.components().count())
        .map(|package| package.dir.clone())
}

/// Leaves out timer loops that certainly have no effect, those that stand inside another job
/// (they are how that job waits), and those that run other jobs (they are the queue). An arm of
/// a dispatch that only hands on to another job is that job. A worker that hands on to the jobs
/// of its trait is a queue, as long as all that it does itself is to keep its books.
fn without_echoes(maps: Vec<JobMap>) -> Vec<JobMap> {
    let inside: FxHashSet<FnId> = maps
        .iter()
        .filter(|map| !map.job.needs_effect)
        .flat_map(|map| map.functions.iter().copied())
        .collect();
    let bodies: FxHashSet<FnId> = maps
        .iter()
        .filter(|map| !map.job.needs_effect)
        .map(|map| map.job.function)
        .collect();
    // What it does beside the jobs that it runs is its own.
    let own = |map: &JobMap, effect: &MappedEffect| {
        !effect
            .route
            .iter()
            .any(|function| *function != map.job.function && bodies.contains(function))
    };
    // What a crate sends that the catalogue does not know is an effect that cannot be drawn.
    let may_act = |map: &JobMap| {
        let is_hidden = |(_, gap): &(FileId, Gap)| gap.kind == GapKind::UnknownSend;
        map.effects.iter().any(|effect| own(map, effect))
            || map.effects.is_empty() && map.gaps.iter().any(is_hidden)
    };
    let is_queue = |map: &JobMap| {
        map.job.drives
            && map
                .effects
                .iter()
                .all(|effect| !own(map, effect) || keeps_books(effect.kind))
    };
    let hands_on = |map: &JobMap| {
        matches!(map.job.body, Body::Arm(..))
            && !map.effects.iter().any(|effect| own(map, effect))
            && map
                .functions
                .iter()
                .any(|function| *function != map.job.function && bodies.contains(function))
    };
    maps.into_iter()
        .filter(|map| !is_queue(map))
        .filter(|map| {
            !map.job.needs_effect && !hands_on(map)
                || map.job.needs_effect && !inside.contains(&map.job.function) && may_act(map)
        })
        .collect()
}
