//! `now-in-write`: a retry stores another time, and so changes history.

use retrysafe_rules::rule::Rule;

use crate::jobs::{MappedEffect, Varying};

use super::finding::{Finding, Spot};
use super::overwritten::{Overwritten, overwritten};
use super::subject::{Subject, because};
use super::tables::{born, is_audit, is_bookkeeping};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let tells = |varying: &&Varying| varying.is_clock && !is_audit(subject, &varying.column);
    let Overwritten { varying } = overwritten(subject, effect, &tells)?;
    if is_bookkeeping(effect) {
        return None;
    }
    let message = format!(
        "job `{}` sets `{}.{}` to {} on every attempt: a second run moves it {}",
        subject.job(),
        effect.target,
        varying.column,
        born(varying),
        because(effect),
    );
    let column = &varying.column;
    let mut finding = subject
        .repeated(Rule::NowInWrite, effect, Spot::Code(effect.site), message)
        .label("another time on each attempt")
        .help(format!(
            "write it once: add `AND {column} IS NULL` to the condition or set `COALESCE({column}, …)`, or take the \
             time from the payload"
        ));
    if let Some(site) = varying.origin.as_ref().and_then(|origin| origin.site) {
        finding = finding.related(site, "the time is read here");
    }
    Some(finding)
}
