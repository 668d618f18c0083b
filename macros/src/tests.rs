//! What is left of an item, and what is said of it.

use proc_macro2::TokenStream as Tokens;

fn tokens(text: &str) -> Tokens {
    text.parse().expect("the test holds Rust tokens")
}

/// What is left of the item when it carries `#[retrysafe::marked]`.
fn left(item: &str) -> String {
    let reading = crate::read("marked", Tokens::new(), tokens(item));
    let errors = reading.errors.into_iter();
    let messages: Vec<String> = errors.map(|error| error.message).collect();
    assert!(messages.is_empty(), "{messages:?}");
    reading.stripped.unwrap_or_else(|| tokens(item)).to_string()
}

fn same(item: &str, expected: &str) {
    assert_eq!(left(item), tokens(expected).to_string(), "{item}");
}

fn messages(name: &str, args: &str, item: &str) -> Vec<String> {
    let errors = crate::read(name, tokens(args), tokens(item)).errors;
    errors.into_iter().map(|error| error.message).collect()
}

const ACCEPT: &str = "accept(random_key, reason = \"a second one is harmless\")";

#[test]
fn an_item_without_declarations_is_handed_back_untouched() {
    for item in [
        "fn f() { #[allow(unused)] let x = 1; }",
        "fn f(#[cfg(test)] x: u8);",
        "/// Says.\npub(crate) const unsafe extern \"C\" fn f<T: Copy>(t: T) -> [T; { 1 }] where T: Copy { [t] }",
        "fn f() { #[other::accept] a(); #[effect] b(); #[stable(feature = \"x\", since = \"1\")] c(); }",
    ] {
        let reading = crate::read("marked", Tokens::new(), tokens(item));
        assert!(reading.errors.is_empty(), "{item}");
        assert!(reading.stripped.is_none(), "{item}");
        assert!(reading.imports.is_empty(), "{item}");
    }
}

#[test]
fn declarations_are_taken_off_every_kind_of_statement_and_expression() {
    let a = format!("#[retrysafe::{ACCEPT}]");
    same(
        &format!(
            "async fn f() {{ {a} let x = g(); {a} h()?; {a} i!(j); {a} k! {{}} {a} const C: u8 = 1; {a} l() }}"
        ),
        "async fn f() { let x = g(); h()?; i!(j); k! {} const C: u8 = 1; l() }",
    );
    same(
        &format!(
            "fn f() {{ g({a} h(), {a} {{ i }}); match x {{ {a} 1 => {a} j(), _ => S {{ {a} k: {a} l }}, }} }}"
        ),
        "fn f() { g(h(), { i }); match x { 1 => j(), _ => S { k: l }, } }",
    );
}

#[test]
fn every_spelling_of_the_path_is_known() {
    for path in [
        format!("::retrysafe::{ACCEPT}"),
        format!("retrysafe :: {ACCEPT}"),
        ACCEPT.to_owned(),
        format!("rs::{ACCEPT}"),
        "effect(email)".to_owned(),
        "effect(db_write, target = \"x\", idempotent)".to_owned(),
    ] {
        same(&format!("fn f() {{ #[{path}] g(); }}"), "fn f() { g(); }");
    }
}

#[test]
fn doc_comments_and_foreign_attributes_stay() {
    same(
        &format!("fn f() {{ /// Says.\n #[retrysafe::{ACCEPT}] #[cfg(test)] g(); }}"),
        "fn f() { #[doc = \" Says.\"] #[cfg(test)] g(); }",
    );
}

#[test]
fn cfg_attr_keeps_what_is_not_ours() {
    for (attribute, rest) in [
        (format!("cfg_attr(test, retrysafe::{ACCEPT})"), ""),
        (format!("cfg_attr(all(test, unix), {ACCEPT},)"), ""),
        (
            format!("cfg_attr(test, allow(unused), retrysafe::{ACCEPT}, inline)"),
            "#[cfg_attr(test, allow(unused), inline)]",
        ),
        (
            format!("cfg_attr(test, cfg_attr(unix, retrysafe::{ACCEPT}, inline))"),
            "#[cfg_attr(test, cfg_attr(unix, inline))]",
        ),
    ] {
        same(
            &format!("fn f() {{ #[{attribute}] g(); }}"),
            &format!("fn f() {{ {rest} g(); }}"),
        );
    }
}

