//! Places in the file, and the mistakes that stand there.

use std::ops::Range;

use retrysafe_rules::vocabulary::nearest;

/// A range of the configuration's file. Lines count from 1, columns from 1 in characters; the
/// end column is that after the last character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConfigPlace {
    /// The first line.
    pub line: u32,
    /// The first column.
    pub column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

/// A mistake in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// Where it stands.
    pub place: ConfigPlace,
    /// What is wrong, with the nearest valid word.
    pub message: String,
}

/// The lines of a text.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Lines {
            text,
            starts: std::iter::once(0).chain(ends).collect(),
        }
    }

    /// The place of a range of bytes.
    pub(super) fn place(&self, span: Range<usize>) -> ConfigPlace {
        let (line, column) = self.position(span.start);
        let (end_line, end_column) = self.position(span.end.max(span.start));
        ConfigPlace {
            line,
            column,
            end_line,
            end_column,
        }
    }

    fn position(&self, at: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.starts[line.saturating_sub(1)];
        // An offset inside a character is its start, one behind the text its end.
        let column = self.text[start..]
            .char_indices()
            .take_while(|(offset, c)| start + offset + c.len_utf8() <= at)
            .count();
        (line as u32, column as u32 + 1)
    }
}

/// The mistakes found so far.
pub(super) struct Errors<'t> {
    pub(super) lines: Lines<'t>,
    pub(super) found: Vec<ConfigError>,
}

impl<'t> Errors<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Errors {
            lines: Lines::new(text),
            found: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, span: Range<usize>, message: impl Into<String>) {
        let place = self.lines.place(span);
        self.found.push(ConfigError {
            place,
            message: message.into(),
        });
    }

    /// The mistakes in the order of their places.
    pub(super) fn sorted(mut self) -> Vec<ConfigError> {
        self.found.sort_by_key(|error| error.place);
        self.found
    }
}

/// What to say of a word that is none of the valid ones.
pub(super) fn unknown_word(what: &str, word: &str, words: &[&str]) -> String {
    match nearest(word, words.iter().copied()) {
        Some(near) => format!("unknown {what} `{word}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{word}`; it is one of {}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let lines = Lines::new("ab\näöx = 1\n");
        let place = lines.place(7..8);
        assert_eq!((place.line, place.column), (2, 3));
        assert_eq!((place.end_line, place.end_column), (2, 4));
    }

    #[test]
    fn no_offset_is_out_of_reach() {
        let text = "ä\r\n\nb";
        let lines = Lines::new(text);
        for start in 0..text.len() + 3 {
            let place = lines.place(start..start + 1);
            assert!(place.line >= 1 && place.line <= 3 && place.column >= 1);
        }
        assert_eq!(Lines::new("").place(0..9).end_column, 1);
    }
}
