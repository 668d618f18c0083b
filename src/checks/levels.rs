//! How loud each rule is: its default, the configuration, the command line.

use retrysafe_rules::rule::{Family, Level, Rule};
use rustc_hash::FxHashMap;

use super::finding::Finding;

/// Which rules somebody means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// One rule.
    Rule(Rule),
    /// All rules of a family.
    Family(Family),
}

impl Named {
    /// Reads the name of a rule or a family, in either spelling.
    pub fn parse(text: &str) -> Option<Named> {
        Rule::parse(text)
            .map(Named::Rule)
            .or_else(|| Family::parse(text).map(Named::Family))
    }

    /// Every name there is.
    pub fn words() -> impl Iterator<Item = &'static str> + Clone {
        let rules = Rule::ALL.iter().map(|rule| rule.word());
        rules.chain(Family::ALL.iter().map(|family| family.word()))
    }
}

/// The levels of all rules.
#[derive(Debug, Clone, Default)]
pub struct Levels {
    set: FxHashMap<Rule, Level>,
    /// What was asked for by name on the command line stays at least visible.
    asked: FxHashMap<Rule, Level>,
    is_pedantic: bool,
}

impl Levels {
    /// Shows what is off by default as well.
    pub fn pedantic(mut self) -> Levels {
        self.is_pedantic = true;
        self
    }

    /// Sets levels as the configuration does: rules win over families, whatever the order.
    pub fn configured(mut self, settings: &[(Named, Level)]) -> Levels {
        for (named, level) in settings {
            if let Named::Family(family) = named {
                self.set
                    .extend(rules_of(*family).map(|rule| (rule, *level)));
            }
        }
        for (named, level) in settings {
            if let Named::Rule(rule) = named {
                self.set.insert(*rule, *level);
            }
        }
        self
    }

    /// Sets a level as a flag does: later ones win.
    pub fn asked(mut self, named: Named, level: Level) -> Levels {
        match named {
            Named::Rule(rule) => {
                self.asked.insert(rule, level);
            }
            Named::Family(family) => {
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
        let level = if finding.is_last_instant {
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

    fn finding(rule: Rule) -> Finding {
        let spot = Spot::Config {
            start: (1, 1),
            end: (1, 1),
        };
        Finding::new(rule, spot, String::new())
    }

    #[test]
    fn a_rule_wins_over_its_family() {
        let levels = Levels::default().configured(&[
            (Named::Rule(Rule::RandomKey), Level::Warn),
            (Named::Family(Family::Keys), Level::Allow),
        ]);
        assert_eq!(levels.of(&finding(Rule::RandomKey)), Level::Warn);
        assert_eq!(levels.of(&finding(Rule::ClockKey)), Level::Allow);
        assert_eq!(levels.of(&finding(Rule::UnlistedEffect)), Level::Deny);
    }

    #[test]
    fn the_last_flag_wins_over_everything() {
        let levels = Levels::default()
            .configured(&[(Named::Rule(Rule::RandomKey), Level::Allow)])
            .asked(Named::Rule(Rule::RandomKey), Level::Warn)
            .asked(Named::Family(Family::Keys), Level::Deny);
        assert_eq!(levels.of(&finding(Rule::RandomKey)), Level::Deny);
    }

    #[test]
    fn what_only_a_crash_can_cause_is_quieter_unless_asked_for() {
        let mut late = finding(Rule::UnguardedNotification);
        late.is_last_instant = true;
        assert_eq!(Levels::default().of(&late), Level::Allow);
        assert_eq!(Levels::default().pedantic().of(&late), Level::Warn);
        let asked = Levels::default().asked(Named::Rule(Rule::UnguardedNotification), Level::Warn);
        assert_eq!(asked.of(&late), Level::Warn);
    }
}
