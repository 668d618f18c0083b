//! Retrysafe.

pub mod analysis;
pub mod config;
pub mod ir;
pub mod jobs;
pub mod lower;
pub mod project;
pub mod resolve;
pub mod sql;
pub mod timeline;
