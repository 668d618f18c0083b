//! `uncommitted-write`: writes in a transaction that no path commits.

use retrysafe_rules::rule::{Confidence, Rule};

use crate::ir::GapKind;
use crate::jobs::MappedEffect;

use super::finding::{Finding, Spot};
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>, effect: &MappedEffect) -> Option<Finding> {
    let begin = effect.repeats.uncommitted?;
    let message = format!(
        "job `{}` writes to `{}` in a transaction that no path commits: it is rolled back when the transaction is \
         dropped",
        subject.job(),
        effect.target,
    );
    let finding = subject
        .about(
            Rule::UncommittedWrite,
            effect,
            Spot::Code(effect.site),
            message,
        )
        .label("never takes hold")
        .help("commit the transaction on every path that succeeds (`tx.commit().await?`)")
        .related(begin, "the transaction begins here");
    // Something that was not followed may commit it.
    let is_dim = subject.map.gaps.iter().any(|(_, gap)| {
        matches!(
            gap.kind,
            GapKind::UnknownReceiver | GapKind::Budget | GapKind::Recursion
        )
    });
    Some(match is_dim {
        true => finding.confidence(Confidence::Low),
        false => finding,
    })
}
