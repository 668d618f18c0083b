//! What the configuration says of the workspace's own functions: they are marked as if an
//! attribute stood on them.

use retrysafe_rules::catalog::{CallKind, EffectEntry, Idempotent, Part};
use retrysafe_rules::grammar::{EffectMark, Mark};

use crate::config::{CallEntry, ConfigPlace, ItemPath, Meaning};
use crate::ir::{Function, Name, PlacedMark};
use crate::resolve::{Def, FnId, Owner, Program};

/// Marks the functions that the entries name, and tells which entries name one.
pub(super) fn mark_functions(program: &mut Program, entries: &[CallEntry]) -> Vec<ConfigPlace> {
    let mut named = Vec::new();
    if entries.is_empty() {
        return named;
    }
    for index in 0..program.functions.len() {
        let id = FnId(index as u32);
        let paths = paths_of(program, id);
        let owner = program.owner_name(id);
        let function = &mut program.functions[index].function;
        for entry in entries {
            let fits = |count: usize| count == function.params.len();
            let means = |path: &ItemPath| entry.functions.iter().any(|of| of.means(path));
            if !entry.arguments.is_none_or(fits) || !paths.iter().any(means) {
                continue;
            }
            let Some(mark) = mark_of(&entry.meaning, function, owner) else {
                continue;
            };
            if !named.contains(&entry.place) {
                named.push(entry.place);
            }
            // What stands at the function itself goes first.
            let says_as_much = |found: &PlacedMark| {
                std::mem::discriminant(&found.value) == std::mem::discriminant(&mark)
            };
            if !function.marks.iter().any(says_as_much) {
                function.marks.push(PlacedMark {
                    value: mark,
                    place: function.place,
                    parts: Vec::new(),
                });
            }
        }
    }
    named.sort();
    named
}

/// The paths by which a function may be named: its own, and that of the trait's method which it
/// implements.
fn paths_of(program: &Program, id: FnId) -> Vec<ItemPath> {
    let def = program.function(id);
    let krate = program.crate_of(def.module).name;
    let mut paths = vec![ItemPath::own(&krate, &program.full_name(id))];
    if let Owner::Impl(implementation) = def.owner {
        let method = def.function.name;
        match program.impls[implementation.index()].trait_def {
            Some(Def::Trait(of)) => {
                let krate = program.crate_of(program.traits[of.index()].module).name;
                let path = format!("{}::{method}", program.full_trait_name(of));
                paths.push(ItemPath::own(&krate, &path));
            }
            Some(Def::Extern(path)) => {
                paths.push(ItemPath::foreign(&format!("{path}::{method}")));
            }
            _ => {}
        }
    }
    paths
}

fn mark_of(meaning: &Meaning, function: &Function, owner: Option<Name>) -> Option<Mark> {
    match meaning {
        Meaning::Effect(entry) => effect_mark(entry, function, owner).map(Mark::Effect),
        Meaning::Source => Some(Mark::Unstable),
        Meaning::Stable => Some(Mark::Stable),
        Meaning::Step => Some(Mark::Step),
        Meaning::Guard => None,
    }
}

/// An effect as the attribute would say it; a read or a statement cannot be said that way.
fn effect_mark(
    entry: &EffectEntry,
    function: &Function,
    owner: Option<Name>,
) -> Option<EffectMark> {
    let CallKind::Effect(kind) = entry.kind else {
        return None;
    };
    let placeholder = |part: &Part| match part {
        Part::Arg(position, field) => {
            let name = function.params.get(*position)?.name?;
            Some(match field {
                Some(field) => format!("{{{name}.{field}}}"),
                None => format!("{{{name}}}"),
            })
        }
        Part::Literal(text) => Some(text.clone()),
        _ => None,
    };
    let text = |part: &Part| match part {
        Part::Literal(text) => Some(text.clone()),
        Part::Name => Some(function.name.to_string()),
        Part::Type => owner.map(|owner| owner.to_string()),
        _ => None,
    };
    Some(EffectMark {
        kind,
        key: entry
            .keys
            .iter()
            .filter_map(|slot| slot.part.as_ref())
            .find_map(placeholder),
        idempotent: entry.idempotent == Idempotent::Yes,
        target: entry.target.iter().find_map(text),
    })
}
