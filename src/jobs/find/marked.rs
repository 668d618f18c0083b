//! Jobs that an attribute, a comment or the configuration declares.

use retrysafe_rules::catalog::Attempts;
use retrysafe_rules::grammar::{JobMark, Mark};
use retrysafe_rules::vocabulary::{Delivery, JobKind};

use crate::config::JobRule;
use crate::resolve::{FnId, Owner, Program};

use super::super::entry::{Body, Job, RunsHow};
use super::super::input::parameters;
use super::{Found, site_of};

pub(super) fn find(program: &Program, rules: &[JobRule], found: &mut Found) {
    for index in 0..program.functions.len() {
        let function = FnId(index as u32);
        let def = program.function(function);
        if def.function.body.is_none() {
            continue;
        }
        for mark in &def.function.marks {
            if let Mark::Job(job) = &mark.value {
                found.add(declared(
                    program,
                    function,
                    job,
                    "marked as a job".to_owned(),
                ));
            }
        }
        let Some(rule) = rules.iter().find(|rule| fits(program, function, rule)) else {
            continue;
        };
        let why = format!("named in the configuration, line {}", rule.line);
        found.add(declared(program, function, &rule.mark, why));
    }
}

fn declared(program: &Program, function: FnId, mark: &JobMark, why: String) -> Job {
    Job {
        name: program.full_name(function),
        function,
        body: Body::Whole,
        site: site_of(program, function),
        kind: if mark.schedule {
            JobKind::Scheduled
        } else {
            JobKind::Declared
        },
        framework: None,
        runs: RunsHow {
            delivery: mark.delivery.unwrap_or(Delivery::Unknown),
            attempts: mark.attempts.map_or(Attempts::Unknown, Attempts::Count),
            injected: Vec::new(),
        },
        why,
        key: mark.key.clone(),
        inputs: parameters(program, function),
        listed: mark.effects.clone(),
        needs_effect: false,
    }
}

fn fits(program: &Program, function: FnId, rule: &JobRule) -> bool {
    let def = program.function(function);
    if let Some(matcher) = &rule.path {
        let krate = program.crate_of(def.module).name;
        let full = program.full_name(function);
        return matcher.is_match(format!("{krate}::{full}"))
            || matcher.is_match(format!("crate::{full}"))
            || matcher.is_match(&full);
    }
    let (Some(wanted), Some(method)) = (&rule.trait_path, &rule.method) else {
        return false;
    };
    let Owner::Impl(id) = def.owner else {
        return false;
    };
    let named = program.impls[id.index()]
        .trait_
        .as_ref()
        .and_then(|path| path.last());
    let last = wanted.rsplit("::").next().unwrap_or(wanted);
    def.function.name == method.as_str() && named.is_some_and(|name| name == last)
}
