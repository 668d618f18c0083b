//! Declarations on functions, statements and expressions, as they are read from source: in
//! attributes of every spelling, and in comments.

use cargo_retrysafe::ir::{Body, FileIr, Function, Item, Place, PlacedMark};
use cargo_retrysafe::lower::{MacroTable, lower};
use retrysafe_rules::grammar::Mark;

fn read(text: &str) -> FileIr {
    lower(text, &MacroTable::default()).expect("the test holds Rust")
}

fn functions(items: &[Item]) -> Vec<&Function> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Function(function) => found.push(function),
            Item::Impl(of) => found.extend(&of.methods),
            Item::Module(module) => found.extend(functions(&module.items)),
            _ => {}
        }
    }
    found
}

/// What a declaration says, in short.
fn said(mark: &PlacedMark) -> String {
    match &mark.value {
        Mark::Effect(effect) => effect.kind.to_string(),
        Mark::Accept(accept) => accept.rule.clone(),
        Mark::Job(_) => "job".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn text_at(text: &str, place: Place) -> String {
    let line = text.lines().nth(place.line as usize - 1).unwrap_or("");
    let end = if place.end_line == place.line {
        place.end_column as usize
    } else {
        line.len()
    };
    line[place.column as usize..end].to_owned()
}

/// The declarations inside the bodies of a file: what each says, and on what it stands.
fn on_statements(text: &str) -> Vec<String> {
    let file = read(text);
    let bodies = functions(&file.items).into_iter();
    let bodies: Vec<&Body> = bodies
        .filter_map(|function| function.body.as_ref())
        .collect();
    let shown = bodies.into_iter().flat_map(|body| {
        body.marks
            .iter()
            .map(|(id, mark)| format!("{}: {}", said(mark), text_at(text, body.place(*id))))
    });
    shown.collect()
}

/// The declarations on the functions of a file.
fn on_functions(text: &str) -> Vec<String> {
    let file = read(text);
    functions(&file.items)
        .into_iter()
        .flat_map(|function| {
            function
                .marks
                .iter()
                .map(|mark| format!("{}: {}", said(mark), function.name))
        })
        .collect()
}

fn mistakes(text: &str) -> Vec<String> {
    let found = read(text).mistakes.into_iter();
    found
        .map(|mistake| format!("{}: {}", text_at(text, mistake.place), mistake.message))
        .collect()
}

#[test]
fn attributes_are_read_on_every_statement_and_expression() {
    let text = "
        async fn f() {
            #[retrysafe::effect(email)] let x = a();
            #[retrysafe::effect(email)] let Ok(y) = b() else { #[retrysafe::effect(sms)] return c() };
            #[retrysafe::effect(email)] d().await?;
            #[retrysafe::effect(email)] x = e();
            #[retrysafe::effect(email)] x + g();
            #[retrysafe::effect(email)] h!(i);
            #[retrysafe::effect(email)] k! { }
            l(#[retrysafe::effect(email)] m(), #[retrysafe::effect(email)] x + n());
            match o { #[retrysafe::effect(email)] 1 => p(), _ => #[retrysafe::effect(sms)] q() }
            S { #[retrysafe::effect(email)] r: s(), t: #[retrysafe::effect(sms)] u() };
            #[retrysafe::effect(email)] if v() { }
            #[retrysafe::effect(email)] { w() }
            vec![#[retrysafe::effect(email)] z()];
            tokio::select! { #[retrysafe::effect(email)] _ = aa() => bb(), }
            let cc = #[retrysafe::effect(email)] || dd();
            #[retrysafe::effect(email)] ee()
        }";
    let expected = [
        "email: a()",
        "sms: return c()",
        "email: b()",
        "email: d().await?",
        "email: x = e()",
        "email: x + g()",
        "email: h!(i)",
        "email: k! { }",
        "email: m()",
        "email: x",
        "email: p()",
        "sms: q()",
        "email: s()",
        "sms: u()",
        "email: if v() { }",
        "email: { w() }",
        "email: z()",
        "email: bb()",
        "email: || dd()",
        "email: ee()",
    ];
    let mut found = on_statements(text);
    let mut expected: Vec<String> = expected.map(str::to_owned).to_vec();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(mistakes(text), [""; 0]);
}

#[test]
fn attributes_are_known_by_path_by_import_and_inside_cfg_attr() {
    let text = "
        use retrysafe::{accept, effect as outward};
        use retrysafe as rs;
        extern crate retrysafe as safe;
        fn f() {
            #[::retrysafe::effect(email)] a();
            #[outward(email)] b();
            #[rs::effect(email)] c();
            #[safe::effect(email)] d();
            #[cfg_attr(feature = \"x\", allow(unused), retrysafe::effect(email), outward(sms))] e();
            #[effect(email)] g();
            #[other::effect(email)] h();
            { use retrysafe::effect; #[effect(email)] i(); }
            #[effect(email)] j();
        }
        mod inner { fn k() { #[outward(email)] l(); } }";
    assert_eq!(
        on_statements(text),
        [
            "email: a()",
            "email: b()",
            "email: c()",
            "email: d()",
            "email: e()",
            "sms: e()",
            "email: i()",
        ]
    );
}

#[test]
fn functions_inside_bodies_know_the_imports_around_them() {
    let text = "
        fn f() {
            use retrysafe::job;
            #[job(schedule)]
            fn g() {}
        }";
    assert_eq!(on_functions(text), ["job: g"]);
}

#[test]
fn a_comment_reaches_over_attributes_doc_comments_and_other_comments() {
    let text = "
        // retrysafe: job
        /// Says
        #[allow(
            // why
            clippy::all,

            dead_code // ]
        )]
        /* one
           two */
        #[doc = \"]
            text\"]
        /** Says
            more */
        // retrysafe: accept(random-key, reason = \"a second one is harmless\")
        #![rustfmt::skip]
        pub async fn f() {
            // retrysafe: effect(email)
            #[cfg_attr(
                test,
                allow(unused)
            )]
            // why
            let x =
                a();

            // retrysafe: effect(sms)
            // retrysafe: accept(random-key, reason = \"a second one is harmless\")
            #[allow(unused)]
            b(
                c(),
            ).await?;

            match d() {
                // retrysafe: effect(push)
                1
                | 2 => e(),
                _ => {}
            }
        }";
    let text = text.replace("        #![rustfmt::skip]\n", "");
    assert_eq!(on_functions(&text), ["job: f", "random-key: f"]);
    assert_eq!(
        on_statements(&text),
        ["email: a()", "sms: b(", "random-key: b(", "push: e()"]
    );
}

#[test]
fn a_comment_does_not_reach_over_code_or_empty_lines() {
    let text = "
        // retrysafe: job
        #[inline] fn f() {}
        fn g() {}

        // retrysafe: job

        fn h() {}
        const TEXT: &str = r#\"
        // retrysafe: job
        \"#;
        fn i() {}";
    assert_eq!(on_functions(text), ["job: f"]);
}

#[test]
fn texts_and_characters_are_no_comments() {
    let text = "
        fn f() {
            let a = (\"/* \\\" \", '\"', '\\'', b'/', \"// retrysafe: step\");
            // retrysafe: effect(email)
            a();
            let b: &'static str = br##\" \"# /* \"##;
            // retrysafe: effect(sms)
            b();
            /* /* */ */
            // retrysafe: effect(push)
            /* */ c();
        }";
    assert_eq!(on_statements(text), ["email: a()", "sms: b()", "push: c()"]);
    assert_eq!(mistakes(text), [""; 0]);
}

#[test]
fn what_stands_at_the_wrong_place_is_told_in_the_words_of_the_compiler() {
    let text = "
        fn f() {
            #[retrysafe::step] a();
            #[retrysafe::acept(random_key)] b();
            #[retrysafe::accept = 1] c();
            // retrysafe: job
            d();
        }
        #[retrysafe::job(key = \"{x}:{y}\", key = \"z\")]
        fn g(z: u8) {}";
    let mut found = mistakes(text);
    found.sort();
    assert_eq!(
        found,
        [
            "\"{x}:{y}\": `{x}` names no parameter; they are z",
            "\"{x}:{y}\": `{y}` names no parameter; they are z",
            "// retrysafe: job: `job` stands on a function or a method",
            "accept: write `accept(…)`, not `accept = …`",
            "acept: unknown attribute `acept`; did you mean `accept`?",
            "key: `key` is given twice",
            "step: `step` stands on a function or a method",
        ]
    );
}
