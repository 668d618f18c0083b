//! INSERT, REPLACE, MERGE, COPY.

use super::super::{Conflict, ConflictAction, ConflictTarget, Rows, Test, Value, Verb};
use super::{bind, literal, named, one, own, set, table, when};

fn conflict(text: &str) -> Conflict {
    one(text).conflict.expect("there is a conflict clause")
}

fn columns(names: &[&str]) -> ConflictTarget {
    ConflictTarget::Columns {
        columns: names.iter().map(|name| (*name).to_owned()).collect(),
        predicate: Vec::new(),
    }
}

#[test]
fn an_insert_pairs_its_columns_with_the_values_of_the_first_row() {
    let insert = one(
        "INSERT INTO billing.invoices (id, number, state, due) VALUES ($1, $2::text, 'open', NULL)",
    );
    assert_eq!(
        (insert.verb, insert.table.as_deref()),
        (Verb::Insert, Some("billing.invoices"))
    );
    let expected = [
        set("id", bind(1)),
        set("number", bind(2)),
        set("state", literal("open")),
        set("due", Value::Null),
    ];
    assert_eq!(insert.set, expected);
    assert_eq!(insert.rows, Rows::One);
    assert!(insert.writes() && insert.conflict.is_none() && insert.reads.is_empty());
}

#[test]
fn question_marks_are_numbered_in_order() {
    let insert = one("INSERT INTO t (a, b, c) VALUES (?, lower(?), ?)");
    let lowered = Value::Function("lower".to_owned(), vec![bind(2)]);
    assert_eq!(
        insert.set,
        [set("a", bind(1)), set("b", lowered), set("c", bind(3))]
    );
}

#[test]
fn numbered_and_named_binds_keep_their_number_or_name() {
    let insert = one("INSERT INTO t (a, b, c, d, e) VALUES (?2, ?, :name, @other, $free)");
    let values: Vec<Value> = insert.set.into_iter().map(|one| one.value).collect();
    assert_eq!(
        values,
        [
            bind(2),
            bind(3),
            named(":name"),
            named("@other"),
            named("$free")
        ]
    );
}

#[test]
fn columns_that_are_not_named_are_called_by_position() {
    let insert = one("INSERT INTO t VALUES ($1, now())");
    assert_eq!(insert.set, [set("#1", bind(1)), set("#2", Value::Clock)]);
}

#[test]
fn clocks_and_random_values_are_known_in_every_dialect() {
    for clock in [
        "now()",
        "CURRENT_TIMESTAMP",
        "datetime('now')",
        "'now'::timestamptz",
        "now() + interval '1 day'",
        "UTC_TIMESTAMP(6)",
        "now() AT TIME ZONE 'utc'",
    ] {
        let insert = one(&format!("INSERT INTO t (a) VALUES ({clock})"));
        assert_eq!(insert.set, [set("a", Value::Clock)], "{clock}");
    }
    for random in [
        "gen_random_uuid()",
        "uuid_generate_v4()",
        "UUID()",
        "random() * 100",
        "generateUUIDv4()",
    ] {
        let insert = one(&format!("INSERT INTO t (a) VALUES ({random})"));
        assert_eq!(insert.set, [set("a", Value::Random)], "{random}");
    }
    let stored = one("INSERT INTO t (a) VALUES (datetime(created))");
    assert_eq!(
        stored.set[0].value,
        Value::Function("datetime".to_owned(), vec![own("created")])
    );
}

#[test]
fn a_truncated_clock_stays_a_function_of_the_clock() {
    let insert = one("INSERT INTO t (day) VALUES (date_trunc('day', now()))");
    assert_eq!(
        insert.set[0].value,
        Value::Function("date_trunc".to_owned(), vec![literal("day"), Value::Clock])
    );
    assert!(insert.set[0].value.any(&|value| *value == Value::Clock));
}

#[test]
fn several_rows_are_many() {
    assert_eq!(one("INSERT INTO t (a) VALUES ($1), ($2)").rows, Rows::Many);
}

#[test]
fn do_nothing_without_target_counts_any_unique_index() {
    let found = conflict("INSERT INTO t (a) VALUES ($1) ON CONFLICT DO NOTHING");
    assert_eq!(
        found,
        Conflict {
            target: ConflictTarget::Any,
            action: ConflictAction::Nothing
        }
    );
}

#[test]
fn do_update_knows_target_assignments_and_condition() {
    let found = conflict(
        "INSERT INTO t AS old (id, n, v) VALUES ($1, $2, $3) ON CONFLICT (id, \"Tenant\") DO UPDATE \
         SET n = old.n + EXCLUDED.n, v = excluded.v WHERE old.v < excluded.v",
    );
    assert_eq!(found.target, columns(&["id", "Tenant"]));
    let ConflictAction::Update {
        set: assignments,
        filter,
    } = found.action
    else {
        panic!("an update was expected")
    };
    let sum = Value::Arithmetic {
        column: "n".to_owned(),
    };
    assert_eq!(
        assignments,
        [set("n", sum), set("v", Value::Excluded("v".to_owned()))]
    );
    assert_eq!(
        filter,
        [when("v", Test::Less, Value::Excluded("v".to_owned()))]
    );
}

