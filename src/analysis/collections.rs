//! The collections of documents of a project, with the unique indexes that its code makes for them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::ir::Name;
use crate::jobs::{Database, Store, Texts, indexes};
use crate::project::Project;
use crate::resolve::FnId;
use crate::sql::schema::Schema;
use crate::timeline::Timelines;

use super::databases::of_packages;
use super::load::SourceFile;

/// What the code makes of indexes, a database for each package.
pub(super) fn collections(
    project: &Project,
    timelines: &mut Timelines<'_>,
    texts: Texts<'_>,
    files: &[SourceFile],
) -> Vec<Database> {
    let functions = makers(timelines);
    timelines.follow(&functions);
    let mut found: BTreeMap<PathBuf, Schema> = BTreeMap::new();
    for function in functions {
        let file = timelines.program().function(function).file;
        let path = &files[file.0 as usize].path;
        let package = super::package_dir(project, path).unwrap_or_else(|| project.root.clone());
        let changes = indexes(timelines, function, texts);
        found.entry(package).or_default().apply(changes);
    }
    of_packages(found, Store::Documents)
}

/// The functions that make indexes.
fn makers(timelines: &Timelines<'_>) -> Vec<FnId> {
    let names: Vec<Name> = timelines
        .known()
        .effects
        .iter()
        .map(|effect| &effect.entry)
        .filter(|entry| {
            entry
                .document
                .as_ref()
                .is_some_and(|of| of.indexes.is_some())
        })
        .flat_map(|entry| &entry.call.methods)
        .map(|method| Name::from(method))
        .collect();
    let functions = timelines.program().functions.iter().zip(0..);
    functions
        .filter(|(def, _)| {
            let body = def.function.body.as_ref();
            body.is_some_and(|body| names.iter().any(|name| body.mentions(*name)))
        })
        .map(|(_, id)| FnId(id))
        .collect()
}
