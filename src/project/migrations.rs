//! Folders of SQL migrations, and their files in the order in which they are applied.
//!
//! What the statements say is not its business. Migrations written in Rust are ordinary source.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::paths;
use super::source;

/// Deeper than any folder of migrations seen; keeps a walk over foreign data short.
const DEEPEST: usize = 12;

/// `migrations/<dialect>/<stamp>/up.sql` is the deepest layout in use.
const DEEPEST_SQL: usize = 3;

/// The migration folders below `base`. Folders with a manifest of their own are entered only when
/// they are packages of the project.
pub(super) fn find(base: &Path, packages: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut walk = WalkDir::new(base).max_depth(DEEPEST).into_iter();
    while let Some(entry) = walk.next() {
        let Ok(entry) = entry else { continue };
        let path = entry.path();
        if entry.file_type().is_symlink() {
            if is_migration_name(path) && source::is_below(base, path) && holds_sql(path) {
                found.push(path.to_path_buf());
            }
            continue;
        }
        if !entry.file_type().is_dir() {
            continue;
        }
        let is_other_project =
            entry.depth() > 0 && !packages.contains(path) && path.join("Cargo.toml").is_file();
        if is_other_project || paths::is_foreign_folder(base, path) {
            walk.skip_current_dir();
        } else if is_migration_name(path) && holds_sql(path) {
            found.push(path.to_path_buf());
            walk.skip_current_dir();
        }
    }
    found.sort();
    found
}

fn is_migration_name(path: &Path) -> bool {
    matches!(
        path.file_name().and_then(OsStr::to_str),
        Some("migrations" | "migration")
    )
}

fn holds_sql(folder: &Path) -> bool {
    sql_entries(folder, DEEPEST_SQL).next().is_some()
}

fn sql_entries(folder: &Path, deepest: usize) -> impl Iterator<Item = PathBuf> {
    WalkDir::new(folder)
        .max_depth(deepest)
        .into_iter()
        .filter_entry(|entry| {
            !entry.file_type().is_dir() || entry.depth() == 0 || !is_hidden(entry.path())
        })
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension() == Some(OsStr::new("sql")) && path.is_file())
}

fn is_hidden(path: &Path) -> bool {
    paths::last_name(path).starts_with('.')
}

/// The SQL files below a folder in the order of their names, numbers counted as numbers: `V2`
/// stands before `V10`. Both directions of a migration are there; which is which, its name says.
pub fn list_migrations(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = sql_entries(folder, DEEPEST).collect();
    files.sort_by(|a, b| {
        let (a, b) = (a.to_string_lossy(), b.to_string_lossy());
        compare(&a, &b)
    });
    files
}

/// Compares texts with each run of digits as one number.
fn compare(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (Some(x), Some(y)) = (left.chars().next(), right.chars().next()) else {
            // Equal as numbers is not equal as names: `01` and `1` keep a fixed order.
            return left.len().cmp(&right.len()).then_with(|| a.cmp(b));
        };
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let (number, rest) = split_number(left);
            let (other, other_rest) = split_number(right);
            let order = number
                .len()
                .cmp(&other.len())
                .then_with(|| number.cmp(other));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (rest, other_rest);
        } else if x == y {
            left = &left[x.len_utf8()..];
            right = &right[y.len_utf8()..];
        } else {
            return x.cmp(&y);
        }
    }
}

/// The digits at the start without leading zeros, and what follows.
fn split_number(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    (text[..end].trim_start_matches('0'), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    fn found(tree: &Tree) -> Vec<PathBuf> {
        find(&tree.path(""), &BTreeSet::new())
    }

    #[test]
    fn folders_with_sql_are_found_wherever_they_lie() {
        let tree = Tree::new([
            ("migrations/1_a.sql", ""),
            ("db/migrations/2023-01-01-000000_a/up.sql", ""),
            ("src/store/migrations/postgres/V1__a/up.sql", ""),
            ("tools/migration/a.sql", ""),
        ]);
        let expected = [
            "db/migrations",
            "migrations",
            "src/store/migrations",
            "tools/migration",
        ];
        assert_eq!(found(&tree), expected.map(|path| tree.path(path)));
    }

    #[test]
    fn folders_without_sql_and_foreign_folders_are_not() {
        let tree = Tree::new([
            ("src/migrations/m1.rs", ""),
            ("target/package/migrations/a.sql", ""),
            ("web/node_modules/x/migrations/a.sql", ""),
            (".git/migrations/a.sql", ""),
            ("examples/other/Cargo.toml", "[package]\nname = \"other\"\n"),
            ("examples/other/migrations/a.sql", ""),
        ]);
        assert_eq!(found(&tree), Vec::<PathBuf>::new());
        let known = BTreeSet::from([tree.path("examples/other")]);
        assert_eq!(
            find(&tree.path(""), &known),
            [tree.path("examples/other/migrations")],
            "a package of the project is entered"
        );
    }

    #[test]
    fn a_folder_inside_a_migration_folder_is_not_told_twice() {
        let tree = Tree::new([
            ("migrations/migrations/a.sql", ""),
            ("migrations/b.sql", ""),
        ]);
        assert_eq!(found(&tree), [tree.path("migrations")]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_migration_folder_counts_and_a_loop_ends() {
        let tree = Tree::new([("sql/a.sql", ""), ("app/b.rs", ""), ("out/x.sql", "")]);
        tree.link("app/migrations", "sql");
        tree.link("app/loop", "app");
        assert_eq!(found(&tree), [tree.path("app/migrations")]);
        assert_eq!(
            find(&tree.path("app"), &BTreeSet::new()),
            Vec::<PathBuf>::new(),
            "from here the link leads outside"
        );
    }

    #[test]
    fn files_are_listed_in_the_order_of_their_numbers() {
        let tree = Tree::new([
            ("migrations/V10__c.sql", ""),
            ("migrations/V2__b.sql", ""),
            ("migrations/V2__b.txt", ""),
            ("migrations/V1__a/up.sql", ""),
        ]);
        let expected = ["V1__a/up.sql", "V2__b.sql", "V10__c.sql"];
        assert_eq!(
            list_migrations(&tree.path("migrations")),
            expected.map(|path| tree.path("migrations").join(path))
        );
        assert_eq!(list_migrations(&tree.path("none")), Vec::<PathBuf>::new());
    }

    #[test]
    fn comparing_is_total() {
        assert_eq!(compare("a01", "a1"), Ordering::Less);
        assert_eq!(compare("a1", "a01"), Ordering::Greater);
        assert_eq!(compare("a1b", "a1"), Ordering::Greater);
        assert_eq!(compare("a", "a"), Ordering::Equal);
        assert_eq!(compare("20230101_x", "3_x"), Ordering::Greater);
    }
}
