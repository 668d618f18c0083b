//! Output: one model, one file per format.
//!
//! The model is what users see: names and places as text, totally ordered. Formats render it
//! and know nothing of the analysis.

mod checklist;
mod jobs_text;
mod json;
mod map_text;
mod markdown;
mod model;
mod rendering;
mod style;

pub use jobs_text::jobs_text;
pub use json::{jobs_json, map_json};
pub use map_text::{MapStyle, map_text};
pub use markdown::map_markdown;
pub use model::{
    ChecklistItem, EffectReport, GapReport, InputReport, JobReport, Place, ProblemReport, Report,
    Summary,
};
