//! Transactions that are begun, written in and never ended: what they hold is rolled back when they are
//! dropped.

use retrysafe_rules::vocabulary::EffectKind;

use crate::ir::{Body, Expr, ExprId, Pat, Place, Site, Stmt};
use crate::timeline::Begin;

use super::effect::Reading;
use super::repeat::Drawn;

/// A write that is lost with the transaction that it stands in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Uncommitted {
    /// The position of the write among the effects that are drawn.
    pub(super) write: usize,
    /// Where the transaction begins.
    pub(super) begin: Site,
    /// Whether the function that begins it hands it out, as a unit of work: then it is lost only where others
    /// are seen to end theirs.
    pub(super) is_handed_out: bool,
}

/// The first write of each transaction that no path ends.
pub(super) fn uncommitted(reading: &Reading<'_, '_>, drawn: &[Drawn<'_>]) -> Vec<Uncommitted> {
    let mut found: Vec<Uncommitted> = Vec::new();
    for (write, of) in drawn.iter().enumerate() {
        let Some(begin) = of.happening.context.transaction else {
            continue;
        };
        let is_known = found.iter().any(|known| known.begin == begin.site);
        let is_open = of.effect.kind == EffectKind::DbWrite
            && of.effect.in_transaction
            && !of.happening.context.in_closure_transaction;
        if !is_open || is_known {
            continue;
        }
        if let Some(is_handed_out) = is_left_open(reading, begin) {
            found.push(Uncommitted {
                write,
                begin: begin.site,
                is_handed_out,
            });
        }
    }
    found
}

/// Whether nothing ends a transaction, nor any that is begun in the same function; and whether that function
/// hands it on.
fn is_left_open(reading: &Reading<'_, '_>, begin: Begin) -> Option<bool> {
    let program = reading.unfolding.timelines().program();
    let around = |site: Site| {
        let mut functions = program.functions.iter().enumerate();
        let found = functions
            .find(|(_, def)| def.file == site.file && def.function.extent.covers(site.place));
        found.map(|(index, _)| index)
    };
    let ends = &reading.unfolding.settled;
    // Which function stands around a place is asked last: that looks at all of them.
    if ends.iter().any(|end| end.begin == begin) {
        return None;
    }
    let own = around(begin.site)?;
    if ends.iter().any(|end| around(end.site) == Some(own)) {
        return None;
    }
    let body = program.functions[own].function.body.as_ref()?;
    Some(is_handed_on(body, begin.site.place))
}

/// Whether a transaction that begins at a place in a body is given to somebody who may end it: it is moved, or
/// a method of its own is called on it.
fn is_handed_on(body: &Body, begin: Place) -> bool {
    let stmts = body.exprs.iter().filter_map(|expr| match expr {
        Expr::Block(block) => Some(&block.stmts),
        _ => None,
    });
    let kept = stmts.flatten().find_map(|stmt| match stmt {
        Stmt::Let {
            pat,
            value: Some(value),
            ..
        } if body.place(*value).covers(begin) => match body.pat(*pat) {
            Pat::Bind(local, _) => Some(*local),
            _ => None,
        },
        _ => None,
    });
    let Some(kept) = kept else {
        return true;
    };
    let is_it = |id: &ExprId| matches!(body.expr(*id), Expr::Local(local) if *local == kept);
    body.exprs.iter().any(|expr| match expr {
        // A reference is lent; what stands by itself is moved.
        Expr::Call { args, .. } | Expr::Macro { args, .. } => args.iter().any(is_it),
        Expr::MethodCall {
            receiver,
            method,
            args,
            ..
        } => args.iter().any(is_it) || is_it(receiver) && !LENDING.contains(&method.as_str()),
        Expr::Struct { fields, .. } => fields.iter().any(|(_, value)| is_it(value)),
        Expr::Tuple(parts) | Expr::Array(parts) => parts.iter().any(is_it),
        Expr::Return { value, .. } => value.as_ref().is_some_and(is_it),
        Expr::Block(block) => block.tail.as_ref().is_some_and(is_it),
        Expr::Closure { body: inner, .. } => is_it(inner),
        Expr::Assign { value, .. } => is_it(value),
        _ => false,
    })
}

/// Methods that use a transaction and leave it as it is.
const LENDING: &[&str] = &[
    "execute",
    "execute_many",
    "fetch",
    "fetch_all",
    "fetch_one",
    "fetch_optional",
    "query",
    "query_one",
    "query_opt",
    "query_row",
    "prepare",
    "batch_execute",
    "execute_unprepared",
    "as_mut",
    "as_ref",
    "acquire",
];
