//! The schemas of a project: its migrations read and replayed, and the definitions in its code.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use rayon::prelude::*;

use crate::config::Config;
use crate::ir::{Body, Expr, FileId, Gap, GapKind, Literal, Piece, Place};
use crate::jobs::{Database, Schemas, Store};
use crate::project::{Project, list_migrations, read_text};
use crate::resolve::{Known, Program};
use crate::sql::schema::{Change, Schema, define};

use super::definitions::{Vocabulary, definitions};
use super::load::SourceFile;

/// A folder or file of migrations, with the package that it belongs to.
struct Source {
    folder: PathBuf,
    package: PathBuf,
}

/// What one text defines.
struct Defined {
    file: FileId,
    changes: Vec<Change>,
    gaps: Vec<Gap>,
}

/// The schemas, and what could not be read in them. The files of migrations are added to `files`.
pub(super) fn databases(
    project: &Project,
    config: &Config,
    known: &Known,
    program: &Program,
    files: &mut Vec<SourceFile>,
) -> (Schemas, Vec<(FileId, Gap)>) {
    let mut gaps = Vec::new();
    let mut databases = Vec::new();
    for source in sources(
        project,
        config,
        &named_in_code(project, known, program, files),
    ) {
        for (folder, paths) in by_database(&source.folder) {
            let first = files.len();
            let defined: Vec<Defined> = paths
                .par_iter()
                .enumerate()
                .filter_map(|(index, path)| read(project, path, first + index))
                .collect();
            let of_files = paths.iter();
            files.extend(of_files.map(|path| SourceFile::of_definitions(path, &project.root)));
            let mut schema = Schema::default();
            for of in defined {
                gaps.extend(of.gaps.into_iter().map(|gap| (of.file, gap)));
                schema.apply(of.changes);
            }
            if !schema.tables.is_empty() {
                databases.push(Database {
                    folder,
                    package: source.package.clone(),
                    store: Store::Tables,
                    in_code: false,
                    schema,
                });
            }
        }
    }
    databases.extend(in_code(project, known, program, files, &mut gaps));
    let files = files.iter();
    let files = files
        .map(|file| (file.path.clone(), file.shown.clone()))
        .collect();
    (Schemas { databases, files }, gaps)
}

/// Files that hold a whole schema, for packages without migrations.
const WHOLE: &[&str] = &[
    "schema.sql",
    "structure.sql",
    "db/schema.sql",
    "db/structure.sql",
    "sql/schema.sql",
    "database/schema.sql",
];

/// The folders of migrations that code names: `migrate!("db/changes")`.
fn named_in_code(
    project: &Project,
    known: &Known,
    program: &Program,
    files: &[SourceFile],
) -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    for (file, body) in bodies(program) {
        for expr in &body.exprs {
            let Expr::Macro { path, args } = expr else {
                continue;
            };
            let is_one = path
                .last()
                .is_some_and(|name| known.migration_macros.contains(&name));
            let named = args.first().map(|arg| body.expr(*arg));
            if let (true, Some(Expr::Literal(Literal::Str(folder)))) = (is_one, named)
                && let Some(package) = super::package_dir(project, &files[file.0 as usize].path)
            {
                found.push((package.join(folder.as_str()), package));
            }
        }
    }
    found
}

/// The folders of migrations, those of the configuration first.
fn sources(
    project: &Project,
    config: &Config,
    named_in_code: &[(PathBuf, PathBuf)],
) -> Vec<Source> {
    let named = config.migrations.iter().map(|path| Source {
        folder: project.root.join(&path.value),
        package: project.root.clone(),
    });
    let of_root = project.migrations.iter().map(|folder| Source {
        folder: folder.clone(),
        package: project.root.clone(),
    });
    let of_packages = project.packages.iter().flat_map(|package| {
        package.migrations.iter().map(|folder| Source {
            folder: folder.clone(),
            package: package.dir.clone(),
        })
    });
    let mut sources: Vec<Source> = Vec::new();
    let by_code = named_in_code.iter().map(|(folder, package)| Source {
        folder: folder.clone(),
        package: package.clone(),
    });
    for source in named.chain(of_root).chain(of_packages).chain(by_code) {
        let is_known = sources
            .iter()
            .any(|known| is_within(&source.folder, &known.folder));
        if !is_known && source.folder.starts_with(&project.root) {
            sources.push(source);
        }
    }
    let bare = project.packages.iter().map(|package| &package.dir);
    for package in bare.chain([&project.root]) {
        let has_own = sources
            .iter()
            .any(|source| source.folder.starts_with(package));
        let whole = WHOLE.iter().map(|name| package.join(name));
        if let Some(folder) = whole.into_iter().find(|path| path.is_file() && !has_own) {
            sources.push(Source {
                folder,
                package: package.clone(),
            });
        }
    }
    sources
}

