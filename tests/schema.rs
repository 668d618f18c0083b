//! What unique keys forbid: the table of cases in `fixtures/schema/cases.toml`, each with its verdict
//! and the reason for it.

#![expect(clippy::disallowed_methods, reason = "the test reads its table")]

use cargo_retrysafe::sql::schema::{Given, Reason, Schema, Verdict, define, given};
use cargo_retrysafe::sql::{self, Placeholder};
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    schema: String,
    insert: String,
    #[serde(default)]
    check: Vec<String>,
    forbids: String,
}

fn main() {
    let arguments = Arguments::from_args();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/schema/cases.toml");
    let text = std::fs::read_to_string(path).expect("the cases are there");
    let cases: Cases = toml::from_str(&text).expect("the cases are well-formed");
    let trials = cases
        .case
        .into_iter()
        .map(|case| Trial::test(case.name.clone(), move || run(&case)))
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(case: &Case) -> Result<(), Failed> {
    let definitions = define(&case.schema, 0);
    if !definitions.unread.is_empty() {
        return Err(format!("not read: {:?}", definitions.unread).into());
    }
    let mut schema = Schema::default();
    schema.apply(definitions.changes);
    let told = verdict(case, &schema)?;
    if told == case.forbids {
        Ok(())
    } else {
        Err(format!("expected `{}`, found `{told}`", case.forbids).into())
    }
}

fn verdict(case: &Case, schema: &Schema) -> Result<String, Failed> {
    let insert = sql::read(&case.insert)
        .pop()
        .ok_or("an insert is wanted")?
        .map_err(|unread| unread.message)?;
    let table = insert.table.as_deref().ok_or("a table is wanted")?;
    let table = schema.table(table).ok_or("the table is not there")?;
    let bind = |placeholder: &Placeholder| match placeholder {
        Placeholder::Position(9) => Given::Optional,
        Placeholder::Position(10) => Given::Fresh,
        _ => Given::Same,
    };
    let row = |column: &str| given(&insert, table, &bind, column);
    if let Some(conflict) = &insert.conflict {
        return Ok(match table.arbiter(&conflict.target) {
            None => "no key".to_owned(),
            Some(key) => match table.evades(key, &row) {
                None => format!("yes: {}", key.name),
                Some(reason) => format!("no: {}", said(&key.name, &reason)),
            },
        });
    }
    let is_checked = |column: &str| case.check.iter().any(|of| of.eq_ignore_ascii_case(column));
    let verdict = if case.check.is_empty() {
        table.second_row(&row)
    } else {
        table.second_create(&is_checked, &|_| false, &row)
    };
    Ok(match verdict {
        Verdict::Forbidden(key) => format!("yes: {}", key.name),
        Verdict::Perhaps(key, reason) => format!("perhaps: {}", said(&key.name, &reason)),
        Verdict::Allowed(reasons) => {
            let reasons: Vec<String> = reasons
                .iter()
                .map(|(key, reason)| said(&key.name, reason))
                .collect();
            match reasons.is_empty() {
                true => "no".to_owned(),
                false => format!("no: {}", reasons.join("; ")),
            }
        }
    })
}

fn said(key: &str, reason: &Reason) -> String {
    match reason {
        Reason::Wider(columns) => format!("{key} is wider by {}", columns.join(", ")),
        Reason::Null(column) => format!("{key}: {column} may be NULL"),
        Reason::Fresh(column) => format!("{key}: {column} is fresh"),
        Reason::Unknown(column) => format!("{key}: {column} is unknown"),
        Reason::OtherRows => format!("{key} is about other rows"),
        Reason::SomeRows => format!("{key} is about some rows"),
    }
}
