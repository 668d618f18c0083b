//! Texts: several statements, comments, statements without tables, pieces of statements, garbage.

use super::super::{FunctionClass, Rows, Statement, Value, Verb, read};
use super::{literal, named, one, set, table};

fn verbs(text: &str) -> Vec<Verb> {
    read(text)
        .into_iter()
        .map(|result| result.map_or(Verb::Other, |statement| statement.verb))
        .collect()
}

#[test]
fn statements_are_split_at_semicolons_that_separate() {
    let text = "BEGIN; INSERT INTO t (a) VALUES ('x;y'); -- a; b\n/* c; d */ UPDATE t SET a = $$;$$ ; COMMIT;";
    assert_eq!(
        verbs(text),
        [Verb::Begin, Verb::Insert, Verb::Update, Verb::Commit]
    );
    let insert = read(text).remove(1).expect("it is read");
    assert_eq!(
        text.get(insert.start..insert.end),
        Some("INSERT INTO t (a) VALUES ('x;y')")
    );
}

#[test]
fn ranges_count_bytes_after_wide_characters() {
    let text = "SELECT 'ä→😀';\n  -- ü\n  DELETE FROM größe WHERE a = 'ß'; SELECT 1";
    let delete = read(text).remove(1).expect("it is read");
    assert_eq!(delete.table.as_deref(), Some("größe"));
    assert_eq!(
        text.get(delete.start..delete.end),
        Some("DELETE FROM größe WHERE a = 'ß'")
    );
}

#[test]
fn an_unreadable_statement_costs_only_itself() {
    let text = "SELECT 1 FROM a; this is no sql; DELETE FROM b";
    let all = read(text);
    assert_eq!(all.len(), 3);
    let unread = all[1].as_ref().expect_err("it is no statement");
    assert_eq!(text.get(unread.start..unread.end), Some("this is no sql"));
    assert!(!unread.message.is_empty());
    assert_eq!(all[2].as_ref().map(|one| one.verb), Ok(Verb::Delete));
}

#[test]
fn an_unreadable_clause_leaves_verb_and_table() {
    let all = read("UPDATE jobs SET a = $1 WHERE a = = 1; INSERT INTO logs (a) VALUES (1 2 3)");
    let statements: Vec<&Statement> = all.iter().flatten().collect();
    assert!(statements.iter().all(|one| one.approximate && one.writes()));
    let tables: Vec<_> = statements.iter().map(|one| one.table.as_deref()).collect();
    assert_eq!(tables, [Some("jobs"), Some("logs")]);
}

#[test]
fn prose_is_not_read() {
    for text in [
        "hello",
        "Delete the user",
        "Update crate `x`",
        "Merge pull request",
        "insert into cache failed",
        "Truncate long names",
        "update",
        "Select job by name and scheduled at",
    ] {
        assert!(
            read(text).iter().all(Result::is_err),
            "{text}: {:?}",
            read(text)
        );
    }
    assert!(read("").is_empty() && read(" ; -- nothing\n;").is_empty());
}

#[test]
fn an_unterminated_string_is_an_error_not_a_panic() {
    assert!(
        read("SELECT 'abc")
            .iter()
            .all(|one| one.as_ref().is_ok_and(|one| one.approximate) || one.is_err())
    );
    assert!(read("'abc").iter().all(Result::is_err));
    assert_eq!(table("INSERT INTO t (a) VALUES ('it\\'s')"), "t");
}

#[test]
fn transactions_settings_and_locks_have_their_verbs() {
    let text = "START TRANSACTION; ROLLBACK; ROLLBACK TO SAVEPOINT s; SAVEPOINT s; SET LOCAL x = 1; PRAGMA foreign_keys = ON; \
                END; LISTEN jobs; LOCK TABLE a IN EXCLUSIVE MODE; TRUNCATE TABLE b, c RESTART IDENTITY; CALL close_month($1)";
    let expected = [
        Verb::Begin,
        Verb::Rollback,
        Verb::Other,
        Verb::Other,
        Verb::Set,
        Verb::Set,
        Verb::Commit,
        Verb::Other,
        Verb::Lock,
        Verb::Truncate,
        Verb::Call,
    ];
    assert_eq!(verbs(text), expected);
    assert_eq!(table("LOCK TABLE ONLY a.b IN EXCLUSIVE MODE"), "a.b");
    assert_eq!(table("TRUNCATE b"), "b");
    assert!(one("CALL close_month($1)").writes() && one("TRUNCATE b").writes());
    assert!(!one("LOCK TABLE a").writes() && !one("BEGIN").writes());
}

