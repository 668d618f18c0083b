//! The facts noted in the files of a fixture, against those that the analysis finds.
//!
//! A fact stands at the end of the line that it is about:
//!
//! - `//= job NAME KIND [FRAMEWORK]` at the line of a job's name, closure or loop function;
//! - `//= effect KIND ACTION TARGET PROTECTION [loop|spawned|retried] [tx] [key=TEXT]` at the
//!   line of the call that names the operation; a target with spaces stands in quotes;
//! - `//= gap KIND` at the line of what is not understood.
//!
//! A line may hold several facts. Facts and findings must agree both ways: what is found
//! without a fact fails as well as a fact that is not found.
//!
//! What the analysis is known to miss is written `//=- …`, what it is known to say wrongly
//! `//=+ …`. Both are held to as well: who lifts a limit has to turn its marks into facts.

use std::collections::BTreeSet;
use std::path::Path;

use cargo_retrysafe::report::{EffectReport, Report};

use crate::harness::report_on;

/// A fact: the file and line it is about, and what it says.
pub(crate) type Fact = (String, u32, String);

/// The facts noted in the files of a package, and those that the report holds.
pub(crate) fn compare(path: &Path) -> Result<(), String> {
    let report = report_on(path);
    let (noted, missed) = noted_facts(path);
    let found = found_facts(&report);
    let missing: Vec<&Fact> = noted.difference(&found).collect();
    let surplus: Vec<&Fact> = found.difference(&noted).collect();
    let lifted: Vec<&Fact> = missed.intersection(&found).collect();
    if missing.is_empty() && surplus.is_empty() && lifted.is_empty() {
        return Ok(());
    }
    let show = |facts: Vec<&Fact>| {
        facts
            .into_iter()
            .map(|(file, line, fact)| format!("    {file}:{line}  {fact}\n"))
            .collect::<String>()
    };
    Err(format!(
        "noted but not found:\n{}found but not noted:\n{}found, though marked as missed:\n{}",
        show(missing),
        show(surplus),
        show(lifted)
    ))
}

fn found_facts(report: &Report) -> BTreeSet<Fact> {
    let mut facts = BTreeSet::new();
    for job in &report.jobs {
        let framework = job
            .framework
            .as_ref()
            .map(|name| format!(" {}", quoted(name)))
            .unwrap_or_default();
        facts.insert((
            job.file.clone(),
            job.line,
            format!("job {} {}{framework}", quoted(&job.name), job.kind),
        ));
        for effect in &job.effects {
            facts.insert((effect.file.clone(), effect.line, effect_fact(effect)));
        }
    }
    // Most fixtures are about other things and have no schema; `tests/command_line.rs` asks for that.
    for gap in report.gaps.iter().filter(|gap| gap.kind != "no-schema") {
        facts.insert((
            gap.file.clone(),
            gap.start.line,
            format!("gap {}", gap.kind),
        ));
    }
    facts
}

fn effect_fact(effect: &EffectReport) -> String {
    let mut fact = format!(
        "effect {} {} {} {}",
        effect.kind,
        effect.action,
        quoted(&effect.target),
        effect.protection
    );
    if effect.repeat.word() != "once" {
        fact.push_str(&format!(" {}", effect.repeat));
    }
    if effect.in_transaction {
        fact.push_str(" tx");
    }
    if let Some(key) = &effect.key {
        fact.push_str(&format!(" key={}", quoted(key)));
    }
    fact
}

fn quoted(text: &str) -> String {
    if text.contains(' ') {
        format!("\"{text}\"")
    } else {
        text.to_owned()
    }
}

/// The facts that hold, and those that are known to be missed.
fn noted_facts(path: &Path) -> (BTreeSet<Fact>, BTreeSet<Fact>) {
    let mut facts = BTreeSet::new();
    let mut missed = BTreeSet::new();
    for entry in walkdir::WalkDir::new(path)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
    {
        let file = entry.path();
        if file.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        #[expect(clippy::disallowed_methods, reason = "tests read the facts themselves")]
        let text = std::fs::read_to_string(file).expect("fixtures are readable");
        let root = path.canonicalize().expect("the fixture exists");
        let file = file.canonicalize().expect("the file exists");
        let shown = file
            .strip_prefix(&root)
            .expect("it lies in the fixture")
            .display()
            .to_string();
        for (index, line) in text.lines().enumerate() {
            for fact in line.split("//=").skip(1) {
                let at = |fact: &str| (shown.clone(), index as u32 + 1, fact.trim().to_owned());
                match (fact.strip_prefix('-'), fact.strip_prefix('+')) {
                    (Some(fact), _) => missed.insert(at(fact)),
                    (None, Some(fact)) => facts.insert(at(fact)),
                    (None, None) => facts.insert(at(fact)),
                };
            }
        }
    }
    (facts, missed)
}