#[test]
fn a_partial_conflict_target_keeps_its_predicate() {
    let found = conflict(
        "INSERT INTO t (a) VALUES ($1) ON CONFLICT (a) WHERE deleted_at IS NULL DO NOTHING",
    );
    let ConflictTarget::Columns { columns, predicate } = found.target else {
        panic!("columns were expected")
    };
    assert_eq!(columns, ["a"]);
    assert_eq!(predicate, [when("deleted_at", Test::IsNull, Value::Null)]);
}

#[test]
fn a_conflict_target_may_be_an_expression() {
    let found = conflict(
        "INSERT INTO t (a) VALUES ($1) ON CONFLICT (lower( email ), coalesce(b, ''), c) DO NOTHING",
    );
    assert_eq!(
        found.target,
        columns(&["lower( email )", "coalesce(b, '')", "c"])
    );
}

#[test]
fn a_conflict_target_may_be_a_constraint() {
    let found = conflict(
        "INSERT INTO t (a) VALUES ($1) ON CONFLICT ON CONSTRAINT t_a_key DO UPDATE SET a = $1",
    );
    assert_eq!(
        found.target,
        ConflictTarget::Constraint("t_a_key".to_owned())
    );
}

#[test]
fn mysql_ignores_and_updates_duplicates() {
    let ignoring = one("INSERT IGNORE INTO `orders` (`id`, `state`) VALUES (?, 'new')");
    assert_eq!(ignoring.table.as_deref(), Some("orders"));
    assert_eq!(
        ignoring.conflict.map(|conflict| conflict.action),
        Some(ConflictAction::Nothing)
    );
    let found = conflict(
        "INSERT INTO t (id, n) VALUES (?, ?) ON DUPLICATE KEY UPDATE n = n + VALUES(n), m = VALUES(m)",
    );
    let assignments = vec![
        set(
            "n",
            Value::Arithmetic {
                column: "n".to_owned(),
            },
        ),
        set("m", Value::Excluded("m".to_owned())),
    ];
    assert_eq!(
        found.action,
        ConflictAction::Update {
            set: assignments,
            filter: Vec::new()
        }
    );
    let aliased =
        conflict("INSERT INTO t (id, n) VALUES (?, ?) AS new ON DUPLICATE KEY UPDATE n = new.n");
    let assignments = vec![set("n", Value::Excluded("n".to_owned()))];
    assert_eq!(
        aliased.action,
        ConflictAction::Update {
            set: assignments,
            filter: Vec::new()
        }
    );
}

#[test]
fn mysql_inserts_with_set() {
    let insert = one("INSERT INTO t SET a = ?, b = NOW()");
    assert_eq!(insert.set, [set("a", bind(1)), set("b", Value::Clock)]);
}

#[test]
fn sqlite_ignores_replaces_and_aborts() {
    let action = |text: &str| conflict(text).action;
    assert_eq!(
        action("INSERT OR IGNORE INTO t (a) VALUES (?1)"),
        ConflictAction::Nothing
    );
    assert_eq!(
        action("INSERT OR REPLACE INTO t (a) VALUES (?1)"),
        ConflictAction::Replace
    );
    assert_eq!(
        action("INSERT OR ABORT INTO t (a) VALUES (?1)"),
        ConflictAction::Fail
    );
    let replace = one("REPLACE INTO t (a) VALUES (?)");
    assert_eq!(
        (replace.verb, replace.conflict.map(|found| found.action)),
        (Verb::Replace, Some(ConflictAction::Replace))
    );
}

#[test]
fn an_insert_from_a_select_keeps_its_guard() {
    let insert = one(
        "INSERT INTO notes (invoice, body) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM notes WHERE invoice = $1)",
    );
    assert_eq!(insert.rows, Rows::FromSelect);
    assert_eq!(insert.set, [set("invoice", bind(1)), set("body", bind(2))]);
    assert_eq!(
        insert.filter.iter().map(|one| one.test).collect::<Vec<_>>(),
        [Test::NotExists]
    );
    assert_eq!(insert.reads, ["notes"]);
}

#[test]
fn an_insert_from_another_table_reads_it() {
    let insert = one(
        "INSERT INTO archive (id, at) SELECT o.id, now() FROM orders o JOIN users u ON u.id = o.owner WHERE o.done",
    );
    assert_eq!(insert.reads, ["orders", "users"]);
    assert_eq!(insert.set, [set("id", own("id")), set("at", Value::Clock)]);
    assert_eq!(insert.filter, [when("done", Test::Eq, literal("true"))]);
}

