//! UPDATE and DELETE: what is set, under which conditions, and whether a repeat changes more.

use super::super::{Change, Test, Value, Verb};
use super::{bind, literal, named, one, own, set, table, when};

fn relative(text: &str) -> bool {
    one(text).is_relative()
}

#[test]
fn an_update_knows_what_it_sets_and_where() {
    let update = one(
        r#"UPDATE "billing"."invoices" SET state = $2, "paidAt" = now() WHERE id = $1 AND state <> 'void'"#,
    );
    assert_eq!(
        (update.verb, update.table.as_deref()),
        (Verb::Update, Some("billing.invoices"))
    );
    assert_eq!(
        update.set,
        [set("state", bind(2)), set("paidAt", Value::Clock)]
    );
    assert_eq!(
        update.filter,
        [
            when("id", Test::Eq, bind(1)),
            when("state", Test::NotEq, literal("void"))
        ]
    );
    assert!(update.reads.is_empty());
}

#[test]
fn qualifiers_of_the_own_table_are_dropped_and_others_kept() {
    let update = one(
        "UPDATE orders AS o SET total = s.total, n = o.n FROM sums s WHERE s.order_id = o.id AND orders.x = 1",
    );
    assert_eq!(
        update.set,
        [set("total", own("s.total")), set("n", own("n"))]
    );
    assert_eq!(update.filter[0], when("id", Test::Eq, own("s.order_id")));
    assert_eq!(update.reads, ["sums"]);
}

#[test]
fn tests_are_told_apart_and_flipped() {
    let filter = |text: &str| {
        one(&format!("UPDATE t SET z = 1 WHERE {text}"))
            .filter
            .remove(0)
    };
    assert_eq!(filter("5 < a"), when("a", Test::Greater, literal("5")));
    assert!(filter("a >= $1").inclusive);
    assert_eq!(filter("a = ANY($1)"), when("a", Test::In, bind(1)));
    assert_eq!(filter("a <> ALL($1)"), when("a", Test::NotIn, bind(1)));
    assert_eq!(filter("a IN ('x')"), when("a", Test::Eq, literal("x")));
    assert_eq!(
        filter("a IN ($1, 'y')"),
        when("a", Test::In, Value::List(vec![bind(1), literal("y")]))
    );
    assert_eq!(filter("a NOT IN ('x', 'y')").test, Test::NotIn);
    assert_eq!(
        filter("a = 'x' OR a = 'y'"),
        when("a", Test::In, Value::List(vec![literal("x"), literal("y")]))
    );
    assert_eq!(
        filter("a IS DISTINCT FROM $1"),
        when("a", Test::NotEq, bind(1))
    );
    assert_eq!(filter("NOT done"), when("done", Test::Eq, literal("false")));
    assert_eq!(
        filter("done IS NOT TRUE"),
        when("done", Test::NotEq, literal("true"))
    );
    assert_eq!(
        filter("NOT (a IS NULL)"),
        when("a", Test::IsNotNull, Value::Null)
    );
    assert_eq!(filter("NOT EXISTS (SELECT 1 FROM u)").test, Test::NotExists);
    assert_eq!(
        filter("lower(email) = lower($1)").column.as_deref(),
        Some("lower(email)")
    );
    assert_eq!(
        filter("body->>'id' = $1").column.as_deref(),
        Some("body ->> 'id'")
    );
    assert_eq!(filter("a = 1 OR b = 2").column, None);
    assert_eq!(filter("a LIKE 'x%'").test, Test::Other);
    assert_eq!(filter("id::text = $1"), when("id", Test::Eq, bind(1)));
}

#[test]
fn tuples_and_ranges_become_one_condition_each() {
    let filter = |text: &str| one(&format!("DELETE FROM t WHERE {text}")).filter;
    assert_eq!(
        filter("(a, b) = ($1, $2)"),
        [when("a", Test::Eq, bind(1)), when("b", Test::Eq, bind(2))]
    );
    let tests: Vec<_> = filter("a BETWEEN $1 AND $2")
        .iter()
        .map(|one| one.test)
        .collect();
    assert_eq!(tests, [Test::Greater, Test::Less]);
    let tests: Vec<_> = filter("(a, b) IN (SELECT x, y FROM u)")
        .iter()
        .map(|one| one.test)
        .collect();
    assert_eq!(tests, [Test::In, Test::In]);
}

#[test]
fn counting_is_relative() {
    assert!(relative("UPDATE t SET n = n + $1 WHERE id = $2"));
    assert!(relative("UPDATE t SET n = COALESCE(n, 0) - 1"));
    assert!(relative(
        "UPDATE accounts a SET balance = a.balance * (1 + $1)"
    ));
    assert!(relative(
        "UPDATE t SET n = CASE WHEN x THEN n + 1 ELSE n END"
    ));
    assert!(relative("UPDATE t SET flag = NOT flag"));
    assert!(relative(
        "INSERT INTO t (id, n) VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET n = t.n + excluded.n"
    ));
}

