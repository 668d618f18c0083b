//! Keys that are made once: stored with the work before they are used, and read back by the next
//! attempt.

use retrysafe_rules::vocabulary::EffectKind;

use crate::timeline::Follows;

use super::super::effect::Reading;
use super::super::origin::{Origin, Share};
use super::drawn::Drawn;

/// Whether what differs in an effect's key was stored before it, and the key is read where it was
/// stored already.
pub(super) fn is_kept(reading: &Reading<'_, '_>, drawn: &[Drawn<'_>], index: usize) -> bool {
    let this = &drawn[index];
    let origin = this
        .effect
        .carried
        .as_ref()
        .and_then(|key| key.origin.as_ref());
    // The next attempt reads it here, or comes to the same call with what it read.
    let is_read_back = |origin: &Origin| {
        origin.share != Share::Always
            || drawn.iter().any(|other| {
                let key = other.effect.carried.as_ref();
                other.effect.site == this.effect.site && key.is_some_and(|key| key.origin.is_none())
            })
    };
    let Some(origin) = origin.filter(|origin| is_read_back(origin)) else {
        return false;
    };
    let Some(made) = &origin.made else {
        return false;
    };
    drawn[..index].iter().any(|earlier| {
        let is_store = matches!(earlier.effect.kind, EffectKind::DbWrite | EffectKind::Cache);
        // What is not committed yet is gone with the attempt.
        let is_open = earlier.effect.in_transaction && this.effect.in_transaction;
        let moment = &earlier.happening.context.moment;
        is_store
            && !is_open
            && reading
                .unfolding
                .follows(moment, &this.happening.context.moment)
                == Some(Follows::Later)
            && reading.takes(earlier.happening, made)
    })
}
