//! Output: one model, one file per format.
//!
//! The model is what users see: names and places as text, totally ordered. Formats render it
//! and know nothing of the analysis.

mod check_json;
mod checklist;
mod findings;
mod human;
mod jobs_text;
mod json;
mod map_text;
mod markdown;
mod model;
mod rendering;
mod schema;
mod short;
mod style;
mod summary;

pub use check_json::check_json;
pub use findings::findings;
pub use human::human;
pub use jobs_text::jobs_text;
pub use json::{jobs_json, map_json};
pub use map_text::{MapStyle, map_text};
pub use markdown::map_markdown;
pub use model::{
    ChecklistItem, EffectReport, FindingReport, GapReport, InputReport, JobReport, Place,
    ProblemReport, Report, Span, SpanReport, Summary,
};
pub use schema::{map_schema, report_schema};
pub use short::short;
pub use summary::summary_line;
