//! Jobs that implement a trait of a known framework.

use retrysafe_rules::catalog::Shape;

use crate::ir::Name;
use crate::resolve::{Def, Known, Program};

use super::attributes::{framework_job, names_local_trait};
use super::found::Found;

pub(super) fn find(program: &Program, known: &Known, found: &mut Found) {
    for of in known
        .jobs
        .iter()
        .filter(|of| of.entry.shape == Shape::Trait)
    {
        let entry = &of.entry;
        for def in &program.impls {
            let Some(path) = &def.trait_ else { continue };
            let fits = entry.paths.iter().any(|wanted| {
                def.trait_def == Some(Def::Extern(Name::from(wanted)))
                    || names_local_trait(program, def.trait_def, wanted)
            });
            let allowed = super::attributes::version_fits(program, known, def.module, of);
            if !fits || !allowed {
                continue;
            }
            for method in &entry.methods {
                let Some(function) = def.methods.get(&Name::from(method)) else {
                    continue;
                };
                let why = format!("implements `{}`", path.text());
                found.add(framework_job(program, *function, entry, None, why));
            }
        }
    }
}
