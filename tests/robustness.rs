//! Whatever the input, reading it ends: with a result or with a message, never with a panic.

#![expect(clippy::disallowed_methods, reason = "the tests read the fixtures")]

use std::path::Path;

use cargo_retrysafe::config;
use cargo_retrysafe::ir::MacroRules;
use cargo_retrysafe::lower::{MacroTable, lower};

/// The texts of all fixtures.
fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    walkdir::WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|ext| ext == "rs"))
        .map(|entry| std::fs::read_to_string(entry.path()).expect("fixtures are readable"))
        .collect()
}

#[test]
fn a_file_may_end_anywhere() {
    let mut errors = 0;
    for text in texts() {
        let step = (text.len() / 12).max(1);
        for end in (0..text.len()).step_by(step) {
            if let Some(part) = text.get(..end) {
                errors += usize::from(lower(part, &MacroTable::default()).is_err());
            }
        }
    }
    assert!(errors > 100, "most of these are no whole files");
}

#[test]
fn a_file_may_lose_any_line() {
    for text in texts() {
        let lines: Vec<&str> = text.lines().collect();
        for lost in (0..lines.len()).step_by(5) {
            let rest: Vec<&str> = lines
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != lost)
                .map(|(_, line)| *line)
                .collect();
            // Either is right, as long as it ends.
            let _ = lower(&rest.join("\n"), &MacroTable::default());
        }
    }
}

/// Calls of rules that never end, or that match nothing, end in a gap.
#[test]
fn rules_of_any_kind_end() {
    let definitions = "
        macro_rules! endless { ($($t:tt)*) => { endless!($($t)* again) }; }
        macro_rules! doubling { ($($t:tt)*) => { doubling!($($t)* $($t)*) }; }
        macro_rules! empty { () => {}; }
        macro_rules! torn { ($x) => { $y }; }
        macro_rules! nested { ($($($x:ident),*);*) => { $($(let _ = $x;)*)* }; }
    ";
    let defined = lower(definitions, &MacroTable::default()).expect("it parses");
    let table: MacroTable<'_> = defined
        .macros
        .iter()
        .map(|rules: &MacroRules| (rules.name, rules))
        .collect();
    assert_eq!(table.len(), 5);
    let calls = "fn f(a: u8, b: u8) {
        endless!(1);
        doubling!(1);
        empty!(1 2);
        torn!(1);
        nested!(a, b; a);
    }";
    let lowered = lower(calls, &table).expect("it parses");
    let gaps: Vec<u32> = lowered.gaps.iter().map(|gap| gap.place.line).collect();
    assert_eq!(gaps, [2, 3, 4, 5]);
}

#[test]
fn a_configuration_may_end_anywhere() {
    let text = "[[job]]\npath = \"crate::jobs::*\"\ndelivery = \"at-least-once\"\nattempts = 5\neffects = [\"email\"]\n";
    for end in 0..text.len() {
        // Either is right, as long as it ends.
        let _ = config::read(&text[..end]);
    }
    assert!(config::read(text).is_ok());
}
