//! The command line as a user meets it: exit codes, messages, formats, the same output on any
//! number of threads.

#![expect(clippy::disallowed_methods, reason = "the tests run the binary")]

use std::path::Path;

use retrysafe_rules::rule::Rule;
use serde_json::Value;

#[path = "harness/binary.rs"]
mod binary;

use binary::{folder, retrysafe, retrysafe_with};

fn fixture(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name)
}

const MANIFEST: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

/// One job that writes a file anew.
const JOB: &str =
    "#[retrysafe::job]\npub fn note() {\n    let _ = std::fs::write(\"/srv/note\", \"done\");\n}\n";

#[test]
fn a_map_ends_in_zero_and_goes_to_standard_output() {
    let run = retrysafe(&fixture("invoice-follow-up"), &["map"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.contains("send_invoice_reminder"), "{}", run.out);
}

#[test]
fn cargo_calls_it_with_its_own_name() {
    let run = retrysafe(&fixture("invoice-follow-up"), &["retrysafe", "jobs"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.out.contains("at least once, up to 5 attempts"),
        "{}",
        run.out
    );
}

#[test]
fn a_manifest_that_does_not_parse_ends_in_two() {
    let dir = folder(&[("Cargo.toml", "[package\nname = 1"), ("src/lib.rs", JOB)]);
    let run = retrysafe(dir.path(), &["map"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("Cargo.toml:1"), "{}", run.err);
    assert!(run.err.contains("help:"), "{}", run.err);
}

#[test]
fn a_missing_member_is_told_and_the_rest_is_analysed() {
    let dir = folder(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"shop\", \"gone\"]\n",
        ),
        ("shop/Cargo.toml", MANIFEST),
        ("shop/src/lib.rs", JOB),
    ]);
    let run = retrysafe(dir.path(), &["map"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("gone"), "{}", run.err);
    assert!(run.out.contains("/srv/note"), "{}", run.out);
    assert_eq!(retrysafe(dir.path(), &["map", "--keep-going"]).code, 0);
}

#[test]
fn a_file_that_does_not_parse_is_told_and_the_rest_is_analysed() {
    let dir = folder(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", &format!("mod broken;\n{JOB}")),
        ("src/broken.rs", "pub fn half( {\n"),
    ]);
    let run = retrysafe(dir.path(), &["map"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("src/broken.rs:1"), "{}", run.err);
    assert!(run.out.contains("/srv/note"), "{}", run.out);
    let json = retrysafe(dir.path(), &["map", "--format", "json"]);
    let value: Value = serde_json::from_str(&json.out).expect("an object whatever the exit code");
    assert_eq!(value["problems"][0]["file"], "src/broken.rs");
    assert_eq!(value["jobs"].as_array().map(Vec::len), Some(1));
    assert_eq!(retrysafe(dir.path(), &["map", "--keep-going"]).code, 0);
}

/// Two jobs that insert into one table, where something may fail behind it.
const LEDGER: &str = r#"
// retrysafe: job(attempts = 5)
pub async fn book(order: i64, pool: sqlx::PgPool) -> anyhow::Result<()> {
    sqlx::query("INSERT INTO ledger (order_id) VALUES ($1)").bind(order).execute(&pool).await?;
    std::fs::read("settings")?;
    Ok(())
}

// retrysafe: job(attempts = 5)
pub async fn book_back(order: i64, pool: sqlx::PgPool) -> anyhow::Result<()> {
    sqlx::query("INSERT INTO ledger (order_id) VALUES ($1)").bind(-order).execute(&pool).await?;
    std::fs::read("settings")?;
    Ok(())
}
"#;

fn ledger(files: &[(&str, &str)]) -> binary::Run {
    let manifest = format!("{MANIFEST}\n[dependencies]\nanyhow = \"1\"\nsqlx = \"0.8\"\n");
    let mut all = vec![("Cargo.toml", manifest.as_str()), ("src/lib.rs", LEDGER)];
    all.extend(files);
    let dir = folder(&all);
    retrysafe(dir.path(), &["check", "--format", "short", "--gaps"])
}

#[test]
fn a_missing_schema_is_told_once() {
    let run = ledger(&[]);
    assert_eq!(run.out.matches("blind-insert").count(), 2, "{}", run.out);
    assert!(run.out.contains("no schema was found"), "{}", run.out);
    assert_eq!(run.err.matches("(no-schema)").count(), 1, "{}", run.err);
}

#[test]
fn a_unique_key_of_a_migration_is_found() {
    let table = "CREATE TABLE ledger (id bigserial PRIMARY KEY, order_id bigint NOT NULL);";
    let run = ledger(&[("migrations/1_ledger.sql", table)]);
    assert_eq!(run.out.matches("blind-insert").count(), 2, "{}", run.out);
    assert!(!run.err.contains("no-schema"), "{}", run.err);
    let index = "CREATE UNIQUE INDEX one_booking ON ledger (order_id);";
    let migrations = [
        ("migrations/1_ledger.sql", table),
        ("migrations/2_index.sql", index),
    ];
    assert_eq!(
        ledger(&migrations).out,
        "",
        "the index stands in the way of a second row"
    );
    let undone = [
        ("migrations/1_ledger.sql", table),
        ("migrations/2_index.up.sql", index),
        ("migrations/2_index.down.sql", "DROP INDEX one_booking;"),
    ];
    assert_eq!(
        ledger(&undone).out,
        "",
        "what takes a migration back is not run"
    );
}

#[test]
fn a_migration_that_is_not_understood_costs_itself_only() {
    let text = "CREATE TABLE ledger (id bigserial PRIMARY KEY, order_id bigint NOT NULL UNIQUE);\n\n\
                ALTER TABLE ledger ADD CONSTRAINT odd UNIQUE <<< order_id;\n";
    let run = ledger(&[("migrations/1_ledger.sql", text)]);
    assert_eq!(run.out, "", "{}", run.out);
    assert!(run.err.contains("migrations/1_ledger.sql:3"), "{}", run.err);
}

#[test]
fn migrations_that_the_configuration_names_are_read() {
    let table = "CREATE TABLE ledger (id bigserial PRIMARY KEY, order_id bigint NOT NULL UNIQUE);";
    let config = "[schema]\nmigrations = [\"db/changes\"]\n";
    let run = ledger(&[("db/changes/1.sql", table), ("retrysafe.toml", config)]);
    assert_eq!(run.out, "", "{}", run.out);
}

#[test]
fn a_schema_as_a_whole_and_a_folder_that_code_names_are_read() {
    let table = "CREATE TABLE ledger (id bigserial PRIMARY KEY, order_id bigint NOT NULL UNIQUE);";
    let run = ledger(&[("db/structure.sql", table)]);
    assert_eq!(run.out, "", "{}", run.out);
    let code = "pub async fn migrate(pool: &sqlx::PgPool) {\n    sqlx::migrate!(\"./changes\").run(pool).await.ok();\n}\n";
    let source = format!("{LEDGER}\n{code}");
    let run = ledger(&[("changes/1_ledger.sql", table), ("src/lib.rs", &source)]);
    assert_eq!(run.out, "", "{}", run.out);
}

#[test]
fn tables_that_only_grow_are_silent() {
    let config = "append_only_tables = [\"ledger\"]\naudit_columns = [\"nobody\"]\n";
    let run = ledger(&[("retrysafe.toml", config)]);
    assert!(!run.out.contains("blind-insert"), "{}", run.out);
    assert!(run.out.contains("unused-accept"), "{}", run.out);
}

#[test]
fn a_folder_without_rust_ends_in_three() {
    let dir = folder(&[("README.txt", "nothing here")]);
    let run = retrysafe(dir.path(), &["map", "."]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("Rust"), "{}", run.err);
}

#[test]
fn code_without_a_job_ends_in_three_and_says_how_to_mark_one() {
    let dir = folder(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", "pub fn idle() {}\n"),
    ]);
    let run = retrysafe(dir.path(), &["map"]);
    assert_eq!(run.code, 3);
    assert!(run.err.contains("#[retrysafe::job]"), "{}", run.err);
    assert_eq!(retrysafe(dir.path(), &["map", "--allow-no-jobs"]).code, 0);
}

#[test]
fn every_mistake_of_a_configuration_is_told_at_once() {
    let dir = folder(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", JOB),
        (
            "retrysafe.toml",
            "[[job]]\npath = \"crate::note\"\ndelivery = \"at-leest-once\"\nattemps = 3\n",
        ),
    ]);
    let run = retrysafe(dir.path(), &["map"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("retrysafe.toml:3"), "{}", run.err);
    assert!(
        run.err.contains("did you mean `at-least-once`?"),
        "{}",
        run.err
    );
    assert!(run.err.contains("retrysafe.toml:4"), "{}", run.err);
    assert!(run.err.contains("did you mean `attempts`?"), "{}", run.err);
}

#[test]
fn a_configuration_entry_makes_a_function_a_job() {
    let dir = folder(&[
        ("Cargo.toml", MANIFEST),
        (
            "src/lib.rs",
            "pub fn note() {\n    let _ = std::fs::write(\"/srv/note\", \"done\");\n}\n",
        ),
        (
            "retrysafe.toml",
            "[[job]]\npath = \"crate::note\"\nattempts = 3\n",
        ),
    ]);
    let run = retrysafe(dir.path(), &["jobs"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("up to 3 attempts"), "{}", run.out);
}

#[test]
fn plain_files_need_no_manifest() {
    let dir = folder(&[("work.rs", JOB)]);
    let run = retrysafe(dir.path(), &["map", "work.rs"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("/srv/note"), "{}", run.out);
}

#[test]
fn a_job_is_picked_by_its_name() {
    let picked = retrysafe(&fixture("invoice-follow-up"), &["map", "--job", "send_*"]);
    assert_eq!(picked.code, 0);
    let none = retrysafe(&fixture("invoice-follow-up"), &["map", "--job", "charge"]);
    assert_eq!(none.code, 3);
    assert!(none.err.contains("`charge`"), "{}", none.err);
}

#[test]
fn wrong_words_end_in_two() {
    let run = retrysafe(&fixture("invoice-follow-up"), &["map", "--format", "xml"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("possible values"), "{}", run.err);
}

#[test]
fn an_output_file_is_written_instead() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("map.md");
    let shown = file.display().to_string();
    let run = retrysafe(
        &fixture("invoice-follow-up"),
        &["map", "--format", "markdown", "--output", &shown],
    );
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    let text = std::fs::read_to_string(file).expect("it was written");
    assert!(text.contains("send_invoice_reminder"), "{text}");
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = retrysafe(Path::new("."), &["completions", shell]);
        assert_eq!(run.code, 0, "{shell}: {}", run.err);
        assert!(run.out.contains("retrysafe"), "{shell}");
    }
}

#[test]
fn output_is_the_same_on_any_number_of_threads() {
    for package in ["invoice-follow-up", "jobs", "resolve", "timeline"] {
        let map = |threads| {
            let args = ["map", "--format", "json", "--gaps", "."];
            let run = retrysafe_with(&fixture(package), &args, &[("RAYON_NUM_THREADS", threads)]);
            assert!(!run.out.is_empty(), "{}", run.err);
            run.out
        };
        let one = map("1");
        assert_eq!(one, map("1"), "two runs differ on {package}");
        assert_eq!(one, map("7"), "threads change the output on {package}");
    }
}

/// What was in a file before does not show: colours appear on request, and never in a pipe.
#[test]
fn colours_follow_the_flag() {
    let plain = retrysafe(&fixture("invoice-follow-up"), &["map"]);
    let coloured = retrysafe(&fixture("invoice-follow-up"), &["map", "--color", "always"]);
    assert!(!plain.out.contains('\u{1b}'));
    assert!(coloured.out.contains('\u{1b}'));
}

#[test]
fn init_writes_a_configuration_that_the_next_run_reads() {
    let dir = folder(&[("Cargo.toml", MANIFEST), ("src/lib.rs", JOB)]);
    let run = retrysafe(dir.path(), &["init"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("cargo retrysafe check"), "{}", run.out);
    assert!(run.err.starts_with("wrote "), "{}", run.err);
    let map = retrysafe(dir.path(), &["map"]);
    assert_eq!((map.code, map.err.as_str()), (0, ""));
}

#[test]
fn init_never_writes_over_a_configuration() {
    let dir = folder(&[("Cargo.toml", MANIFEST), ("retrysafe.toml", "# mine\n")]);
    let run = retrysafe(dir.path(), &["init"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("exists already"), "{}", run.err);
    let kept = std::fs::read_to_string(dir.path().join("retrysafe.toml")).expect("it is there");
    assert_eq!(kept, "# mine\n");
    let table = format!("{MANIFEST}[package.metadata.retrysafe]\nexclude = []\n");
    let dir = folder(&[("Cargo.toml", &table)]);
    let run = retrysafe(dir.path(), &["init"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("[package.metadata.retrysafe]"),
        "{}",
        run.err
    );
    assert!(!dir.path().join("retrysafe.toml").exists());
}

#[test]
fn init_writes_at_the_root_of_the_workspace_that_a_manifest_belongs_to() {
    let dir = folder(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"app\"]\n"),
        ("app/Cargo.toml", MANIFEST),
    ]);
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    let manifest = dir.path().join("app/Cargo.toml");
    let manifest = manifest.to_str().expect("the path is text");
    let run = retrysafe(elsewhere.path(), &["init", "--manifest-path", manifest]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(dir.path().join("retrysafe.toml").is_file());
    let run = retrysafe(elsewhere.path(), &["init"]);
    assert_eq!(run.code, 2);
}

#[test]
fn a_mistake_in_a_manifest_is_told_at_its_line_there() {
    let table = format!("{MANIFEST}\n[package]\nmetadata.retrysafe.exlude = []\n");
    let table = table
        .replacen("[package]\n", "", 1)
        .replace("\n[package]", "");
    let table = format!("[package]\n{table}");
    let dir = folder(&[("Cargo.toml", &table), ("src/lib.rs", JOB)]);
    let run = retrysafe(dir.path(), &["map"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("did you mean `exclude`?"), "{}", run.err);
    let line = table
        .lines()
        .position(|line| line.contains("exlude"))
        .expect("it is there")
        + 1;
    assert!(
        run.err.contains(&format!("Cargo.toml:{line}:20")),
        "{}",
        run.err
    );
}

#[test]
fn a_rule_is_explained_in_either_spelling() {
    let run = retrysafe(Path::new("."), &["explain", "random-key"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.starts_with("# random-key\n"), "{}", run.out);
    for heading in ["What it does", "Known limits", "Bad", "Good", "Options"] {
        assert!(run.out.contains(&format!("\n## {heading}\n")), "{heading}");
    }
    let same = retrysafe(Path::new("."), &["explain", "random_key"]);
    assert_eq!(run.out, same.out);
}

#[test]
fn an_unknown_rule_ends_in_two_with_the_nearest_one() {
    let run = retrysafe(Path::new("."), &["explain", "unkeyd-create"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(
        run.err.contains("did you mean `unkeyed-create`?"),
        "{}",
        run.err
    );
    let run = retrysafe(Path::new("."), &["explain", "teleportation"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("`cargo retrysafe rules`"), "{}", run.err);
}

#[test]
fn every_rule_is_listed_with_its_level_and_has_a_page() {
    let run = retrysafe(Path::new("."), &["rules"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for rule in Rule::ALL {
        let mut lines = run.out.lines().map(str::split_whitespace);
        let level = lines.find_map(|mut words| {
            let is_it = words.next() == Some(rule.word());
            is_it.then(|| words.next().unwrap_or_default().to_owned())
        });
        assert_eq!(level.as_deref(), Some(rule.default_level().word()));
        let page = retrysafe(Path::new("."), &["explain", rule.word()]);
        assert!(page.out.starts_with(&format!("# {rule}\n")), "{rule}");
    }
}
