//! What declarations are read as, and how mistakes in them are reported.

use super::{AcceptMark, GrammarError, Listed, Mark, check_accept};
use crate::rule::Rule;
use crate::vocabulary::{Delivery, EffectKind};

fn parse_text(text: &str) -> Result<Mark, Vec<GrammarError>> {
    super::parse_text(text).map(|parsed| parsed.mark)
}

fn messages(text: &str) -> Vec<String> {
    match parse_text(text) {
        Ok(mark) => panic!("`{text}` was read as {mark:?}"),
        Err(errors) => errors.into_iter().map(|error| error.message).collect(),
    }
}

#[test]
fn a_job_mark_holds_what_its_arguments_say() {
    let mark = parse_text(
        "job(key = \"invoice:{id}\", effects(email, db_write(\"invoices\", \"notes\")), \
         delivery = \"at-least-once\", attempts = 5, schedule)",
    );
    let Ok(Mark::Job(job)) = mark else {
        panic!("{mark:?}")
    };
    assert_eq!(job.key.as_deref(), Some("invoice:{id}"));
    assert_eq!(job.attempts, Some(5));
    assert!(job.schedule);
    assert_eq!(job.delivery, Some(Delivery::AtLeastOnce));
    let listed = job.effects.expect("the list is given");
    assert_eq!(listed.len(), 3);
    assert_eq!(
        listed[0],
        Listed {
            kind: EffectKind::Email,
            target: None
        }
    );
    assert_eq!(listed[2].target.as_deref(), Some("notes"));
}

#[test]
fn an_empty_list_of_effects_is_not_an_absent_one() {
    let Ok(Mark::Job(empty)) = parse_text("job(effects())") else {
        panic!()
    };
    let Ok(Mark::Job(absent)) = parse_text("job") else {
        panic!()
    };
    assert_eq!((empty.effects, absent.effects), (Some(Vec::new()), None));
}

#[test]
fn every_mistake_is_reported_with_the_nearest_word() {
    let found = messages("job(kee = \"x\", attempts = 0, effects(emial))");
    assert_eq!(
        found,
        [
            "unknown argument `kee`; did you mean `key`?",
            "`attempts` takes a count from 1: `attempts = 5`",
            "unknown kind of effect `emial`; did you mean `email`?",
        ]
    );
}

#[test]
fn a_comment_may_spell_rules_in_kebab_case() {
    let mark = parse_text("accept(random-key, reason = \"per-run, harmless\")");
    let Ok(Mark::Accept(accept)) = mark else {
        panic!("{mark:?}")
    };
    assert_eq!(accept.rule, "random-key");
    assert_eq!(accept.reason.as_deref(), Some("per-run, harmless"));
}

#[test]
fn an_effect_mark_needs_a_kind() {
    assert_eq!(
        messages("effect"),
        ["name the kind of effect: `effect(email)`"]
    );
    let Ok(Mark::Effect(mark)) = parse_text("effect(email, idempotent, target = \"x\")") else {
        panic!()
    };
    assert!(mark.idempotent && mark.target.as_deref() == Some("x"));
}

fn key_mistakes(key: &str, signature: &str) -> Vec<String> {
    let signature: syn::Signature = syn::parse_str(signature).expect("it is a signature");
    super::wrong_placeholders(key, &signature)
}

fn key_mistake(key: &str, signature: &str) -> Option<String> {
    key_mistakes(key, signature).pop()
}

#[test]
fn placeholders_name_parameters() {
    let signature = "fn pay(order_id: u64, State(pool): State<Pool>, Line { amount, .. }: Line)";
    for key in [
        "pay",
        "pay:{order_id}",
        "pay:{order_id.0}:{amount}",
        "pay:{pool.name}",
        "{{literal}}",
        "open {",
    ] {
        assert_eq!(key_mistake(key, signature), None, "{key}");
    }
    assert_eq!(
        key_mistake("pay:{order_di}", signature).as_deref(),
        Some("`{order_di}` names no parameter; did you mean `order_id`?")
    );
    assert_eq!(
        key_mistake("pay:{invoice.id}", "fn pay(o: u64, p: u64)").as_deref(),
        Some("`{invoice.id}` names no parameter; they are o, p")
    );
    assert_eq!(
        key_mistake("{day}", "fn close()").as_deref(),
        Some("`{day}` names no parameter; the function has none")
    );
    assert_eq!(
        key_mistake("{day}", "fn close(&self)"),
        None,
        "a field of the payload"
    );
}

