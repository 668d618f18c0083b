//! What went wrong while reading the project, with its place and what to do about it.
//!
//! Knows nothing of manifests or modules: others say what happened, this keeps it in one shape.
//! Exit codes are the caller's business; [`Severity`] and [`ProblemKind`] are what it decides by.

use std::path::{Path, PathBuf};

/// Something that kept a part of the project from being read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// What happened, for the caller to decide by.
    pub kind: ProblemKind,
    /// The file or folder it is about, absolute.
    pub path: PathBuf,
    /// The line, from 1, where one is known.
    pub line: Option<usize>,
    /// The column in characters, from 1, where one is known.
    pub column: Option<usize>,
    /// One lower-case clause.
    pub message: String,
    /// What to do, in the imperative.
    pub remedy: String,
    /// Whether something stayed unread because of it.
    pub severity: Severity,
}

/// How much a problem weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Input that should have been analysed was not: nothing may be called clean.
    Unreadable,
    /// Worth a line, but everything there is was read.
    Note,
}

/// What kind of problem it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// No `Cargo.toml` where one was named, nor in any folder above.
    NoManifest,
    /// There is no Rust source to analyse.
    NoRust,
    /// A manifest is not valid TOML or not a valid manifest.
    ManifestInvalid,
    /// A member or path dependency is named by a manifest but does not exist.
    MemberMissing,
    /// A package belongs to no workspace although it lies below one.
    NotAMember,
    /// A run at a root that is a package itself reports nothing of the other members.
    MembersLeftOut,
    /// `-p` or `--exclude` names no package.
    PackageMissing,
    /// Two packages have one name.
    DuplicateName,
    /// A target's source file does not exist.
    TargetMissing,
    /// A package has neither library nor binary.
    NoTargets,
    /// `Cargo.lock` cannot be understood.
    LockInvalid,
    /// Configuration stands in two places, of which one is ignored.
    ConfigShadowed,
    /// A path given by the user does not exist.
    PathMissing,
    /// A path given by the user belongs to another workspace.
    OtherWorkspace,
    /// The file behind `mod name;` does not exist.
    ModuleMissing,
    /// A path leaves the workspace root.
    OutsideRoot,
    /// A file is larger than what is read.
    TooLarge,
    /// A file is not UTF-8.
    NotText,
    /// A file that was to be written is there already.
    Exists,
    /// A file or folder exists but cannot be read.
    Unreadable,
}

impl Problem {
    pub(super) fn unreadable(
        kind: ProblemKind,
        path: &Path,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            path: path.to_path_buf(),
            line: None,
            column: None,
            message: message.into(),
            remedy: remedy.into(),
            severity: Severity::Unreadable,
        }
    }

    pub(super) fn note(
        kind: ProblemKind,
        path: &Path,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Note,
            ..Self::unreadable(kind, path, message, remedy)
        }
    }

    /// Adds the place of a byte offset into the file's text.
    pub(super) fn at(mut self, text: &str, offset: usize) -> Self {
        let (line, column) = position(text, offset);
        self.line = Some(line);
        self.column = Some(column);
        self
    }
}

/// Line and column, both from 1, the column in characters.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn columns_count_characters_and_lines_start_at_one() {
        assert_eq!(position("ab\näöx", 0), (1, 1));
        assert_eq!(position("ab\näöx", 7), (2, 3));
        assert_eq!(position("ab\nä", 99), (2, 2));
        assert_eq!(
            position("ä", 1),
            (1, 1),
            "an offset inside a character is its start"
        );
    }
}
