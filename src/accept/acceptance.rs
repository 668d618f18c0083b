//! What an acceptance says, and what it covers.

use retrysafe_rules::grammar::AcceptMark;

use crate::checks::Spot;
use crate::config::AcceptEntry;
use crate::ir::Site;
use crate::resolve::FnId;

/// A decision, written down.
#[derive(Debug, Clone)]
pub struct Acceptance {
    /// What it says.
    pub mark: AcceptMark,
    /// Where a finding about it points.
    pub spot: Spot,
    /// What it covers.
    pub scope: Scope,
}

/// What an acceptance covers.
#[derive(Debug, Clone)]
pub enum Scope {
    /// What happens in or below a function.
    Function(FnId, Site),
    /// What happens in or below a statement or expression.
    Part(Site),
    /// What an entry of the configuration says.
    Entry(Box<AcceptEntry>),
}
