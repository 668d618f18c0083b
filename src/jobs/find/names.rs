//! Names that speak of jobs: of traits and enums, and of the methods that are their bodies.

use crate::ir::Name;
use crate::resolve::{FnId, Program, TypeDef};

/// Names of methods that are bodies.
pub(super) const BODIES: &[&str] = &[
    "run",
    "perform",
    "execute",
    "handle",
    "process",
    "process_job",
    "run_once",
    "consume",
    "consume_message",
    "work",
    "run_job",
    "execute_job",
    "handle_message",
    "handle_event",
    "process_message",
    "run_routine_task",
    "execute_workflow",
    "run_task",
    "perform_job",
    "handle_job",
    "run_inner",
];

/// Ends of trait names that speak of jobs by themselves.
const STRONG: &[&str] = &[
    "Job",
    "Runnable",
    "RunnableJob",
    "Worker",
    "JobRunner",
    "JobHandler",
    "TaskRunner",
    "Consumer",
    "BackgroundTask",
    "BackgroundAgent",
    "BackgroundService",
    "PeriodicTask",
    "ScheduledTask",
    "CronTask",
    "QueueHandler",
    "MessageHandler",
    "EventConsumer",
    "Workflow",
];

/// Ends of trait names that need a second sign.
const WEAK: &[&str] = &[
    "Task",
    "Runner",
    "Processor",
    "Handler",
    "Executor",
    "Subscriber",
    "Listener",
    "Activity",
];

/// The method of a type's own that is a body by its name.
pub(super) fn inherent_body(program: &Program, def: &TypeDef) -> Option<FnId> {
    def.impls
        .iter()
        .map(|id| &program.impls[id.index()])
        .filter(|owner| owner.trait_.is_none())
        .find_map(|owner| {
            BODIES
                .iter()
                .find_map(|name| owner.methods.get(&Name::from(name)).copied())
        })
}

/// Whether a name speaks of a job by itself.
pub(super) fn is_telling(name: &str) -> bool {
    STRONG.iter().any(|end| name.ends_with(end))
}

/// Whether a name speaks of a job when something else does so too.
pub(super) fn is_hinting(name: &str) -> bool {
    WEAK.iter().any(|end| name.ends_with(end))
}
