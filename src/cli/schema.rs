//! `cargo retrysafe schema`.

use std::io::Write;

use crate::config::config_schema;
use crate::report::{map_schema, report_schema};

use super::arguments::SchemaOf;
use super::exit::Exit;

/// Prints a JSON Schema.
pub(super) fn run(of: SchemaOf) -> Exit {
    let schema = match of {
        SchemaOf::Report => report_schema(),
        SchemaOf::Map => map_schema(),
        SchemaOf::Config => config_schema(),
    };
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    // A closed pipe is the reader's decision.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Exit::Clean
}
