//! The words of the product: one enum per closed list of words.
//!
//! The spelling in reports, configuration and the catalogue is kebab-case; attributes and
//! comments use snake_case. Both come from one table per word list.

/// Declares an enum whose variants have one kebab-case spelling.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "catalog", derive(serde::Serialize, serde::Deserialize))]
        pub enum $name {
            $($(#[$vmeta])* #[cfg_attr(feature = "catalog", serde(rename = $word))] $variant,)+
        }

        impl $name {
            /// Every word of the list, in its documented order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The kebab-case spelling.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)+ }
            }

            /// Reads a word, spelled in kebab-case or in snake_case.
            pub fn parse(text: &str) -> Option<Self> {
                let kebab = text.replace('_', "-");
                Self::ALL.iter().copied().find(|item| item.word() == kebab)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// What an effect changes. The section of the map follows from it.
    EffectKind {
        /// A row, document or record in a database.
        DbWrite = "db-write",
        /// An entry in a cache or key-value store.
        Cache = "cache",
        /// A file on disk.
        File = "file",
        /// An object in an object store.
        Storage = "storage",
        /// A request to an HTTP API.
        Http = "http",
        /// A call of a remote procedure.
        Rpc = "rpc",
        /// A movement of money.
        Payment = "payment",
        /// A message published to a broker or topic.
        Publish = "publish",
        /// A job or task put on a queue.
        Enqueue = "enqueue",
        /// A resource at a cloud provider or orchestrator.
        Cloud = "cloud",
        /// A process started on the machine.
        Process = "process",
        /// An email.
        Email = "email",
        /// A text message.
        Sms = "sms",
        /// A push notification.
        Push = "push",
        /// A message in a chat or channel.
        Chat = "chat",
        /// A webhook delivered to somebody else's endpoint.
        Webhook = "webhook",
    }
}

impl EffectKind {
    /// The part of the side-effect map in which effects of this kind stand.
    pub const fn section(self) -> Section {
        use EffectKind as K;
        match self {
            K::DbWrite | K::Cache | K::File | K::Storage => Section::Writes,
            K::Http | K::Rpc | K::Payment | K::Publish | K::Enqueue | K::Cloud | K::Process => {
                Section::ExternalCalls
            }
            K::Email | K::Sms | K::Push | K::Chat | K::Webhook => Section::Outputs,
        }
    }
}

words! {
    /// The parts of a side-effect map that hold effects (inputs stand apart).
    Section {
        /// Records: rows, files, objects, cache entries.
        Writes = "writes",
        /// APIs and what they create.
        ExternalCalls = "external_calls",
        /// What people see.
        Outputs = "outputs",
    }
}

words! {
    /// What an effect does to its target.
    Action {
        /// Makes a new thing each time.
        Create = "create",
        /// Changes an existing thing to a given state.
        Update = "update",
        /// Makes or changes, by a natural key.
        Upsert = "upsert",
        /// Removes.
        Delete = "delete",
        /// Changes by an amount, so that the old value matters.
        Relative = "relative",
        /// Adds to the end of a list, file or log.
        Append = "append",
        /// Sends a message.
        Send = "send",
        /// Writes under a chosen name.
        Set = "set",
        /// Calls something whose action is not known more exactly.
        Call = "call",
    }
}

words! {
    /// What keeps a repeated effect from doing harm, strongest evidence first.
    Protection {
        /// The call carries an idempotency key.
        Key = "key",
        /// The write names a conflict and resolves it.
        Upsert = "upsert",
        /// A unique constraint refuses the second row.
        Unique = "unique",
        /// The write tests a state that is false once it has happened.
        Conditional = "conditional",
        /// Repeating it changes nothing.
        Natural = "natural",
        /// It runs only behind an atomic claim.
        Claim = "claim",
        /// It runs only when persisted state says "not done".
        Step = "step",
        /// It commits together with the record of the work.
        Transaction = "transaction",
        /// The code or the configuration says so.
        Declared = "declared",
        /// The job never runs again once started.
        AtMostOnce = "at-most-once",
        /// A reasoned acceptance stands on it.
        Accepted = "accepted",
        /// Nothing protects it.
        None = "none",
        /// Not enough is resolved to tell.
        Unknown = "unknown",
    }
}

words! {
    /// How a job comes to run.
    JobKind {
        /// A worker of a job framework.
        Queue = "queue",
        /// A timer, cron entry or interval loop.
        Scheduled = "scheduled",
        /// A loop or delegate that takes messages from a broker.
        Consumer = "consumer",
        /// A handler of somebody else's webhook.
        Webhook = "webhook",
        /// A replayed body of a durable runtime.
        Workflow = "workflow",
        /// A retried step function of a durable runtime.
        Activity = "activity",
        /// A reconciler of an orchestrator.
        Reconcile = "reconcile",
        /// Only an attribute, comment or configuration entry says so.
        Declared = "declared",
    }
}

words! {
    /// How often the runner hands out the same work.
    Delivery {
        /// An error or a crash makes it run again.
        AtLeastOnce = "at-least-once",
        /// It never runs again once started.
        AtMostOnce = "at-most-once",
        /// It runs again on a schedule, whether or not the last run succeeded.
        Repeated = "repeated",
        /// The code does not tell.
        Unknown = "unknown",
    }
}

words! {
    /// How often one run of a job performs an effect.
    Repeat {
        /// At most once per run.
        Once = "once",
        /// Once per turn of a loop or item of a collection.
        Loop = "loop",
        /// In a task that the job started.
        Spawned = "spawned",
        /// Inside an in-process retry.
        Retried = "retried",
    }
}

words! {
    /// What makes a job run a second time at the wrong moment.
    Trigger {
        /// Something after the effect fails, and the runner tries again.
        ErrorAfter = "error-after",
        /// The effect itself is said to have failed although it may have happened.
        UnknownOutcome = "unknown-outcome",
        /// The broker or sender delivers the message again.
        Redelivery = "redelivery",
        /// The schedule ticks, or somebody starts it again.
        Rerun = "rerun",
        /// Two workers, replicas or ticks run at once.
        Overlap = "overlap",
        /// The process dies between the effect and the record of it, and nothing else applies.
        Crash = "crash",
    }
}

/// The word of `all` nearest to `text`, when it is near enough to be a slip of the pen.
pub fn nearest<'a>(text: &str, all: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (text.chars().count() / 2).min(4);
    all.into_iter()
        .map(|word| (distance(text, word), word))
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, word)| word)
}