#[test]
fn the_greater_of_two_is_the_same_the_second_time() {
    for text in [
        "UPDATE t SET n = GREATEST(n, $1)",
        "UPDATE t SET n = LEAST(t.n, $1) WHERE id = $2",
        "INSERT INTO t (id, n) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET n = MAX(n, excluded.n)",
        "INSERT INTO t (id, n) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET n = MIN(t.n, excluded.n)",
    ] {
        assert!(!relative(text), "{text}");
    }
}

#[test]
fn appending_is_relative() {
    assert!(relative("UPDATE t SET tags = array_append(tags, $1)"));
    assert!(relative("UPDATE t SET log = log || $1"));
    assert!(relative("UPDATE t SET data = jsonb_set(data, '{n}', $1)"));
}

#[test]
fn absolute_values_are_not_relative() {
    assert!(!relative("UPDATE t SET n = $1, m = 5, at = now()"));
    assert!(!relative("UPDATE t SET n = m + 1"));
    assert!(!relative(
        "UPDATE t SET n = s.n + 1 FROM s WHERE s.id = t.id"
    ));
    assert!(!relative(
        "UPDATE t SET n = GREATEST(n, $1), at = COALESCE(at, now()), mail = lower(mail)"
    ));
    assert!(!relative(
        "INSERT INTO t (id, n) VALUES ($1, (SELECT max(n) + 1 FROM t))"
    ));
    assert!(!relative(
        "INSERT INTO t (id, n) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET n = excluded.n"
    ));
    assert!(!relative("UPDATE t SET flags = flags | 4"));
}

#[test]
fn what_merges_is_told_from_what_grows() {
    let change = |value: &str| one(&format!("UPDATE t SET data = {value}")).set[0].change();
    assert_eq!(change("jsonb_set(data, '{a}', $1)"), Change::Merged);
    assert_eq!(
        change("data || jsonb_build_object('a', $1)"),
        Change::Merged
    );
    assert_eq!(change("data || $1"), Change::Accumulated);
    assert_eq!(
        change("jsonb_set(data, '{n}', ((data->>'n')::int + 1)::text::jsonb)"),
        Change::Accumulated
    );
    assert_eq!(change("$1"), Change::Absolute);
}

#[test]
fn assignments_may_be_a_tuple() {
    assert_eq!(
        one("UPDATE t SET (a, b) = ($1, $2)").set,
        [set("a", bind(1)), set("b", bind(2))]
    );
    assert_eq!(
        one("UPDATE t SET (a, b) = (SELECT x, y FROM u)").set[1].value,
        Value::Subquery
    );
}

#[test]
fn a_delete_with_using_reads_the_other_table() {
    let delete =
        one("DELETE FROM jobs USING runs r WHERE jobs.id = r.job_id AND r.done RETURNING jobs.id");
    assert_eq!(
        (delete.verb, delete.table.as_deref()),
        (Verb::Delete, Some("jobs"))
    );
    assert_eq!(delete.reads, ["runs"]);
    assert_eq!(delete.filter[0], when("id", Test::Eq, own("r.job_id")));
    assert_eq!(delete.returning, ["id"]);
}

#[test]
fn mysql_deletes_from_a_join() {
    let delete = one("DELETE o FROM orders o JOIN users u ON u.id = o.owner WHERE u.gone = 1");
    assert_eq!(delete.table.as_deref(), Some("orders"));
    assert_eq!(delete.reads, ["users"]);
}

#[test]
fn mysql_updates_with_a_limit() {
    assert_eq!(
        table("UPDATE `jobs` SET `state` = 'running' WHERE `state` = 'new' ORDER BY id LIMIT 1"),
        "jobs"
    );
}

#[test]
fn sqlite_operators_glued_to_a_bind_are_cut() {
    let update = one("UPDATE t SET a=?, b=:b WHERE id=@id AND n>=? AND s<>?");
    assert_eq!(update.set, [set("a", bind(1)), set("b", named(":b"))]);
    assert_eq!(update.filter[0], when("id", Test::Eq, named("@id")));
    assert_eq!(update.filter[1].value, bind(2));
    assert_eq!(update.filter[2].value, bind(3));
}

#[test]
fn a_json_question_mark_is_no_bind() {
    let update = one("UPDATE t SET a = $1 WHERE data ? 'key' AND tags ?| $2");
    assert_eq!(update.set, [set("a", bind(1))]);
    assert_eq!(update.filter.len(), 2);
}

#[test]
fn array_slices_are_no_binds() {
    assert_eq!(
        one("UPDATE t SET a = a[2:n] WHERE b[1] = $1").filter[0].value,
        bind(1)
    );
}
