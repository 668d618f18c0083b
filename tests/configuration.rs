//! What the configuration says of calls, on the functions that it names.

use std::path::Path;

use cargo_retrysafe::analysis::{Analysis, analyse, knowledge};
use cargo_retrysafe::config::{self, Config};
use cargo_retrysafe::project::{Request, load};
use cargo_retrysafe::resolve::FnId;
use retrysafe_rules::grammar::Mark;

fn analysed(config: &Config) -> Analysis {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/jobs/config-calls");
    let request = Request {
        paths: vec![path.clone()],
        current_dir: path,
        ..Request::default()
    };
    let project = load(&request).expect("the fixture is a package");
    let known = knowledge(config).expect("the catalogue is valid");
    analyse(&project, &known, config)
}

/// The functions with a mark of ours, with their marks.
fn marked(analysis: &Analysis) -> Vec<(String, Mark)> {
    let functions = 0..analysis.program.functions.len() as u32;
    let mut found = Vec::new();
    for id in functions.map(FnId) {
        let marks = &analysis.program.function(id).function.marks;
        let name = analysis.program.full_name(id);
        found.extend(marks.iter().map(|mark| (name.clone(), mark.value.clone())));
    }
    found.retain(|(_, mark)| !matches!(mark, Mark::Job(_)));
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn functions_are_marked_as_the_entries_say() {
    let config = config::read(
        "stable = [\"crate::billing::quote\", \"elsewhere::gone\"]\n\
         [[source]]\nkind = \"random\"\ncall.paths = [\"config_calls::mail::*::size\"]\n\
         [[step]]\ncall.paths = [\"crate::progress::once\"]\n\
         [[guard]]\nclass = \"claim\"\ncall.paths = [\"crate::jobs::settle\"]\n",
    );
    let analysis = analysed(&config.expect("it is right"));
    assert_eq!(
        marked(&analysis),
        [
            ("billing::quote".to_owned(), Mark::Stable),
            ("mail::Outbox::size".to_owned(), Mark::Unstable),
            ("mail::Spool::size".to_owned(), Mark::Unstable),
            ("progress::once".to_owned(), Mark::Step),
        ]
    );
    let lines: Vec<u32> = analysis.named.iter().map(|place| place.line).collect();
    assert_eq!(lines, [1, 2, 5], "what names nothing is left out");
    assert_eq!(analysis.named[0].column, 11);
}

#[test]
fn an_effect_is_marked_with_the_parameters_that_it_names() {
    let config = config::read(
        "[[effect]]\nkind = \"payment\"\ncall.paths = [\"crate::billing::charge\"]\n\
         keys = [{ headers = [\"x\"] }, { part = \"arg:1.id\" }]\ntarget = [\"arg:0\", \"name\"]\nidempotent = \"yes\"\n\
         [[effect]]\nkind = \"email\"\ncall.paths = [\"crate::billing::quote\"]\ncall.arguments = 2\n\
         [[effect]]\nkind = \"read\"\ncall.paths = [\"crate::billing::quote\"]\n",
    );
    let analysis = analysed(&config.expect("it is right"));
    let found = marked(&analysis);
    let [(name, Mark::Effect(mark))] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(name, "billing::charge");
    assert_eq!(mark.key.as_deref(), Some("{key.id}"));
    assert_eq!(
        (mark.target.as_deref(), mark.idempotent),
        (Some("charge"), true)
    );
}
