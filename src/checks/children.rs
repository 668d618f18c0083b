//! Jobs that other jobs put on a queue: where a second run of one changes nothing, neither does a
//! second one on the queue.

use std::collections::BTreeMap;

use retrysafe_rules::vocabulary::{EffectKind, Protection};

use crate::ir::TypeRef;
use crate::ir::{Gap, GapKind};
use crate::jobs::{JobMap, MappedEffect};
use crate::resolve::Program;

/// What is known of the jobs of a workspace, by the names under which they are put on a queue.
pub(super) struct Children {
    converge: BTreeMap<String, bool>,
}

impl Children {
    pub(super) fn of(program: &Program, maps: &[JobMap]) -> Self {
        let mut converge: BTreeMap<String, bool> = BTreeMap::new();
        for map in maps {
            let settled = settles(map);
            for name in names(program, map) {
                let all = converge.entry(name).or_insert(true);
                *all &= settled;
            }
        }
        Children { converge }
    }

    /// Whether what is put on a queue is a job of ours that may run twice.
    pub(super) fn settle(&self, effect: &MappedEffect) -> bool {
        effect.kind == EffectKind::Enqueue
            && self.converge.get(effect.target.as_str()) == Some(&true)
    }
}

/// The names under which a job may be put on a queue: its payload's type, which often is the type
/// that it is a method of.
fn names(program: &Program, map: &JobMap) -> Vec<String> {
    let job = map.job.name.split('[').next().unwrap_or_default();
    let segments = job.rsplit("::").take(2).map(str::to_owned);
    let params = program.function(map.job.function).function.params.iter();
    let types = params.filter_map(|param| match &param.ty {
        TypeRef::Path(path) => path.last().map(|last| last.to_string()),
        _ => None,
    });
    segments
        .chain(types)
        .filter(|name| name.starts_with(char::is_uppercase))
        .collect()
}

/// Whether each effect of a job stands a second run, as far as all of it is understood.
fn settles(map: &JobMap) -> bool {
    let stands = |effect: &MappedEffect| {
        !matches!(
            effect.protection,
            Protection::None | Protection::Unknown | Protection::Accepted
        )
    };
    // A missing schema leaves nothing open that a protection does not say.
    let is_open = |gap: &Gap| gap.kind != GapKind::NoSchema;
    let is_followed = !map.gaps.iter().any(|(_, gap)| is_open(gap));
    !map.effects.is_empty() && is_followed && map.effects.iter().all(stands)
}
