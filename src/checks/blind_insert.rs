//! `blind-insert`: a row is inserted that no unique key tells from the one of an earlier attempt.

use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::{Action, EffectKind, Trigger};

use crate::ir::words;
use crate::jobs::{Again, MappedEffect, Store, Stored, Told, Untold};
use crate::sql::{Assignment, Value};

use super::finding::{Finding, Spot};
use super::subject::{Subject, because, is_repeated};
use super::tables::{is_append_only, is_bookkeeping};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let inserts = effect.kind == EffectKind::DbWrite && effect.action == Action::Create;
    if !inserts || !is_repeated(effect) || !effect.is_open() || effect.repeats.is_remade {
        return None;
    }
    if (subject.quiet)(effect) || is_append_only(subject, effect) || is_bookkeeping(effect) {
        return None;
    }
    let stored = effect.stored.as_ref()?;
    let (why, confidence) = match &stored.again {
        Again::Free(keys) => (forbids(keys), Confidence::High),
        Again::Untold(why) => (why.words().to_owned(), told_by(*why)),
        _ => return None,
    };
    // A row that the job itself calls failed later on is about the attempt, and each has its own.
    if subject.map.effects.iter().any(|other| fails(effect, other)) {
        return None;
    }
    // What each run of a timer adds is most likely meant.
    if effect.repeats.triggers == [Trigger::Rerun] {
        return None;
    }
    let message = format!(
        "job `{}` inserts into `{}` anew on every attempt: a second run adds a second row {} ({why})",
        subject.job(),
        effect.target,
        because(effect),
    );
    let mut finding = subject
        .repeated(Rule::BlindInsert, effect, Spot::Code(effect.site), message)
        .confidence(confidence)
        .label("adds another row each time")
        .help(remedy(effect, stored));
    if let Again::Free(keys) = &stored.again {
        for key in keys {
            finding = finding.related(key.site, format!("`{}` {}", key.name, key.reason));
        }
    }
    Some(finding)
}

/// Whether another write says of the same table that a row has failed.
fn fails(effect: &MappedEffect, other: &MappedEffect) -> bool {
    let says_failed = |set: &Assignment| {
        words(&set.column).any(|word| matches!(word.as_str(), "error" | "failure" | "failed"))
            || matches!(&set.value, Value::Literal(text) if has_failed(text))
    };
    other.kind == effect.kind
        && other.target == effect.target
        && other.action == Action::Update
        && other
            .stored
            .as_ref()
            .is_some_and(|stored| stored.statement.set.iter().any(says_failed))
}

fn has_failed(state: &str) -> bool {
    matches!(
        state.to_lowercase().as_str(),
        "failed" | "failure" | "error" | "errored"
    )
}

/// What to do about it, by what keeps the rows.
fn remedy(effect: &MappedEffect, stored: &Stored) -> String {
    let target = &effect.target;
    let work = match stored.names_work() {
        Some(columns) => format!("{columns} may be part of it"),
        None => "its input".to_owned(),
    };
    match stored.store {
        Store::Tables => format!(
            "give `{target}` a unique key over what names this piece of work ({work}), and insert with `ON CONFLICT \
             DO NOTHING`"
        ),
        Store::Documents => format!(
            "give `{target}` a unique index over what names this piece of work ({work}), and take the error of a \
             duplicate key for done"
        ),
        Store::Items => {
            format!("make the key of `{target}` of what names this piece of work ({work})")
        }
    }
}

/// How sure a finding is of a table of which nothing is known: migrations that are there most likely say
/// what could not be read.
pub(super) fn told_by(untold: Untold) -> Confidence {
    match untold {
        Untold::NoSchema | Untold::NoIndexes | Untold::NoIndex => Confidence::Medium,
        Untold::NoTable | Untold::Unclear | Untold::Partial => Confidence::Low,
    }
}

/// Why none of a table's keys forbids a second row.
pub(super) fn forbids(keys: &[Told]) -> String {
    match keys {
        [] => "the table has no unique key".to_owned(),
        [only] => format!("its only unique key `{}` {}", only.name, only.reason),
        _ => "none of its unique keys tells the two apart".to_owned(),
    }
}
