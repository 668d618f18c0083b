//! The standard library's containers and combinators: how values and types move through them.

use crate::ir::Name;

use super::ty::Ty;

/// What a standard method does with its receiver's type.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Moves {
    /// Gives the receiver's type again.
    Same,
    /// Gives this type.
    Gives(Ty),
    /// Gives the receiver's container around the closure's result.
    Maps(Ty),
    /// Gives what the closure gives.
    Flat(Ty),
    /// Gives the receiver's type; the closure takes this type.
    Peeks(Ty),
    /// Folds: the closure takes the first argument's type and this one, and gives the first.
    Folds(Ty),
}

/// Pointers, cells and guards, through which methods of the inner type are called.
pub(super) fn is_pointer(path: &str) -> bool {
    matches!(
        path,
        "std::sync::Arc"
            | "std::boxed::Box"
            | "std::rc::Rc"
            | "std::borrow::Cow"
            | "std::pin::Pin"
            | "std::sync::MutexGuard"
            | "std::sync::RwLockReadGuard"
            | "std::sync::RwLockWriteGuard"
            | "std::cell::Ref"
            | "std::cell::RefMut"
            | "std::sync::LazyLock"
            | "std::sync::Weak"
            | "tokio::sync::MutexGuard"
            | "tokio::sync::OwnedMutexGuard"
            | "tokio::sync::RwLockReadGuard"
            | "tokio::sync::RwLockWriteGuard"
            | "once_cell::sync::Lazy"
    )
}

fn is_cell(path: &str) -> bool {
    let last = path.rsplit("::").next().unwrap_or(path);
    matches!(
        last,
        "Mutex" | "RwLock" | "RefCell" | "OnceCell" | "OnceLock" | "FairMutex"
    )
}

/// `Option` and `Result`.
pub(super) fn is_outcome(path: &str) -> bool {
    matches!(path, "std::option::Option" | "std::result::Result")
        || path.ends_with("::Result")
        || path.ends_with("Result") && !path.ends_with("QueryResult")
}

fn is_sequence(path: &str) -> bool {
    let last = path.rsplit("::").next().unwrap_or(path);
    matches!(
        last,
        "Vec"
            | "VecDeque"
            | "HashSet"
            | "BTreeSet"
            | "IndexSet"
            | "SmallVec"
            | "BinaryHeap"
            | "DashSet"
    )
}

/// Whether a type is a map.
pub(super) fn is_map(path: &str) -> bool {
    let last = path.rsplit("::").next().unwrap_or(path);
    matches!(last, "HashMap" | "BTreeMap" | "IndexMap" | "DashMap")
}

/// The type of an item of a collection.
pub(super) fn item_of(ty: &Ty) -> Ty {
    match ty {
        Ty::Extern(path, args) if is_map(path) && args.len() > 1 => Ty::Tuple(args.clone()),
        Ty::Extern(path, args) if is_sequence(path) || is_outcome(path) => {
            args.first().cloned().unwrap_or_default()
        }
        Ty::Extern(path, args) if is_pointer(path) => args.first().map(item_of).unwrap_or_default(),
        _ => Ty::Unknown,
    }
}

/// What `?`, `unwrap` and a pattern like `Some(x)` leave of a type.
pub(super) fn success_of(ty: &Ty) -> Ty {
    match ty {
        Ty::Extern(path, args) if is_outcome(path) => match args.first() {
            Some(inner) => inner.clone(),
            None => Ty::Unknown,
        },
        other => other.clone(),
    }
}

