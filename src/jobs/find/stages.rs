//! Jobs made in the house as an enum of payloads: the enum's body method hands each variant to
//! the method of the same name on its payload.

use retrysafe_rules::catalog::Input as Place;
use retrysafe_rules::vocabulary::JobKind;

use crate::resolve::{FnId, Program, Ty, TypeId};
use crate::timeline::{CallTarget, Timelines};

use super::super::entry::Job;
use super::super::input::inputs_of;
use super::drivers::Drivers;
use super::found::{Found, job_of};
use super::names::inherent_body;

pub(super) fn find(timelines: &mut Timelines<'_>, drivers: &Drivers, found: &mut Found) {
    let program = timelines.program();
    let enums: Vec<(TypeId, FnId)> = (0..program.types.len() as u32)
        .map(TypeId)
        .filter_map(|id| {
            let def = &program.types[id.index()];
            let stored = def
                .item
                .derives
                .iter()
                .any(|path| path.last().is_some_and(|last| last == "Deserialize"));
            (def.item.is_enum && stored && def.item.variants.len() >= 2).then_some(())?;
            Some((id, inherent_body(program, def)?))
        })
        .collect();
    let methods: Vec<FnId> = enums.iter().map(|(_, method)| *method).collect();
    timelines.build(&methods);
    for (id, method) in enums {
        let name = program.function(method).function.name;
        let owner = program.types[id.index()].item.name;
        for call in &timelines.get(method).calls {
            let CallTarget::Functions(functions) = &call.target else {
                continue;
            };
            for function in functions {
                let def = program.function(*function);
                if def.function.name != name || !is_payload(program, id, *function) {
                    continue;
                }
                drivers.mark_function(method, found);
                if found.is_known(*function) || stages(program, *function) {
                    continue;
                }
                let why = format!("`{owner}`, which is serialised, hands its payload to `{name}`");
                found.add(Job {
                    inputs: inputs_of(program, *function, Place::Receiver, &[]),
                    ..job_of(program, *function, JobKind::Queue, why)
                });
            }
        }
    }
}

/// Whether a method belongs to the payload of one of the enum's variants.
fn is_payload(program: &Program, id: TypeId, method: FnId) -> bool {
    let crate::resolve::Owner::Impl(owner) = program.function(method).owner else {
        return false;
    };
    let Ty::Adt(payload, _) = program.impls[owner.index()].self_ty else {
        return false;
    };
    let name = program.types[payload.index()].item.name;
    program.types[id.index()]
        .item
        .variants
        .iter()
        .flat_map(|variant| &variant.fields)
        .any(|(_, ty)| match ty {
            crate::ir::TypeRef::Path(path) => path.last() == Some(name),
            _ => false,
        })
}

/// Whether the method belongs to an enum that only hands on in its turn.
fn stages(program: &Program, method: FnId) -> bool {
    let crate::resolve::Owner::Impl(owner) = program.function(method).owner else {
        return false;
    };
    match program.impls[owner.index()].self_ty {
        Ty::Adt(id, _) => program.types[id.index()].item.is_enum,
        _ => false,
    }
}
