//! What the catalogue knows of functions inside databases.

use retrysafe_rules::catalog::SqlFunctionEntry;

use super::known::Known;
use super::matching::glob_name;

impl Known {
    /// What a function of a database does, by its name in lower case; the first entry that fits.
    pub fn sql_function(&self, name: &str, arguments: usize) -> Option<&SqlFunctionEntry> {
        self.sql_functions.iter().find(|entry| {
            entry.arguments.is_none_or(|count| count == arguments)
                && entry.names.iter().any(|known| glob_name(known, name))
        })
    }
}
