//! `effect-in-transaction`: an external effect stands between begin and commit.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::{Protection, Trigger};

use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::{Subject, is_external, said};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let converges = matches!(
        effect.protection,
        Protection::Key
            | Protection::Natural
            | Protection::Upsert
            | Protection::Conditional
            | Protection::Declared
    );
    let applies = effect.repeats.is_rolled_back && is_external(effect.kind) && !effect.in_database;
    if !applies || converges || (subject.quiet)(effect) {
        return None;
    }
    let message = format!(
        "job `{}` sends {} while a transaction is open: a rollback does not take it back, and trying again repeats it",
        subject.job(),
        said(effect),
    );
    let finding = subject
        .about(
            Rule::EffectInTransaction,
            effect,
            Spot::Code(effect.site),
            message,
        )
        .label("before the commit")
        .help(
            "write down in the transaction that it is to be done, and do it after the commit (an outbox), or \
             give it a key that is the same on every attempt",
        );
    let mut finding = finding;
    // Where nothing behind it can fail, only the last instant is left.
    finding.is_rare = effect.repeats.triggers == [Trigger::Crash];
    Some(match effect.repeats.transaction {
        Some(begin) => finding.related(begin, "the transaction begins here"),
        None => finding,
    })
}
