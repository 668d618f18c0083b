//! `retrysafe.toml`: what a workspace says of its own jobs.
//!
//! The file is described once, as data: `sections` and `entries` hold every key with what it
//! may be set to. [`read`] checks a file against it, so that every mistake is told at once, each at
//! its own place, and then reads what it says; [`config_schema`] draws the JSON Schema from it.
//! Nothing here knows of the code that is analysed.

mod accept;
mod call_shape;
mod calls;
mod check;
mod entries;
mod job;
mod level;
mod model;
mod pattern;
mod place;
mod read;
mod schema;
mod sections;
mod shape;
mod stored_shape;
mod template;
mod texts;
mod words;

#[cfg(test)]
mod tests;

pub use accept::AcceptEntry;
pub use calls::{CallEntry, Meaning};
pub use job::JobRule;
pub use level::{LevelOf, LevelSetting};
pub use model::{Config, Placed};
pub use pattern::{FilePattern, FunctionPattern, ItemPath, JobPattern, NamePattern};
pub use place::{ConfigError, ConfigPlace};
pub use read::{read, read_below};
pub use schema::config_schema;
pub use template::TEMPLATE;
