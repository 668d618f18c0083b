//! Statements whose own condition makes a repeat find nothing to do.

use super::super::{Strength, Test, Value, Verb};
use super::{literal, one, when};

fn column(text: &str) -> Option<String> {
    one(text).is_conditional()
}

#[test]
fn moving_a_state_on_is_conditional() {
    let state = Some("status".to_owned());
    assert_eq!(
        column("UPDATE t SET status = 'sent' WHERE id = $1 AND status = 'pending'"),
        state
    );
    assert_eq!(
        column("UPDATE t SET status = $2 WHERE id = $1 AND status = 'pending'"),
        state
    );
    assert_eq!(
        column("UPDATE t SET status = 'running' WHERE status IN ('new', 'failed')"),
        state
    );
    assert_eq!(
        column("UPDATE t SET status = 'sent' WHERE status <> 'sent'"),
        state
    );
    assert_eq!(
        column("UPDATE t SET status = 'sent' WHERE status NOT IN ('sent', 'void')"),
        state
    );
    assert_eq!(
        column("UPDATE t SET status = CASE WHEN x THEN 'a' ELSE 'b' END WHERE status = 'new'"),
        state
    );
}

#[test]
fn staying_in_the_tested_state_is_not_conditional() {
    assert_eq!(
        column("UPDATE t SET status = 'sent' WHERE status = 'sent'"),
        None
    );
    assert_eq!(
        column("UPDATE t SET status = 'running' WHERE status IN ('new', 'running')"),
        None
    );
    assert_eq!(column("UPDATE t SET n = n + 1 WHERE status = 'new'"), None);
    assert_eq!(column("UPDATE t SET id = $1 WHERE id = $1"), None);
    assert_eq!(
        column("UPDATE t SET status = 'sent' WHERE status = 'new' OR force"),
        None
    );
}

#[test]
fn filling_an_empty_column_is_conditional() {
    let at = Some("sent_at".to_owned());
    assert_eq!(
        column("UPDATE t SET sent_at = now() WHERE id = $1 AND sent_at IS NULL"),
        at
    );
    assert_eq!(
        column("UPDATE t SET sent_at = COALESCE(sent_at, now()) WHERE id = $1"),
        at
    );
    assert_eq!(
        column("UPDATE t SET sent_at = COALESCE($2, sent_at) WHERE id = $1"),
        None
    );
    assert_eq!(
        column("UPDATE t SET sent_at = COALESCE(sent_at, now()), n = n + 1"),
        None
    );
    assert_eq!(
        column("UPDATE t SET sent_at = NULL WHERE sent_at IS NULL"),
        None
    );
}

#[test]
fn counting_a_version_up_is_conditional() {
    let version = Some("version".to_owned());
    assert_eq!(
        column("UPDATE t SET a = $1, version = version + 1 WHERE id = $2 AND version = $3"),
        version
    );
    assert_eq!(
        column("UPDATE t SET version = $2 WHERE id = $1 AND version < $2"),
        version
    );
    assert_eq!(
        column("UPDATE t SET version = $2 WHERE id = $1 AND version <= $2"),
        None
    );
}

#[test]
fn a_bound_on_a_balance_is_not_conditional() {
    assert_eq!(
        column("UPDATE t SET points = points - $1 WHERE points >= $1"),
        None
    );
}

#[test]
fn renewing_a_lease_that_ran_out_is_conditional() {
    let lease = "UPDATE t SET locked_until = now() + interval '1 min' WHERE locked_until IS NULL OR locked_until < now()";
    assert_eq!(column(lease).as_deref(), Some("locked_until"));
    assert_eq!(
        column("UPDATE t SET locked_until = $2 WHERE id = $1 AND locked_until < $3").as_deref(),
        Some("locked_until")
    );
}

#[test]
fn an_or_is_left_behind_only_with_every_arm() {
    let claim = |more: &str| {
        column(&format!(
            "UPDATE t SET status = 'running', lease = now() + interval '1 min' WHERE status = 'queued' OR \
             (status = 'running' AND lease < now()){more}"
        ))
    };
    assert_eq!(claim("").as_deref(), Some("status"));
    assert_eq!(claim(" OR force"), None);
}

