//! What a check says of whole packages: the findings that they are annotated with and no others,
//! the same in every format, on any number of threads and in any order of files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jsonschema::Validator;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

#[path = "harness/expected.rs"]
mod expected;
#[path = "harness/runs.rs"]
mod runs;

use expected::{Expectation, Holds, array, word};
use runs::{Run, run};

/// The schemas that the binary prints.
static REPORT: LazyLock<Validator> = LazyLock::new(|| schema("report"));
static MAP: LazyLock<Validator> = LazyLock::new(|| schema("map"));

/// The folders of annotated packages, and which annotations are held to.
const FOLDERS: &[(&str, Holds)] = &[
    ("rules", Holds::All),
    ("acceptance", Holds::KnownRules),
    ("rules-open", Holds::All),
];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (folder, holds) in FOLDERS {
        let (folder, holds) = (*folder, *holds);
        for package in packages(&fixtures().join(folder)) {
            let name = package
                .strip_prefix(fixtures())
                .expect("it lies there")
                .display()
                .to_string();
            let path = package.clone();
            trials.push(Trial::test(name.clone(), move || {
                let outcome = expected::compare(&path, holds);
                match folder {
                    "rules-open" => still_open(&path, outcome),
                    _ => outcome.map_err(Into::into),
                }
            }));
            trials.push(Trial::test(format!("output of {name}"), move || {
                output(&package)
            }));
        }
    }
    for package in packages(&fixtures()) {
        let name = package.strip_prefix(fixtures()).expect("it lies there");
        if !FOLDERS.iter().any(|(folder, _)| name.starts_with(folder)) {
            trials.push(Trial::test(
                format!("formats of {}", name.display()),
                move || formats(&package).map(drop),
            ));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The packages in a folder; a workspace is one.
fn packages(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let manifests = walkdir::WalkDir::new(folder)
        .contents_first(false)
        .sort_by(|a, b| {
            let is_file = |entry: &walkdir::DirEntry| entry.file_type().is_dir();
            (is_file(a), a.file_name()).cmp(&(is_file(b), b.file_name()))
        })
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name() == "Cargo.toml");
    for manifest in manifests {
        let package = manifest.path().parent().expect("a file lies in a folder");
        if !found.iter().any(|known| package.starts_with(known)) {
            found.push(package.to_owned());
        }
    }
    found
}

/// What does not hold yet must say why, and is moved once it holds.
fn still_open(package: &Path, outcome: Result<(), String>) -> Result<(), Failed> {
    if Expectation::read(package).open.is_none() {
        return Err("its expect.toml has to say what is `open`".into());
    }
    match outcome {
        Err(_) => Ok(()),
        Ok(()) => Err("it holds now: move it to fixtures/rules".into()),
    }
}

/// Every format tells the same findings, and the objects keep to their schemas. Gives the report.
fn formats(package: &Path) -> Result<Value, Failed> {
    let report = check(package, "json", 1).json()?;
    let wanted = findings_of(&report);
    let short = check(package, "short", 2);
    same("--format short", &wanted, &findings_of_short(&short.out))?;
    let human = check(package, "human", 2);
    same("--format human", &wanted, &findings_of_human(&human.out))?;
    validate(&REPORT, "report", &report)?;
    let map = run(package, &["map", "--format", "json", "-q"], 1);
    validate(&MAP, "map", &map.json()?)?;
    Ok(report)
}

/// And so on any number of threads, and in any order of files.
fn output(package: &Path) -> Result<(), Failed> {
    let report = formats(package)?;
    for format in ["json", "human"] {
        let (alone, together) = (check(package, format, 1), check(package, format, 2));
        if together.out != alone.out || together.code != alone.code {
            return Err(format!("--format {format} differs on two threads").into());
        }
    }
    let map = |threads| run(package, &["map", "--format", "json", "-q"], threads);
    if map(1).out != map(2).out {
        return Err("the map differs on two threads".into());
    }
    let turned = turned_round(package);
    let again = check(turned.path(), "json", 2).json()?;
    if again["findings"] != report["findings"] {
        let (wanted, found) = (findings_of(&report), findings_of(&again));
        same("in another order of files", &wanted, &found)?;
        return Err("in another order of files the findings say something else".into());
    }
    Ok(())
}

/// Checks a package, with the flags that it asks for.
fn check(package: &Path, format: &str, threads: u32) -> Run {
    let expectation = Expectation::read(package);
    let first = ["check", "--color", "never", "-q", "--format", format];
    run(package, &expectation.arguments(&first), threads)
}

fn schema(of: &str) -> Validator {
    let printed = run(&fixtures(), &["schema", of], 1);
    let schema = printed.json().expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is one")
}

fn validate(schema: &Validator, what: &str, value: &Value) -> Result<(), Failed> {
    let errors: Vec<String> = schema
        .iter_errors(value)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(format!("the {what} breaks its schema: {}", errors.join("; ")).into())
    }
}

