//! Our own declarations in comments: lines that start with `// retrysafe:`. They belong to what
//! stands directly below them, over attributes and other comments.

use retrysafe_rules::grammar;

use crate::ir::{Mistake, Place, PlacedMark};

use super::lines::{Lines, Remark};
use super::spans;

/// The comments of a file that hold declarations, in order of their lines.
pub(super) struct Comments {
    /// The line of the comment, and what it says.
    found: Vec<(u32, PlacedMark)>,
    /// Lines that hold nothing but comments and attributes, so that a comment reaches over them.
    transparent: Vec<bool>,
}

impl Comments {
    /// Finds the comments in a text.
    pub(super) fn read(text: &str, mistakes: &mut Vec<Mistake>) -> Comments {
        let mut comments = Comments {
            found: Vec::new(),
            transparent: Vec::new(),
        };
        if !text.contains("retrysafe:") {
            return comments;
        }
        let lines = Lines::of(text);
        for remark in &lines.remarks {
            match read_remark(remark) {
                Ok(Some(mark)) => comments.found.push((remark.line, mark)),
                Ok(None) => {}
                Err(found) => mistakes.extend(found),
            }
        }
        comments.transparent = lines.transparent();
        comments
    }

    /// Whether every declaration is taken.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Takes the declarations that stand directly above a line, over attributes and other
    /// comments.
    pub(super) fn take_above(&mut self, line: u32) -> Vec<PlacedMark> {
        if self.found.is_empty() {
            return Vec::new();
        }
        let mut first = line;
        while first > 1
            && self
                .transparent
                .get(first as usize - 2)
                .copied()
                .unwrap_or(false)
        {
            first -= 1;
        }
        self.found
            .extract_if(.., |(at, _)| (first..=line).contains(at))
            .map(|(_, mark)| mark)
            .collect()
    }
}

/// What a line comment declares, if anything.
fn read_remark(remark: &Remark) -> Result<Option<PlacedMark>, Vec<Mistake>> {
    let Some(said) = remark.text.trim_start().strip_prefix("retrysafe:") else {
        return Ok(None);
    };
    let length = |text: &str| text.chars().count() as u32;
    // Two characters are the slashes.
    let column = remark.column + 2 + length(&remark.text) - length(said);
    let inside = |span| {
        let at = spans::place(span);
        Place {
            line: remark.line,
            column: column + at.column,
            end_line: remark.line,
            end_column: column + at.end_column.max(at.column + 1),
        }
    };
    match grammar::parse_text(said) {
        Ok(parsed) => Ok(Some(PlacedMark {
            value: parsed.mark,
            place: Place {
                line: remark.line,
                column: remark.column,
                end_line: remark.line,
                end_column: remark.column + 2 + length(remark.text.trim_end()),
            },
            parts: parsed.parts.into_iter().map(inside).collect(),
        })),
        Err(errors) => Err(errors
            .into_iter()
            .map(|error| Mistake {
                place: inside(error.span),
                message: error.message,
            })
            .collect()),
    }
}
