//! Every mistake at its place, with the nearest valid word.

use super::super::{TEMPLATE, read};
use super::{mistakes, uncommented};

/// Whether a message that begins and ends like this stands at a place.
fn told(text: &str, line: u32, column: u32, start: &str, end: &str) {
    let found = mistakes(text);
    assert!(
        found
            .iter()
            .any(|(l, c, message)| (*l, *c) == (line, column)
                && message.starts_with(start)
                && message.ends_with(end)),
        "{found:#?}"
    );
}

#[test]
fn every_mistake_is_told_at_its_place() {
    let text = "jobs = 1\n[[job]]\npath = 3\nattemps = 2\n[[job]]\nmethod = \"run\"\n";
    let found = mistakes(text);
    assert_eq!(
        found,
        [
            (1, 1, "unknown key `jobs`; did you mean `job`?".to_owned()),
            (3, 8, "`path` is a text".to_owned()),
            (
                4,
                1,
                "unknown key `attemps`; did you mean `attempts`?".to_owned()
            ),
            (
                5,
                1,
                "a `[[job]]` names either a `path` or a `trait` with its `method`".to_owned()
            ),
        ]
    );
}

#[test]
fn a_rule_or_level_that_does_not_exist_has_its_nearest_word() {
    let text = "[rules]\nrandom-kee = \"warn\"\nkeys = \"denny\"\nclock-key = \"note\"\nteleportation = 1\n";
    told(
        text,
        2,
        1,
        "unknown rule or family `random-kee`",
        "did you mean `random-key`?",
    );
    told(text, 3, 8, "unknown level `denny`", "did you mean `deny`?");
    told(
        text,
        4,
        13,
        "unknown level `note`",
        "it is one of allow, warn, deny",
    );
    told(text, 5, 1, "unknown rule or family `teleportation`", "");
    told(
        text,
        5,
        17,
        "`teleportation` is a level: allow, warn, deny",
        "",
    );
}

#[test]
fn every_mistake_of_every_entry_is_told_at_once() {
    let text = "[[effect]]\nkind = \"mail\"\nacton = \"send\"\ncall.pathes = [\"a::b\"]\n\
                target = [\"argument:0\"]\nkeys = [{ part = \"arg:x\", heders = [] }]\n\
                [[source]]\nkind = \"clock\"\n[[guard]]\nclass = \"claims\"\n[[step]]\nargument = -1\n";
    told(
        text,
        2,
        8,
        "unknown kind of effect `mail`",
        "did you mean `email`?",
    );
    told(text, 3, 1, "unknown key `acton`", "did you mean `action`?");
    told(text, 4, 1, "`call` matches nothing", "");
    told(text, 4, 6, "unknown key `pathes`", "did you mean `paths`?");
    told(text, 5, 11, "`argument:0` names no part of a call", "");
    told(text, 6, 18, "`arg:x` names no part of a call", "");
    told(
        text,
        6,
        27,
        "unknown key `heders`",
        "did you mean `headers`?",
    );
    told(text, 7, 1, "a `[[source]]` matches nothing", "");
    told(text, 9, 1, "a `[[guard]]` matches nothing", "");
    told(
        text,
        10,
        9,
        "unknown class of guard `claims`",
        "did you mean `claim`?",
    );
    told(text, 11, 1, "a `[[step]]` has no `call`", "");
    told(text, 12, 12, "`argument` is a position from 0", "");
    assert_eq!(mistakes(text).len(), 12, "{:#?}", mistakes(text));
}

#[test]
fn an_acceptance_says_what_it_is_about() {
    let text = "[[accept]]\nreason = \"because I say so\"\n";
    told(text, 1, 1, "an `[[accept]]` has no `rule`; give a text", "");
    told(text, 1, 1, "an `[[accept]]` names a `path` or a `job`", "");
}

#[test]
fn a_pattern_that_cannot_be_read_is_a_mistake() {
    let text = "exclude = [\"a[\", \"\", 3]\nquiet_targets = \"x\"\n[[job]]\npath = \"crate::{a\"\neffects = [\"emial\", \"(\"]\n";
    told(text, 1, 12, "`a[` is no pattern of files: ", "");
    told(text, 1, 18, "the text is empty", "leave the key out");
    told(text, 1, 22, "`exclude` is a text", "");
    told(text, 2, 17, "`quiet_targets` is a list of texts", "");
    told(text, 4, 8, "`crate::{a` is no pattern of paths: ", "");
    told(
        text,
        5,
        12,
        "unknown kind of effect `emial`",
        "did you mean `email`?",
    );
    told(text, 5, 21, "`(` lists no effect: ", "");
}

#[test]
fn an_id_stands_for_one_entry() {
    let entry = "[[effect]]\nid = \"a\"\nkind = \"email\"\ncall.paths = [\"a::b\"]\n";
    told(&format!("{entry}{entry}"), 5, 1, "the id `a` is taken", "");
}

#[test]
fn text_that_is_no_toml_is_one_mistake_with_its_place() {
    let found = mistakes("[[job]\npath = 1\n");
    assert_eq!((found.len(), found[0].0), (1, 1));
}

#[test]
fn messages_are_one_lower_case_clause() {
    let text = "a = 1\nstable = [1]\nexclude = [\"a[\"]\nmin_confidence = \"x\"\n[rules]\nx = \"y\"\n\
                [[job]]\nattempts = 0\n[[effect]]\nkeys = [{}]\nguards = [{}]\ncall = {}\n[[accept]]\n";
    let found = mistakes(text);
    assert!(found.len() >= 12, "{found:#?}");
    for (_, _, message) in found {
        assert!(!message.ends_with('.'), "{message}");
        let first = message.chars().next();
        assert!(
            first.is_some_and(|c| c == '`' || c.is_lowercase()),
            "{message}"
        );
    }
}

/// Cuts a valid file short, and swaps its characters.
#[test]
fn no_text_makes_the_reader_panic() {
    let examples = uncommented();
    let lines = examples.lines().filter(|line| !line.starts_with('#'));
    let text = lines
        .collect::<Vec<_>>()
        .join("\n")
        .replace("harmless", "\u{1f980} ä");
    for (at, _) in text.char_indices().step_by(3) {
        let _ = read(&text[..at]);
    }
    let others = ["", "\"", "[", "}", "\u{0}", "ä", "9", "\n", "="];
    for (turn, (at, c)) in text.char_indices().enumerate().step_by(2) {
        let other = others[turn / 2 % others.len()];
        let swapped = format!("{}{other}{}", &text[..at], &text[at + c.len_utf8()..]);
        if let Err(errors) = read(&swapped) {
            let lines = swapped.matches('\n').count() as u32 + 1;
            assert!(errors.iter().all(|error| error.place.line <= lines));
        }
    }
    let _ = read(&TEMPLATE.replace('\n', "\r\n"));
}
