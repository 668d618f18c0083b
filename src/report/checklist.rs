//! The nine questions asked of every job, as far as its map answers them.

use retrysafe_rules::catalog::Attempts;
use retrysafe_rules::grammar::Listed;
use retrysafe_rules::vocabulary::{Protection, Section};

use super::model::{ChecklistItem, EffectReport, JobReport};

/// Answers the nine questions.
pub(super) fn checklist(job: &JobReport, listed: Option<&[Listed]>) -> Vec<ChecklistItem> {
    vec![
        key(job),
        listing(job, listed),
        strategies(job),
        steps(job),
        deterministic(job),
        open(
            "concurrency-handled",
            "overlapping runs are not told by the map",
        ),
        boundaries(job),
        open(
            "partial-success-designed",
            "what a failure half-way leaves is not told by the map",
        ),
        open("no-op-path", "early exits are not told by the map"),
    ]
}

fn answer(item: &'static str, holds: bool, evidence: impl Into<String>) -> ChecklistItem {
    ChecklistItem {
        item,
        holds: Some(holds),
        evidence: evidence.into(),
    }
}

fn open(item: &'static str, evidence: impl Into<String>) -> ChecklistItem {
    ChecklistItem {
        item,
        holds: None,
        evidence: evidence.into(),
    }
}

fn key(job: &JobReport) -> ChecklistItem {
    const ITEM: &str = "stable-job-key";
    match &job.key {
        Some(key) => answer(ITEM, true, format!("declared: `{key}`")),
        None => answer(ITEM, false, "no key is declared"),
    }
}

fn listing(job: &JobReport, listed: Option<&[Listed]>) -> ChecklistItem {
    const ITEM: &str = "side-effects-listed";
    let Some(listed) = listed else {
        return answer(ITEM, false, "no declaration lists them");
    };
    let is_listed = |effect: &EffectReport| {
        listed.iter().any(|entry| {
            entry.kind == effect.kind
                && entry.target.as_ref().is_none_or(|target| {
                    effect
                        .target
                        .to_lowercase()
                        .contains(&target.to_lowercase())
                })
        })
    };
    match job.effects.iter().find(|effect| !is_listed(effect)) {
        None => answer(ITEM, true, "every effect is on the declared list"),
        Some(effect) => answer(
            ITEM,
            false,
            format!("`{} {}` is not listed", effect.kind, effect.target),
        ),
    }
}

fn strategies(job: &JobReport) -> ChecklistItem {
    const ITEM: &str = "dedupe-strategy-per-effect";
    if job.effects.is_empty() {
        return open(ITEM, "the job has no effects");
    }
    let count = |wanted: Protection| {
        job.effects
            .iter()
            .filter(|effect| effect.protection == wanted)
            .count()
    };
    match (count(Protection::None), count(Protection::Unknown)) {
        (0, 0) => answer(ITEM, true, "every effect is protected"),
        (0, unknown) => open(ITEM, format!("{unknown} of {} not told", job.effects.len())),
        (none, _) => answer(
            ITEM,
            false,
            format!("{none} of {} without any", job.effects.len()),
        ),
    }
}

fn steps(job: &JobReport) -> ChecklistItem {
    const ITEM: &str = "step-completion-persisted";
    if job.effects.len() < 2 {
        return open(ITEM, "the job has one step");
    }
    let recorded = job
        .effects
        .iter()
        .filter(|effect| effect.protection == Protection::Step)
        .count();
    match recorded {
        0 => open(ITEM, "no recorded step is seen"),
        steps => answer(ITEM, true, format!("{steps} effects run as recorded steps")),
    }
}

fn deterministic(job: &JobReport) -> ChecklistItem {
    const ITEM: &str = "deterministic-writes";
    let mut writes = job
        .effects
        .iter()
        .filter(|effect| effect.section == Section::Writes)
        .peekable();
    if writes.peek().is_none() {
        return open(ITEM, "the job writes nothing");
    }
    match writes.find(|effect| effect.evidence.contains("anew on every attempt")) {
        Some(effect) => answer(
            ITEM,
            false,
            format!("{}: {}", effect.target, effect.evidence),
        ),
        None => open(
            ITEM,
            "values bound in code are not yet followed into columns",
        ),
    }
}

fn boundaries(job: &JobReport) -> ChecklistItem {
    const ITEM: &str = "retry-boundaries-chosen";
    match job.attempts {
        Attempts::Count(count) => answer(ITEM, true, format!("at most {count} attempts")),
        Attempts::Unlimited => answer(ITEM, false, "it may be tried without end"),
        Attempts::Unknown => open(ITEM, "the code does not tell how often it is tried"),
    }
}
