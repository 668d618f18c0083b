//! What a check finds. Its place is part of making one; how loud it is, is the driver's business.

use retrysafe_rules::rule::Rule;
use retrysafe_rules::vocabulary::Trigger;

use crate::config::ConfigPlace;
use crate::ir::Site;
use retrysafe_rules::rule::Confidence;

/// Where a finding points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// Into the code.
    Code(Site),
    /// Into the configuration.
    Config(ConfigPlace),
}

/// A place with a remark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Where.
    pub site: Site,
    /// What is there.
    pub message: String,
}

/// Something that a maintainer should know.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// Whether only something rare can bring it about, which makes it quieter: a crash at the last instant, a
    /// second instance of a service.
    pub is_rare: bool,
    /// How sure the tool is.
    pub confidence: Confidence,
    /// What is wrong: one clause that names the job, the effect and the value.
    pub message: String,
    /// What the place is, in a few words.
    pub label: String,
    /// What to do, in the imperative.
    pub help: String,
    /// The jobs, by name.
    pub jobs: Vec<String>,
    /// What makes the job run again, for findings about a repeat.
    pub triggers: Vec<Trigger>,
    /// Where it is.
    pub primary: Spot,
    /// Other places that matter.
    pub related: Vec<Remark>,
    /// The way from the job to the place.
    pub trace: Vec<Remark>,
    /// What it is about, without places: the same after lines have moved.
    pub subject: String,
    /// Why it is accepted, when it is.
    pub accepted: Option<String>,
}

impl Finding {
    /// A finding of a rule at a place.
    pub(super) fn new(rule: Rule, primary: Spot, message: String) -> Finding {
        Finding {
            rule,
            is_rare: false,
            confidence: Confidence::High,
            message,
            label: String::new(),
            help: String::new(),
            jobs: Vec::new(),
            triggers: Vec::new(),
            primary,
            related: Vec::new(),
            trace: Vec::new(),
            subject: String::new(),
            accepted: None,
        }
    }

    /// A finding about an acceptance.
    pub fn of_acceptance(rule: Rule, spot: Spot, message: String) -> Finding {
        let subject = message.clone();
        Finding::new(rule, spot, message).subject(subject)
    }

    /// The finding with the words at its place and what to do.
    pub fn with_words(self, label: &str, help: &str) -> Finding {
        self.label(label).help(help)
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Finding {
        self.label = label.into();
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Finding {
        self.help = help.into();
        self
    }

    pub(super) fn confidence(mut self, confidence: Confidence) -> Finding {
        self.confidence = self.confidence.min(confidence);
        self
    }

    pub(super) fn related(mut self, site: Site, message: impl Into<String>) -> Finding {
        self.related.push(Remark {
            site,
            message: message.into(),
        });
        self
    }

    /// Notes another place where the same goes for an alternative.
    pub(super) fn or_at(&mut self, site: Site) {
        if !self.related.iter().any(|remark| remark.site == site) {
            self.related.push(Remark {
                site,
                message: "or here, the other way".to_owned(),
            });
        }
    }

    pub(super) fn subject(mut self, subject: impl Into<String>) -> Finding {
        self.subject = subject.into();
        self
    }

    pub(super) fn job(mut self, job: &str) -> Finding {
        self.jobs.push(job.to_owned());
        self
    }
}
