//! What a function does to the world, in order and in terms of its own parameters.
//!
//! [`build`] turns one body into a [`Timeline`]: nodes in their control structure, and values
//! as terms over parameters, constants and the results of calls. A call is a node that names
//! its callee and its arguments; [`Unfolding`] splices the callee's timeline into the
//! caller's when a job is drawn, with the arguments in place of the parameters. So every
//! function is summarised once, on its own, and nothing is copied.
//!
//! It knows nothing of jobs, protections or messages.

mod build;
mod node;
mod store;
mod unfold;
mod value;

pub use build::build;
pub use node::*;
pub use store::Timelines;
pub use unfold::{
    ArmStep, Begin, Bound, Context, Decision, EnvId, Fallible, Follows, Frame, GuardStep,
    Happening, HappeningKind, Moment, Route, Settled, TurnStep, Unfolding,
};
pub use value::*;
