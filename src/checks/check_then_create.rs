//! `check-then-create`: a read decides whether a row is made, and no unique key backs it.

use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::{Delivery, JobKind, Trigger};

use crate::jobs::{Again, Check, MappedEffect, Store, Told};

use super::blind_insert::told_by;
use super::finding::{Finding, Spot};
use super::subject::Subject;
use super::tables::is_queue;

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let check = effect.repeats.check.as_ref()?;
    let (why, confidence) = match &check.again {
        Again::Free(keys) => (why(keys), Confidence::High),
        Again::Untold(untold) => (untold.words().to_owned(), told_by(*untold)),
        _ => return None,
    };
    if (subject.quiet)(effect)
        || is_queue(effect)
        || subject.map.job.runs.delivery == Delivery::AtMostOnce
    {
        return None;
    }
    let mut columns: Vec<String> = Vec::new();
    for column in check.columns.iter().chain(&check.narrowed) {
        let column = format!("`{column}`");
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    let columns = columns.join(", ");
    // A timer meets itself only where the service runs more than once.
    let by_timer = subject.map.job.kind == JobKind::Scheduled;
    let others = match by_timer {
        true => "two instances of the service",
        false => "two workers",
    };
    let message = format!(
        "job `{}` inserts into `{}` when no row with that {columns} was found, and nothing stops {others} that both \
         found none ({why})",
        subject.job(),
        effect.target,
    );
    let mut finding = subject
        .about(
            Rule::CheckThenCreate,
            effect,
            Spot::Code(effect.site),
            message,
        )
        .confidence(confidence)
        .label("both insert")
        .help(remedy(effect, check))
        .related(check.site, "both workers see no row here");
    if let Again::Free(keys) = &check.again {
        for key in keys {
            finding = finding.related(key.site, format!("`{}` {}", key.name, key.reason));
        }
    }
    finding.triggers = vec![Trigger::Overlap];
    finding.is_rare = by_timer;
    // "Not twice within a day" is a courtesy more often than a promise.
    let is_window = check.narrowed.iter().any(|column| is_time(column));
    if effect.repeats.is_doubtful || subject.map.job.is_local || is_window {
        finding = finding.confidence(Confidence::Low);
    }
    Some(finding)
}

/// What to do about it.
fn remedy(effect: &MappedEffect, check: &Check) -> String {
    let target = &effect.target;
    if !check.narrowed.is_empty() {
        return format!(
            "let one at a time look and insert, as with `pg_advisory_xact_lock` over what is looked for, or keep that \
             in a column of `{target}` with a unique index"
        );
    }
    let index = index(check);
    let then = match effect.stored.as_ref().map(|stored| stored.store) {
        Some(Store::Documents) => "take the error of a duplicate key for found",
        _ => "insert with `ON CONFLICT DO NOTHING`",
    };
    format!("add a unique index on `{target}` {index} and {then}; the check may stay")
}

/// Whether a column is a point in time.
fn is_time(column: &str) -> bool {
    column.ends_with("_at") || column.contains("time") || column.contains("date")
}

/// The index that would back a check: what it compares with a constant, or asks to be NULL, chooses the rows.
fn index(check: &Check) -> String {
    let is_fixed = |column: &String| check.fixed.iter().any(|(fixed, _)| fixed == column);
    let is_null = |column: &String| !check.equal.contains(column);
    let columns: Vec<&str> = check
        .columns
        .iter()
        .filter(|column| !is_fixed(column) && !is_null(column))
        .map(String::as_str)
        .collect();
    let constants = check.fixed.iter();
    let constants = constants.map(|(column, text)| format!("{column} = '{text}'"));
    let nulls = check.columns.iter().filter(|column| is_null(column));
    let rows: Vec<String> = constants
        .chain(nulls.map(|column| format!("{column} IS NULL")))
        .collect();
    match rows.is_empty() || columns.is_empty() {
        true => format!("({})", check.columns.join(", ")),
        false => format!("({}) WHERE {}", columns.join(", "), rows.join(" AND ")),
    }
}

fn why(keys: &[Told]) -> String {
    match keys {
        [] => "the table has no unique key".to_owned(),
        [only] => format!("its only unique key `{}` {}", only.name, only.reason),
        _ => "no unique key of the table is over these columns".to_owned(),
    }
}
