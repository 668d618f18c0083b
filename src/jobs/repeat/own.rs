//! Whose error an error is.

use crate::ir::Place;
use crate::timeline::{Fallible, Frame, Happening, Moment};

/// Whether an error is the outcome of something that happens, here or passed on by a caller.
pub(super) fn is_own(happening: &Happening, fallible: &Fallible) -> bool {
    let mut place: Place = happening.site.place;
    for frame in happening.context.moment.frames() {
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
