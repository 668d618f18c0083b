//! Acceptances: decisions written down, and what they silence.
//!
//! An acceptance in code stands on a function, a statement or an expression and covers the
//! findings of its rule at or below it; one in the configuration covers files or jobs. One that
//! is wrong, or that covers nothing, is a finding itself.

mod acceptance;
mod apply;
mod gather;
mod judged;
mod unused;

pub use acceptance::{Acceptance, Scope};
pub use judged::judged;
