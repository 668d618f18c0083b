//! Bodies that reach a framework, or a loop of the house, through a parameter: `every(hour, f)`.
//! The callers tell which they are.

use crate::resolve::{FnId, JobId};
use crate::timeline::{CallTarget, Timelines, Value};

use super::bodies::{add_body, bodies};
use super::found::Found;

/// How many functions a body may be handed through.
const LEVELS: usize = 3;

/// Parameters that are run as jobs.
#[derive(Default)]
pub(super) struct Parameters {
    open: Vec<Parameter>,
}

struct Parameter {
    function: FnId,
    /// Its position; `self` is the first where there is one.
    param: u32,
    job: JobId,
    why: String,
}

impl Parameters {
    /// Notes that a function runs one of its parameters as a job.
    pub(super) fn note(&mut self, function: FnId, param: u32, job: JobId, why: String) {
        self.open.push(Parameter {
            function,
            param,
            job,
            why,
        });
    }

    /// Adds the jobs that the callers of such functions hand in.
    pub(super) fn add_to(mut self, timelines: &mut Timelines<'_>, found: &mut Found) {
        for _ in 0..LEVELS {
            for of in std::mem::take(&mut self.open) {
                for caller in timelines.naming(of.function) {
                    self.hand_in(timelines, caller, &of, found);
                }
            }
        }
    }

    fn hand_in(
        &mut self,
        timelines: &Timelines<'_>,
        caller: FnId,
        of: &Parameter,
        found: &mut Found,
    ) {
        let program = timelines.program();
        let entry = &timelines.known().job(of.job).entry;
        for call in &timelines.get(caller).calls {
            let calls_it = matches!(&call.target, CallTarget::Functions(functions)
                if *functions == [of.function]);
            let Some(arg) = call.args.get(of.param as usize).filter(|_| calls_it) else {
                continue;
            };
            let why = format!(
                "handed to `{}`, line {}, which {}",
                program.short_name(of.function),
                call.place.line,
                of.why
            );
            for value in bodies(arg) {
                match *value {
                    // Whoever hands it on says no more than the one that runs it.
                    Value::Param(param) => self.note(caller, param, of.job, of.why.clone()),
                    _ => add_body(timelines, caller, &value, entry, &why, found),
                }
            }
        }
    }
}
