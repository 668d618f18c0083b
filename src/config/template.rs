//! The file that `cargo retrysafe init` writes.

/// A `retrysafe.toml` in which everything is explained and nothing is set: examples stand behind a
/// `#` without a space, and hold when it is taken away.
pub const TEMPLATE: &str = include_str!("template.toml");
