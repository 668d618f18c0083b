//! Workers that hand what they receive to one of several implementors of a trait.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::resolve::{FnId, Program, TraitId};
use crate::timeline::{CallTarget, Timelines};

use super::super::entry::Body;
use super::found::Found;
use super::names::BODIES;
use super::reach::targets;

/// How many calls below a worker's own body its handing on is looked for: a step that fetches
/// and one that chooses are common; what lies deeper is a service with parts of its own.
const LEVELS: usize = 3;

/// A job by its body.
type Key = (FnId, Body);

/// Whom the jobs found so far call, themselves or a few calls below.
#[derive(Default)]
pub(super) struct Drivers {
    /// By the trait to one of whose several implementors they hand on; with the level.
    to_trait: FxHashMap<TraitId, Vec<(Key, usize)>>,
    to_function: FxHashMap<FnId, Vec<Key>>,
}

impl Drivers {
    /// Looks through the bodies of the jobs found so far.
    pub(super) fn of(timelines: &mut Timelines<'_>, found: &Found) -> Self {
        let program = timelines.program();
        let mut drivers = Drivers::default();
        for job in &found.jobs {
            let key = (job.function, job.body);
            let mut functions = vec![(job.function, Some(job.body))];
            let mut seen = FxHashSet::default();
            for level in 1..=LEVELS {
                let wanted: Vec<FnId> = functions.iter().map(|(id, _)| *id).collect();
                timelines.build(&wanted);
                let mut next = Vec::new();
                for (function, body) in functions {
                    for target in targets(timelines, function, body) {
                        if let Some(id) = handed_to(program, target) {
                            drivers.to_trait.entry(id).or_default().push((key, level));
                        } else if let Some(callee) = single(target)
                            && seen.insert(callee)
                        {
                            drivers.to_function.entry(callee).or_default().push(key);
                            next.push((callee, None));
                        }
                    }
                }
                functions = next;
            }
        }
        drivers
    }

    /// How far below a worker's body, at least, it hands its work to implementors of the trait.
    pub(super) fn level_of(&self, id: TraitId) -> Option<usize> {
        let drivers = self.to_trait.get(&id)?;
        drivers.iter().map(|(_, level)| *level).min()
    }

    /// Notes at the workers that the implementors of the trait are the jobs.
    pub(super) fn mark_trait(&self, id: TraitId, found: &mut Found) {
        for (key, _) in self.to_trait.get(&id).into_iter().flatten() {
            found.drives(*key);
        }
    }

    /// Notes at the workers that what the function hands on to are the jobs.
    pub(super) fn mark_function(&self, function: FnId, found: &mut Found) {
        for key in self.to_function.get(&function).into_iter().flatten() {
            found.drives(*key);
        }
    }
}

/// The trait to one of whose several implementors a call goes.
fn handed_to(program: &Program, target: &CallTarget) -> Option<TraitId> {
    let is_body = |name: &str| BODIES.contains(&name);
    match target {
        CallTarget::Dispatch {
            trait_id, method, ..
        } => is_body(method).then_some(*trait_id),
        CallTarget::Functions(functions)
            if functions.len() >= 2 && is_body(&program.function(functions[0]).function.name) =>
        {
            let first = program.implemented_trait(functions[0])?;
            functions
                .iter()
                .all(|id| program.implemented_trait(*id) == Some(first))
                .then_some(first)
        }
        _ => None,
    }
}

fn single(target: &CallTarget) -> Option<FnId> {
    match target {
        CallTarget::Functions(functions) if functions.len() == 1 => functions.first().copied(),
        _ => None,
    }
}