/// Whether a folder is another one or lies in it, however the two are written.
fn is_within(folder: &Path, other: &Path) -> bool {
    let plain = |path: &Path| {
        path.components()
            .filter(|part| *part != Component::CurDir)
            .collect::<PathBuf>()
    };
    plain(folder).starts_with(plain(other))
}

/// The files of each database below a folder, in order: a folder for each dialect is one of its own.
fn by_database(folder: &Path) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let mut found: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    let files = match folder.is_file() {
        true => vec![folder.to_path_buf()],
        false => list_migrations(folder),
    };
    for file in files.into_iter().filter(|file| goes_up(file)) {
        let mut database = folder.to_path_buf();
        let below = file.strip_prefix(folder).unwrap_or(&file);
        for part in below.parent().into_iter().flat_map(Path::components) {
            let name = part.as_os_str().to_string_lossy().to_lowercase();
            if is_dialect(&name) {
                let until = file.ancestors().find(|path| path.ends_with(part));
                database = until.map_or(database, Path::to_path_buf);
                break;
            }
        }
        found.entry(database).or_default().push(file);
    }
    found.into_iter().collect()
}

fn is_dialect(name: &str) -> bool {
    const DIALECTS: &[&str] = &[
        "postgres",
        "postgresql",
        "pg",
        "mysql",
        "mariadb",
        "sqlite",
        "sqlite3",
        "mssql",
        "clickhouse",
        "cockroach",
        "cockroachdb",
        "duckdb",
    ];
    let words = name.split(|c: char| !c.is_alphanumeric());
    words.into_iter().any(|word| DIALECTS.contains(&word))
}

