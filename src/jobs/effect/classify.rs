//! What an operation does to its target, read off an argument or the chain.

use std::sync::Arc;

use retrysafe_rules::catalog::{Classify, EffectEntry, Part};
use retrysafe_rules::vocabulary::{Action, EffectKind};

use crate::timeline::{Bound, Unfolding, Value};

use super::super::http;
use super::super::part::{Operation, is_left_out};
use super::super::text::{fixed, render};
use super::Reading;

impl Reading<'_, '_> {
    /// The kind that what is given to a call tells.
    pub(super) fn kind_of(
        &self,
        operation: &Operation,
        entry: &EffectEntry,
        usual: EffectKind,
    ) -> EffectKind {
        let is_given = |part: &Part| {
            let value = operation.part(self.unfolding, part);
            value.is_some_and(|value| !is_left_out(self.unfolding, &value))
        };
        let mut kinds = entry.kinds.iter();
        let kind = kinds
            .find(|other| other.given.iter().any(is_given))
            .map_or(usual, |other| other.kind);
        match kind {
            EffectKind::Enqueue | EffectKind::Publish if !self.is_taken(entry) => EffectKind::Cache,
            kind => kind,
        }
    }

    /// Whether code of the workspace may take what an operation hands on.
    fn is_taken(&self, entry: &EffectEntry) -> bool {
        let program = self.unfolding.timelines().program();
        entry.taken_by.is_empty() || program.names_any(&entry.taken_by)
    }

    /// The kind of a command: one that adds to a list hands on where somebody takes from one.
    pub(super) fn kind_of_command(
        &self,
        operation: &Operation,
        entry: &EffectEntry,
        usual: EffectKind,
    ) -> EffectKind {
        let command = self.command_of(operation, entry).unwrap_or_default();
        match command.to_ascii_uppercase().as_str() {
            "LPUSH" | "RPUSH" if self.is_taken(entry) => EffectKind::Enqueue,
            "XADD" | "PUBLISH" | "SPUBLISH" => EffectKind::Publish,
            _ => usual,
        }
    }

    /// The command of Redis that an operation runs.
    fn command_of(&self, operation: &Operation, entry: &EffectEntry) -> Option<String> {
        match entry.classify? {
            Classify::RedisCommand => {
                let part = entry.subject.clone().unwrap_or(Part::Arg(0, None));
                fixed(self.unfolding, &operation.part(self.unfolding, &part)?)
            }
            Classify::RedisVerb => Some(operation.root.name.to_string()),
            _ => None,
        }
    }

    /// The action that an argument or the chain tells; `None` for a read.
    pub(super) fn classified(
        &self,
        operation: &Operation,
        entry: &EffectEntry,
        classify: Classify,
        default: Action,
    ) -> Option<Action> {
        let unfolding = self.unfolding;
        let subject = || {
            let part = entry.subject.clone().unwrap_or(Part::Arg(0, None));
            operation.part(unfolding, &part)
        };
        match classify {
            Classify::HttpMethod => match subject() {
                Some(method) => http::action_of(&render(unfolding, &method)),
                None => Some(default),
            },
            Classify::HttpVerb => http::action_of(operation.root.name.trim_start_matches('_')),
            Classify::HttpRequest => {
                let mut found = None;
                operation.search(unfolding, &mut |apply, env| {
                    let verb = match apply.name.as_str() {
                        "get" | "head" | "post" | "put" | "patch" | "delete" => {
                            Some(apply.name.to_string())
                        }
                        "request" | "method" | "new" => apply.args.first().map(|arg| {
                            render(
                                unfolding,
                                &Bound {
                                    value: Arc::clone(arg),
                                    env,
                                },
                            )
                        }),
                        _ => None,
                    };
                    if let Some(verb) = verb
                        && verb.chars().all(char::is_alphabetic)
                        && matches!(
                            verb.to_ascii_uppercase().as_str(),
                            "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"
                        )
                    {
                        found = Some(http::action_of(&verb));
                    }
                    found.is_some()
                });
                found.unwrap_or(Some(default))
            }
            Classify::SetExpression => {
                let relative =
                    operation.has_method(unfolding, "set") && self.sets_relatively(operation);
                Some(if relative { Action::Relative } else { default })
            }
            Classify::FileOpen => file_action(operation, unfolding, default),
            Classify::RedisCommand | Classify::RedisVerb => {
                let command = self.command_of(operation, entry).unwrap_or_default();
                redis_action(&command, default)
            }
            Classify::NameVerb => Some(verb_action(&operation.root.name, default)),
            Classify::Process
            | Classify::RedisScript
            | Classify::Sql
            | Classify::SqlFile
            | Classify::SqlPieces
            | Classify::SqlStatement => Some(default),
        }
    }

    /// `.set(column.eq(column + 1))`: an operation inside the argument of `set`.
    pub(super) fn sets_relatively(&self, operation: &Operation) -> bool {
        let mut relative = false;
        operation.search(self.unfolding, &mut |apply, env| {
            if apply.name == "set" || apply.name == "col_expr" {
                for arg in &apply.args {
                    relative |= holds_arithmetic(
                        self.unfolding,
                        &Bound {
                            value: Arc::clone(arg),
                            env,
                        },
                        6,
                    );
                }
            }
            relative
        });
        relative
    }
}

