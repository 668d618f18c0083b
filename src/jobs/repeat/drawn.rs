//! An effect between being read and being told.

use crate::timeline::Happening;

use super::super::effect::MappedEffect;

/// An effect with the happening that it was read from.
pub(in crate::jobs) struct Drawn<'h> {
    /// The effect.
    pub(in crate::jobs) effect: MappedEffect,
    /// The plain name of its target, by which tables are compared.
    pub(in crate::jobs) table: String,
    /// The happening.
    pub(in crate::jobs) happening: &'h Happening,
}
