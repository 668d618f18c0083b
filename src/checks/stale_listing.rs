//! `stale-listing`: a declaration lists an effect that the job never reaches.

use retrysafe_rules::rule::{Confidence, Rule};

use crate::jobs::Declaration;

use super::finding::{Finding, Spot};
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let job = &subject.map.job;
    let (Some(listed), Some(declaration)) = (&job.listed, &job.declaration) else {
        return Vec::new();
    };
    let effects = &subject.map.effects;
    let mut findings = Vec::new();
    for (index, entry) in listed.iter().enumerate() {
        if effects.iter().any(|effect| effect.is_listed_as(entry)) {
            continue;
        }
        let spot = match declaration {
            Declaration::Mark(site, parts) => {
                Spot::Code(parts.get(index).copied().unwrap_or(*site))
            }
            Declaration::Entry(place) => Spot::Config(*place),
        };
        let said = match &entry.target {
            Some(target) => format!("{} `{target}`", entry.kind),
            None => format!("{} effects", entry.kind),
        };
        let finding = Finding::new(
            Rule::StaleListing,
            spot,
            format!("job `{}` lists {said} but never reaches any", subject.job()),
        )
        .job(&job.name)
        .subject(said)
        .label("nothing on the job's routes is this")
        .help("take it off the list, or check that the call it stands for is still there");
        findings.push(if subject.map.gaps.is_empty() {
            finding
        } else {
            finding.confidence(Confidence::Low)
        });
    }
    findings
}
