//! What the names of tables and columns tell: which keep what was seen, which are a queue's books.

use crate::ir::words;
use crate::jobs::{MappedEffect, Varying};

use super::subject::Subject;

/// Words in the names of tables and paths that keep what was seen, as against what is owed.
pub(super) const OBSERVED: &[&str] = &[
    "log",
    "logs",
    "audit",
    "audits",
    "usage",
    "metric",
    "metrics",
    "analytics",
    "telemetry",
    "stats",
    "statistics",
    "activity",
    "activities",
    "progress",
    "heartbeat",
    "trace",
    "traces",
];

/// Words in the names of tables in which a queue or a runner keeps its books.
const BOOKS: &[&str] = &[
    "job",
    "jobs",
    "queue",
    "queues",
    "task",
    "tasks",
    "worker",
    "workers",
    "lease",
    "leases",
    "lock",
    "locks",
    "attempt",
    "attempts",
    "run",
    "runs",
    "schedule",
    "schedules",
    "cron",
    "outbox",
    "inbox",
    "migration",
    "migrations",
    "cursor",
    "cursors",
    "checkpoint",
    "checkpoints",
];

/// Words in the names of columns that say when a row was last looked at or touched, or how long it is
/// held: another attempt may say so anew.
const TOUCHED: &[&str] = &[
    "updated",
    "modified",
    "changed",
    "seen",
    "heartbeat",
    "checked",
    "synced",
    "sync",
    "fetched",
    "polled",
    "refreshed",
    "refresh",
    "scanned",
    "locked",
    "claimed",
    "leased",
    "attempted",
    "attempt",
    "tried",
    "retry",
    "visited",
    "accessed",
    "access",
    "used",
    "login",
    "active",
    "activity",
    "indexed",
    "crawled",
    "expires",
    "expiry",
    "expiration",
    "cached",
    "touched",
    "run",
    "ran",
    "pinged",
    "ping",
    "observed",
    "progress",
    "updates",
    "update",
    "mtime",
    "atime",
];

/// Words in the names of columns that count tries and failures.
const COUNTED: &[&str] = &[
    "attempt",
    "attempts",
    "retry",
    "retries",
    "tries",
    "try",
    "failure",
    "failures",
    "failed",
    "errors",
    "error",
    "use",
    "used",
    "uses",
    "usage",
    "view",
    "views",
    "hit",
    "hits",
    "visits",
    "requests",
    "calls",
    "version",
    "revision",
    "seq",
    "sequence",
    "epoch",
    "index",
    "serial",
    "counter",
    "generation",
    "nonce",
];

fn has_word(name: &str, of: &[&str]) -> bool {
    words(name).any(|word| of.contains(&word.as_str()))
}

/// Whether a table keeps what was seen, or the configuration says that it only ever grows.
pub(super) fn is_append_only(subject: &Subject<'_>, effect: &MappedEffect) -> bool {
    has_word(&effect.target, OBSERVED)
        || has_word(&effect.target, &["history", "events"])
        || subject.config.is_append_only(&effect.target)
}

/// Whether a table keeps a queue's books, or what was seen.
pub(super) fn is_bookkeeping(effect: &MappedEffect) -> bool {
    is_queue(effect) || has_word(&effect.target, OBSERVED)
}

/// Whether a table keeps a queue's books.
pub(super) fn is_queue(effect: &MappedEffect) -> bool {
    has_word(&effect.target, BOOKS)
}

/// Whether a column only says when a row was touched.
pub(super) fn is_audit(subject: &Subject<'_>, column: &str) -> bool {
    has_word(column, TOUCHED) || subject.config.is_audit_column(column)
}

/// Whether a column counts tries.
pub(super) fn counts_tries(column: &str) -> bool {
    has_word(column, COUNTED)
}

/// Whether a key of a cache counts what happens, or how often something may.
pub(super) fn counts(key: &str) -> bool {
    let is_limit = has_word(
        key,
        &[
            "rate",
            "ratelimit",
            "limit",
            "limiter",
            "limits",
            "throttle",
            "quota",
            "count",
            "counts",
            "counter",
            "counters",
            "stat",
            "window",
            "id",
            "ids",
            "total",
        ],
    );
    is_limit || counts_tries(key) || has_word(key, OBSERVED)
}

/// Whether a column says how far something has come, or when it is due: who comes later says it anew.
pub(super) fn is_cursor(column: &str) -> bool {
    column.ends_with("_at")
        || has_word(
            column,
            &[
                "next",
                "block",
                "height",
                "cursor",
                "offset",
                "index",
                "indexed",
                "page",
                "position",
                "rank",
                "level",
                "confirmations",
                "date",
                "time",
                "timestamp",
                "until",
                "checkpoint",
                "slot",
            ],
        )
}

/// Whether a column is something that people own: others change it as well.
pub(super) fn is_owned(column: &str) -> bool {
    has_word(
        column,
        &[
            "balance",
            "balances",
            "credit",
            "credits",
            "points",
            "stamps",
            "stock",
            "quantity",
            "inventory",
            "funds",
            "amount",
            "tokens",
            "coins",
        ],
    )
}

/// Where a value is born that differs between attempts, in words behind its column.
pub(super) fn born(varying: &Varying) -> String {
    match &varying.origin {
        Some(origin) => format!("`{}`", origin.what),
        None if varying.is_clock => "the database's clock".to_owned(),
        None => "a random value of the database".to_owned(),
    }
}
