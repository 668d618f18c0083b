//! From arguments to a report, with everything that can go wrong on the way.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::accept::judged;
use crate::analysis::{Analysis, analyse, knowledge};
use crate::config::{self, Config, JobPattern};
use crate::project::{Problem, ProblemKind, Project, Request, load, read_config};
use crate::report::{Place, ProblemReport, Report};

use super::arguments::{Common, Selection};
use super::exit::Exit;

/// A report, and how the run ends when it is printed.
pub(super) struct Outcome {
    pub(super) report: Report,
    pub(super) exit: Exit,
    /// What to tell beside the report.
    pub(super) notes: Vec<String>,
}

/// An analysed project.
pub(super) struct Analysed {
    pub(super) analysis: Analysis,
    pub(super) config: Config,
    /// The configuration's file as users know it.
    pub(super) config_name: String,
    pub(super) root: PathBuf,
    /// Whether a job of this name is reported on.
    pub(super) wanted: JobFilter,
    /// When it began.
    pub(super) start: Instant,
}

/// Analyses what the selection names, and reports on its jobs.
pub(super) fn run(selection: &Selection, common: &Common) -> Outcome {
    match analysed(selection, common) {
        Ok(mut analysed) => {
            // A map says what is accepted.
            judged(&mut analysed.analysis, &analysed.config);
            let report = analysed.report();
            finish(report, selection, common)
        }
        Err(outcome) => *outcome,
    }
}

impl Analysed {
    /// What users see of the jobs.
    pub(super) fn report(&self) -> Report {
        Report::new(
            &self.analysis,
            &self.root,
            &*self.wanted,
            self.start.elapsed(),
        )
    }
}

/// Analyses what the selection names.
///
/// # Errors
/// What to print when it cannot be analysed.
pub(super) fn analysed(selection: &Selection, common: &Common) -> Result<Analysed, Box<Outcome>> {
    let start = Instant::now();
    let wanted = job_filter(selection.job.as_deref())
        .map_err(|message| Box::new(unusable(message, "--job")))?;
    let current_dir = std::env::current_dir().map_err(|error| {
        Box::new(unusable(
            format!("the current folder cannot be read: {error}"),
            ".",
        ))
    })?;
    let request = Request {
        manifest_path: selection.manifest_path.clone(),
        paths: selection.paths.clone(),
        packages: selection.package.clone(),
        exclude: selection.exclude.clone(),
        workspace: selection.workspace,
        current_dir: current_dir.clone(),
    };
    let mut project =
        load(&request).map_err(|problem| Box::new(not_loaded(&problem, &current_dir, common)))?;
    let (config, config_problems, config_name) =
        read_configuration(&mut project, selection.config.as_deref())
            .map_err(|problem| Box::new(not_loaded(&problem, &current_dir, common)))?;
    if !config_problems.is_empty() {
        return Err(Box::new(Outcome {
            report: Report::of_problems(config_problems),
            exit: Exit::Unusable,
            notes: Vec::new(),
        }));
    }
    let known = knowledge(&config).map_err(|errors| {
        let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Box::new(unusable(told.join("\n"), "catalogue"))
    })?;
    let mut analysis = analyse(&project, &known, &config);
    let mut problems = std::mem::take(&mut project.problems);
    problems.append(&mut analysis.problems);
    analysis.problems = problems;
    Ok(Analysed {
        analysis,
        config,
        config_name,
        root: project.root.clone(),
        wanted,
        start,
    })
}

/// How a run ends whose report is there.
pub(super) fn finish(report: Report, selection: &Selection, common: &Common) -> Outcome {
    let mut notes = Vec::new();
    let unread = report.problems.iter().any(|problem| problem.unreadable);
    let exit = if unread && !common.keep_going {
        Exit::Unusable
    } else if report.jobs.is_empty() && !common.allow_no_jobs {
        notes.push(match &selection.job {
            Some(glob) => format!("no job is called `{glob}`; `cargo retrysafe jobs` lists them"),
            None => "no job found; mark one with `#[retrysafe::job]`, a comment `// retrysafe: job` above its \
                     function, or a `[[job]]` entry in retrysafe.toml"
                .to_owned(),
        });
        Exit::Nothing
    } else {
        Exit::Clean
    };
    Outcome {
        report,
        exit,
        notes,
    }
}

/// Whether a job of this name is reported on.
pub(super) type JobFilter = Box<dyn Fn(&str) -> bool>;

fn job_filter(glob: Option<&str>) -> Result<JobFilter, String> {
    let Some(glob) = glob else {
        return Ok(Box::new(|_| true));
    };
    let pattern = JobPattern::new(glob)?;
    Ok(Box::new(move |name: &str| pattern.means(name)))
}

type ReadConfig = (Config, Vec<ProblemReport>, String);

fn read_configuration(project: &mut Project, given: Option<&Path>) -> Result<ReadConfig, Problem> {
    let file = match given {
        Some(path) => Some(read_config(path)?),
        None => project.config.take(),
    };
    let Some(file) = file else {
        return Ok((Config::default(), Vec::new(), "retrysafe.toml".to_owned()));
    };
    let name = relative(&file.path, &project.root);
    match config::read_below(&file.text, file.table) {
        Ok(config) => Ok((config, Vec::new(), name)),
        Err(errors) => {
            let problems = errors
                .into_iter()
                .map(|error| ProblemReport {
                    message: error.message,
                    help: "correct the configuration".to_owned(),
                    file: name.clone(),
                    start: Some(Place {
                        line: error.place.line,
                        column: error.place.column,
                    }),
                    end: Some(Place {
                        line: error.place.end_line,
                        column: error.place.end_column,
                    }),
                    unreadable: true,
                })
                .collect();
            Ok((Config::default(), problems, name))
        }
    }
}

fn relative(path: &Path, root: &Path) -> String {
    path.strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string()
}

fn not_loaded(problem: &Problem, root: &Path, common: &Common) -> Outcome {
    let exit = match problem.kind {
        ProblemKind::NoRust if common.allow_no_jobs => Exit::Clean,
        ProblemKind::NoRust => Exit::Nothing,
        _ => Exit::Unusable,
    };
    let report = Report::of_problems(vec![ProblemReport::new(problem, root)]);
    Outcome {
        report,
        exit,
        notes: Vec::new(),
    }
}

pub(super) fn unusable(message: String, file: &str) -> Outcome {
    let problem = ProblemReport {
        message,
        help: "see `cargo retrysafe --help`".to_owned(),
        file: file.to_owned(),
        start: None,
        end: None,
        unreadable: true,
    };
    Outcome {
        report: Report::of_problems(vec![problem]),
        exit: Exit::Unusable,
        notes: Vec::new(),
    }
}
