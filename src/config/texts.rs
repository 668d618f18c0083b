//! The kinds of text in the file, and when one of them is wrong.

use std::str::FromStr;

use retrysafe_rules::catalog::Part;
use retrysafe_rules::grammar::{JobMark, Listed, Mark, parse_text};
use retrysafe_rules::rule::REASON;

use super::pattern::{FilePattern, FunctionPattern, JobPattern, NamePattern};
use super::shape::TextKind;

/// Any text.
pub(super) const ANY: TextKind = TextKind {
    check: |_| Ok(()),
    pattern: None,
};

/// A text that says something.
pub(super) const FILLED: TextKind = TextKind {
    check: filled,
    pattern: Some(r"\S"),
};

/// A reason: what is too short is the check's business, and an editor's.
pub(super) const REASONED: TextKind = TextKind {
    check: |_| Ok(()),
    pattern: Some(REASON_PATTERN),
};

const REASON_PATTERN: &str = r"^\s*\S[\s\S]{8,}\S\s*$";
const _: () = assert!(REASON == 10, "the pattern counts as the rule does");

/// A pattern of functions.
pub(super) const FUNCTIONS: TextKind = TextKind {
    check: |text| filled(text).and_then(|()| FunctionPattern::new(text).map(drop)),
    pattern: Some(r"\S"),
};

/// A pattern of files.
pub(super) const FILES: TextKind = TextKind {
    check: |text| filled(text).and_then(|()| FilePattern::new(text).map(drop)),
    pattern: Some(r"\S"),
};

/// A pattern of jobs.
pub(super) const JOBS: TextKind = TextKind {
    check: |text| filled(text).and_then(|()| JobPattern::new(text).map(drop)),
    pattern: Some(r"\S"),
};

/// A pattern of tables, columns or targets.
pub(super) const NAMES: TextKind = TextKind {
    check: |text| filled(text).and_then(|()| NamePattern::new(text).map(drop)),
    pattern: Some(r"\S"),
};

/// A part of a call.
pub(super) const PART: TextKind = TextKind {
    check: |text| Part::from_str(text).map(drop),
    pattern: Some(
        r"^(receiver|type|name|arg:\d+(\..*)?|(terminal|generic):\d+|(field|literal):[\s\S]+|(method|next):[^:]+(:\d+)?)$",
    ),
};

/// Versions of a crate.
pub(super) const VERSIONS: TextKind = TextKind {
    check: |text| {
        let wrong = |error| format!("`{text}` names no versions: {error}");
        semver::VersionReq::from_str(text).map(drop).map_err(wrong)
    },
    pattern: None,
};

/// An effect in the words of the attribute: `email`, `db_write("invoices")`.
pub(super) const EFFECT: TextKind = TextKind {
    check: |text| listed(text).map(drop),
    pattern: Some(r"\S"),
};

fn filled(text: &str) -> Result<(), String> {
    match text.trim() {
        "" => Err("the text is empty; fill it in or leave the key out".to_owned()),
        _ => Ok(()),
    }
}

/// The effects that an entry of a list names, in the words of the attribute.
pub(super) fn listed(text: &str) -> Result<Vec<Listed>, String> {
    let told = |message: &str| format!("`{text}` lists no effect: {message}");
    match parse_text(&format!("job(effects({text}))")).map(|parsed| parsed.mark) {
        Ok(Mark::Job(JobMark {
            key: None,
            effects: Some(effects),
            delivery: None,
            attempts: None,
            schedule: false,
        })) if !effects.is_empty() => Ok(effects),
        Ok(_) => Err(told(
            "write a kind, with targets in brackets: `http(\"crm\")`",
        )),
        Err(found) => match found.first() {
            Some(error) if error.message.starts_with("unknown kind") => Err(error.message.clone()),
            Some(error) => Err(told(&error.message)),
            None => Err(told("it cannot be read")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_is_listed_in_the_words_of_the_attribute() {
        assert_eq!(listed("email").map(|found| found.len()), Ok(1));
        assert_eq!(
            listed("db-write(\"a\", \"b\")").map(|found| found.len()),
            Ok(2)
        );
        assert_eq!(
            listed("emial").expect_err("a slip of the pen"),
            "unknown kind of effect `emial`; did you mean `email`?"
        );
        for text in [
            "",
            "email), attempts = 3, effects(",
            "email), key = (\"x\"",
            "(",
            "\u{0}",
        ] {
            assert!(listed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parts_fit_the_pattern_that_editors_are_given() {
        // The pattern is checked against samples where the schema is validated.
        assert!((PART.check)("arg:0.field").is_ok());
        assert!((PART.check)("argument:0").is_err());
    }
}
