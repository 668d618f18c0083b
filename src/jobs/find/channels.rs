//! Loops that take from a channel of the process: jobs where another job sends into it, since
//! what runs again sends again. Sender and receiver are tied by the type of the item.

use retrysafe_rules::vocabulary::JobKind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Name, Place, TypeRef};
use crate::resolve::{FnId, Program, Ty};
use crate::timeline::Timelines;

use super::super::entry::{Body, Job};
use super::found::Found;
use super::reach::targets;

/// Where something is sent into a channel: the job, and the line of the call.
struct Sent {
    job: usize,
    line: u32,
}

pub(super) fn find(timelines: &mut Timelines<'_>, loops: Vec<(Job, Ty)>, found: &mut Found) {
    let program = timelines.program();
    let mut waiting: Vec<(Job, Ty)> = loops
        .into_iter()
        .filter(|(_, item)| is_own(item) && !answers(program, item))
        .collect();
    let mut asked = 0;
    let mut reached: FxHashSet<FnId> = FxHashSet::default();
    let mut sent: FxHashMap<Ty, Vec<Sent>> = FxHashMap::default();
    while !waiting.is_empty() && asked < found.jobs.len() {
        let roots: Vec<FnId> = found.jobs[asked..].iter().map(|job| job.function).collect();
        timelines.follow(&roots);
        while asked < found.jobs.len() {
            let (sends, seen) = sends(timelines, &found.jobs[asked]);
            reached.extend(seen);
            for (item, line) in sends {
                sent.entry(item)
                    .or_default()
                    .push(Sent { job: asked, line });
            }
            asked += 1;
        }
        // A channel that a job makes for itself is a part of it.
        waiting.retain(|(job, _)| !reached.contains(&job.function));
        let mut rest = Vec::new();
        for (mut job, item) in waiting {
            let sender = sent.get(&item).into_iter().flatten().find(|sent| {
                let crate_of =
                    |job: &Job| program.module(program.function(job.function).module).krate;
                program.share_a_program(crate_of(&job), crate_of(&found.jobs[sent.job]))
            });
            let Some(Sent { job: sender, line }) = sender else {
                rest.push((job, item));
                continue;
            };
            let sender = &mut found.jobs[*sender];
            job.is_local = true;
            job.why = format!("{}, of what `{}` sends, line {line}", job.why, sender.name);
            // A delivery that is only passed on has its effects behind the channel.
            let is_delivery = sender.framework.is_some() && sender.kind != JobKind::Scheduled;
            if sender.needs_effect && is_delivery {
                sender.needs_effect = false;
                sender.why = format!("{}; sends on to `{}`", sender.why, job.name);
            }
            found.add(job);
        }
        waiting = rest;
    }
}

/// What a job sends into channels, itself or below, and the functions below it.
fn sends(timelines: &Timelines<'_>, job: &Job) -> (Vec<(Ty, u32)>, FxHashSet<FnId>) {
    let mut sent = Vec::new();
    let mut seen: FxHashSet<FnId> = FxHashSet::default();
    let mut open: Vec<(FnId, Option<Body>)> = vec![(job.function, Some(job.body))];
    while let Some((function, body)) = open.pop() {
        let timeline = timelines.get(function);
        let stands_in = |place: Place| match body {
            Some(Body::Part(part)) => part.covers(place),
            _ => true,
        };
        sent.extend(
            timeline
                .feeds
                .iter()
                .filter(|feed| stands_in(feed.place))
                .map(|feed| (feed.item.clone(), feed.place.line)),
        );
        for target in targets(timelines, function, body) {
            open.extend(
                timelines
                    .meant_by(target)
                    .into_iter()
                    .filter(|callee| seen.insert(*callee))
                    .map(|callee| (callee, None)),
            );
        }
    }
    (sent, seen)
}

/// Whether an item is of a type that the workspace defines: `String` is no sign that two ends
/// belong together.
fn is_own(item: &Ty) -> bool {
    match item {
        Ty::Adt(..) => true,
        Ty::Tuple(args) | Ty::Extern(_, args) => args.iter().any(is_own),
        _ => false,
    }
}

/// Whether an item carries a way to answer.
fn answers(program: &Program, item: &Ty) -> bool {
    match item {
        Ty::Adt(id, _) => program.types[id.index()]
            .item
            .variants
            .iter()
            .flat_map(|variant| &variant.fields)
            .any(|(_, ty)| is_answer(ty)),
        Ty::Tuple(args) | Ty::Extern(_, args) => {
            args.iter().any(|arg| answers(program, arg))
                || item.extern_path().is_some_and(is_sender)
        }
        _ => false,
    }
}

fn is_answer(ty: &TypeRef) -> bool {
    match ty {
        TypeRef::Path(path) => path
            .segments
            .iter()
            .any(|segment| is_sender(segment.name) || segment.args.iter().any(is_answer)),
        TypeRef::Tuple(elems) => elems.iter().any(is_answer),
        _ => false,
    }
}

fn is_sender(name: Name) -> bool {
    let last = name.rsplit("::").next().unwrap_or(&name);
    last.ends_with("Sender") || last.ends_with("Responder")
}
