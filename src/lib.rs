//! What happens if this job runs twice?
//!
//! This is the analyser behind `cargo retrysafe`, and this page its architecture. The command
//! line is described in the README; what other programs may rely on is the command line and its
//! JSON, not the items below.
//!
//! # The idea
//!
//! Every function is summarised as a *timeline*: the ordered, branching list of what it does to
//! the world, in terms of its own parameters. A call is a node that names its callee and its
//! arguments. When a job is drawn, its entry's timeline is *unfolded*: at each call the
//! callee's timeline takes the call's place, with the arguments for its parameters. What comes
//! out are *happenings*, each with its route, loops, spawned tasks, retries, transaction and
//! recorded step; the calls among them that the catalogue knows are the *effects* of the
//! side-effect map.
//!
//! Nothing is copied to summarise: each function is read once, however many jobs reach it, and
//! values are terms that are only followed when somebody asks what they stand for.
//!
//! # From files to a map
//!
//! | module | takes | gives |
//! | --- | --- | --- |
//! | [`project`] | paths | packages, targets, versions, source texts; the only reader of files |
//! | [`lower`] | a source text | an [`ir`] file; the only user of the Rust parser |
//! | [`sql`] | a statement's text; the text of migrations | what it writes, under which conditions; the schema that they build; the only user of the SQL parser |
//! | [`resolve`] | all IR files | arenas of items, types of expressions, and whom each call calls: functions of the workspace or entries of the catalogue |
//! | [`timeline`] | a body | its timeline; and the unfolding of one timeline into happenings |
//! | [`config`] | `retrysafe.toml` | what the workspace says of its jobs |
//! | [`jobs`] | all of this | the jobs, and the map of each |
//! | [`analysis`] | a project | runs these in order, in parallel where they are independent |
//! | [`checks`] | the maps | findings: one file per rule, a question to a map and its message; levels and order |
//! | [`accept`] | findings | which of them are accepted, with what reason, and what of that is unused |
//! | [`report`] | an analysis | names and places as users see them, and every format |
//! | [`cli`] | arguments | a report on standard output and an exit code |
//!
//! Imports point one way, from the bottom of this list to its top, and no two files import each
//! other; `tests/invariants.rs` holds the order.
//!
//! Knowledge about other crates is data: `retrysafe-rules` holds one file per crate, and the
//! engine knows none of them. `retrysafe_rules::grammar` reads attributes and comments for the
//! analyser and the attribute macros alike, so both give the same messages.
//!
//! # How a call finds its meaning
//!
//! 1. The path at the root of a method chain: `sqlx::query(…).bind(…).execute(…)`.
//! 2. The receiver's type: parameters, fields, constructors, return types, through references,
//!    smart pointers, outcomes and futures.
//! 3. For generic and `dyn` receivers, every implementation in the workspace outside tests.
//! 4. An imported trait with the number of arguments.
//!
//! What a name alone suggests is of medium confidence, and what is not understood is counted
//! as a gap: a map never passes off as complete what it could not read.
//!
//! # What a second run does
//!
//! Unfolding also keeps *moments*: for everything that happens its position, the arms and loops
//! and bodies around it; and every place where the job may end with an error, with the calls whose
//! error it is. From these `jobs::repeat` reads, for each effect, what makes the job run again
//! after it, and what stops the repeat: a claim, a check in front of it whose answer a write right
//! behind it changes, a marker set before. Conditions are asked only for effects that nothing else
//! protects. Keys are looked into by `jobs::origin`: what in a value differs between attempts,
//! where that is born, and whether anything of the work takes part.
//!
//! # What the schema forbids
//!
//! [`sql::schema`] turns definitions into changes and replays them: the text of migrations, the SQL
//! that code executes or includes, and chains of builder calls whose words the catalogue tells. It
//! answers three questions about a table: whether a key refuses the same row again, whether one
//! refuses two that both saw no row, and which key a conflict clause means. `analysis` finds the
//! sources, `jobs::schemas` says which database a file means, and `jobs::stored` keeps what a write
//! stores beside the answers. Statements that are built in code become the same model as those in
//! text (`jobs::effect::built`), so no rule knows how a statement was spelt.
//!
//! Deliberately absent: a crash model that runs the timeline twice; it will replace the reading of
//! triggers. No check looks at code, and none knows how loud it is.
//!
//! # Order and bounds
//!
//! Only the jobs' own reach is summarised. Recursion and size are bounded by budgets, each of
//! which ends in a gap. Whatever reaches the output is ordered by file and place, so output is
//! the same on any number of threads.

pub mod accept;
pub mod analysis;
pub mod checks;
pub mod cli;
pub mod config;
pub mod ir;
pub mod jobs;
pub mod lower;
pub mod project;
pub mod report;
pub mod resolve;
pub mod sql;
pub mod timeline;
