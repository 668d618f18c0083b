//! Code with our attributes, as the compiler sees it: what has to go through without a warning,
//! and what has to be refused, with the messages beside it.

#[test]
fn right_attributes_change_nothing_and_wrong_ones_are_refused_at_their_place() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/pass/*.rs");
    cases.compile_fail("tests/fail/*.rs");
}
