//! Single files on behalf of later stages: source files and the texts that macros name.
//!
//! Does not know which files belong to the project; callers ask for them one by one.

use std::fs;
use std::path::Path;

use super::disk;
use super::problem::{Problem, ProblemKind};

/// Reads one source file. The byte order mark is dropped, line ends stay as they are so that
/// positions hold.
///
/// # Errors
///
/// A missing or unreadable file, one that is not UTF-8, and one larger than 8 MiB.
pub fn read_source(path: &Path) -> Result<String, Problem> {
    disk::read(path, disk::LARGEST)
}

/// Reads any text file below `root`: the SQL of `query_file!`, the text of `include_str!`.
///
/// # Errors
///
/// As [`read_source`]; and [`ProblemKind::OutsideRoot`] when the file lies elsewhere once symbolic
/// links are followed, so that a project cannot make the tool print what is not its own.
pub fn read_text(root: &Path, path: &Path) -> Result<String, Problem> {
    let path = root.join(path);
    if !is_below(root, &path) && path.exists() {
        return Err(Problem::note(
            ProblemKind::OutsideRoot,
            &path,
            "the path leads out of the workspace and was not followed",
            "keep the file below the workspace root",
        ));
    }
    disk::read(&path, disk::LARGEST)
}

/// Whether an existing path stays below `root` once symbolic links are followed.
pub(super) fn is_below(root: &Path, path: &Path) -> bool {
    match (fs::canonicalize(root), fs::canonicalize(path)) {
        (Ok(root), Ok(path)) => path.starts_with(root),
        _ => false,
    }
}

/// Reads a configuration file that the user names.
///
/// # Errors
///
/// When it cannot be read.
pub fn read_config(path: &Path) -> Result<super::ConfigFile, Problem> {
    let text = disk::read(path, disk::LARGEST)?;
    Ok(super::ConfigFile {
        path: path.to_path_buf(),
        text,
        table: &[],
    })
}

/// Writes a new file, and never over one that is there.
///
/// # Errors
///
/// [`ProblemKind::Exists`] when there is one; or when it cannot be written.
pub fn create_file(path: &Path, text: &str) -> Result<(), Problem> {
    disk::create(path, text)
}

/// Writes a report to the file that the user names.
///
/// # Errors
///
/// When it cannot be written.
pub fn write_output(path: &Path, text: &str) -> Result<(), Problem> {
    disk::write(path, text)
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    #[test]
    fn a_text_below_the_root_is_read() {
        let tree = Tree::new([("app/sql/a.sql", "select 1")]);
        let root = tree.path("app");
        assert_eq!(
            read_text(&root, Path::new("sql/a.sql")).as_deref(),
            Ok("select 1")
        );
        assert_eq!(
            read_text(&root, &root.join("sql/../sql/a.sql")).as_deref(),
            Ok("select 1")
        );
    }

    #[test]
    fn dots_that_leave_the_root_are_refused() {
        let tree = Tree::new([("secret.txt", "s3cret"), ("app/a.sql", "")]);
        let problem = read_text(&tree.path("app"), Path::new("../secret.txt"))
            .expect_err("the file is not the project's");
        assert_eq!(problem.kind, ProblemKind::OutsideRoot);
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_that_leaves_the_root_is_refused_and_one_that_stays_is_read() {
        let tree = Tree::new([("secret.txt", "s3cret"), ("app/a.sql", "select 1")]);
        tree.link("app/out.sql", "secret.txt");
        tree.link("app/in.sql", "app/a.sql");
        let root = tree.path("app");
        let problem = read_text(&root, Path::new("out.sql")).expect_err("it leaves the root");
        assert_eq!(problem.kind, ProblemKind::OutsideRoot);
        assert_eq!(
            read_text(&root, Path::new("in.sql")).as_deref(),
            Ok("select 1")
        );
    }

    #[test]
    fn a_missing_text_says_that_it_is_missing_rather_than_outside() {
        let tree = Tree::new([]);
        let problem = read_text(&tree.path(""), Path::new("no.sql")).expect_err("missing");
        assert_eq!(problem.kind, ProblemKind::Unreadable);
    }

    #[test]
    fn a_source_file_keeps_its_line_ends() {
        let tree = Tree::new([("a.rs", "\u{feff}// a\r\n")]);
        assert_eq!(read_source(&tree.path("a.rs")).as_deref(), Ok("// a\r\n"));
    }
}
