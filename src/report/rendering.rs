//! From an analysis to what users see of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::analysis::Analysis;
use crate::ir::{FileId, Gap};
use crate::jobs::{JobMap, MappedEffect};
use crate::project::{Problem, Severity};

use super::checklist::checklist;
use super::model::{
    EffectReport, GapReport, InputReport, JobReport, Place, ProblemReport, Report, Summary,
};

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
            findings: Vec::new(),
            accepted: 0,
            gaps: gaps.into_keys().collect(),
            problems,
            summary: Summary {
                files: analysis.files.iter().filter(|file| file.is_rust).count(),
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
            findings: Vec::new(),
            accepted: 0,
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
        gaps: map.gaps.len(),
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
