//! `undeclared-job`: a job with effects has no declaration.

use retrysafe_rules::rule::Rule;

use super::finding::{Finding, Spot};
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>) -> Option<Finding> {
    let map = subject.map;
    if map.job.declaration.is_some() || map.effects.is_empty() {
        return None;
    }
    let mut kinds: Vec<String> = map
        .effects
        .iter()
        .map(|effect| effect.kind.word().replace('-', "_"))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    let message = format!(
        "job `{}` has {} and declares none of them",
        subject.job(),
        match map.effects.len() {
            1 => "one effect".to_owned(),
            count => format!("{count} effects"),
        },
    );
    Some(
        Finding::new(Rule::UndeclaredJob, Spot::Code(map.job.site), message)
            .job(&map.job.name)
            .subject("declaration")
            .label("this job")
            .help(format!(
                "declare it: `#[retrysafe::job(effects({}))]`",
                kinds.join(", ")
            )),
    )
}
