//! How loud each rule is: its default, the configuration, the command line.

use retrysafe_rules::rule::{Family, Level, Rule};
use std::collections::BTreeMap;

use crate::config::{Config, LevelOf};

use super::finding::Finding;

/// The levels of all rules.
#[derive(Debug, Clone, Default)]
pub struct Levels {
    set: BTreeMap<Rule, Level>,
    /// What was asked for by name on the command line stays at least visible.
    asked: BTreeMap<Rule, Level>,
    is_pedantic: bool,
}

impl Levels {
    /// Shows what is off by default as well.
    pub fn pedantic(mut self) -> Levels {
        self.is_pedantic = true;
        self
    }

    /// Takes the levels that the configuration sets.
    pub fn configured(mut self, config: &Config) -> Levels {
        for rule in Rule::ALL {
            if let Some(level) = config.level(*rule) {
                self.set.insert(*rule, level);
            }
        }
        self
    }

    /// Sets a level as a flag does: later ones win.
    pub fn asked(mut self, named: LevelOf, level: Level) -> Levels {
        match named {
            LevelOf::Rule(rule) => {
                self.asked.insert(rule, level);
            }
            LevelOf::Family(family) => {
                self.asked
                    .extend(rules_of(family).map(|rule| (rule, level)));
            }
        }
        self
    }

    /// How loud a finding is.
    pub fn of(&self, finding: &Finding) -> Level {
        let asked = self.asked.get(&finding.rule).copied();
        let base = asked
            .or_else(|| self.set.get(&finding.rule).copied())
            .unwrap_or(finding.rule.default_level());
        let level = if finding.is_rare {
            base.lowered()
        } else {
            base
        };
        match asked {
            Some(Level::Warn | Level::Deny) => level.max(Level::Warn),
            Some(_) => level,
            None if self.is_pedantic && level == Level::Allow => Level::Warn,
            None => level,
        }
    }
}

fn rules_of(family: Family) -> impl Iterator<Item = Rule> {
    Rule::ALL
        .iter()
        .copied()
        .filter(move |rule| rule.family() == family)
}

#[cfg(test)]
mod tests {
    use super::super::finding::Spot;
    use super::*;
    use crate::config::ConfigPlace;

    fn finding(rule: Rule) -> Finding {
        let spot = Spot::Config(ConfigPlace {
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1,
        });
        Finding::new(rule, spot, String::new())
    }

    fn config(text: &str) -> Config {
        crate::config::read(text).expect("the configuration is right")
    }

    #[test]
    fn a_rule_wins_over_its_family() {
        let levels = Levels::default().configured(&config(
            "[rules]\nrandom-key = \"warn\"\nkeys = \"allow\"\n",
        ));
        assert_eq!(levels.of(&finding(Rule::RandomKey)), Level::Warn);
        assert_eq!(levels.of(&finding(Rule::ClockKey)), Level::Allow);
        assert_eq!(levels.of(&finding(Rule::UnlistedEffect)), Level::Deny);
    }

    #[test]
    fn the_last_flag_wins_over_everything() {
        let levels = Levels::default()
            .configured(&config("[rules]\nrandom-key = \"allow\"\n"))
            .asked(LevelOf::Rule(Rule::RandomKey), Level::Warn)
            .asked(LevelOf::Family(Family::Keys), Level::Deny);
        assert_eq!(levels.of(&finding(Rule::RandomKey)), Level::Deny);
    }

    #[test]
    fn what_only_a_crash_can_cause_is_quieter_unless_asked_for() {
        let mut late = finding(Rule::UnguardedNotification);
        late.is_rare = true;
        assert_eq!(Levels::default().of(&late), Level::Allow);
        assert_eq!(Levels::default().pedantic().of(&late), Level::Warn);
        let asked =
            Levels::default().asked(LevelOf::Rule(Rule::UnguardedNotification), Level::Warn);
        assert_eq!(asked.of(&late), Level::Warn);
    }
}
