//! Terms with where they are known.

use super::super::value::V;

/// An environment of an unfolding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnvId(pub(super) u32);

/// A term and where its parameters are known.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The term.
    pub value: V,
    /// Its environment.
    pub env: EnvId,
}
