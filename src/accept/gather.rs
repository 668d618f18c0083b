//! The acceptances that stand in code and in the configuration.

use retrysafe_rules::grammar::Mark;

use crate::analysis::Analysis;
use crate::checks::Spot;
use crate::config::Config;
use crate::ir::{PlacedMark, Site};
use crate::resolve::FnId;

use super::acceptance::{Acceptance, Scope};

/// Every acceptance in attributes and comments of the files that are reported on.
pub(super) fn in_code(analysis: &Analysis) -> Vec<Acceptance> {
    let mut found = Vec::new();
    for (index, def) in analysis.program.functions.iter().enumerate() {
        if !analysis.file(def.file).selected {
            continue;
        }
        let at = |place| Site {
            file: def.file,
            place,
        };
        let function = &def.function;
        for mark in &function.marks {
            let scope = Scope::Function(FnId(index as u32), at(function.extent));
            found.extend(acceptance(mark, &at, scope));
        }
        let Some(body) = &function.body else { continue };
        for (id, mark) in &body.marks {
            let scope = Scope::Part(at(body.place(*id)));
            found.extend(acceptance(mark, &at, scope));
        }
    }
    found
}

/// The acceptances that the configuration holds.
pub(super) fn in_config(config: &Config) -> Vec<Acceptance> {
    config
        .accepts
        .iter()
        .map(|entry| Acceptance {
            mark: entry.mark(),
            spot: Spot::Config(entry.rule_place),
            scope: Scope::Entry(Box::new(entry.clone())),
        })
        .collect()
}

fn acceptance(
    mark: &PlacedMark,
    at: &dyn Fn(crate::ir::Place) -> Site,
    scope: Scope,
) -> Option<Acceptance> {
    let Mark::Accept(accept) = &mark.value else {
        return None;
    };
    Some(Acceptance {
        mark: accept.clone(),
        spot: Spot::Code(at(mark.parts.first().copied().unwrap_or(mark.place))),
        scope,
    })
}
