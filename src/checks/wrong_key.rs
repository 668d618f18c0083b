//! Keys that differ between attempts: what the four rules about them share.

use retrysafe_rules::catalog::SourceKind;
use retrysafe_rules::rule::{Confidence, Rule};

use crate::jobs::{Key, MappedEffect, Origin, Share};

use super::finding::{Finding, Remark, Spot};
use super::subject::{Subject, is_outbox, is_repeated, said};

/// The words of one rule about wrong keys.
pub(super) struct Words {
    pub(super) rule: Rule,
    /// What the source is: `random`, `read off a clock`.
    pub(super) is: &'static str,
    /// The remark at its birth.
    pub(super) born: &'static str,
}

/// The finding about a key that such a source takes part in.
pub(super) fn finding(
    subject: &Subject<'_>,
    effect: &MappedEffect,
    key: &Key,
    origin: &Origin,
    words: &Words,
) -> Finding {
    let what = &origin.what;
    let message = format!(
        "job `{}` sends {} under the key `{}`, which is {} (`{what}`): a retry sends another key, so nothing is deduplicated",
        subject.job(),
        said(effect),
        key.text,
        words.is,
    );
    let spot = Spot::Code(key.site.unwrap_or(effect.site));
    let mut finding = subject
        .repeated(words.rule, effect, spot, message)
        .label(format!("this key is {}", words.is))
        .help(format!(
            "derive the key from what the job is about, for example {}; or make it once, store it, and read it back on a retry",
            subject.proposed_key(effect)
        ));
    if let Some(site) = origin.site {
        finding.related.insert(
            0,
            Remark {
                site,
                message: format!("{} here", words.born),
            },
        );
    }
    for (function, site) in &origin.carried {
        // The way to the call is told already.
        let told = finding.trace.iter().any(|step| step.site == *site);
        if !told {
            let message = format!("it comes out of `{}`, called here", subject.name(*function));
            finding.trace.push(Remark {
                site: *site,
                message,
            });
        }
    }
    match origin.share {
        Share::Always => finding,
        Share::Sometimes => finding.confidence(Confidence::Medium),
        Share::Fallback => finding.confidence(Confidence::Low),
    }
}

/// The key of an effect with what in it differs between attempts, when it is of such a kind.
pub(super) fn origin<'e>(
    effect: &'e MappedEffect,
    kinds: &[SourceKind],
) -> Option<(&'e Key, &'e Origin)> {
    let at_risk = is_repeated(effect) && effect.is_open() && !is_outbox(effect);
    let key = effect.carried.as_ref().filter(|_| at_risk)?;
    let origin = key.origin.as_ref()?;
    kinds.contains(&origin.kind).then_some((key, origin))
}
