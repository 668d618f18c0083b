//! The findings that a package is annotated with, against those that a check reports.
//!
//! An annotation stands at the end of a line of a Rust or SQL file:
//!
//! - `//~ RULE`: a finding of that rule is required whose primary range, or a related place,
//!   covers the line;
//! - `//~^ RULE`: the same of the line above, one more for each `^`;
//! - `//~? RULE`: allowed, not required.
//!
//! Several may share a line; in SQL they begin with `--~`. Every other finding is a false alarm.
//! `expect.toml` says the rest, see [`Expectation`].

use std::fmt::Write;
use std::path::Path;

use retrysafe_rules::rule::Rule;
use serde::Deserialize;
use serde_json::Value;

use crate::runs::run;

/// What `expect.toml` holds.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Expectation {
    /// Flags for the run.
    pub(crate) args: Vec<String>,
    /// Why the package does not hold yet, in a folder of such ones.
    pub(crate) open: Option<String>,
    /// What the package is about: for readers.
    #[serde(rename = "rules")]
    _rules: Vec<String>,
    /// How it is written: for readers.
    #[serde(rename = "tags")]
    _tags: Vec<String>,
    /// Whether it was compiled against the real crates: for readers.
    #[serde(rename = "compiled")]
    _compiled: bool,
    /// Jobs with their effects.
    job: Vec<ExpectedJob>,
    /// Rules that must not name a job.
    silent: Vec<Silent>,
    /// Findings outside Rust and SQL files.
    finding: Vec<Elsewhere>,
    /// The ways that findings tell, whole.
    trace: Vec<Way>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedJob {
    name: String,
    kind: Option<String>,
    effects: Option<Vec<ExpectedEffect>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedEffect {
    kind: String,
    protection: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Silent {
    job: String,
    rule: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Elsewhere {
    file: String,
    line: u64,
    rule: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Way {
    rule: String,
    /// `FILE:LINE` of each step.
    steps: Vec<String>,
}

impl Expectation {
    /// The expectation of a package; without a file there is nothing beside the annotations.
    pub(crate) fn read(package: &Path) -> Expectation {
        #[expect(clippy::disallowed_methods, reason = "tests read the fixtures")]
        let Ok(text) = std::fs::read_to_string(package.join("expect.toml")) else {
            return Expectation::default();
        };
        toml::from_str(&text)
            .unwrap_or_else(|error| panic!("{}/expect.toml: {error}", package.display()))
    }

    /// The arguments of a run, with those that every run of it has.
    pub(crate) fn arguments<'a>(&'a self, first: &[&'a str]) -> Vec<&'a str> {
        let own = self.args.iter().map(String::as_str);
        first.iter().copied().chain(own).collect()
    }
}

/// An annotation.
#[derive(Debug)]
struct Note {
    file: String,
    line: u64,
    rule: String,
    is_required: bool,
}

/// Which annotations are held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// All, and every rule of theirs must exist.
    All,
    /// Those of rules that exist; the protection of a write, too, is told by rules to come.
    KnownRules,
}

/// Compares what a check and the map say of a package with what it is annotated with.
pub(crate) fn compare(package: &Path, holds: Holds) -> Result<(), String> {
    let expectation = Expectation::read(package);
    let mut wrong = String::new();
    let mut notes = notes(package);
    notes.extend(expectation.finding.iter().map(|finding| Note {
        file: finding.file.clone(),
        line: finding.line,
        rule: finding.rule.clone(),
        is_required: true,
    }));
    let named = notes.iter().map(|note| &note.rule);
    for rule in named.chain(expectation.silent.iter().map(|silent| &silent.rule)) {
        if holds == Holds::All && !Rule::ALL.iter().any(|known| known.word() == rule) {
            let _ = writeln!(wrong, "there is no rule `{rule}`");
        }
    }
    if holds == Holds::KnownRules {
        notes.retain(|note| Rule::ALL.iter().any(|known| known.word() == note.rule));
    }
    let arguments = expectation.arguments(&["check", "--format", "json", "-q"]);
    let ran = run(package, &arguments, 2);
    let report = ran.json()?;
    for problem in array(&report["problems"]) {
        let _ = writeln!(wrong, "not read: {problem}");
    }
    let findings = array(&report["findings"]);
    for note in notes.iter().filter(|note| note.is_required) {
        if !findings.iter().any(|finding| is_met(note, finding)) {
            let _ = writeln!(wrong, "missing  {}:{} {}", note.file, note.line, note.rule);
            for finding in findings {
                if finding["rule"] == note.rule.as_str() || is_at(note, finding) {
                    let _ = writeln!(wrong, "    beside {}", told(finding));
                }
            }
        }
    }
    for finding in findings {
        if !notes.iter().any(|note| is_met(note, finding)) {
            let _ = writeln!(wrong, "false    {}", told(finding));
        }
    }
    for silent in &expectation.silent {
        for finding in findings {
            let names = array(&finding["jobs"])
                .iter()
                .any(|job| is_named(job, &silent.job));
            if finding["rule"] == silent.rule.as_str() && names {
                let _ = writeln!(wrong, "must not name `{}`: {}", silent.job, told(finding));
            }
        }
    }
    for way in &expectation.trace {
        let of_rule = findings
            .iter()
            .filter(|finding| finding["rule"] == way.rule.as_str());
        let told: Vec<Vec<String>> = of_rule.map(steps).collect();
        if !told.contains(&way.steps) {
            let _ = writeln!(
                wrong,
                "no {} comes by {:?}, but by {told:?}",
                way.rule, way.steps
            );
        }
    }
    let denied = findings.iter().any(|finding| finding["level"] == "deny");
    if ran.code != i32::from(denied) {
        let _ = writeln!(wrong, "the run ended in {}: {}", ran.code, ran.err);
    }
    compare_jobs(package, &expectation, holds, &mut wrong)?;
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

fn compare_jobs(
    package: &Path,
    expectation: &Expectation,
    holds: Holds,
    wrong: &mut String,
) -> Result<(), String> {
    if expectation.job.is_empty() {
        return Ok(());
    }
    let map = run(package, &["map", "--format", "json", "-q"], 2).json()?;
    let jobs = array(&map["jobs"]);
    for expected in &expectation.job {
        let Some(job) = jobs
            .iter()
            .find(|job| is_named(&job["name"], &expected.name))
        else {
            let known: Vec<&str> = jobs.iter().filter_map(|job| job["name"].as_str()).collect();
            let _ = writeln!(wrong, "no job `{}` among {known:?}", expected.name);
            continue;
        };
        if let Some(kind) = expected
            .kind
            .as_ref()
            .filter(|kind| job["kind"] != kind.as_str())
        {
            let _ = writeln!(
                wrong,
                "job `{}` is {}, not \"{kind}\"",
                expected.name, job["kind"]
            );
        }
        let Some(effects) = &expected.effects else {
            continue;
        };
        let found = array(&job["effects"]);
        let fits = found.len() == effects.len()
            && effects.iter().zip(found).all(|(effect, found)| {
                let is_later = holds == Holds::KnownRules && effect.kind == "db-write";
                let protection = effect.protection.as_deref().filter(|_| !is_later);
                found["kind"] == effect.kind.as_str()
                    && protection.is_none_or(|given| found["protection"] == given)
            });
        if !fits {
            let _ = writeln!(wrong, "effects of `{}`:", expected.name);
            for effect in effects {
                let protection = effect.protection.as_deref().unwrap_or("any");
                let _ = writeln!(wrong, "    wanted {} {protection}", effect.kind);
            }
            for effect in found {
                let _ = writeln!(
                    wrong,
                    "    found  {} {} at {}:{} ({})",
                    word(&effect["kind"]),
                    word(&effect["protection"]),
                    word(&effect["file"]),
                    effect["line"],
                    word(&effect["evidence"]),
                );
            }
        }
    }
    Ok(())
}

/// Whether a job is meant by its name or the end of it.
fn is_named(job: &Value, name: &str) -> bool {
    word(job)
        .strip_suffix(name)
        .is_some_and(|before| before.is_empty() || before.ends_with("::"))
}

/// Whether a finding is the one that an annotation speaks of.
fn is_met(note: &Note, finding: &Value) -> bool {
    finding["rule"] == note.rule.as_str() && is_at(note, finding)
}

/// Whether a place of a finding covers the line of an annotation.
fn is_at(note: &Note, finding: &Value) -> bool {
    let covers = |span: &Value| {
        let line = |at: &str| span[at]["line"].as_u64().unwrap_or_default();
        span["file"] == note.file.as_str() && (line("start")..=line("end")).contains(&note.line)
    };
    // What can fail after an effect says nothing of what is wrong with it.
    let tells = |related: &&Value| !word(&related["message"]).starts_with("this can fail after it");
    let mut related = array(&finding["related"]).iter().filter(tells);
    covers(&finding["primary"]) || related.any(covers)
}

/// The steps of a finding's trace as `FILE:LINE`.
fn steps(finding: &Value) -> Vec<String> {
    array(&finding["trace"])
        .iter()
        .map(|step| format!("{}:{}", word(&step["file"]), step["start"]["line"]))
        .collect()
}

fn told(finding: &Value) -> String {
    format!(
        "{}:{} {} ({} {}) {}",
        word(&finding["primary"]["file"]),
        finding["primary"]["start"]["line"],
        word(&finding["rule"]),
        word(&finding["level"]),
        word(&finding["confidence"]),
        word(&finding["message"]),
    )
}

/// A text of a report.
pub(crate) fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The elements of a list of a report.
pub(crate) fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The annotations in the files of a package.
fn notes(package: &Path) -> Vec<Note> {
    let mut notes = Vec::new();
    let files = walkdir::WalkDir::new(package)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok);
    for file in files {
        let mark = match file.path().extension().and_then(|ext| ext.to_str()) {
            Some("rs") => "//~",
            Some("sql") => "--~",
            _ => continue,
        };
        #[expect(clippy::disallowed_methods, reason = "tests read the fixtures")]
        let text = std::fs::read_to_string(file.path()).expect("fixtures are readable");
        let shown = file
            .path()
            .strip_prefix(package)
            .expect("it lies in the package")
            .display()
            .to_string();
        for (index, line) in text.lines().enumerate() {
            for note in line.split(mark).skip(1) {
                let above = note.chars().take_while(|c| *c == '^').count();
                let rest = &note[above..];
                let is_required = !rest.starts_with('?');
                notes.push(Note {
                    file: shown.clone(),
                    line: (index + 1 - above) as u64,
                    rule: rest.trim_start_matches('?').trim().to_owned(),
                    is_required,
                });
            }
        }
    }
    notes
}
