//! JSON Schemas of what this version prints.

use retrysafe_rules::rule::{Family, Level, Rule};
use retrysafe_rules::vocabulary::{
    Action, Delivery, EffectKind, JobKind, Protection, Repeat, Section, Trigger,
};
use serde_json::{Value, json};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of `check --format json`.
pub fn report_schema() -> Value {
    let count = json!({ "type": "integer", "minimum": 0 });
    object_of(
        "Findings of cargo-retrysafe",
        json!({
            "version": { "const": 1 },
            "tool": closed(json!({ "name": { "const": "cargo-retrysafe" }, "version": text() })),
            "summary": closed(json!({
                "files": count,
                "functions": count,
                "jobs": count,
                "effects": count,
                "gaps": count,
                "findings": closed(json!({ "deny": count, "warn": count, "allow": count })),
                "accepted": count,
                "baselined": count,
            })),
            "findings": list(finding()),
            "gaps": list(gap()),
            "problems": list(problem()),
        }),
    )
}

/// The schema of `map --format json`.
pub fn map_schema() -> Value {
    let mut schema = object_of(
        "Side-effect maps of cargo-retrysafe",
        json!({
            "version": { "const": 1 },
            "jobs": list(job()),
            "problems": list(problem()),
        }),
    );
    schema["properties"]["gaps"] = list(gap());
    schema
}

fn finding() -> Value {
    closed(json!({
        "rule": words(Rule::ALL.iter().map(|rule| rule.word())),
        "family": words(Family::ALL.iter().map(|family| family.word())),
        "level": words(Level::ALL.iter().map(|level| level.word())),
        "confidence": { "enum": ["low", "medium", "high"] },
        "message": text(),
        "help": { "type": "string" },
        "jobs": list(text()),
        "triggers": list(words(Trigger::ALL.iter().map(|trigger| trigger.word()))),
        "primary": span(json!({})),
        "related": list(span(json!({ "message": text() }))),
        "trace": list(span(json!({ "message": text() }))),
        "fingerprint": { "type": "string", "pattern": "^[0-9a-f]{32}$" },
        "accepted": { "type": ["string", "null"] },
    }))
}

fn job() -> Value {
    closed(json!({
        "name": text(),
        "file": text(),
        "line": { "type": "integer", "minimum": 1 },
        "kind": words(JobKind::ALL.iter().map(|kind| kind.word())),
        "framework": { "type": ["string", "null"] },
        "delivery": nullable(Delivery::ALL.iter().map(|delivery| delivery.word())),
        "attempts": { "anyOf": [
            { "type": "integer", "minimum": 1 },
            { "const": "unlimited" },
            { "type": "null" },
        ] },
        "why": text(),
        "key": { "type": ["string", "null"] },
        "inputs": list(closed(json!({ "name": text(), "type": { "type": "string" } }))),
        "effects": list(effect()),
        "checklist": list(closed(json!({
            "item": text(),
            "holds": { "type": ["boolean", "null"] },
            "evidence": { "type": "string" },
        }))),
    }))
}

fn effect() -> Value {
    let position = json!({ "type": "integer", "minimum": 1 });
    closed(json!({
        "id": { "type": "string", "pattern": "^e[0-9]+$" },
        "section": words(Section::ALL.iter().map(|section| section.word())),
        "kind": words(EffectKind::ALL.iter().map(|kind| kind.word())),
        "action": words(Action::ALL.iter().map(|action| action.word())),
        "target": { "type": "string" },
        "protection": words(Protection::ALL.iter().map(|protection| protection.word())),
        "evidence": { "type": "string" },
        "file": text(),
        "line": position,
        "column": position,
        "route": list(text()),
        "repeat": words(Repeat::ALL.iter().map(|repeat| repeat.word())),
        "in_transaction": { "type": "boolean" },
        "key": { "type": ["string", "null"] },
        "api": { "type": "string" },
        "confidence": { "enum": ["low", "medium", "high"] },
    }))
}

fn gap() -> Value {
    span(json!({ "kind": text(), "message": text() }))
}

fn problem() -> Value {
    let place = json!({ "anyOf": [place(), { "type": "null" }] });
    closed(json!({
        "message": text(),
        "help": { "type": "string" },
        "file": { "type": "string" },
        "start": place,
        "end": place,
    }))
}

fn span(more: Value) -> Value {
    let mut fields = json!({ "file": text(), "start": place(), "end": place() });
    if let (Value::Object(fields), Value::Object(more)) = (&mut fields, more) {
        fields.extend(more);
    }
    closed(fields)
}

fn place() -> Value {
    let position = json!({ "type": "integer", "minimum": 1 });
    closed(json!({ "line": position, "column": position }))
}

fn text() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

fn list(of: Value) -> Value {
    json!({ "type": "array", "items": of })
}

fn words<'w>(words: impl Iterator<Item = &'w str>) -> Value {
    json!({ "enum": words.collect::<Vec<_>>() })
}

fn nullable<'w>(words: impl Iterator<Item = &'w str>) -> Value {
    let mut all: Vec<Value> = words.map(|word| json!(word)).collect();
    all.push(Value::Null);
    json!({ "enum": all })
}

/// An object that has exactly these fields in this version; later ones may have more.
fn closed(fields: Value) -> Value {
    let required: Vec<String> = match &fields {
        Value::Object(fields) => fields.keys().cloned().collect(),
        _ => Vec::new(),
    };
    json!({ "type": "object", "properties": fields, "required": required })
}

fn object_of(title: &str, fields: Value) -> Value {
    let mut schema = closed(fields);
    schema["$schema"] = json!(DRAFT);
    schema["title"] = json!(title);
    schema
}
