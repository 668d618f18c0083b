//! `analysis-gap`: something on a job's route could not be understood.

use retrysafe_rules::rule::Rule;

use crate::ir::Site;

use super::finding::{Finding, Spot};
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let gaps = subject.map.gaps.iter();
    gaps.map(|(file, gap)| {
        let site = Site {
            file: *file,
            place: gap.place,
        };
        Finding::new(Rule::AnalysisGap, Spot::Code(site), gap.message.clone())
            .job(&subject.map.job.name)
            .subject(gap.message.clone())
            .label(gap.kind.word())
            .help(
                "mark what happens here with `#[retrysafe::effect(…)]`, or describe the call in \
                 `retrysafe.toml`",
            )
    })
    .collect()
}