#[test]
fn functions_inside_keep_their_attributes_and_lose_those_of_their_bodies() {
    let a = format!("#[retrysafe::{ACCEPT}]");
    for header in [
        "fn h()",
        "pub(in crate::x) async fn h()",
        "const unsafe extern \"C\" fn h()",
        "#[inline] fn h()",
    ] {
        same(
            &format!("fn f() {{ {a} {header} {{ {a} g(); }} }}"),
            &format!("fn f() {{ {a} {header} {{ g(); }} }}"),
        );
    }
    for expression in ["async { g() }", "unsafe { g() }", "const { g() }", "|| g()"] {
        same(
            &format!("fn f() {{ {a} {expression}; }}"),
            &format!("fn f() {{ {expression}; }}"),
        );
    }
}

#[test]
fn among_the_tokens_of_macros_only_paths_are_ours() {
    let body = |attribute: &str| {
        format!("fn f() {{ select! {{ {attribute} x = g() => h(), }} if !({attribute} i) {{}} }}")
    };
    same(&body(&format!("#[retrysafe::{ACCEPT}]")), &body(""));
    same(
        &body(&format!("#[{ACCEPT}]")),
        &format!("fn f() {{ select! {{ #[{ACCEPT}] x = g() => h(), }} if !(i) {{}} }}"),
    );
    same(
        "fn f() { macro_rules! m { ($r:literal) => { #[retrysafe::accept(random_key, reason = $r)] g() } } }",
        "fn f() { macro_rules! m { ($r:literal) => { g() } } }",
    );
}

#[test]
fn what_is_written_inside_is_checked() {
    assert_eq!(
        messages(
            "job",
            "",
            "fn f() { #[retrysafe::effect(emial)] g(); #[accept(random_kee, reason = \"harmless enough\")] h(); }"
        ),
        [
            "unknown kind of effect `emial`; did you mean `email`?",
            "there is no rule `random_kee`; did you mean `random_key`?",
        ]
    );
    assert_eq!(
        messages(
            "job",
            "",
            "fn f() { #[retrysafe::step] g(); #[retrysafe::acept] h(); #[retrysafe::accept = 1] i(); }"
        ),
        [
            "`step` stands on a function or a method",
            "unknown attribute `acept`; did you mean `accept`?",
            "write `accept(…)`, not `accept = …`",
        ]
    );
}

#[test]
fn an_attribute_stands_on_functions() {
    for item in [
        "struct S;",
        "impl S { fn f() {} }",
        "type F = fn();",
        "extern \"C\" {}",
    ] {
        assert_eq!(
            messages("job", "", item),
            ["`job` stands on a function or a method"],
            "{item}"
        );
    }
    for item in [
        "fn f();",
        "default fn f() {}",
        "pub async fn f() {}",
        "safe fn f();",
    ] {
        assert!(messages("job", "", item).is_empty(), "{item}");
    }
}

#[test]
fn a_key_is_held_against_the_signature_whatever_stands_around_it() {
    for item in [
        "fn pay(order: u64);",
        "#[inline] pub(crate) const unsafe extern \"C\" fn pay<T>(order: T) where T: Copy {}",
        "default async fn pay(order: u64) {}",
    ] {
        assert!(
            messages("job", "key = \"{order}\"", item).is_empty(),
            "{item}"
        );
        assert_eq!(
            messages("job", "key = \"{ordr}\"", item),
            ["`{ordr}` names no parameter; did you mean `order`?"],
            "{item}"
        );
    }
}

#[test]
fn short_forms_keep_their_imports_in_use() {
    let imports = |item: &str| {
        crate::read("marked", Tokens::new(), tokens(item))
            .imports
            .to_string()
    };
    let same = |item: &str, expected: &str| {
        assert_eq!(imports(item), tokens(expected).to_string(), "{item}");
    };
    same(
        "fn f() { #[effect(email)] g(); #[effect(sms)] g(); #[rs::effect(sms)] g(); #[retrysafe::effect(sms)] g(); }",
        "#[effect(email)] #[rs::effect(sms)]",
    );
    same(
        "fn f() { #[cfg_attr(test, inline, effect(email), retrysafe::effect(sms))] g(); }",
        "#[cfg_attr(test, effect(email))]",
    );
    same(
        "fn f() { use retrysafe::effect; #[effect(email)] g(); }",
        "",
    );
    same("fn f() { #[cfg(test)] #[effect(email)] g(); }", "");
}
