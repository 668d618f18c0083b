//! `cargo retrysafe explain` and `cargo retrysafe rules`.

use std::fmt::Write as _;
use std::io::Write as _;

use retrysafe_rules::pages::page;
use retrysafe_rules::rule::{Family, Rule};
use retrysafe_rules::vocabulary::nearest;

use super::exit::Exit;

/// Prints the page of a rule.
pub(super) fn explain(word: &str) -> Exit {
    match Rule::parse(word) {
        Some(rule) => {
            // A closed pipe is the reader's decision.
            let _ = std::io::stdout().write_all(page(rule).as_bytes());
            Exit::Clean
        }
        None => {
            let hint = match nearest(word, Rule::ALL.iter().map(|rule| rule.word())) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`cargo retrysafe rules` lists them".to_owned(),
            };
            let _ = writeln!(
                std::io::stderr(),
                "error: there is no rule `{word}`; {hint}"
            );
            Exit::Unusable
        }
    }
}

/// Prints every rule with its level and what it is about, family by family.
pub(super) fn rules() -> Exit {
    let mut text = String::new();
    for family in Family::ALL {
        let _ = writeln!(text, "{family}");
        let rules = Rule::ALL.iter().filter(|rule| rule.family() == *family);
        for rule in rules {
            let _ = writeln!(
                text,
                "  {:<24} {:<6} {}",
                rule,
                rule.default_level(),
                rule.summary()
            );
        }
    }
    let _ = std::io::stdout().write_all(text.as_bytes());
    Exit::Clean
}
