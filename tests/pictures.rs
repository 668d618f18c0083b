//! The text map as it looks at the widths that terminals have.

#[path = "harness/mod.rs"]
mod harness;

use cargo_retrysafe::report::{MapStyle, map_text};

/// The map of the fixture, without colours and the time it took.
fn picture(width: usize, verbose: bool) -> String {
    let report = harness::report_on(&harness::fixtures().join("invoice-follow-up"));
    let style = MapStyle {
        width,
        verbose,
        gaps: true,
    };
    let text = map_text(&report, style);
    anstream::adapter::strip_str(&text).to_string()
}

#[test]
fn at_80_columns() {
    let text = picture(80, false);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    insta::assert_snapshot!(text);
}

#[test]
fn at_120_columns_with_routes() {
    let text = picture(120, true);
    assert!(
        text.lines().all(|line| line.chars().count() <= 120),
        "{text}"
    );
    insta::assert_snapshot!(text);
}
