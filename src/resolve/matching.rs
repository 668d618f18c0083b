//! Whether a call fits an entry of the catalogue, and how well.

use retrysafe_rules::catalog::CallMatch;
use rustc_hash::FxHashMap;
use semver::{Version, VersionReq};

use crate::ir::Name;

use super::Ty;
use super::ty::no_args;

/// What is known of a call when the catalogue is asked about it.
#[derive(Debug, Clone, Default)]
pub struct CallShape<'a> {
    /// The canonical path of a function or macro, or `Type::method` of another crate.
    pub path: Option<Name>,
    /// Whether it is a macro.
    pub is_macro: bool,
    /// The method's name.
    pub method: Option<Name>,
    /// The receiver's type in another crate.
    pub receiver: Option<Name>,
    /// The name of the receiver's type in the workspace, and the macros it derives.
    pub user_type: Option<(Name, &'a [Name])>,
    /// Traits of other crates that the receiver is bound by.
    pub bounds: &'a [Name],
    /// Whether nothing is known of the receiver.
    pub unknown_receiver: bool,
    /// Traits of other crates that are in scope.
    pub imported: &'a [Name],
    /// The number of arguments.
    pub arguments: usize,
}

/// The crates that an entry's paths begin with.
pub(super) fn roots_of(call: &CallMatch) -> impl Iterator<Item = Name> + '_ {
    call.macros
        .iter()
        .chain(&call.paths)
        .chain(&call.receivers)
        .chain(&call.traits)
        .map(|path| Name::from(path.split("::").next().unwrap_or(path)))
}

pub(super) fn shape_name(shape: &CallShape<'_>) -> Option<Name> {
    shape.method.or_else(|| {
        shape
            .path
            .map(|path| Name::from(path.rsplit("::").next().unwrap_or(&path)))
    })
}

/// Whether the version that a package uses of a crate is one that an entry is about. An unknown
/// version matches.
pub(super) fn in_version(
    krate: Name,
    wanted: Option<&VersionReq>,
    versions: &FxHashMap<Name, Version>,
) -> bool {
    match (wanted, versions.get(&krate)) {
        (Some(wanted), Some(version)) => {
            // Requirements compare release numbers: a pre-release counts as its release.
            let release = Version::new(version.major, version.minor, version.patch);
            wanted.matches(&release)
        }
        _ => true,
    }
}

/// How well a call fits an entry; lower is better evidence.
pub(super) fn matches(call: &CallMatch, shape: &CallShape<'_>) -> Option<u8> {
    if call.arguments.is_some_and(|count| count != shape.arguments) {
        return None;
    }
    if let Some(path) = shape.path {
        let list = if shape.is_macro {
            &call.macros
        } else {
            &call.paths
        };
        if list.iter().any(|pattern| glob_path(pattern, &path)) {
            return Some(0);
        }
        if !shape.is_macro
            && call
                .suffixes
                .iter()
                .any(|suffix| ends_with_path(&path, suffix))
        {
            return Some(1);
        }
    }
    let method = shape.method?;
    if call
        .methods
        .iter()
        .any(|pattern| glob_name(pattern, &method))
    {
        if let Some(receiver) = shape.receiver
            && call
                .receivers
                .iter()
                .any(|pattern| glob_path(pattern, &receiver))
        {
            return Some(1);
        }
        if let Some(receiver) = shape.receiver
            && call
                .receiver_suffixes
                .iter()
                .any(|suffix| ends_with_path(&receiver, suffix))
        {
            return Some(1);
        }
        if let Some((name, derives)) = shape.user_type {
            if call
                .receiver_suffixes
                .iter()
                .any(|suffix| glob_name(suffix, &name))
            {
                return Some(1);
            }
            let derived = |wanted: &String| derives.iter().any(|derive| derive == wanted.as_str());
            if call.receiver_derives.iter().any(derived) {
                return Some(1);
            }
        }
        if call
            .traits
            .iter()
            .any(|wanted| shape.bounds.iter().any(|bound| bound == wanted.as_str()))
        {
            return Some(2);
        }
        // A type of the trait's own crate may well implement it.
        let may_implement = |wanted: &str| {
            shape.unknown_receiver
                || shape.receiver.is_some_and(|receiver| {
                    receiver.split("::").next() == wanted.split("::").next()
                })
        };
        if call.traits.iter().any(|wanted| {
            may_implement(wanted) && shape.imported.iter().any(|known| known == wanted.as_str())
        }) {
            return Some(3);
        }
    }
    let unique = call
        .unique_methods
        .iter()
        .any(|pattern| glob_name(pattern, &method));
    (unique && shape.unknown_receiver).then_some(4)
}

/// Whether a path ends in the given segments.
pub(super) fn ends_with_path(path: &str, suffix: &str) -> bool {
    let wanted = suffix.split("::").count();
    let segments: Vec<&str> = path.split("::").collect();
    segments
        .len()
        .checked_sub(wanted)
        .is_some_and(|start| glob_path(suffix, &segments[start..].join("::")))
}

/// Whether a path fits a pattern, segment by segment; `*` inside a segment is any text.
pub(super) fn glob_path(pattern: &str, path: &str) -> bool {
    if !pattern.contains('*') {
        return pattern == path;
    }
    let mut patterns = pattern.split("::");
    let mut segments = path.split("::");
    loop {
        match (patterns.next(), segments.next()) {
            (None, None) => return true,
            (Some(pattern), Some(segment)) if glob_name(pattern, segment) => {}
            _ => return false,
        }
    }
}

/// Whether a name fits a pattern in which `*` is any text.
pub(super) fn glob_name(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => {
            let Some(rest) = name.strip_prefix(before) else {
                return false;
            };
            if after.contains('*') {
                (0..=rest.len())
                    .any(|at| rest.is_char_boundary(at) && glob_name(after, &rest[at..]))
            } else {
                rest.len() >= after.len() && rest.ends_with(after)
            }
        }
    }
}

/// Reads a type of the catalogue: `a::B`, `Vec<a::B>`, `self`, `item`, `generic`.
pub(super) fn parse_type(text: &str) -> Ty {
    let text = text.trim();
    if let Some(inner) = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        return Ty::Tuple(split_arguments(inner).into_iter().map(parse_type).collect());
    }
    match text.split_once('<') {
        None => Ty::Extern(Name::from(text), no_args()),
        Some((head, rest)) => {
            let inner = rest.strip_suffix('>').unwrap_or(rest);
            let args = split_arguments(inner).into_iter().map(parse_type).collect();
            Ty::Extern(Name::from(head.trim()), args)
        }
    }
}

pub(super) fn split_arguments(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text_within_one_segment() {
        assert!(glob_path("aws_sdk_*::Client", "aws_sdk_sqs::Client"));
        assert!(!glob_path(
            "aws_sdk_*::Client",
            "aws_sdk_sqs::types::Client"
        ));
        assert!(glob_name("send_*", "send_message") && !glob_name("send_*", "resend_x"));
        assert!(glob_name("*_all", "fetch_all") && glob_name("*", "anything"));
    }

    #[test]
    fn a_type_is_read_with_its_arguments() {
        let ty = parse_type("std::vec::Vec<a::B<c::D>, e::F>");
        let Ty::Extern(path, args) = ty else { panic!() };
        assert_eq!((path.as_str(), args.len()), ("std::vec::Vec", 2));
    }
}
