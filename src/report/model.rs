//! What users see of an analysis.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use retrysafe_rules::catalog::Attempts;
use retrysafe_rules::vocabulary::{
    Action, Delivery, EffectKind, JobKind, Protection, Repeat, Section,
};
use serde::Serialize;

use crate::analysis::Analysis;
use crate::ir::{FileId, Gap};
use crate::jobs::{Confidence, JobMap, MappedEffect};
use crate::project::{Problem, Severity};

use super::checklist::{ChecklistItem, checklist};

/// A report.
#[derive(Debug, Clone)]
pub struct Report {
    /// The jobs, in the order of files and lines.
    pub jobs: Vec<JobReport>,
    /// What could not be understood, each once, in the order of files and lines.
    pub gaps: Vec<GapReport>,
    /// What could not be read.
    pub problems: Vec<ProblemReport>,
    /// Counts.
    pub summary: Summary,
}

/// Counts of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files read.
    pub files: usize,
    /// Functions in them.
    pub functions: usize,
    /// How long it took.
    pub time: Duration,
}

/// A job.
#[derive(Debug, Clone)]
pub struct JobReport {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// What kind of job it is.
    pub kind: JobKind,
    /// The framework that runs it.
    pub framework: Option<String>,
    /// How often the runner hands out the same work.
    pub delivery: Delivery,
    /// How many times one piece of work may run.
    pub attempts: Attempts,
    /// Why it counts as a job.
    pub why: String,
    /// Its declared key.
    pub key: Option<String>,
    /// What the work is about.
    pub inputs: Vec<InputReport>,
    /// Its effects in the order in which they happen.
    pub effects: Vec<EffectReport>,
    /// The nine questions.
    pub checklist: Vec<ChecklistItem>,
}

/// An input of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InputReport {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
}

/// An effect.
#[derive(Debug, Clone)]
pub struct EffectReport {
    /// `e1`, `e2`, … within its job.
    pub id: String,
    /// The part of the map it stands in.
    pub section: Section,
    /// What it changes.
    pub kind: EffectKind,
    /// What it does to its target.
    pub action: Action,
    /// What it acts on.
    pub target: String,
    /// What keeps a repeat from doing harm.
    pub protection: Protection,
    /// What speaks for that.
    pub evidence: String,
    /// The file of the call that names the operation.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its column in characters, from 1.
    pub column: u32,
    /// The functions from the entry to it.
    pub route: Vec<String>,
    /// How often one run performs it.
    pub repeat: Repeat,
    /// Whether a transaction is open around it.
    pub in_transaction: bool,
    /// Its idempotency key.
    pub key: Option<String>,
    /// The API that is called.
    pub api: String,
    /// How sure the tool is.
    pub confidence: Confidence,
}

/// A position in a file; lines and columns count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column in characters.
    pub column: u32,
}

/// Something that was not understood.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct GapReport {
    /// The file.
    pub file: String,
    /// Where it starts.
    pub start: Place,
    /// Where it ends.
    pub end: Place,
    /// What it is about.
    pub kind: &'static str,
    /// What was not understood.
    pub message: String,
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProblemReport {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// The file.
    pub file: String,
    /// Where, when a place is known.
    pub start: Option<Place>,
    /// The same place again: problems are points.
    pub end: Option<Place>,
    /// Whether something stayed unread because of it.
    #[serde(skip)]
    pub unreadable: bool,
}

impl ProblemReport {
    /// A problem, its path relative to a root.
    pub fn new(problem: &Problem, root: &Path) -> ProblemReport {
        let place = problem.line.map(|line| Place {
            line: line as u32,
            column: problem.column.unwrap_or(1) as u32,
        });
        ProblemReport {
            message: problem.message.clone(),
            help: problem.remedy.clone(),
            file: shown(&problem.path, root),
            start: place,
            end: place,
            unreadable: problem.severity == Severity::Unreadable,
        }
    }
}

/// A path relative to the root, with `/`; the path itself where it lies outside.
fn shown(path: &Path, root: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap_or(path);
    if relative.as_os_str().is_empty() {
        return ".".to_owned();
    }
    relative.display().to_string().replace('\\', "/")
}