/// Whether a file of migrations builds up: one that takes back undoes another.
fn goes_up(file: &Path) -> bool {
    let stem = file
        .file_stem()
        .map(|stem| stem.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    let mut words = stem.split(['.', '_', '-']);
    let first = words.clone().next().unwrap_or_default();
    let last = words.next_back().unwrap_or_default();
    let undoes =
        first.len() > 1 && first.starts_with('u') && first[1..].chars().all(|c| c.is_ascii_digit());
    !matches!(last, "down" | "rollback" | "undo" | "revert") && !undoes
}

fn read(project: &Project, path: &Path, number: usize) -> Option<Defined> {
    let text = read_text(&project.root, path).ok()?;
    let definitions = define(&text, number as u32);
    let line_of = |byte: usize| {
        let before = text.get(..byte).unwrap_or_default();
        before.matches('\n').count() as u32 + 1
    };
    let gaps = definitions.unread.into_iter().map(|unread| {
        let line = line_of(unread.start);
        Gap {
            kind: GapKind::UnreadSql,
            place: Place {
                line,
                column: 0,
                end_line: line,
                end_column: 0,
            },
            message: format!("a migration that is not understood: {}", unread.message),
        }
    });
    Some(Defined {
        file: FileId(number as u32),
        changes: definitions.changes,
        gaps: gaps.collect(),
    })
}

/// What the code defines at start or in migrations of its own, a database for each package.
fn in_code(
    project: &Project,
    known: &Known,
    program: &Program,
    files: &mut Vec<SourceFile>,
    gaps: &mut Vec<(FileId, Gap)>,
) -> Vec<Database> {
    let words = Vocabulary::of(&known.definitions);
    let mut steps: Vec<(FileId, Place, Vec<Change>)> = Vec::new();
    for (file, body) in bodies(program) {
        let texts = texts_of(body).filter(|(_, text)| may_define(text));
        steps.extend(texts.map(|(place, text)| {
            let mut changes = define(text, file.0).changes;
            for change in &mut changes {
                change.begin_at(place.line);
            }
            (file, place, changes)
        }));
        for (place, path) in included(body) {
            let Some(base) = files[file.0 as usize].path.parent() else {
                continue;
            };
            let path = base.join(path);
            // What lies among migrations was read with them.
            if files.iter().any(|known| known.path == path) {
                continue;
            }
            if let Some(defined) = read(project, &path, files.len()) {
                files.push(SourceFile::of_definitions(&path, &project.root));
                gaps.extend(defined.gaps.into_iter().map(|gap| (defined.file, gap)));
                steps.push((file, place, defined.changes));
            }
        }
        let built = definitions(&words, program, file, body);
        steps.extend(
            built
                .into_iter()
                .map(|(place, changes)| (file, place, changes)),
        );
    }
    // Migrations in code are called by their number.
    steps.sort_by(|a, b| {
        let path = |file: FileId| &files[file.0 as usize].path;
        (path(a.0), a.1).cmp(&(path(b.0), b.1))
    });
    let mut found: BTreeMap<PathBuf, Schema> = BTreeMap::new();
    for (file, _, changes) in steps {
        let path = &files[file.0 as usize].path;
        let package = super::package_dir(project, path).unwrap_or_else(|| project.root.clone());
        found.entry(package).or_default().apply(changes);
    }
    of_packages(found, Store::Tables)
}

/// The databases that the code of packages defines.
pub(super) fn of_packages(found: BTreeMap<PathBuf, Schema>, store: Store) -> Vec<Database> {
    let found = found.into_iter();
    found
        .filter(|(_, schema)| !schema.tables.is_empty())
        .map(|(package, schema)| Database {
            folder: package.join("src"),
            package,
            store,
            in_code: true,
            schema,
        })
        .collect()
}

/// The bodies that may define something, of functions and constants; what takes a migration back does not.
fn bodies(program: &Program) -> impl Iterator<Item = (FileId, &Body)> {
    let functions = program.functions.iter();
    let functions = functions.filter(|def| def.function.name != "down");
    let functions = functions.filter_map(|def| Some((def.file, def.function.body.as_ref()?)));
    let consts = program.consts.iter();
    functions.chain(consts.filter_map(|def| Some((def.file, def.item.value.as_ref()?))))
}

/// The literal texts of a body.
fn texts_of(body: &Body) -> impl Iterator<Item = (Place, &str)> {
    let at = body.exprs.iter().zip(&body.places);
    at.filter_map(|(expr, place)| match expr {
        Expr::Literal(Literal::Str(text)) => Some((*place, text.as_str())),
        Expr::Format { pieces, .. } => pieces.iter().find_map(|piece| match piece {
            Piece::Text(text) if pieces.len() == 1 => Some((*place, text.as_str())),
            _ => None,
        }),
        _ => None,
    })
}

/// The SQL files that a body includes as texts.
fn included(body: &Body) -> impl Iterator<Item = (Place, &str)> {
    let at = body.exprs.iter().zip(&body.places);
    at.filter_map(|(expr, place)| {
        let Expr::Macro { path, args } = expr else {
            return None;
        };
        let named = path.last().is_some_and(|name| name == "include_str");
        match args.first().map(|arg| body.expr(*arg)) {
            Some(Expr::Literal(Literal::Str(path))) if named && path.ends_with(".sql") => {
                Some((*place, path.as_str()))
            }
            _ => None,
        }
    })
}

fn may_define(text: &str) -> bool {
    let head = |word: &str| {
        text.match_indices(['C', 'c', 'A', 'a', 'D', 'd'])
            .any(|(at, _)| {
                text.get(at..at + word.len())
                    .is_some_and(|found| found.eq_ignore_ascii_case(word))
            })
    };
    text.len() > 16
        && (head("create table")
            || head("create unique index")
            || head("alter table")
            || head("drop index"))
}
