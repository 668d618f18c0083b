//! What a right file says.

use retrysafe_rules::catalog::{CallKind, Regime};
use retrysafe_rules::rule::{Confidence, Level, Rule};
use retrysafe_rules::vocabulary::{Action, EffectKind};

use super::super::{Config, ItemPath, Meaning, read, read_below};

fn said(text: &str) -> Config {
    read(text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

#[test]
fn an_empty_file_says_nothing() {
    let config = said("# nothing\n");
    assert!(config.jobs.is_empty() && config.catalogue.is_none());
    assert_eq!(config.level(Rule::RandomKey), None);
}

#[test]
fn a_job_entry_says_which_functions_are_jobs() {
    let config = said(
        "[[job]]\npath = \"crate::jobs::*\"\nattempts = 3\neffects = [\"email\", 'db_write(\"a\")']\n\n\
         [[job]]\ntrait = \"crate::Job\"\nmethod = \"run\"\n",
    );
    let first = &config.jobs[0];
    let path = first.path.as_ref().expect("the path is given");
    assert!(path.means(&ItemPath::own("shop", "jobs::send")));
    assert_eq!((first.mark.attempts, first.place.line), (Some(3), 1));
    assert_eq!(first.mark.effects.as_ref().map(Vec::len), Some(2));
    assert_eq!(config.jobs[1].method.as_deref(), Some("run"));
}

#[test]
fn a_rule_goes_before_its_family() {
    let config = said("[rules]\nrandom-key = \"warn\"\nkeys = \"allow\"\n");
    assert_eq!(config.level(Rule::RandomKey), Some(Level::Warn));
    assert_eq!(config.level(Rule::ClockKey), Some(Level::Allow));
    assert_eq!(config.level(Rule::LostArtifact), None);
    let places: Vec<_> = config.levels.iter().map(|level| level.place.line).collect();
    assert_eq!(places, [2, 3]);
    assert_eq!(config.levels[0].place.end_column, 20);
}

#[test]
fn calls_become_a_file_of_the_catalogue() {
    let config = said(
        "stable = [\"crate::keys::derive\"]\n\
         [[effect]]\nkind = \"email\"\ncall.paths = [\"postal::send\"]\n\
         [[effect]]\nid = \"look\"\nkind = \"read\"\ncall = { receivers = [\"postal::Box\"], methods = [\"look\"] }\n\
         [[source]]\nkind = \"random\"\nvalues = [\"postal::FRESH\"]\n\
         [[step]]\ncall.paths = [\"flow::once\"]\nargument = 0\n\
         [[guard]]\nclass = \"claim\"\ncall.paths = [\"flow::claim\"]\n",
    );
    let file = config.catalogue.expect("it says something of calls");
    assert_eq!(file.krate, "workspace");
    let first = file.effect[0].get_ref();
    assert_eq!(first.kind, CallKind::Effect(EffectKind::Email));
    assert_eq!(
        (first.action, first.id.as_str()),
        (Some(Action::Send), "effect-at-line-2")
    );
    assert_eq!(file.effect[1].get_ref().action, None);
    assert_eq!(file.wrapper[0].get_ref().regime, Regime::Step);
    assert_eq!(file.stable[0].get_ref().paths, ["crate::keys::derive"]);
    assert_eq!((file.source.len(), file.guard.len()), (1, 1));
    let lines: Vec<_> = config.calls.iter().map(|entry| entry.place.line).collect();
    assert_eq!(lines, [2, 5, 9, 1, 12, 15]);
    assert!(matches!(config.calls[3].meaning, Meaning::Stable));
    let methods = &config.calls[1].functions;
    assert_eq!(methods[0].text, "postal::Box::look");
    assert_eq!(config.calls[1].position, 1);
}

#[test]
fn lists_keep_the_places_of_their_patterns() {
    let config = said(
        "min_confidence = \"low\"\nexclude = [\"gen\"]\nquiet_targets = [\n  \"#ops\",\n]\n\
         [schema]\nmigrations = [\"db\"]\n",
    );
    assert_eq!(config.min_confidence, Some(Confidence::Low));
    assert!(config.excludes("gen/a.rs") && !config.excludes("src/a.rs"));
    assert_eq!(config.quiet_targets[0].place.line, 4);
    assert!(config.quiet_targets[0].value.means("#OPS"));
    assert_eq!(config.migrations[0].value, "db");
}

#[test]
fn an_acceptance_is_kept_whether_or_not_it_is_valid() {
    let config = said(
        "[[accept]]\nrule = \"random-kee\"\njob = \"send_*\"\n\
         [[accept]]\nrule = \"random-key\"\npath = \"src/legacy\"\nreason = \"switched off soon\"\n",
    );
    let [wrong, right] = config.accepts.as_slice() else {
        panic!("{:?}", config.accepts)
    };
    assert_eq!(
        (wrong.rule.as_str(), wrong.reason.as_deref()),
        ("random-kee", None)
    );
    assert_eq!((wrong.rule_place.line, wrong.rule_place.column), (2, 8));
    assert!(wrong.covers("src/a.rs", "mail::send_all"));
    assert!(right.covers("src/legacy/a.rs", "mail::send_all"));
    assert!(!right.covers("src/a.rs", "mail::send_all"));
    let check = retrysafe_rules::grammar::check_accept;
    assert_eq!(
        check(&wrong.mark()).map_err(|mistake| mistake.rule),
        Err(Rule::UnknownRule)
    );
    assert_eq!(check(&right.mark()), Ok(Rule::RandomKey));
}

#[test]
fn a_table_of_a_manifest_is_read_with_the_lines_of_the_manifest() {
    let below = ["workspace", "metadata", "retrysafe"];
    for manifest in [
        "[workspace.metadata.retrysafe]\nexclude = [\"a\"]\n",
        "[workspace.metadata]\nretrysafe = { exclude = [\"a\"] }\n",
        "[workspace]\nmetadata.retrysafe.exclude = [\"a\"]\n",
    ] {
        let config = read_below(manifest, &below).expect("it is right");
        assert_eq!(config.exclude[0].place.line, 2, "{manifest}");
    }
    let errors = read_below("[workspace.metadata.retrysafe.rulez]\n", &below);
    let errors = errors.expect_err("a slip of the pen");
    assert_eq!((errors[0].place.line, errors[0].place.column), (1, 31));
    assert!(read_below("[package]\nname = 1\n", &below).is_ok());
}