#[test]
fn the_arrays_of_unnest_are_the_values_of_the_columns() {
    let starred = one("INSERT INTO t (a, b) SELECT * FROM UNNEST($1::text[], $2::int8[])");
    assert_eq!(
        (starred.rows, starred.set),
        (Rows::FromUnnest, vec![set("a", bind(1)), set("b", bind(2))])
    );
    let aliased = one(
        "INSERT INTO t (a, at, b) SELECT u.a, now(), b FROM UNNEST($1::text[], $2::int[]) AS u(a, b)",
    );
    assert_eq!(
        aliased.set,
        [
            set("a", bind(1)),
            set("at", Value::Clock),
            set("b", bind(2))
        ]
    );
    let direct = one("INSERT INTO t (a, b) SELECT unnest($1::text[]), $2");
    assert_eq!(
        (direct.rows, direct.set),
        (Rows::FromUnnest, vec![set("a", bind(1)), set("b", bind(2))])
    );
    assert!(
        aliased
            .functions
            .iter()
            .all(|function| function.name == "now")
    );
}

#[test]
fn a_values_list_in_from_is_seen_through() {
    let insert =
        one("INSERT INTO t (a, b) SELECT v.x, v.y FROM (VALUES ($1, $2)) AS v(x, y) WHERE v.x > 0");
    assert_eq!(insert.set, [set("a", bind(1)), set("b", bind(2))]);
}

#[test]
fn default_values_set_nothing() {
    let insert = one("INSERT INTO t DEFAULT VALUES RETURNING id");
    assert!(insert.set.is_empty());
    assert_eq!(insert.returning, ["id"]);
    assert_eq!(
        one("INSERT INTO t (a) VALUES (DEFAULT)").set,
        [set("a", Value::Default)]
    );
}

#[test]
fn returning_lists_columns_by_their_own_names() {
    let insert = one(
        r#"INSERT INTO t (a) VALUES ($1) RETURNING id AS "id!: Uuid", t.b, xmax = 0 AS "fresh!", *"#,
    );
    assert_eq!(insert.returning, ["id", "b", "fresh", "*"]);
}

#[test]
fn merge_is_an_insert_with_a_conflict_clause() {
    let merge = one(
        "MERGE INTO stock AS s USING (SELECT $1::int AS id, $2::int AS n) AS d ON s.id = d.id \
         WHEN MATCHED THEN UPDATE SET n = s.n + d.n WHEN NOT MATCHED THEN INSERT (id, n) VALUES (d.id, d.n)",
    );
    assert_eq!(
        (merge.verb, merge.table.as_deref()),
        (Verb::Merge, Some("stock"))
    );
    assert_eq!(merge.set, [set("id", own("d.id")), set("n", own("d.n"))]);
    let found = merge.conflict.clone().expect("a merge has one");
    assert_eq!(found.target, columns(&["id"]));
    assert!(merge.is_relative());
}

#[test]
fn copy_writes_inwards_only() {
    let inwards = one("COPY events (id, body) FROM STDIN WITH (FORMAT csv)");
    assert_eq!(
        (inwards.verb, inwards.table.as_deref(), inwards.writes()),
        (Verb::Copy, Some("events"), true)
    );
    let outwards = one("COPY events TO STDOUT");
    assert!(!outwards.writes());
    assert_eq!(outwards.reads, ["events"]);
    assert!(!one("COPY (SELECT * FROM events) TO STDOUT").writes());
}

#[test]
fn clauses_of_cql_are_understood() {
    let insert = one("INSERT INTO ks.t (id, v) VALUES (?, ?) IF NOT EXISTS USING TTL 86400");
    assert_eq!(
        insert.conflict.map(|conflict| conflict.action),
        Some(ConflictAction::Nothing)
    );
    assert_eq!(
        table("UPDATE ks.t USING TTL ? SET v = ? WHERE id = ? IF v = ?"),
        "ks.t"
    );
}

#[test]
fn upserts_of_spanner_and_cockroach_overwrite() {
    for text in [
        "INSERT OR UPDATE INTO t (id, v) VALUES (@id, @v)",
        "UPSERT INTO t (id, v) VALUES ($1, $2)",
    ] {
        let insert = one(text);
        let Some(Conflict {
            action: ConflictAction::Update { set, .. },
            ..
        }) = insert.conflict
        else {
            panic!("{text}")
        };
        assert_eq!(set, insert.set);
    }
}

#[test]
fn formats_of_clickhouse_bring_rows_beside_the_statement() {
    let insert = one("INSERT INTO events (id, body) FORMAT JSONEachRow");
    assert_eq!((insert.rows, insert.set.len()), (Rows::Many, 2));
}

#[test]
fn literals_are_unescaped() {
    let insert = one("INSERT INTO t (a, b, c, d) VALUES ('it''s', E'a\\'b', $$x;y$$, -5)");
    let values: Vec<Value> = insert.set.into_iter().map(|one| one.value).collect();
    assert_eq!(
        values,
        [
            literal("it's"),
            literal("a'b"),
            literal("x;y"),
            literal("-5")
        ]
    );
}

#[test]
fn a_conflict_clause_behind_a_select_without_from_is_found() {
    let found = one(
        "INSERT INTO t (a, b) SELECT $1, unnest($2::text[]), unnest($3::int8[]) ON CONFLICT DO NOTHING",
    );
    let conflict = found.conflict.expect("there is a conflict clause");
    assert_eq!(conflict.action, ConflictAction::Nothing);
}
