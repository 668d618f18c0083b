//! What users see of an analysis.

use std::time::Duration;

use retrysafe_rules::catalog::Attempts;
use retrysafe_rules::rule::{Level, Rule};
use retrysafe_rules::vocabulary::{
    Action, Delivery, EffectKind, JobKind, Protection, Repeat, Section, Trigger,
};
use serde::Serialize;

use retrysafe_rules::rule::Confidence;

/// A report.
#[derive(Debug, Clone)]
pub struct Report {
    /// The jobs, in the order of files and lines.
    pub jobs: Vec<JobReport>,
    /// The findings, in the order of files, places and rules.
    pub findings: Vec<FindingReport>,
    /// How many findings are accepted and so left out.
    pub accepted: usize,
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
    /// How many things on its routes could not be understood.
    pub gaps: usize,
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

/// A range of a file; its end is exclusive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Span {
    /// The file.
    pub file: String,
    /// Where it starts.
    pub start: Place,
    /// Where it ends.
    pub end: Place,
}

/// A range of a file with a remark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpanReport {
    /// What is there.
    pub message: String,
    /// Where.
    #[serde(flatten)]
    pub span: Span,
}

/// A finding.
#[derive(Debug, Clone)]
pub struct FindingReport {
    /// The rule.
    pub rule: Rule,
    /// How loud it is.
    pub level: Level,
    /// How sure the tool is.
    pub confidence: Confidence,
    /// What is wrong.
    pub message: String,
    /// What the place is, in a few words.
    pub label: String,
    /// What to do.
    pub help: String,
    /// The jobs, by name, sorted.
    pub jobs: Vec<String>,
    /// What makes the job run again, for findings about a repeat.
    pub triggers: Vec<Trigger>,
    /// Where it is.
    pub primary: Span,
    /// Other places that matter.
    pub related: Vec<SpanReport>,
    /// The way from the job to the place.
    pub trace: Vec<SpanReport>,
    /// A name that stays when lines move.
    pub fingerprint: String,
    /// What the fingerprint is made of.
    pub(super) identity: String,
    /// Why it is accepted, when it is.
    pub accepted: Option<String>,
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

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChecklistItem {
    /// The question.
    pub item: &'static str,
    /// Its answer; `None` where it does not apply or the map does not tell.
    pub holds: Option<bool>,
    /// What the answer rests on.
    pub evidence: String,
}
