//! Retrysafe.

pub mod ir;
pub mod resolve;
pub mod lower;
pub mod timeline;
