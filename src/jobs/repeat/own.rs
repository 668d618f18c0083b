//! Whose error an error is.

use crate::ir::Place;
use crate::timeline::{Fallible, Frame, Happening, Moment, Settled};

/// Whether an error is the outcome of something that happens, here or passed on by a caller.
pub(super) fn is_own(happening: &Happening, fallible: &Fallible) -> bool {
    is_of(&happening.context.moment, happening.site.place, fallible)
}

/// Whether an error takes a write of a transaction back: it leaves it, or is that of its end.
pub(super) fn takes_back(settled: &[Settled], write: &Happening, fallible: &Fallible) -> bool {
    let Some(begin) = write.context.transaction else {
        // It was begun by whoever runs the job, who rolls it back on an error.
        return true;
    };
    let is_end = |end: &Settled| end.begin == begin && is_of(&end.moment, end.site.place, fallible);
    fallible.transaction == Some(begin) || settled.iter().any(is_end)
}

/// Whether an error is that of a call in which something happens whose own error does not get there: what
/// can fail in the call is told by its own errors.
pub(super) fn is_around(happening: &Happening, fallible: &Fallible) -> bool {
    let mut is_lost = false;
    let mut inner: Option<&Frame> = None;
    for frame in happening.context.moment.frames() {
        let call = inner.and_then(|inner| inner.call);
        if is_body_of(frame, &fallible.moment) {
            return is_lost && call.is_some_and(|call| fallible.of.contains(&call.place));
        }
        is_lost |= inner.is_some_and(|inner| !inner.passes);
        inner = Some(frame);
    }
    false
}

fn is_of(moment: &Moment, mut place: Place, fallible: &Fallible) -> bool {
    for frame in moment.frames() {
        if is_body_of(frame, &fallible.moment) {
            return fallible.of.contains(&place);
        }
        if let Some(call) = frame.call {
            place = call.place;
        }
    }
    false
}

fn is_body_of(frame: &Frame, moment: &Moment) -> bool {
    std::ptr::eq(frame, &raw const *moment.frame)
}