/// A finding as every format tells it: level, rule, message, file, line and column.
type Told = (String, String, String, String);

fn same(what: &str, wanted: &BTreeSet<Told>, found: &BTreeSet<Told>) -> Result<(), Failed> {
    if wanted == found {
        return Ok(());
    }
    let missing: Vec<_> = wanted.difference(found).collect();
    let surplus: Vec<_> = found.difference(wanted).collect();
    Err(format!("{what}: missing {missing:#?}, surplus {surplus:#?}").into())
}

fn findings_of(report: &Value) -> BTreeSet<Told> {
    array(&report["findings"])
        .iter()
        .map(|finding| {
            let at = &finding["primary"];
            (
                word(&finding["level"]).to_owned(),
                word(&finding["rule"]).to_owned(),
                word(&finding["message"]).to_owned(),
                format!(
                    "{}:{}:{}",
                    word(&at["file"]),
                    at["start"]["line"],
                    at["start"]["column"]
                ),
            )
        })
        .collect()
}

/// `FILE:LINE:COLUMN: LEVEL[RULE] MESSAGE`
fn findings_of_short(text: &str) -> BTreeSet<Told> {
    text.lines()
        .map(|line| {
            let (place, rest) = line.split_once(": ").expect("a place comes first");
            let (level, rest) = rest.split_once('[').expect("then its level");
            let (rule, message) = rest.split_once("] ").expect("then its rule");
            told(level, rule, message, place)
        })
        .collect()
}

/// `LEVEL[RULE]: MESSAGE`, and below it `┌─ FILE:LINE:COLUMN`.
fn findings_of_human(text: &str) -> BTreeSet<Told> {
    let mut found = BTreeSet::new();
    let mut open: Option<(&str, &str, &str)> = None;
    for line in text.lines() {
        let head = ["error", "warning", "note"].iter().find_map(|severity| {
            let (rule, message) = line
                .strip_prefix(severity)?
                .strip_prefix('[')?
                .split_once("]: ")?;
            Some((*severity, rule, message))
        });
        if head.is_some() {
            open = head;
        } else if let Some((_, place)) = line.split_once("┌─ ")
            && let Some((severity, rule, message)) = open.take()
        {
            let level = match severity {
                "error" => "deny",
                "warning" => "warn",
                _ => "note",
            };
            found.insert(told(level, rule, message, place));
        }
    }
    found
}

fn told(level: &str, rule: &str, message: &str, place: &str) -> Told {
    let own = |text: &str| text.to_owned();
    (own(level), own(rule), own(message), own(place))
}

/// A copy of a package whose files are written in the reverse order, and whose modules are
/// declared in the reverse order.
fn turned_round(package: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder");
    let files: Vec<PathBuf> = walkdir::WalkDir::new(package)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().to_owned())
        .collect();
    for file in files.iter().rev() {
        let to = copy
            .path()
            .join(file.strip_prefix(package).expect("it lies in the package"));
        std::fs::create_dir_all(to.parent().expect("it lies in the copy")).expect("writable");
        #[expect(clippy::disallowed_methods, reason = "tests read the fixtures")]
        let mut text = std::fs::read_to_string(file).expect("fixtures are readable");
        if file.extension().is_some_and(|extension| extension == "rs") {
            text = with_modules_reversed(&text);
        }
        std::fs::write(to, text).expect("writable");
    }
    copy
}

/// The text with each run of lines that declare modules reversed.
fn with_modules_reversed(text: &str) -> String {
    let declares = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.starts_with("mod ") && line.ends_with(';')
    };
    let mut lines: Vec<&str> = text.lines().collect();
    for run in lines.chunk_by_mut(|one, other| declares(one) && declares(other)) {
        run.reverse();
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}