#[test]
fn the_isolation_level_is_kept() {
    assert_eq!(
        one("BEGIN ISOLATION LEVEL SERIALIZABLE")
            .isolation
            .as_deref(),
        Some("serializable")
    );
    let set = one("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    assert_eq!(
        (set.verb, set.isolation.as_deref()),
        (Verb::Set, Some("repeatable read"))
    );
    assert_eq!(one("BEGIN").isolation, None);
}

#[test]
fn notify_signals() {
    let notify = one("NOTIFY jobs, 'new'");
    assert_eq!((notify.verb, notify.writes()), (Verb::Notify, true));
    assert_eq!(notify.functions[0].class, FunctionClass::Notify);
    assert_eq!(notify.functions[0].args, [literal("jobs"), literal("new")]);
}

#[test]
fn definitions_and_maintenance_do_not_write() {
    for text in [
        "CREATE TABLE IF NOT EXISTS t (a int)",
        "ALTER TABLE t ADD b int",
        "DROP TABLE t",
        "CREATE UNIQUE INDEX i ON t (a)",
        "REFRESH MATERIALIZED VIEW CONCURRENTLY v",
        "VACUUM t",
        "GRANT ALL ON t TO x",
    ] {
        let statement = one(text);
        assert_eq!(
            (statement.verb, statement.writes()),
            (Verb::Ddl, false),
            "{text}"
        );
    }
    assert_eq!(table("CREATE TABLE IF NOT EXISTS a.t (x int)"), "a.t");
}

#[test]
fn temporary_tables_live_in_the_session_only() {
    assert!(one("CREATE TEMP TABLE x (a int) ON COMMIT DROP").is_temporary());
    assert!(one("CREATE TEMPORARY TABLE x AS SELECT 1").is_temporary());
    assert!(!one("CREATE TABLE x (a int)").is_temporary());
    let all =
        read("CREATE TEMP TABLE x (a int); INSERT INTO x VALUES (1); INSERT INTO y VALUES (1)");
    let writes: Vec<bool> = all.into_iter().flatten().map(|one| one.writes()).collect();
    assert_eq!(writes, [false, false, true]);
    assert!(one("INSERT INTO pg_temp.x VALUES (1)").is_temporary());
}

#[test]
fn procedural_blocks_are_one_statement() {
    assert_eq!(
        verbs("DO $$ BEGIN UPDATE t SET a = 1; END $$; SELECT 1"),
        [Verb::Other, Verb::Select]
    );
    let function = "CREATE FUNCTION f() RETURNS trigger AS $f$ BEGIN INSERT INTO t VALUES (1); RETURN NEW; END $f$ LANGUAGE plpgsql";
    assert_eq!(verbs(function), [Verb::Ddl]);
    let trigger = "CREATE TRIGGER tr AFTER INSERT ON t BEGIN UPDATE u SET n = CASE WHEN a THEN 1 ELSE 2 END; DELETE FROM v; END; SELECT 1";
    assert_eq!(verbs(trigger), [Verb::Ddl, Verb::Select]);
    let looped = "CREATE PROCEDURE p() BEGIN IF a THEN SELECT 1; END IF; SELECT 2; END; SELECT 3";
    assert_eq!(verbs(looped), [Verb::Ddl, Verb::Select]);
}

