//! The JSON Schema says what the reader says.

use retrysafe_rules::rule::{Family, Level, Rule};
use retrysafe_rules::vocabulary::EffectKind;
use serde_json::{Value, json};

use super::super::sections::FILE;
use super::super::{config_schema, read};
use super::uncommented;

fn fits(text: &str) -> bool {
    let table: toml::Table = text.parse().expect("it is TOML");
    let instance = serde_json::to_value(table).expect("TOML without dates is JSON");
    let schema = config_schema();
    let validator = jsonschema::draft202012::new(&schema).expect("it is a schema");
    validator.is_valid(&instance)
}

#[test]
fn the_schema_is_one() {
    let schema = config_schema();
    jsonschema::draft202012::meta::validate(&schema).expect("it fits the schema of schemas");
}

#[test]
fn what_the_reader_takes_fits_the_schema() {
    for text in [
        "",
        &uncommented(),
        "exclude = []\nstable = []\njob = []\n",
        "[[step]]\nargument = \"receiver\"\ncall.unique-methods = [\"once\"]\n",
        "[[effect]]\nkind = \"sql\"\nsubject = \"method:header:1\"\ncall.macros = [\"a::q\"]\nversions = \">=1, <3\"\n",
    ] {
        read(text).unwrap_or_else(|errors| panic!("{text}{errors:?}"));
        assert!(fits(text), "{text}");
    }
}

#[test]
fn what_the_reader_refuses_does_not_fit_the_schema() {
    for text in [
        "jobs = 1\n",
        "exclude = \"a\"\n",
        "exclude = [\" \"]\n",
        "min_confidence = \"sure\"\n",
        "[rules]\nrandom-kee = \"warn\"\n",
        "[rules]\nrandom-key = \"note\"\n",
        "[rules]\nrandom_key = \"warn\"\n",
        "[[job]]\n",
        "[[job]]\ntrait = \"a\"\n",
        "[[job]]\npath = \"a\"\nmethod = \"run\"\n",
        "[[job]]\npath = \"a\"\nattempts = 0\n",
        "[[job]]\npath = \"a\"\nschedule = \"yes\"\n",
        "[[effect]]\nkind = \"email\"\n",
        "[[effect]]\ncall.paths = [\"a\"]\n",
        "[[effect]]\nkind = \"db_write\"\ncall.paths = [\"a\"]\n",
        "[[effect]]\nkind = \"email\"\ncall.methods = [\"a\"]\n",
        "[[effect]]\nkind = \"email\"\ncall.paths = []\n",
        "[[effect]]\nkind = \"email\"\ncall.paths = [\"a\"]\ntarget = [\"arg:x\"]\n",
        "[[source]]\nkind = \"clock\"\n",
        "[[step]]\ncall.paths = [\"a\"]\nargument = \"first\"\n",
        "[[guard]]\nclass = \"claim\"\n",
        "[[accept]]\nrule = \"random-key\"\nreason = \"it is fine, really\"\n",
        "[schema]\nmigration = [\"db\"]\n",
    ] {
        assert!(read(text).is_err(), "{text}");
        assert!(!fits(text), "{text}");
    }
}

#[test]
fn an_editor_asks_for_the_reason_that_the_check_asks_for() {
    let entry = "[[accept]]\nrule = \"random-key\"\njob = \"a\"\n";
    assert!(!fits(entry));
    assert!(!fits(&format!("{entry}reason = \"  too short  \"\n")));
    assert!(fits(&format!("{entry}reason = \"long enough\"\n")));
}

#[test]
fn the_words_of_the_schema_are_those_of_the_vocabulary() {
    let schema = config_schema();
    let keys = |value: &Value| -> Vec<String> {
        let object = value.as_object().expect("it has properties");
        object.keys().cloned().collect()
    };
    let properties = &schema["properties"];
    assert_eq!(keys(properties), FILE.keys());
    let rules = Rule::ALL.iter().map(|rule| rule.word());
    let families = Family::ALL.iter().map(|family| family.word());
    let words: Vec<&str> = rules.chain(families).collect();
    assert_eq!(keys(&properties["rules"]["properties"]), words);
    let levels: Vec<&str> = Level::SETTABLE.iter().map(|level| level.word()).collect();
    assert_eq!(
        properties["rules"]["properties"]["random-key"]["enum"],
        json!(levels)
    );
    let effect = &properties["effect"]["items"]["properties"];
    let mut kinds: Vec<&str> = EffectKind::ALL.iter().map(|kind| kind.word()).collect();
    kinds.extend(["sql", "read", "acknowledge"]);
    assert_eq!(effect["kind"]["enum"], json!(kinds));
    assert_eq!(
        effect["idempotent"]["enum"],
        json!(["yes", "no", "depends"])
    );
}
