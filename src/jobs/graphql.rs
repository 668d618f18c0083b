//! GraphQL documents, as far as whether they change anything.

/// The first field of a mutation; none of a document that only asks.
pub(super) fn mutation(document: &str) -> Option<String> {
    let text: String = document
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join(" ");
    let (_, rest) = text
        .match_indices("mutation")
        .map(|(at, word)| (at, &text[at + word.len()..]))
        .find(|(at, rest)| {
            let before = text[..*at].trim_end();
            let begins = before.is_empty() || before.ends_with('}');
            begins && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        })?;
    let body = rest.split_once('{').map_or("", |(_, body)| body);
    let first: String = body
        .trim_start()
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | ' '))
        .collect();
    // `answer: closeIssue(…)` is called by another name in the answer.
    let name = first.rsplit(':').next().unwrap_or_default();
    Some(name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::mutation;

    #[test]
    fn a_mutation_is_known_by_its_first_field() {
        let named = |text: &str| mutation(text);
        assert_eq!(
            named("mutation Close($id: ID!) { closeIssue(input: {id: $id}) { id } }").as_deref(),
            Some("closeIssue")
        );
        assert_eq!(
            named("# now\nmutation { done: addComment(input: {}) { id } }").as_deref(),
            Some("addComment")
        );
        assert_eq!(named("query { mutation { id } }"), None);
        assert_eq!(named("{ viewer { login } }"), None);
        assert_eq!(named("query mutationLog { id }"), None);
        assert_eq!(named("mutation").as_deref(), Some(""));
    }
}
