//! The few calls that open files and list folders.
//!
//! Knows nothing of Rust, manifests or problems' wording beyond the file itself. Everything is
//! read whole and bounded, because the analysed project is not trusted.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::problem::{Problem, ProblemKind};

/// No source file, manifest or SQL file that a person wrote is larger.
pub(super) const LARGEST: u64 = 8 * 1024 * 1024;

/// Lock files of the largest workspaces stay far below.
pub(super) const LARGEST_LOCK: u64 = 32 * 1024 * 1024;

/// Reads a whole text file without its byte order mark.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where files are read"
)]
pub(super) fn read(path: &Path, largest: u64) -> Result<String, Problem> {
    let metadata = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if !metadata.is_file() {
        // A pipe or device would block or never end.
        return Err(Problem::unreadable(
            ProblemKind::Unreadable,
            path,
            "this is not a regular file",
            "name a file",
        ));
    }
    if metadata.len() > largest {
        return Err(Problem::unreadable(
            ProblemKind::TooLarge,
            path,
            format!(
                "the file is larger than {} MiB and was not read",
                largest / (1024 * 1024)
            ),
            "exclude it if it is generated, or split it",
        ));
    }
    let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
            Err(Problem::unreadable(
                ProblemKind::NotText,
                path,
                "the file is not valid UTF-8",
                "save it as UTF-8",
            )
            .at(&text, valid))
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Problem {
    Problem::unreadable(
        ProblemKind::Unreadable,
        path,
        format!("the file cannot be read: {error}"),
        if error.kind() == io::ErrorKind::NotFound {
            "check the path"
        } else {
            "check its permissions"
        },
    )
}

/// The entries of a folder in a fixed order; an unreadable folder has none.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where folders are listed"
)]
pub(super) fn list(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    entries.sort();
    entries
}

/// Writes a whole text file where none is.
pub(super) fn create(path: &Path, text: &str) -> Result<(), Problem> {
    let created = fs::File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    created.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Problem::unreadable(
            ProblemKind::Exists,
            path,
            "the file exists already and was left as it is",
            "edit it, or remove it first",
        ),
        _ => Problem::unreadable(
            ProblemKind::Unreadable,
            path,
            format!("the file cannot be written: {error}"),
            "check the permissions of its folder",
        ),
    })
}

/// Writes a whole text file.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Problem> {
    fs::write(path, text).map_err(|error| {
        Problem::unreadable(
            ProblemKind::Unreadable,
            path,
            format!("the report cannot be written: {error}"),
            "name a file in a folder that exists",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    #[test]
    fn a_byte_order_mark_goes_and_carriage_returns_stay() {
        let tree = Tree::new([("a.rs", "\u{feff}fn a() {}\r\n")]);
        assert_eq!(
            read(&tree.path("a.rs"), LARGEST).as_deref(),
            Ok("fn a() {}\r\n")
        );
    }

    #[test]
    fn text_that_is_not_utf_8_is_a_problem_at_its_first_bad_byte() {
        let tree = Tree::new([]);
        let path = tree.path("latin.rs");
        fs::write(&path, b"// ok\n// caf\xe9\n").expect("the tree is writable");
        let problem = read(&path, LARGEST).expect_err("latin-1 is not UTF-8");
        assert_eq!(problem.kind, ProblemKind::NotText);
        assert_eq!((problem.line, problem.column), (Some(2), Some(7)));
    }

    #[test]
    fn a_file_over_the_limit_is_a_problem_and_one_at_the_limit_is_read() {
        let tree = Tree::new([("a.rs", "12345678")]);
        let path = tree.path("a.rs");
        assert!(read(&path, 8).is_ok());
        let problem = read(&path, 7).expect_err("eight bytes are more than seven");
        assert_eq!(problem.kind, ProblemKind::TooLarge);
    }

    #[test]
    fn a_file_that_exists_is_never_written_over() {
        let tree = Tree::new([("a.toml", "mine")]);
        let problem = create(&tree.path("a.toml"), "theirs").expect_err("it is there");
        assert_eq!(problem.kind, ProblemKind::Exists);
        assert_eq!(read(&tree.path("a.toml"), 8).as_deref(), Ok("mine"));
        create(&tree.path("b.toml"), "new").expect("it is not there");
        assert_eq!(read(&tree.path("b.toml"), 8).as_deref(), Ok("new"));
    }

    #[test]
    fn folders_and_missing_files_are_problems() {
        let tree = Tree::new([]);
        let folder = read(&tree.path(""), LARGEST).expect_err("a folder has no text");
        assert_eq!(folder.message, "this is not a regular file");
        let missing = read(&tree.path("no.rs"), LARGEST).expect_err("it does not exist");
        assert_eq!(missing.kind, ProblemKind::Unreadable);
    }
}
