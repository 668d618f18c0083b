//! The rules: what each is called, which family it belongs to and how loud it is by default.
//!
//! A rule is declared here once. Its page stands in `pages/<rule>.md`, its question in the
//! analyser's `checks`; a test holds the three together.

use crate::vocabulary::words;

words! {
    /// A family of rules, which flags and configuration may name instead of each rule.
    Family {
        /// Idempotency keys: wrong ones and missing ones.
        Keys = "keys",
        /// What a repeat of a write does to what is stored.
        Writes = "writes",
        /// What a repeat of an effect does to the outside.
        Effects = "effects",
        /// What becomes of a job of several steps that fails half-way.
        Steps = "steps",
        /// What code declares about itself.
        Declarations = "declarations",
    }
}

words! {
    /// How loud a rule is, quietest first.
    Level {
        /// Not shown until asked for.
        Allow = "allow",
        /// Counted always, listed on demand, never fails.
        Note = "note",
        /// Shown.
        Warn = "warn",
        /// Shown, and fails the run.
        Deny = "deny",
    }
}

words! {
    /// How sure a finding is, least sure first.
    Confidence {
        /// A name hint only.
        Low = "low",
        /// One heuristic link.
        Medium = "medium",
        /// Every link resolved.
        High = "high",
    }
}

impl Level {
    /// The levels that a configuration or a flag may give a rule.
    pub const SETTABLE: &'static [Level] = &[Level::Allow, Level::Warn, Level::Deny];

    /// The next quieter level, for what only a crash at the last instant can cause.
    pub const fn lowered(self) -> Level {
        match self {
            Level::Deny => Level::Warn,
            _ => Level::Allow,
        }
    }
}

