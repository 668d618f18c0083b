//! `unlisted-effect`: a job reaches an effect that its declaration does not list.

use retrysafe_rules::rule::Rule;

use crate::jobs::{Declaration, MappedEffect};

use super::finding::{Finding, Spot};
use super::subject::{Subject, said};

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let job = &subject.map.job;
    let listed = job.listed.as_ref()?;
    if listed.iter().any(|entry| effect.is_listed_as(entry)) {
        return None;
    }
    let word = effect.kind.word().replace('-', "_");
    let entry = match effect.target.as_str() {
        "" | "?" | "{}" => word,
        target if target.contains('{') => word,
        target => format!("{word}(\"{target}\")"),
    };
    let message = format!(
        "job `{}` reaches {}, which its declaration does not list",
        subject.job(),
        said(effect),
    );
    let finding = subject
        .about(
            Rule::UnlistedEffect,
            effect,
            Spot::Code(effect.site),
            message,
        )
        .label("not on the job's list of effects")
        .help(format!(
            "add `{entry}` to the job's `effects(…)`, or move the effect out of the job"
        ));
    Some(match &job.declaration {
        Some(Declaration::Mark(site, _)) => finding.related(*site, "the job is declared here"),
        _ => finding,
    })
}
