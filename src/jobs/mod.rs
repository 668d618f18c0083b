//! Jobs: which functions are jobs, how often they may run, and what each does to the world.
//!
//! [`find`] goes through the shapes of the catalogue, the marks in code and the entries of the
//! configuration; [`draw`] unfolds one job into its side-effect map. It knows nothing of
//! output formats.

mod database;
mod draw;
mod effect;
mod entry;
mod find;
mod graphql;
mod http;
mod indexes;
mod input;
mod key;
mod locks;
mod origin;
mod part;
mod period;
mod repeat;
mod repeats;
mod schemas;
mod statement;
mod stored;
mod text;
mod texts;
mod uncommitted;
mod units;
mod write;

pub use draw::{JobMap, draw};
pub use effect::MappedEffect;
pub use entry::{Body, Declaration, Job, RunsHow};
pub use find::{find, names_job};
pub use indexes::indexes;
pub use input::Input;
pub use key::{Key, Tells};
pub use locks::LostLock;
pub use origin::{Origin, Share};
pub use repeats::{Check, Repeats, Stuck, Unchecked, WrittenBack};
pub use schemas::{Database, Schemas, Store, Untold};
pub use stored::{Again, Stored, Told, Varying};
pub use texts::Texts;
pub use units::settle_units;