pub(super) fn holds_arithmetic(unfolding: &Unfolding<'_>, bound: &Bound, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let head = unfolding.head(bound);
    let at = |value: &crate::timeline::V| Bound {
        value: Arc::clone(value),
        env: head.env,
    };
    match &*head.value {
        Value::Operation(op, left, _) => {
            matches!(
                op,
                crate::ir::BinaryOp::Add
                    | crate::ir::BinaryOp::Subtract
                    | crate::ir::BinaryOp::Arithmetic
            ) && matches!(&*unfolding.head(&at(left)).value, Value::Path(_))
        }
        Value::Apply(apply) => {
            let adds =
                matches!(apply.name.as_str(), "add" | "sub" | "mul") && apply.receiver.is_some();
            adds || apply
                .args
                .iter()
                .any(|arg| holds_arithmetic(unfolding, &at(arg), depth - 1))
        }
        Value::Tuple(elems) => elems
            .iter()
            .any(|elem| holds_arithmetic(unfolding, &at(elem), depth - 1)),
        _ => false,
    }
}

/// How the options in a chain open a file; `None` for reading.
pub(super) fn file_action(
    operation: &Operation,
    unfolding: &Unfolding<'_>,
    default: Action,
) -> Option<Action> {
    let on = |name: &str| {
        operation
            .part(unfolding, &Part::Method(name.to_owned(), 0))
            .is_some_and(|value| render(unfolding, &value) != "false")
    };
    if on("append") {
        Some(Action::Append)
    } else if on("create_new") {
        Some(Action::Create)
    } else if on("write") || on("create") || on("truncate") {
        Some(Action::Set)
    } else if operation.has_method(unfolding, "read") {
        None
    } else {
        Some(default)
    }
}

/// What a Redis command does; `None` for a read.
pub(super) fn redis_action(command: &str, default: Action) -> Option<Action> {
    let command = command
        .split_whitespace()
        .next()
        .unwrap_or(command)
        .to_ascii_uppercase();
    match command.as_str() {
        "GET" | "MGET" | "EXISTS" | "TTL" | "PTTL" | "KEYS" | "SCAN" | "HGET" | "HGETALL"
        | "HMGET" | "LRANGE" | "LLEN" | "SMEMBERS" | "SISMEMBER" | "ZRANGE" | "ZSCORE"
        | "ZCARD" | "SCARD" | "PING" | "INFO" | "TYPE" | "XLEN" | "XRANGE" | "XREAD"
        | "HEXISTS" | "HKEYS" | "HVALS" | "STRLEN" | "ZRANGEBYSCORE" | "TIME" | "SELECT"
        | "GETRANGE" | "LINDEX" | "LPOS" | "SINTER" | "SUNION" | "SDIFF" | "SRANDMEMBER"
        | "HSTRLEN" | "ZRANK" | "ZREVRANK" | "ZREVRANGE" | "ZCOUNT" | "ZMSCORE" | "XREVRANGE"
        | "XINFO" | "XPENDING" | "DBSIZE" | "RANDOMKEY" | "EXPIRETIME" | "PEXPIRETIME"
        | "OBJECT" | "MEMORY" | "ECHO" | "AUTH" | "HELLO" | "CLIENT" | "ROLE" | "COMMAND"
        // How a connection works, not what is kept.
        | "WATCH" | "UNWATCH" | "MULTI" | "EXEC" | "DISCARD" | "SUBSCRIBE" | "UNSUBSCRIBE"
        | "PSUBSCRIBE" | "PUNSUBSCRIBE" | "WAIT"
        // The message that is taken, and that it was.
        | "XREADGROUP" | "XACK" => None,
        "SET" | "SETEX" | "PSETEX" | "MSET" | "HSET" | "HMSET" | "EXPIRE" | "PEXPIRE" | "SADD"
        | "ZADD" | "PERSIST" => Some(Action::Set),
        "SETNX" | "HSETNX" => Some(Action::Create),
        "DEL" | "UNLINK" | "HDEL" | "SREM" | "ZREM" | "LTRIM" | "LREM" | "FLUSHDB" | "FLUSHALL"
        | "GETDEL" | "XDEL" | "XTRIM" | "ZREMRANGEBYSCORE" | "ZREMRANGEBYRANK" => {
            Some(Action::Delete)
        }
        "INCR" | "DECR" | "INCRBY" | "DECRBY" | "INCRBYFLOAT" | "HINCRBY" | "ZINCRBY"
        | "APPEND" => Some(Action::Relative),
        "LPUSH" | "RPUSH" | "XADD" => Some(Action::Append),
        "PUBLISH" | "SPUBLISH" => Some(Action::Send),
        _ => Some(default),
    }
}

pub(super) fn verb_action(name: &str, default: Action) -> Action {
    let head = name.split('_').next().unwrap_or(name);
    match head {
        "create" | "add" | "insert" | "new" | "open" | "start" => Action::Create,
        "update" | "edit" | "set" | "modify" | "change" | "rename" => Action::Update,
        "delete" | "remove" | "destroy" | "clear" => Action::Delete,
        "send" | "post" | "publish" | "forward" | "reply" => Action::Send,
        "put" | "upsert" | "replace" => Action::Set,
        _ => default,
    }
}
