//! A job as it was found.

use retrysafe_rules::catalog::Attempts;
use retrysafe_rules::grammar::Listed;
use retrysafe_rules::vocabulary::{Delivery, JobKind};

use crate::config::ConfigPlace;
use crate::ir::{Name, Place, Site};
use crate::resolve::FnId;

use super::input::Input;

/// A function, or a part of one, that can run more than once for the same piece of work.
#[derive(Debug, Clone)]
pub struct Job {
    /// Its name within its crate; with the arm in brackets where a dispatch has several.
    pub name: String,
    /// The function that is or holds its body.
    pub function: FnId,
    /// Which part of the function the body is.
    pub body: Body,
    /// Where its name, or the part, stands.
    pub site: Site,
    /// What kind of job it is.
    pub kind: JobKind,
    /// The framework that runs it; `None` for plain loops and declared jobs.
    pub framework: Option<String>,
    /// How often it may run.
    pub runs: RunsHow,
    /// Why it counts as a job.
    pub why: String,
    /// The template of its key, when it is declared.
    pub key: Option<String>,
    /// What the work is about.
    pub inputs: Vec<Input>,
    /// The effects that its declaration lists.
    pub listed: Option<Vec<Listed>>,
    /// Where it is declared to be a job, when it is.
    pub declaration: Option<Declaration>,
    /// Whether it counts only when it has an effect.
    pub needs_effect: bool,
    /// Whether its work comes out of the memory of its own process.
    pub is_local: bool,
    /// Whether it is a method of a type that no other code of the workspace names: then nothing there
    /// hands it to a runner.
    pub is_unnamed: bool,
    /// Whether it hands its work on to other jobs that the code has for it: then its own writes
    /// are the bookkeeping of a queue.
    pub drives: bool,
}

/// Where a job is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declaration {
    /// By an attribute or comment, with the places of the effects that it lists.
    Mark(Site, Vec<Site>),
    /// By an entry of the configuration.
    Entry(ConfigPlace),
}

/// Which part of a function is the body of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Body {
    /// All of it.
    Whole,
    /// The arms of a dispatch for one variant or text: the place of the branch, and the label.
    Arm(Place, Name),
    /// A closure or a loop, by its place.
    Part(Place),
}

/// How often a job may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunsHow {
    /// How often the runner hands out the same work.
    pub delivery: Delivery,
    /// How many times one piece of work may run in all.
    pub attempts: Attempts,
    /// Types handed in by the framework.
    pub injected: Vec<Name>,
    /// Names of what the framework hands in anew for each attempt.
    pub attempt: Vec<Name>,
    /// Whether the body itself takes the message.
    pub takes: bool,
}

impl RunsHow {
    /// Of a job of which the code does not tell how it is run.
    pub(super) fn untold() -> Self {
        RunsHow {
            delivery: Delivery::Unknown,
            attempts: Attempts::Unknown,
            injected: Vec::new(),
            attempt: Vec::new(),
            takes: false,
        }
    }
}
