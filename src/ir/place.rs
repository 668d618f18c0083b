//! Places in source text.

use serde::{Deserialize, Serialize};

/// A range of a source file. Lines count from 1, columns from 0 in characters; the end is
/// exclusive.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Place {
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
}

impl Place {
    /// From the start of `self` to the end of `last`.
    pub fn to(self, last: Place) -> Place {
        Place {
            end_line: last.end_line,
            end_column: last.end_column,
            ..self
        }
    }

    /// Whether `other` lies within.
    pub fn covers(self, other: Place) -> bool {
        (self.line, self.column) <= (other.line, other.column)
            && (other.end_line, other.end_column) <= (self.end_line, self.end_column)
    }
}

/// A file of the project, by its position in the list of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A place in a known file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Site {
    /// The file.
    pub file: FileId,
    /// Where in it.
    pub place: Place,
}
