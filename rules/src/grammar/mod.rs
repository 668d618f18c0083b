//! The grammar of the attributes: what may stand in `#[retrysafe::job(…)]` and its kin, and in
//! the comments that say the same (`// retrysafe: job(…)`).
//!
//! The attribute crate and the analyser read declarations through this one piece of code, so
//! that both report a mistake at the same place in the same words. Of the code around a
//! declaration it knows only the signature that it stands on.

mod accept;
mod argument;
mod attribute;
mod comment;
mod error;
mod key;
mod mark;

#[cfg(test)]
mod tests;

pub use accept::{AcceptMistake, check_accept, check_acceptance};
pub use attribute::{parse, parse_meta};
pub use comment::parse_text;
pub use error::GrammarError;
pub use key::{check_key, wrong_placeholders};
pub use mark::{
    ATTRIBUTES, AcceptMark, EffectMark, JobMark, Listed, Mark, ON_STATEMENTS, Parsed, misplaced,
};