/// How many slips lie between two words: letters put in, left out, mistaken, or two neighbours
/// swapped. Written here because the attribute crate should pull nothing for it.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    let mut last = None;
    for (i, letter) in left.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, &other) in right.iter().enumerate() {
            let mistaken = row[j] + usize::from(letter != other);
            let mut least = mistaken.min(row[j + 1] + 1).min(next[j] + 1);
            if j > 0 && last == Some(other) && right[j - 1] == letter {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
        last = Some(letter);
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_both_spellings() {
        assert_eq!(EffectKind::parse("db-write"), Some(EffectKind::DbWrite));
        assert_eq!(EffectKind::parse("db_write"), Some(EffectKind::DbWrite));
        assert_eq!(EffectKind::parse("mail"), None);
    }

    #[test]
    fn a_slip_of_the_pen_finds_its_word() {
        let words = EffectKind::ALL.iter().map(|kind| kind.word());
        assert_eq!(nearest("emial", words.clone()), Some("email"));
        assert_eq!(nearest("teleportation", words), None);
        assert_eq!(nearest("x", ["y"]), None, "nothing of it is left");
    }
    #[test]
    fn every_slip_counts_once() {
        for (left, right, slips) in [
            ("", "", 0),
            ("", "key", 3),
            ("key", "", 3),
            ("key", "kee", 1),
            ("key", "keys", 1),
            ("keys", "key", 1),
            ("email", "emial", 1),
            ("kitten", "sitting", 3),
            ("größe", "grösse", 2),
        ] {
            assert_eq!(distance(left, right), slips, "{left} and {right}");
        }
    }
}
