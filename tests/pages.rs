//! The rules' pages: their form, and every fence in them executed.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests read pages and run the binary"
)]

use std::path::Path;

use cargo_retrysafe::config;
use libtest_mimic::{Arguments, Trial};
use retrysafe_rules::rule::{Level, Rule};
use serde_json::Value;

#[path = "harness/binary.rs"]
mod binary;
#[path = "harness/pages.rs"]
mod pages;

use binary::{folder, retrysafe};
use pages::{Noted, Package, Page, difference, read};

const HEADINGS: &[&str] = &[
    "What it does",
    "Why it matters",
    "Known limits",
    "Bad",
    "Good",
    "Options",
];

fn main() {
    let arguments = Arguments::from_args();
    let trials = Rule::ALL.iter().flat_map(|rule| {
        let rule = *rule;
        [
            Trial::test(format!("{rule} has the form of a page"), move || {
                form(rule).map_err(Into::into)
            }),
            Trial::test(format!("{rule} finds what its page notes"), move || {
                fences(rule).map_err(Into::into)
            }),
        ]
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// Pages are read from their folder, so that one can be written without a build.
fn text(rule: Rule) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("rules/pages")
        .join(format!("{rule}.md"));
    std::fs::read_to_string(path).expect("every rule has a page")
}

fn form(rule: Rule) -> Result<(), String> {
    let text = text(rule);
    let page = read(&text)?;
    let title = format!("# {rule}");
    let facts = format!(
        "Family: {}. Level: {}.",
        rule.family(),
        rule.default_level()
    );
    let opening: Vec<&str> = page.opening.iter().map(String::as_str).collect();
    if opening != [title.as_str(), "", facts.as_str(), ""] {
        return Err(format!("the page opens with `{title}` and `{facts}`"));
    }
    let headings: Vec<&str> = page
        .sections
        .iter()
        .map(|section| section.heading.as_str())
        .collect();
    if headings != HEADINGS {
        return Err(format!("the headings are {headings:?}, not {HEADINGS:?}"));
    }
    if let Some(section) = page.sections.iter().find(|section| {
        let is_told = !section.prose.trim().is_empty();
        !is_told && section.packages.is_empty()
    }) {
        return Err(format!("`{}` is empty", section.heading));
    }
    for heading in ["Bad", "Good"] {
        let fences = page.section(heading)?.packages.len();
        if !(1..=3).contains(&fences) {
            return Err(format!("`{heading}` has {fences} fences, not one to three"));
        }
    }
    let lines = text.lines().count();
    if !(40..=110).contains(&lines) {
        return Err(format!("the page has {lines} lines, not 40 to 110"));
    }
    match text.lines().find(|line| line.chars().count() > 120) {
        Some(line) => Err(format!("longer than 120 characters: {line}")),
        None => Ok(()),
    }
}

fn fences(rule: Rule) -> Result<(), String> {
    let page = read(&text(rule))?;
    let mut wrong = Vec::new();
    for section in &page.sections {
        for (number, package) in (1..).zip(&section.packages) {
            let heading = section.heading.as_str();
            if let Err(message) = fence(rule, heading, package) {
                wrong.push(format!("{heading}, fence {number}: {message}"));
            }
        }
        for text in &section.configurations {
            if let Err(errors) = config::read(text) {
                wrong.push(format!("{}: {errors:?}\n{text}", section.heading));
            }
        }
    }
    wrong.extend(options(rule, &page).err());
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n"))
    }
}

/// The page says how the rule's level is set.
fn options(rule: Rule, page: &Page) -> Result<(), String> {
    let section = page.section("Options")?;
    let told = |flag: &str| section.prose.contains(&format!("{flag} {rule}"));
    if ["-A", "-W", "-D"].into_iter().any(told) {
        Ok(())
    } else {
        Err("`Options` names no flag for the rule's level".to_owned())
    }
}

fn fence(rule: Rule, heading: &str, package: &Package) -> Result<(), String> {
    let noted = package.noted();
    let is_bad = heading == "Bad";
    if is_bad && !noted.iter().any(|(_, _, name)| name == rule.word()) {
        return Err("it notes no finding of the page's rule".to_owned());
    }
    if !is_bad && !noted.is_empty() {
        return Err("it notes findings".to_owned());
    }
    let files = package.files();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let dir = folder(&files);
    let asked = format!("--warn={rule}");
    let mut args = vec!["check", "--format", "json"];
    if matches!(rule.default_level(), Level::Allow | Level::Note) {
        args.push(&asked);
    }
    let run = retrysafe(dir.path(), &args);
    if !matches!(run.code, 0 | 1) {
        return Err(format!("it ends in {}: {}", run.code, run.err));
    }
    let report: Value = serde_json::from_str(&run.out).map_err(|error| error.to_string())?;
    difference(&noted, &found(&report))?;
    if is_bad {
        return Ok(());
    }
    // What is not understood is no proof of anything, and neither is code without an effect.
    let summary = &report["summary"];
    if summary["gaps"] != 0 || summary["effects"] == 0 {
        return Err(format!("it is silent for another reason: {summary}"));
    }
    Ok(())
}

fn found(report: &Value) -> Vec<Noted> {
    let findings = report["findings"].as_array().into_iter().flatten();
    let mut found: Vec<Noted> = findings
        .map(|finding| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let primary = &finding["primary"];
            let line = primary["start"]["line"].as_u64().unwrap_or_default();
            (text(&primary["file"]), line, text(&finding["rule"]))
        })
        .collect();
    found.sort();
    found
}
