//! The file that `init` writes.

use super::super::sections::FILE;
use super::super::{TEMPLATE, read};
use super::uncommented;

#[test]
fn the_template_is_read_without_a_mistake_and_sets_nothing() {
    let config = read(TEMPLATE).expect("it holds comments alone");
    assert!(config.jobs.is_empty() && config.levels.is_empty());
    assert!(
        TEMPLATE
            .lines()
            .all(|line| line.is_empty() || line.starts_with('#'))
    );
}

#[test]
fn every_example_of_the_template_is_valid() {
    let config = read(&uncommented()).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!((config.jobs.len(), config.accepts.len()), (2, 2));
    for accept in &config.accepts {
        let checked = retrysafe_rules::grammar::check_accept(&accept.mark());
        assert!(checked.is_ok(), "{checked:?}");
    }
}

#[test]
fn every_section_has_an_example_in_the_template() {
    let table: toml::Table = uncommented().parse().expect("it is TOML");
    for key in FILE.keys() {
        assert!(table.contains_key(key), "`{key}` has no example");
    }
}

#[test]
fn the_template_fits_the_width_of_a_page() {
    for line in TEMPLATE.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}