#[test]
fn the_head_of_a_statement_is_completed() {
    let insert = one("INSERT INTO items (id, value) ");
    assert!(insert.unfinished);
    assert_eq!(
        (insert.rows, insert.set),
        (
            Rows::Many,
            vec![set("id", Value::Other), set("value", Value::Other)]
        )
    );
    for text in [
        "INSERT INTO t (",
        "INSERT INTO t (a) VALUES ",
        "UPDATE t SET ",
        "UPDATE t SET a = ",
        "DELETE FROM t WHERE id IN (",
        "SELECT a FROM t WHERE b = 1 AND ",
        "SELECT * FROM t WHERE id IN",
    ] {
        let statement = one(text);
        assert!(statement.unfinished, "{text}");
        assert_eq!(statement.table.as_deref(), Some("t"), "{text}");
    }
    assert!(one("SELECT *, count(*) OVER () FROM (").unfinished && one("SELECT *, (").unfinished);
    assert!(!one("SELECT a FROM t").unfinished);
    let nested = one("WITH u AS (UPDATE t SET a = 1 WHERE b = ");
    assert_eq!(nested.nested[0].table.as_deref(), Some("t"));
}

#[test]
fn spliced_clauses_find_their_place() {
    let select = one("SELECT a FROM t WHERE b = $1 {more} ORDER BY {order}");
    assert_eq!(select.filter.len(), 2);
    assert_eq!(select.filter[1].value, named("{more}"));
    assert_eq!(
        one("INSERT INTO t (a, b) VALUES {rows} ON CONFLICT DO NOTHING").rows,
        Rows::Many
    );
    assert_eq!(one("UPDATE t SET {sets} WHERE id = $1").filter.len(), 1);
    assert_eq!(one("UPDATE t SET a = 1, {sets} WHERE id = $1").set.len(), 2);
    assert_eq!(
        one("UPDATE {t} x {set_clause} FROM y WHERE x.id = y.id RETURNING x.id")
            .table
            .as_deref(),
        Some("{t}")
    );
    assert_eq!(
        one("DELETE FROM t WHERE id IN {ids}").table.as_deref(),
        Some("t")
    );
    assert_eq!(
        one("SELECT a FROM t {where_clause} AND b = 1 LIMIT {n}").reads,
        ["t"]
    );
    assert_eq!(
        one("SELECT a FROM t WHERE b = 1 LIMIT 1 {lock}").holes,
        ["{lock}"]
    );
}

#[test]
fn a_very_long_chain_neither_overflows_nor_stalls() {
    let chain = |terms: usize| {
        format!(
            "SELECT a FROM t WHERE {}",
            vec!["a = 1"; terms].join(" OR ")
        )
    };
    assert_eq!(read(&chain(1_500)).len(), 1);
    let long = read(&chain(100_000));
    assert!(matches!(long.as_slice(), [Ok(statement)] if statement.approximate));
    for link in [
        " + 1",
        "::text",
        " IS NULL",
        "[1]",
        " COLLATE c",
        " || 'x'",
        "->'k'",
        " AT TIME ZONE 'utc'",
    ] {
        let deep = format!("SELECT a FROM t WHERE a{} = 2", link.repeat(3_900));
        assert_eq!(read(&deep).len(), 1, "{link}");
    }
    assert_eq!(read(&["SELECT a FROM t"; 3_900].join(" UNION ")).len(), 1);
    let nested = format!("SELECT {}1{} FROM t", "(".repeat(5_000), ")".repeat(5_000));
    assert_eq!(read(&nested).len(), 1);
}

#[test]
fn garbage_never_panics() {
    let texts = [
        "{",
        "}{",
        "SELECT {",
        "`",
        "INSERT INTO `t",
        "?",
        ":",
        "@",
        "$",
        "SELECT $1::",
        "ON CONFLICT (",
        "\u{0}",
        "INSERT INTO t ON CONFLICT (",
        "UPDATE",
        "COPY",
        "WITH",
        "NOTIFY",
        "SELECT 1 ?",
        "/*",
        "SELECT {a b}",
        "U&'\\'",
        "x'",
    ];
    for text in texts {
        for cut in 0..=text.len() {
            if let Some(part) = text.get(..cut) {
                read(part);
                read(&format!("SELECT a FROM t WHERE {part}"));
                read(&format!("INSERT INTO t (a) VALUES ({part}"));
            }
        }
    }
}