#[test]
fn every_placeholder_is_looked_at() {
    assert_eq!(
        key_mistakes("{a}:{order}:{b}", "fn pay(order: u64)").len(),
        2
    );
}

#[test]
fn placeholders_know_raw_names_bound_patterns_and_names_that_other_macros_made() {
    assert_eq!(key_mistake("{type}", "fn pay(r#type: u64)"), None);
    assert_eq!(
        key_mistake("{id}", "fn pay(order @ Order { id }: Order)"),
        None
    );
    assert_eq!(key_mistake("{id}", "fn pay(__arg0: Order)"), None);
}

#[test]
fn an_argument_is_given_once() {
    assert_eq!(
        messages("job(key = \"a\", key = \"b\")"),
        ["`key` is given twice"]
    );
    assert_eq!(
        messages("effect(email, target = \"a\", target = \"b\", idempotent)"),
        ["`target` is given twice"]
    );
}

#[test]
fn a_kind_with_parentheses_names_a_target() {
    assert_eq!(
        messages("job(effects(email()))"),
        ["write `email` for any target, or `email(\"target\")`"]
    );
}

#[test]
fn an_attribute_in_kebab_case_is_told_so() {
    let args = "random-key, reason = \"harmless enough\""
        .parse()
        .expect("these are tokens");
    let errors = super::parse("accept", proc_macro2::Span::call_site(), args)
        .expect_err("the words are joined wrongly");
    assert_eq!(
        errors[0].message,
        "the words of an attribute are joined by `_`, not by `-`"
    );
}

#[test]
fn a_value_alone_is_no_argument() {
    assert_eq!(
        messages("effect(email, \"billing\")"),
        ["an argument is a word, `word = value` or `word(…)`"]
    );
}

#[test]
fn a_value_stands_in_parentheses() {
    assert_eq!(messages("step = 1"), ["write `step(…)`, not `step = …`"]);
}

#[test]
fn both_mistakes_of_an_acceptance_are_told() {
    let mistakes = |args: &str| -> Vec<String> {
        let args = args.parse().expect("these are tokens");
        super::check_acceptance(proc_macro2::Span::call_site(), args)
            .into_iter()
            .map(|error| error.message)
            .collect()
    };
    assert_eq!(
        mistakes("random_kee"),
        [
            "there is no rule `random_kee`; did you mean `random_key`?",
            "the acceptance of `random_kee` has no reason",
        ]
    );
    assert_eq!(
        mistakes("random_key, reason = \"fine\""),
        ["`fine` is too short a reason to accept `random-key`"]
    );
    assert!(mistakes("random_key, reason = \"a second key is harmless\"").is_empty());
    assert!(mistakes("").is_empty(), "the grammar says that");
}

fn accepted(rule: &str, reason: Option<&str>) -> Result<Rule, String> {
    let mark = AcceptMark {
        rule: rule.to_owned(),
        reason: reason.map(str::to_owned),
    };
    check_accept(&mark).map_err(|mistake| format!("{}: {}", mistake.rule, mistake.message))
}

#[test]
fn an_acceptance_names_a_rule_and_a_reason() {
    let reason = Some("the operator sees it twice, harmless");
    assert_eq!(accepted("random-key", reason), Ok(Rule::RandomKey));
    assert_eq!(
        accepted("random-kee", reason),
        Err("unknown-rule: there is no rule `random_kee`; did you mean `random_key`?".to_owned())
    );
    assert_eq!(
        accepted("random-key", None),
        Err("accept-without-reason: the acceptance of `random-key` has no reason".to_owned())
    );
    assert!(
        accepted("random-key", Some("  fine   ")).is_err(),
        "space is no reason"
    );
}

#[test]
fn listed_effects_and_accepted_rules_keep_their_places() {
    let parts = |text: &str| super::parse_text(text).expect("it is right").parts.len();
    assert_eq!(parts("job(effects(email, db_write(\"a\", \"b\")))"), 3);
    assert_eq!(parts("accept(random_key, reason = \"harmless enough\")"), 1);
    assert_eq!(parts("step"), 0);
}
