//! What is known of the repetition of an effect.

use retrysafe_rules::vocabulary::Trigger;

use crate::ir::Site;

use super::stored::Again;

/// What a repeat of an effect comes from, and what it meets.
#[derive(Debug, Clone, Default)]
pub struct Repeats {
    /// What makes the job run again after it; empty where the job never does.
    pub triggers: Vec<Trigger>,
    /// The first thing that can fail after it and so bring a second run.
    pub failing: Option<Site>,
    /// The loop over items in which it happens, when a failure at one item repeats those before.
    pub per_item: Option<Site>,
    /// The innermost loop over items in which it happens.
    pub items: Option<Site>,
    /// Where the transaction around it begins.
    pub transaction: Option<Site>,
    /// Whether that transaction holds writes that a rollback takes back, and is more than a lease
    /// on the work.
    pub is_rolled_back: bool,
    /// The task that nobody awaits, when it runs in one.
    pub detached: Option<Site>,
    /// Whether something in front of it may be a check that is not understood.
    pub is_doubtful: bool,
    /// When it happens, in the order of the text: ways to do one thing share it.
    pub order: u32,
    /// Whether it stands in one of several arms, by branch and arm, outermost first.
    pub arms: Vec<(u32, u32)>,
    /// Whether what it gives back is dropped.
    pub is_dropped: bool,
    /// Whether a claim, a mark or a check stops a repeat, whatever the write itself is.
    pub is_guarded: bool,
    /// Whether the rows that it adds to are deleted before it, in the same transaction.
    pub is_remade: bool,
    /// An update in front of it that should take the work, and of which nobody looks whether it did.
    pub unchecked: Option<Unchecked>,
    /// A write in front of it that a retry does not get past.
    pub stuck: Option<Stuck>,
    /// Where the transaction begins that it stands in, when no path commits that.
    pub uncommitted: Option<Site>,
    /// Where the transaction begins that it stands in, when that is handed out as a unit of work and the job is
    /// not seen to end it.
    pub unit: Option<Site>,
    /// A column that it computes from what it was.
    pub computed: Option<WrittenBack>,
    /// Whether a lock keeps others from the row meanwhile.
    pub is_locked: bool,
    /// The check that decides whether the row is made at all.
    pub check: Option<Check>,
}

/// An update that should take the work, and of which nobody looks whether it did.
#[derive(Debug, Clone)]
pub struct Unchecked {
    /// The update.
    pub site: Site,
    /// Its table.
    pub table: String,
    /// The column by which it takes the work.
    pub column: String,
}

/// A write that keeps a retry from what comes after it.
#[derive(Debug, Clone)]
pub struct Stuck {
    /// The write.
    pub site: Site,
    /// Its table.
    pub table: String,
    /// Whether it has taken the work, as against an insert whose unique key refuses the retry.
    pub is_taken: bool,
}

/// A column that is read, changed in code and written back.
#[derive(Debug, Clone)]
pub struct WrittenBack {
    /// The read.
    pub read: Site,
    /// The column that is written.
    pub column: String,
}

/// A read that decides whether a row is made.
#[derive(Debug, Clone)]
pub struct Check {
    /// The read.
    pub site: Site,
    /// The columns by which it looks for the row.
    pub columns: Vec<String>,
    /// Those of them that it compares with a value, as against those that it asks to be NULL.
    pub equal: Vec<String>,
    /// Those of them that it compares with a constant, and the constant.
    pub fixed: Vec<(String, String)>,
    /// The columns by which it leaves rows out in ways that no unique key can say.
    pub narrowed: Vec<String>,
    /// What the schema says of two that both saw no row.
    pub again: Again,
}
