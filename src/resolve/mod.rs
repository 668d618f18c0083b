//! Names to definitions, expressions to types, calls to what they call.
//!
//! [`Program`] holds every definition of the workspace in arenas; [`Known`] is the catalogue
//! indexed for questions. [`infer`] walks one body and says, for each expression, its type,
//! and for each call, whom it calls. It reads no files and knows nothing of effects.

mod builder;
mod callee;
mod catalogue_paths;
mod field;
mod ids;
mod implementations;
mod imports;
mod infer;
mod known;
mod lookup;
mod matching;
mod names;
mod path;
mod program;
mod sql_functions;
mod standard;
mod ty;
mod types;

pub use callee::Callee;
pub use ids::*;
pub use infer::{Inference, infer, infer_const};
pub use known::{EffectId, JobId, Known, Of};
pub use matching::CallShape;
pub use program::*;
pub use ty::{TraitRef, Ty, TyArgs};
