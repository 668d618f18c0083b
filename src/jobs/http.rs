//! HTTP: what a method and a URL tell.

use retrysafe_rules::catalog::{UrlEntry, UrlKind};
use retrysafe_rules::vocabulary::Action;

/// What an HTTP method does; `None` for a read.
pub(super) fn action_of(method: &str) -> Option<Action> {
    match method.to_ascii_uppercase().as_str() {
        "GET" | "HEAD" | "OPTIONS" | "TRACE" => None,
        "PUT" => Some(Action::Set),
        "PATCH" => Some(Action::Update),
        "DELETE" => Some(Action::Delete),
        "POST" => Some(Action::Create),
        _ => Some(Action::Call),
    }
}

/// A URL as a target: without its scheme and query.
pub(super) fn target(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let mut target = rest.trim_end_matches('/').to_owned();
    while let Some(at) = target.find("//") {
        target.remove(at);
    }
    target
}

/// The class of a URL, when the catalogue has one. What only asks does so at any host.
pub(super) fn class_of(url: &str, classes: &[UrlEntry]) -> Option<UrlKind> {
    let bare = target(url);
    let by_host = classes
        .iter()
        .find(|class| class.hosts.iter().any(|pattern| is_at(url, pattern)));
    let by_path = classes.iter().find(|class| {
        let mut ends = class.paths.iter();
        ends.any(|end| !end.is_empty() && bare.ends_with(end.as_str()))
    });
    let asks = by_path.filter(|class| class.kind == UrlKind::Read);
    asks.or(by_host).or(by_path).map(|class| class.kind)
}

/// Whether a URL is at a host, and below a path where the pattern has one.
pub(super) fn is_at(url: &str, pattern: &str) -> bool {
    let bare = target(url);
    let host = bare.split('/').next().unwrap_or(&bare);
    let (wanted_host, wanted_path) = match pattern.split_once('/') {
        Some((host, path)) => (host, Some(path)),
        None => (pattern, None),
    };
    host_fits(wanted_host, host)
        && wanted_path.is_none_or(|path| {
            let rest = bare.get(host.len()..).unwrap_or("").trim_start_matches('/');
            path_fits(path, rest)
        })
}

/// Whether a URL is where documents of GraphQL are sent.
pub(super) fn is_graphql(url: &str) -> bool {
    let target = target(url);
    let last = target.rsplit('/').next().unwrap_or_default();
    last.split('.').next() == Some("graphql")
}

/// Whether a name begins with a verb that says a repeat changes nothing more.
pub(super) fn is_natural_name(name: &str, classes: &[UrlEntry]) -> bool {
    let word = first_word(name);
    classes
        .iter()
        .filter(|class| class.kind == UrlKind::Natural)
        .any(|class| class.verbs.contains(&word))
}

/// Whether a path ends in a verb, a parameter is there, or a function is called by a verb, that
/// says a repeat changes nothing more.
pub(super) fn is_natural(url: &str, functions: &[String], classes: &[UrlEntry]) -> bool {
    let target = target(url);
    let path = target.split_once('/').map_or("", |(_, path)| path);
    let mut fixed = path.rsplit('/').filter(|segment| !segment.contains('{'));
    let last = fixed.next().unwrap_or_default();
    let before = fixed.next().unwrap_or_default();
    let natural = || {
        classes
            .iter()
            .filter(|class| class.kind == UrlKind::Natural)
    };
    // `/chat.update`, `/convert/html`: names that say it before a dot or in front of what it is of.
    let by_path = is_natural_name(last.rsplit('.').next().unwrap_or(last), classes)
        || natural().any(|class| class.verbs.iter().any(|verb| verb == before));
    let by_function = |name: &String| {
        let word = first_word(name);
        natural().any(|class| class.functions.contains(&word))
    };
    let by_parameter = || {
        let query = url.split_once('?').map_or("", |(_, query)| query);
        let mut names = query
            .split('&')
            .filter_map(|parameter| parameter.split('=').next());
        names.any(|name| natural().any(|class| class.parameters.iter().any(|known| known == name)))
    };
    by_path || by_parameter() || functions.iter().any(by_function)
}

/// The first word of a name in any case: `deleteUser`, `delete_user`, `delete-user`.
fn first_word(name: &str) -> String {
    let mut word = String::new();
    for (index, c) in name.chars().enumerate() {
        if !c.is_alphanumeric() || c.is_uppercase() && index > 0 {
            break;
        }
        word.extend(c.to_lowercase());
    }
    word
}

fn host_fits(pattern: &str, host: &str) -> bool {
    let host = host.split(':').next().unwrap_or(host);
    let mut wanted = pattern.rsplit('.');
    let mut given = host.rsplit('.');
    loop {
        match (wanted.next(), given.next()) {
            (None, _) => return true,
            (Some("*"), Some(_)) => {}
            (Some(wanted), Some(given)) if wanted.eq_ignore_ascii_case(given) => {}
            _ => return false,
        }
    }
}

fn path_fits(pattern: &str, path: &str) -> bool {
    let mut given = path.split('/');
    pattern
        .split('/')
        .filter(|segment| !segment.is_empty())
        .all(|wanted| match given.next() {
            Some(segment) => wanted == "*" || wanted == segment,
            None => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_pattern_covers_its_subdomains_and_no_other_host() {
        assert!(host_fits("api.stripe.com", "api.stripe.com"));
        assert!(host_fits("stripe.com", "api.stripe.com"));
        assert!(!host_fits("api.stripe.com", "stripe.com"));
        assert!(!host_fits("stripe.com", "notstripe.com"));
        assert!(host_fits(
            "email.*.amazonaws.com",
            "email.eu-west-1.amazonaws.com"
        ));
    }

    #[test]
    fn a_target_has_neither_scheme_nor_query() {
        assert_eq!(
            target("https://crm.example/notes/?x=1"),
            "crm.example/notes"
        );
        assert_eq!(target("{base}/v2/customers"), "{base}/v2/customers");
    }

    #[test]
    fn the_first_word_of_a_name_is_its_verb() {
        assert_eq!(first_word("deleteUser"), "delete");
        assert_eq!(first_word("delete_user"), "delete");
        assert_eq!(first_word("settings"), "settings");
        assert_eq!(first_word(""), "");
    }

    #[test]
    fn put_sets_and_get_reads() {
        assert_eq!(action_of("put"), Some(Action::Set));
        assert_eq!(action_of("GET"), None);
    }
}