/// Declares the rules: each with its word, family, default level and one line that says what it
/// is about.
macro_rules! rules {
    ($($variant:ident = $word:literal, $family:ident, $level:ident, $summary:literal;)+) => {
        words! {
            /// A rule.
            Rule { $(#[doc = $summary] $variant = $word,)+ }
        }

        impl Rule {
            /// The family it belongs to.
            pub const fn family(self) -> Family {
                match self { $(Rule::$variant => Family::$family,)+ }
            }

            /// How loud it is unless somebody says otherwise.
            pub const fn default_level(self) -> Level {
                match self { $(Rule::$variant => Level::$level,)+ }
            }

            /// What it is about, in one lower-case clause.
            pub const fn summary(self) -> &'static str {
                match self { $(Rule::$variant => $summary,)+ }
            }
        }
    };
}

rules! {
    RandomKey = "random-key", Keys, Deny,
        "a random value takes part in an idempotency key, so a retry sends a new one";
    ClockKey = "clock-key", Keys, Deny,
        "a clock reading takes part in an idempotency key, so a retry sends a new one";
    AttemptKey = "attempt-key", Keys, Deny,
        "something of the attempt takes part in an idempotency key, so a retry sends a new one";
    UnorderedKey = "unordered-key", Keys, Warn,
        "an unordered or salted value takes part in an idempotency key, so a retry may send another one";
    ConstantKey = "constant-key", Keys, Deny,
        "an idempotency key depends on nothing that tells one piece of work from another";
    SharedKey = "shared-key", Keys, Warn,
        "two operations of one job are sent under the same idempotency key";
    UnkeyedPayment = "unkeyed-payment", Keys, Deny,
        "money moves without an idempotency key";
    UnkeyedCreate = "unkeyed-create", Keys, Warn,
        "an API creates something without an idempotency key";
    UnkeyedEnqueue = "unkeyed-enqueue", Keys, Warn,
        "a message or job is handed on without a deduplication id";
    BlindInsert = "blind-insert", Writes, Warn,
        "a row is inserted that no unique key tells from the one of an earlier attempt";
    CheckThenCreate = "check-then-create", Writes, Deny,
        "a read decides whether a row is made, and no unique key stops two that both found none";
    ConflictTargetMismatch = "conflict-target-mismatch", Writes, Deny,
        "an upsert names conflict columns that a repeat does not run into";
    NowInWrite = "now-in-write", Writes, Warn,
        "a retry stores another time, and so changes history";
    RandomInWrite = "random-in-write", Writes, Warn,
        "a retry overwrites a stored value with a fresh random one";
    IneffectiveLock = "ineffective-lock", Writes, Deny,
        "a row lock is gone before the work that it should cover";
    ReadModifyWrite = "read-modify-write", Writes, Warn,
        "a value is read, changed in code and written back, so that one of two changes is lost";
    UncommittedWrite = "uncommitted-write", Writes, Deny,
        "writes stand in a transaction that no path commits";
    RelativeUpdate = "relative-update", Writes, Warn,
        "a value is changed by what it was, so a retry changes it again";
    RepeatedAppend = "repeated-append", Writes, Warn,
        "something is added to a file or a list, and added again by a retry";
    UnguardedNotification = "unguarded-notification", Effects, Warn,
        "nothing stops a second email, text, push or chat message";
    EffectInTransaction = "effect-in-transaction", Effects, Warn,
        "an external effect stands between begin and commit, where a rollback cannot undo it";
    BatchWithoutProgress = "batch-without-progress", Effects, Warn,
        "an effect per item, and progress recorded after all of them or never";
    LostArtifact = "lost-artifact", Effects, Allow,
        "the id of something created is dropped, so a retry cannot find it";
    DetachedEffect = "detached-effect", Effects, Warn,
        "a task that nobody awaits has an effect, so the job succeeds without it";
    SplitWrite = "split-write", Steps, Warn,
        "two writes that belong together are apart, and a retry does not get to the second";
    UncheckedClaim = "unchecked-claim", Steps, Deny,
        "an update should take the work, and nobody looks whether it did";
    UnlistedEffect = "unlisted-effect", Declarations, Deny,
        "a job reaches an effect that its declaration does not list";
    StaleListing = "stale-listing", Declarations, Warn,
        "a declaration lists an effect that the job never reaches";
    UndeclaredJob = "undeclared-job", Declarations, Allow,
        "a job with effects has no declaration";
    AcceptWithoutReason = "accept-without-reason", Declarations, Deny,
        "an acceptance says too little about why a duplicate is fine";
    UnusedAccept = "unused-accept", Declarations, Warn,
        "an acceptance or a configuration entry matches nothing";
    UnknownRule = "unknown-rule", Declarations, Deny,
        "a rule of that name does not exist";
    AnalysisGap = "analysis-gap", Declarations, Note,
        "something on a job's route could not be understood";
}

impl Rule {
    /// The rule's spelling in attributes.
    pub fn attribute_word(self) -> String {
        self.word().replace('-', "_")
    }
}

/// How many characters a reason has at least.
pub const REASON: usize = 10;

/// Whether a reason says enough: at least [`REASON`] characters besides the space around it.
pub fn is_reason(text: &str) -> bool {
    text.trim().chars().count() >= REASON
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_in_both_spellings() {
        assert_eq!(Rule::parse("random_key"), Some(Rule::RandomKey));
        assert_eq!(Rule::parse("random-key"), Some(Rule::RandomKey));
        assert_eq!(Rule::parse("random"), None);
    }

    #[test]
    fn summaries_are_one_lower_case_clause() {
        for rule in Rule::ALL {
            let summary = rule.summary();
            assert!(!summary.ends_with('.'), "{rule}");
            assert!(summary.starts_with(char::is_lowercase), "{rule}");
        }
    }

    #[test]
    fn a_lowered_level_is_quieter() {
        assert_eq!(Level::Deny.lowered(), Level::Warn);
        assert_eq!(Level::Warn.lowered(), Level::Allow);
        assert_eq!(Level::Allow.lowered(), Level::Allow);
    }
}
