//! Retrysafe.

pub mod analysis;
pub mod cli;
pub mod config;
pub mod ir;
pub mod jobs;
pub mod lower;
pub mod project;
pub mod report;
pub mod resolve;
pub mod sql;
pub mod timeline;
