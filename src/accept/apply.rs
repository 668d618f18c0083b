//! What acceptances cover.

use retrysafe_rules::grammar::check_accept;
use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::Protection;

use crate::analysis::Analysis;
use crate::checks::{Finding, Spot};
use crate::ir::Site;

use super::acceptance::{Acceptance, Scope};

/// Marks findings as accepted, and adds what is to be said of the acceptances themselves.
pub(super) fn apply(analysis: &Analysis, acceptances: &[Acceptance], findings: &mut Vec<Finding>) {
    let mut said = Vec::new();
    for acceptance in acceptances {
        match check_accept(&acceptance.mark) {
            Err(mistake) => {
                let is_unknown = mistake.rule == Rule::UnknownRule;
                said.push(
                    Finding::of_acceptance(mistake.rule, acceptance.spot, mistake.message)
                        .with_words(
                            "this acceptance silences nothing",
                            if is_unknown {
                                "write the name of a rule; `cargo retrysafe rules` lists them"
                            } else {
                                "say what a duplicate does and why that is fine: `reason = \"…\"`"
                            },
                        ),
                );
            }
            Ok(rule) => {
                let reason = acceptance.mark.reason.clone().unwrap_or_default();
                let mut is_used = false;
                for finding in findings.iter_mut() {
                    if finding.rule == rule && covers(analysis, acceptance, finding) {
                        is_used = true;
                        finding.accepted.get_or_insert_with(|| reason.clone());
                    }
                }
                if !is_used {
                    let message = format!("no finding of `{rule}` stands here to be accepted");
                    said.push(
                        Finding::of_acceptance(Rule::UnusedAccept, acceptance.spot, message)
                            .with_words("this acceptance covers nothing", "take it away"),
                    );
                }
            }
        }
    }
    findings.extend(said);
}

fn covers(analysis: &Analysis, acceptance: &Acceptance, finding: &Finding) -> bool {
    let is_in =
        |outer: Site, inner: Site| outer.file == inner.file && outer.place.covers(inner.place);
    let on_way = |outer: Site| {
        let at = match finding.primary {
            Spot::Code(site) => is_in(outer, site),
            Spot::Config(_) => false,
        };
        at || finding.trace.iter().any(|step| is_in(outer, step.site))
    };
    match &acceptance.scope {
        Scope::Function(function, extent) => {
            let of_job = analysis.maps.iter().any(|map| {
                map.job.function == *function
                    && finding.jobs.iter().all(|job| *job == map.job.name)
                    && !finding.jobs.is_empty()
            });
            of_job || on_way(*extent)
        }
        Scope::Part(site) => on_way(*site),
        Scope::Entry(entry) => {
            let file = match finding.primary {
                Spot::Code(site) => analysis.file(site.file).shown.as_str(),
                Spot::Config(_) => "",
            };
            let mut jobs = finding.jobs.iter().map(String::as_str).peekable();
            if jobs.peek().is_none() {
                return entry.job.is_none() && entry.covers(file, "");
            }
            jobs.all(|job| entry.covers(file, job))
        }
    }
}

/// Writes into the maps which effects a reasoned acceptance stands on.
pub(super) fn mark_effects(analysis: &mut Analysis, findings: &[Finding]) {
    for finding in findings {
        let (Some(reason), Spot::Code(site)) = (&finding.accepted, finding.primary) else {
            continue;
        };
        let maps = analysis.maps.iter_mut();
        let of_jobs = maps.filter(|map| finding.jobs.contains(&map.job.name));
        for effect in of_jobs.flat_map(|map| &mut map.effects) {
            let key = effect.carried.as_ref().and_then(|key| key.site);
            if effect.is_open() && (effect.site == site || key == Some(site)) {
                effect.protection = Protection::Accepted;
                effect.evidence.clone_from(reason);
            }
        }
    }
}