#[test]
fn a_conflict_update_may_be_conditional() {
    let text = "INSERT INTO t (id, v) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET v = excluded.v WHERE t.v < excluded.v";
    assert_eq!(column(text).as_deref(), Some("v"));
}

#[test]
fn rows_picked_by_a_locking_subquery_carry_its_condition() {
    let claim = one(
        "UPDATE jobs SET state = 'running', attempts = attempts + 1 WHERE id IN (SELECT id FROM jobs \
         WHERE state = 'queued' AND run_at <= now() ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED) RETURNING *",
    );
    assert_eq!(claim.picked[0], when("state", Test::Eq, literal("queued")));
    assert_eq!(claim.is_conditional().as_deref(), Some("state"));
    let lock = claim.lock.expect("the subquery locks");
    assert_eq!(
        (lock.strength, lock.skip_locked, lock.nowait),
        (Strength::Update, true, false)
    );
    assert_eq!(claim.reads, ["jobs"]);
}

#[test]
fn rows_picked_by_a_cte_carry_its_condition() {
    let claim = one(
        "WITH next AS (SELECT id FROM public.jobs j WHERE j.locked_by IS NULL LIMIT 1 FOR UPDATE SKIP LOCKED) \
         UPDATE jobs SET locked_by = $1 FROM next WHERE jobs.id = next.id",
    );
    assert_eq!(claim.verb, Verb::Update);
    assert_eq!(claim.is_conditional().as_deref(), Some("locked_by"));
    assert!(claim.lock.is_some());
    assert_eq!(claim.reads, ["public.jobs"]);
}

#[test]
fn a_claim_inside_a_select_is_nested() {
    let text = "WITH next AS (SELECT id FROM jobs WHERE state = 'new' FOR UPDATE SKIP LOCKED), \
                claimed AS (UPDATE jobs SET state = 'taken' FROM next WHERE jobs.id = next.id RETURNING jobs.*) \
                SELECT c.id FROM claimed c JOIN owners o ON o.id = c.owner";
    let select = one(text);
    assert_eq!(
        (select.verb, select.nested.len(), select.writes()),
        (Verb::Select, 1, true)
    );
    assert_eq!(select.reads, ["jobs", "owners"]);
    let claim = &select.nested[0];
    assert_eq!(
        (claim.verb, claim.table.as_deref()),
        (Verb::Update, Some("jobs"))
    );
    assert_eq!(claim.is_conditional().as_deref(), Some("state"));
    assert!(
        claim.reads.is_empty(),
        "a CTE is no table: {:?}",
        claim.reads
    );
    assert_eq!((claim.start, claim.end), (select.start, select.end));
}

#[test]
fn writes_are_listed_in_order_of_execution() {
    let text = "WITH gone AS (DELETE FROM a RETURNING id), kept AS (INSERT INTO b SELECT id FROM gone RETURNING id) \
                UPDATE c SET n = 1 WHERE id IN (SELECT id FROM kept)";
    let update = one(text);
    let tables: Vec<_> = update
        .written()
        .into_iter()
        .map(|one| one.table.clone().unwrap_or_default())
        .collect();
    assert_eq!(tables, ["a", "b", "c"]);
    assert!(update.reads.is_empty());
    let only = one("WITH gone AS (DELETE FROM a RETURNING id) SELECT * FROM gone");
    assert_eq!(only.written().len(), 1);
    assert_eq!(only.written()[0].verb, Verb::Delete);
}

#[test]
fn a_null_test_of_another_column_is_not_conditional() {
    assert_eq!(column("UPDATE t SET a = 1 WHERE b IS NULL"), None);
    assert_eq!(
        one("UPDATE t SET a = 1 WHERE b IS NULL").filter,
        [when("b", Test::IsNull, Value::Null)]
    );
}
