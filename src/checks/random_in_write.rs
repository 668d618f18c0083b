//! `random-in-write`: a retry overwrites a stored value with a fresh random one.

use retrysafe_rules::rule::Rule;

use crate::jobs::{MappedEffect, Varying};

use super::finding::{Finding, Spot};
use super::overwritten::{Overwritten, overwritten};
use super::subject::{Subject, because};
use super::tables::{born, is_bookkeeping};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let tells = |varying: &&Varying| !varying.is_clock && varying.is_random();
    let Overwritten { varying } = overwritten(subject, effect, &tells)?;
    if is_bookkeeping(effect) {
        return None;
    }
    let message = format!(
        "job `{}` overwrites `{}.{}` with {} on every attempt: what a first run gave out no longer holds {}",
        subject.job(),
        effect.target,
        varying.column,
        born(varying),
        because(effect),
    );
    let column = &varying.column;
    let mut finding = subject
        .repeated(Rule::RandomInWrite, effect, Spot::Code(effect.site), message)
        .label("another value on each attempt")
        .help(format!(
            "write it once: add `AND {column} IS NULL` to the condition or set `COALESCE({column}, …)`, and read back \
             what is stored"
        ));
    if let Some(site) = varying.origin.as_ref().and_then(|origin| origin.site) {
        finding = finding.related(site, "random value is made here");
    }
    Some(finding)
}
