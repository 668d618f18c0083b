//! What lowering keeps of a file while it goes through its items and bodies.

use rustc_hash::FxHashMap;

use crate::ir::{Gap, GapKind, MacroRules, Mistake, Name, Place};

use super::comments::Comments;
use super::marks::Ours;

/// What lowering a body needs of its file.
pub(super) struct FileContext {
    pub(super) comments: Comments,
    pub(super) gaps: Vec<Gap>,
    pub(super) mistakes: Vec<Mistake>,
    /// Under which names the present module knows our attributes.
    pub(super) ours: Ours,
    pub(super) functions: u32,
    /// Items that stand inside bodies, with the names that our attributes have there; they are
    /// lifted to the enclosing module.
    pub(super) lifted: Vec<(syn::Item, Ours)>,
    /// The `macro_rules!` that may be called.
    pub(super) rules: FxHashMap<Name, MacroRules>,
    /// The `macro_rules!` defined here.
    pub(super) macros: Vec<MacroRules>,
    /// Calls of macros that are none of the known families.
    pub(super) called_macros: Vec<Name>,
    /// How many expansions lie around what is being lowered.
    pub(super) expansions: u32,
}

impl FileContext {
    pub(super) fn gap(&mut self, kind: GapKind, place: Place, message: impl Into<String>) {
        // One place that is read in several ways is one gap.
        if self
            .gaps
            .last()
            .is_some_and(|last| last.kind == kind && last.place == place)
        {
            return;
        }
        self.gaps.push(Gap {
            kind,
            place,
            message: message.into(),
        });
    }
}
