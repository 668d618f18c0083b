//! Units of work: transactions that one function begins and hands out, and others end.

use std::collections::BTreeSet;

use crate::ir::Site;

use super::draw::JobMap;

/// Marks the writes in units of work that their job never ends, where another job is seen to end such a one.
pub fn settle_units(maps: &mut [JobMap]) {
    let ended: BTreeSet<Site> = maps.iter().flat_map(|map| map.settled.clone()).collect();
    for effect in maps.iter_mut().flat_map(|map| &mut map.effects) {
        if let Some(begin) = effect.repeats.unit.filter(|begin| ended.contains(begin)) {
            effect.repeats.uncommitted = Some(begin);
        }
    }
}
