//! SELECT: what it asks for, which functions it calls, what it locks.

use super::super::{FunctionClass, Projection, Strength, Test, Verb};
use super::{bind, literal, named, one, when};

fn projection(text: &str) -> Projection {
    one(text).projection
}

fn classes(text: &str) -> Vec<FunctionClass> {
    one(text)
        .functions
        .iter()
        .map(|function| function.class)
        .collect()
}

#[test]
fn a_select_knows_its_columns_tables_and_conditions() {
    let select = one(
        r#"SELECT id AS "id!: JobId", j.name, count(*) OVER () AS total FROM jobs j, users WHERE j.id = $1"#,
    );
    assert_eq!(
        (select.verb, select.table.as_deref()),
        (Verb::Select, Some("jobs"))
    );
    assert_eq!(select.reads, ["jobs", "users"]);
    assert_eq!(select.filter, [when("id", Test::Eq, bind(1))]);
    assert_eq!(
        select.projection,
        Projection::Columns(vec!["id".into(), "name".into(), "total".into()])
    );
    assert!(!select.writes());
}

#[test]
fn counting_and_asking_are_told_from_fetching() {
    assert_eq!(
        projection("SELECT count(*) FROM t WHERE a = $1"),
        Projection::Count
    );
    assert_eq!(
        projection(r#"SELECT COUNT(id)::bigint AS "n!" FROM t"#),
        Projection::Count
    );
    assert_eq!(projection("SELECT count(*) > 0 FROM t"), Projection::Exists);
    assert_eq!(
        projection("SELECT 1 FROM t WHERE a = $1"),
        Projection::Constant
    );
    assert_eq!(
        projection("SELECT * FROM t"),
        Projection::Columns(vec!["*".into()])
    );
    assert_eq!(projection("DELETE FROM t"), Projection::Nothing);
}

#[test]
fn asking_whether_a_row_exists_asks_the_inner_table() {
    let select = one(r#"SELECT EXISTS(SELECT 1 FROM notes n WHERE n.invoice = $1) AS "there!""#);
    assert_eq!(
        (select.projection, select.table.as_deref()),
        (Projection::Exists, Some("notes"))
    );
    assert_eq!(select.filter, [when("invoice", Test::Eq, bind(1))]);
    let counted = one("SELECT (SELECT count(*) FROM notes WHERE invoice = ?)");
    assert_eq!(
        (counted.projection, counted.filter),
        (Projection::Count, vec![when("invoice", Test::Eq, bind(1))])
    );
}

#[test]
fn locks_are_read_with_their_options() {
    let lock = |text: &str| one(text).lock.expect("it locks");
    let skipping =
        lock("SELECT id FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED");
    assert!(skipping.skip_locked && skipping.strength == Strength::Update);
    assert!(lock("SELECT 1 FROM t FOR UPDATE NOWAIT").nowait);
    assert_eq!(lock("SELECT 1 FROM t FOR SHARE").strength, Strength::Share);
    assert_eq!(
        lock("SELECT 1 FROM t FOR NO KEY UPDATE").strength,
        Strength::Update
    );
    assert_eq!(
        lock("SELECT 1 FROM t FOR KEY SHARE").strength,
        Strength::Share
    );
    assert_eq!(
        lock("SELECT 1 FROM t WHERE id = ? LOCK IN SHARE MODE").strength,
        Strength::Share
    );
    let of = one("SELECT * FROM a JOIN jobs j ON j.a = a.id FOR UPDATE OF j");
    assert_eq!(of.table.as_deref(), Some("jobs"));
    assert!(one("SELECT 1 FROM t").lock.is_none());
}

#[test]
fn functions_that_write_make_a_select_write() {
    assert_eq!(
        classes("SELECT pg_notify('jobs', $1)"),
        [FunctionClass::Notify]
    );
    assert_eq!(classes("SELECT nextval('seq')"), [FunctionClass::Sequence]);
    assert!(one("SELECT pg_notify('jobs', $1)").writes());
}

#[test]
fn functions_of_extensions_are_told_by_name() {
    let names = |text: &str| -> Vec<String> {
        let statement = one(text);
        let called = statement.called().into_iter();
        called.map(|function| function.name.clone()).collect()
    };
    assert_eq!(names("SELECT * FROM pgmq.send($1, $2)"), ["pgmq.send"]);
    assert_eq!(
        names(
            "WITH gone AS (DELETE FROM t RETURNING pgmq.send('q', b)) SELECT net.http_post($1) FROM gone"
        ),
        ["pgmq.send", "net.http_post"]
    );
}

#[test]
fn functions_that_do_not_write_are_classed_too() {
    assert_eq!(
        classes("SELECT pg_try_advisory_xact_lock($1)"),
        [FunctionClass::AdvisoryLock]
    );
    assert_eq!(
        classes("SELECT billing.close_month($1), lower('X'), now()"),
        [FunctionClass::Other, FunctionClass::Clock]
    );
    assert_eq!(classes("SELECT count(*), max(a) FROM t GROUP BY b"), []);
    assert!(!one("SELECT pg_advisory_lock($1)").writes());
    assert_eq!(
        one("SELECT pg_notify('jobs', $1)").functions[0].args,
        [literal("jobs"), bind(1)]
    );
}

#[test]
fn names_of_ctes_are_no_tables() {
    let select = one(
        "WITH a AS (SELECT * FROM t1), b AS (SELECT * FROM a JOIN t2 ON true) SELECT * FROM b, t3",
    );
    assert_eq!(select.reads, ["t1", "t2", "t3"]);
    let recursive = one(
        "WITH RECURSIVE tree AS (SELECT id FROM nodes UNION ALL SELECT n.id FROM nodes n JOIN tree ON n.up = tree.id) SELECT * FROM tree",
    );
    assert_eq!(recursive.reads, ["nodes"]);
    let shadowed = one("WITH users AS (SELECT * FROM users WHERE active) SELECT * FROM users");
    assert_eq!(shadowed.reads, ["users"]);
}

#[test]
fn columns_of_a_cte_are_not_taken_for_columns_of_its_table() {
    let select = one(
        "WITH c AS (SELECT id, sum(n) AS n FROM t GROUP BY id FOR UPDATE) SELECT c.id FROM c WHERE c.n = 0",
    );
    assert_eq!(select.table.as_deref(), Some("t"));
    assert_eq!(select.filter, [when("c.n", Test::Eq, literal("0"))]);
    assert!(select.lock.is_some(), "a lock in a CTE is a lock");
}

#[test]
fn subqueries_everywhere_are_read() {
    let select = one(
        "SELECT (SELECT max(x) FROM a), CASE WHEN EXISTS (SELECT 1 FROM b) THEN 1 END FROM c LEFT JOIN (SELECT * FROM d) e \
         ON e.id IN (SELECT id FROM f) WHERE c.id = ANY(ARRAY(SELECT id FROM g)) ORDER BY (SELECT 1 FROM h) LIMIT (SELECT 2 FROM i)",
    );
    assert_eq!(select.reads, ["c", "d", "f", "a", "b", "g", "h", "i"]);
}

#[test]
fn unions_read_every_arm() {
    let select = one("SELECT a FROM t WHERE a = 1 UNION ALL SELECT b FROM u");
    assert_eq!(select.reads, ["t", "u"]);
    assert!(
        select
            .filter
            .iter()
            .all(|condition| condition.column.is_none())
    );
}

#[test]
fn table_functions_are_no_tables() {
    let select = one(
        "SELECT * FROM generate_series(1, $1) g JOIN jsonb_to_recordset($2) AS r(id int) ON true",
    );
    assert!(select.reads.is_empty() && select.table.is_none());
}

#[test]
fn other_dialects_are_read() {
    assert_eq!(
        one("SELECT `a` FROM `db`.`t` LIMIT ?, ?").table.as_deref(),
        Some("db.t")
    );
    assert_eq!(
        one("SELECT a FROM t FINAL PREWHERE x = 1 WHERE y = {id:UInt32} SETTINGS max_threads = 1")
            .reads,
        ["t"]
    );
    assert_eq!(
        one("SELECT json(body) FROM jobs WHERE id = ?1 AND name GLOB 'a*'")
            .table
            .as_deref(),
        Some("jobs")
    );
    assert_eq!(
        one("SELECT a FROM t WHERE a = 1 ALLOW FILTERING").reads,
        ["t"]
    );
    assert_eq!(
        one("SELECT SQL_CALC_FOUND_ROWS a FROM t FORCE INDEX (x) WHERE b <=> ?").reads,
        ["t"]
    );
}

#[test]
fn spliced_identifiers_and_values_stay_legible() {
    let select = one(
        "SELECT {columns} FROM {schema}.{table} t WHERE id = {id} AND n = ${n} ORDER BY {} LIMIT {0}",
    );
    assert_eq!(select.table.as_deref(), Some("{schema}.{table}"));
    assert_eq!(
        select.filter,
        [
            when("id", Test::Eq, named("{id}")),
            when("n", Test::Eq, named("${n}"))
        ]
    );
    assert_eq!(
        select.holes,
        ["{columns}", "{schema}", "{table}", "{id}", "{}", "{0}"]
    );
    assert_eq!(
        one("SELECT 1 FROM tmp_{suffix}_x").table.as_deref(),
        Some("tmp_{suffix}_x")
    );
    assert_eq!(one("SELECT 1 FROM \"{}\"").table.as_deref(), Some("{}"));
}