impl Report {
    /// Renders an analysis into names and places; `wanted` chooses jobs by name.
    pub fn new(
        analysis: &Analysis,
        root: &Path,
        wanted: &dyn Fn(&str) -> bool,
        time: Duration,
    ) -> Report {
        let maps: Vec<&JobMap> = analysis
            .maps
            .iter()
            .filter(|map| wanted(&map.job.name))
            .collect();
        let jobs = maps.iter().map(|map| job_report(analysis, map)).collect();
        let mut gaps: BTreeMap<GapReport, ()> = BTreeMap::new();
        for (file, gap) in maps.iter().flat_map(|map| &map.gaps) {
            gaps.insert(gap_report(analysis, *file, gap), ());
        }
        let mut problems: Vec<ProblemReport> = analysis
            .problems
            .iter()
            .map(|problem| ProblemReport::new(problem, root))
            .collect();
        for file in &analysis.files {
            problems.extend(file.mistakes.iter().map(|mistake| {
                let place = Place {
                    line: mistake.place.line,
                    column: mistake.place.column + 1,
                };
                ProblemReport {
                    message: mistake.message.clone(),
                    help: "correct the declaration".to_owned(),
                    file: file.shown.clone(),
                    start: Some(place),
                    end: Some(Place {
                        line: mistake.place.end_line,
                        column: mistake.place.end_column + 1,
                    }),
                    unreadable: true,
                }
            }));
        }
        Report {
            jobs,
            gaps: gaps.into_keys().collect(),
            problems,
            summary: Summary {
                files: analysis.files.len(),
                functions: analysis
                    .files
                    .iter()
                    .map(|file| file.functions as usize)
                    .sum(),
                time,
            },
        }
    }

    /// A report of nothing but problems.
    pub fn of_problems(problems: Vec<ProblemReport>) -> Report {
        Report {
            jobs: Vec::new(),
            gaps: Vec::new(),
            problems,
            summary: Summary::default(),
        }
    }
}

fn gap_report(analysis: &Analysis, file: FileId, gap: &Gap) -> GapReport {
    GapReport {
        file: analysis.file(file).shown.clone(),
        start: Place {
            line: gap.place.line,
            column: gap.place.column + 1,
        },
        end: Place {
            line: gap.place.end_line,
            column: gap.place.end_column + 1,
        },
        kind: gap.kind.word(),
        message: gap.message.clone(),
    }
}

fn job_report(analysis: &Analysis, map: &JobMap) -> JobReport {
    let job = &map.job;
    let effects: Vec<EffectReport> = map
        .effects
        .iter()
        .enumerate()
        .map(|(index, effect)| effect_report(analysis, index, effect))
        .collect();
    let mut report = JobReport {
        name: job.name.clone(),
        file: analysis.file(job.site.file).shown.clone(),
        line: job.site.place.line,
        kind: job.kind,
        framework: job.framework.clone(),
        delivery: job.runs.delivery,
        attempts: job.runs.attempts,
        why: job.why.clone(),
        key: job.key.clone(),
        inputs: job
            .inputs
            .iter()
            .map(|input| InputReport {
                name: input.name.clone(),
                ty: input.ty.clone(),
            })
            .collect(),
        effects,
        checklist: Vec::new(),
    };
    report.checklist = checklist(&report, job.listed.as_deref());
    report
}

fn effect_report(analysis: &Analysis, index: usize, effect: &MappedEffect) -> EffectReport {
    EffectReport {
        id: format!("e{}", index + 1),
        section: effect.kind.section(),
        kind: effect.kind,
        action: effect.action,
        target: effect.target.clone(),
        protection: effect.protection,
        evidence: effect.evidence.clone(),
        file: analysis.file(effect.site.file).shown.clone(),
        line: effect.site.place.line,
        column: effect.site.place.column + 1,
        route: effect
            .route
            .iter()
            .map(|function| analysis.program.short_name(*function))
            .collect(),
        repeat: effect.repeat,
        in_transaction: effect.in_transaction,
        key: effect.key.clone(),
        api: effect.api.clone(),
        confidence: effect.confidence,
    }
}
