//! `ineffective-lock`: a row lock that is gone before the work it should cover.

use retrysafe_rules::rule::{Confidence, Rule};
use retrysafe_rules::vocabulary::Trigger;

use crate::jobs::LostLock;

use super::finding::{Finding, Spot};
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let locks = subject.map.locks.iter();
    locks.map(|lock| finding(subject, lock)).collect()
}

fn finding(subject: &Subject<'_>, lock: &LostLock) -> Finding {
    let clause = match lock.skips {
        true => "FOR UPDATE SKIP LOCKED",
        false => "FOR UPDATE",
    };
    let (why, help) = match lock.ends {
        None => (
            "is gone when the statement ends: it runs outside of a transaction",
            "run the statement and the work it should cover on one transaction (`pool.begin()`), or take the rows \
             by an UPDATE that moves them on and returns them",
        ),
        Some(_) => (
            "is given back by the commit, before the work it should cover",
            "commit after the work, or move the rows to a state in between within the same transaction, so that \
             others leave them alone",
        ),
    };
    let message = format!(
        "job `{}` locks rows of `{}` with `{clause}`, and the lock {why}",
        subject.job(),
        lock.table,
    );
    let mut finding = Finding::new(Rule::IneffectiveLock, Spot::Code(lock.site), message)
        .job(&subject.map.job.name)
        .subject(format!("lock {}", lock.table))
        .label("locks nothing")
        .help(help)
        .related(lock.covers, "this is what it should cover");
    if let Some(ends) = lock.ends {
        finding = finding.related(ends, "the transaction ends here");
    }
    finding.trace = subject.way(&lock.route, &lock.calls);
    finding = subject.reached(finding, &lock.calls);
    finding.triggers = vec![Trigger::Overlap];
    if subject.map.job.is_local {
        finding = finding.confidence(Confidence::Low);
    }
    finding
}
