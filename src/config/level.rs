//! `[rules]`: how loud rules are.

use retrysafe_rules::rule::{Family, Level, Rule};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::place::{ConfigPlace, Lines};

/// A line of `[rules]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelSetting {
    /// What is set.
    pub of: LevelOf,
    /// How loud it is.
    pub level: Level,
    /// Where it stands, from the name to the level.
    pub place: ConfigPlace,
}

/// What a level is set for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelOf {
    /// A rule.
    Rule(Rule),
    /// Every rule of a family that is not set by itself.
    Family(Family),
}

impl LevelOf {
    /// Every name there is.
    pub fn words() -> impl Iterator<Item = &'static str> + Clone {
        let rules = Rule::ALL.iter().map(|rule| rule.word());
        rules.chain(Family::ALL.iter().map(|family| family.word()))
    }

    /// Reads the name of a rule or family.
    pub fn parse(word: &str) -> Option<LevelOf> {
        let rule = Rule::parse(word).map(LevelOf::Rule);
        rule.or_else(|| Family::parse(word).map(LevelOf::Family))
    }
}

/// The level of a rule as the settings have it: its own goes before that of its family.
pub(super) fn level_of(rule: Rule, settings: &[LevelSetting]) -> Option<Level> {
    let set = |of: LevelOf| settings.iter().rev().find(|setting| setting.of == of);
    set(LevelOf::Rule(rule))
        .or_else(|| set(LevelOf::Family(rule.family())))
        .map(|setting| setting.level)
}

/// Reads the settings, in the order in which they are written.
pub(super) fn read_levels(rules: &Spanned<DeValue<'_>>, lines: &Lines<'_>) -> Vec<LevelSetting> {
    let empty = DeTable::new();
    let table = rules.get_ref().as_table().unwrap_or(&empty);
    let mut settings: Vec<LevelSetting> = table
        .iter()
        .filter_map(|(name, level)| {
            Some(LevelSetting {
                of: LevelOf::parse(name.get_ref())?,
                level: Level::parse(level.get_ref().as_str()?)?,
                place: lines.place(name.span().start..level.span().end),
            })
        })
        .collect();
    settings.sort_by_key(|setting| setting.place);
    settings
}
