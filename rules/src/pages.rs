//! The rules' pages: what each does, why it matters, what it does not see.

use include_dir::{Dir, include_dir};

use crate::rule::Rule;

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/pages");

/// The page of a rule, in Markdown; empty when there is none, which a test rules out.
pub fn page(rule: Rule) -> &'static str {
    PAGES
        .get_file(format!("{rule}.md"))
        .and_then(|file| file.contents_utf8())
        .unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_page_and_every_page_a_rule() {
        for rule in Rule::ALL {
            assert!(page(*rule).starts_with(&format!("# {rule}\n")), "{rule}");
        }
        for file in PAGES.files() {
            let stem = file.path().file_stem().and_then(|stem| stem.to_str());
            let stem = stem.expect("the name is text");
            assert!(Rule::parse(stem).is_some(), "{stem}");
        }
    }
}
