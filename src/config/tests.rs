//! The file as a whole: what it says, every mistake at its place, the template and the schema.

mod mistakes;
mod said;
mod schema;
mod template;

use super::{ConfigError, read};

/// The mistakes in a file, with line and column.
fn mistakes(text: &str) -> Vec<(u32, u32, String)> {
    let told = |error: ConfigError| (error.place.line, error.place.column, error.message);
    match read(text) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.into_iter().map(told).collect(),
    }
}

/// The template with every example switched on.
fn uncommented() -> String {
    let line = |line: &'static str| match line.strip_prefix('#') {
        Some(example) if !example.is_empty() && !example.starts_with(' ') => example,
        _ => line,
    };
    super::TEMPLATE
        .lines()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}