/// What the standard library says of a method.
pub(super) fn method(receiver: &Ty, method: Name) -> Option<Moves> {
    let always = match method.as_str() {
        "clone" | "to_owned" | "as_ref" | "as_mut" | "borrow" | "borrow_mut" | "into"
        | "by_ref" | "deref" | "as_deref" | "as_deref_mut" | "boxed" | "instrument"
        | "in_current_span" | "with_subscriber" | "fuse" | "into_inner" | "get_ref"
        | "as_pin_mut" | "shared" | "scope_boxed" | "boxed_local" | "compat" | "into_future" => {
            Some(Moves::Same)
        }
        // The catalogue gives types with their outcomes stripped.
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default" | "map_err"
        | "context" | "with_context" | "wrap_err" | "wrap_err_with" | "ok" | "ok_or"
        | "ok_or_else" | "change_context" | "inspect_err" | "or_else" => Some(Moves::Same),
        _ => None,
    };
    let Ty::Extern(path, args) = receiver else {
        return always;
    };
    let first = || args.first().cloned().unwrap_or_default();
    if is_cell(path) {
        return match method.as_str() {
            "lock" | "read" | "write" | "borrow" | "borrow_mut" | "get" | "get_mut"
            | "try_lock" | "into_inner" | "get_or_init" | "lock_owned" => {
                Some(Moves::Gives(first()))
            }
            _ => always,
        };
    }
    if is_outcome(path) {
        return Some(match method.as_str() {
            "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else"
            | "unwrap_unchecked" => match method.as_str() {
                "unwrap_or_else" => Moves::Gives(first()),
                _ => Moves::Gives(first()),
            },
            "ok" | "ok_or" | "ok_or_else" | "map_err" | "context" | "with_context" | "or_else"
            | "or" | "take" | "cloned" | "copied" | "transpose" | "replace" | "wrap_err"
            | "wrap_err_with" | "inspect_err" | "change_context" | "attach_printable"
            | "retryable" | "fatal" => Moves::Same,
            "filter" | "inspect" | "is_some_and" | "is_ok_and" | "is_none_or" => {
                Moves::Peeks(first())
            }
            "map" => Moves::Maps(first()),
            "and_then" => Moves::Flat(first()),
            "map_or" | "map_or_else" => Moves::Flat(first()),
            "err" => Moves::Gives(Ty::Unknown),
            "iter" | "into_iter" | "iter_mut" => Moves::Gives(Ty::wrap("std::vec::Vec", first())),
            "get_or_insert_with" | "insert" | "get_or_insert" => Moves::Gives(first()),
            "is_some" | "is_none" | "is_ok" | "is_err" => Moves::Gives(Ty::Unknown),
            _ => return always,
        });
    }
    let option = |ty: Ty| Moves::Gives(Ty::wrap("std::option::Option", ty));
    if is_map(path) {
        let value = || args.get(1).cloned().unwrap_or_default();
        return Some(match method.as_str() {
            "get" | "get_mut" | "remove" | "insert" => option(value()),
            "entry" | "or_insert" | "or_insert_with" | "or_default" => Moves::Gives(value()),
            "iter" | "into_iter" | "iter_mut" | "drain" => {
                Moves::Gives(Ty::wrap("std::vec::Vec", Ty::Tuple(args.clone())))
            }
            "keys" | "into_keys" => Moves::Gives(Ty::wrap("std::vec::Vec", first())),
            "values" | "values_mut" | "into_values" => {
                Moves::Gives(Ty::wrap("std::vec::Vec", value()))
            }
            _ => return always,
        });
    }
    if is_sequence(path) {
        let tuple = |other: Ty| {
            Moves::Gives(Ty::wrap(
                "std::vec::Vec",
                Ty::Tuple([other, first()].into()),
            ))
        };
        return Some(match method.as_str() {
            "iter" | "into_iter" | "iter_mut" | "drain" | "rev" | "take" | "skip" | "collect"
            | "chain" | "peekable" | "try_collect" | "collect_vec" | "sorted" | "to_vec"
            | "dedup" | "unique" | "step_by" | "cycle" | "cloned" | "copied"
            | "buffer_unordered" | "buffered" | "into_stream" | "as_slice" | "par_iter"
            | "into_par_iter" | "intersection" | "union" | "difference" | "split_off" => {
                Moves::Same
            }
            "filter"
            | "inspect"
            | "skip_while"
            | "take_while"
            | "sorted_by_key"
            | "retain"
            | "sort_by_key"
            | "for_each"
            | "any"
            | "all"
            | "position"
            | "try_for_each"
            | "for_each_concurrent"
            | "try_for_each_concurrent"
            | "partition" => Moves::Peeks(first()),
            "find" => Moves::Peeks(first()),
            "map" | "flat_map" | "filter_map" | "then" | "and_then" | "map_while" | "find_map" => {
                Moves::Maps(first())
            }
            "enumerate" => tuple(Ty::Unknown),
            "fold" | "try_fold" => Moves::Folds(first()),
            "first" | "last" | "get" | "next" | "pop" | "pop_front" | "pop_back" | "get_mut"
            | "nth" | "max_by_key" | "min_by_key" | "max" | "min" | "iter_max" | "first_mut"
            | "last_mut" | "try_next" => option(first()),
            "chunks" | "windows" | "chunks_exact" | "array_chunks" | "tuples" => {
                Moves::Gives(Ty::wrap("std::vec::Vec", receiver.clone()))
            }
            "zip" => Moves::Gives(Ty::wrap(
                "std::vec::Vec",
                Ty::Tuple([first(), Ty::Unknown].into()),
            )),
            "remove" | "swap_remove" => Moves::Gives(first()),
            _ => return always,
        });
    }
    if path.ends_with("JoinHandle") {
        return (method == "await")
            .then(|| Moves::Gives(first()))
            .or(always);
    }
    always
}
