//! The JSON Schema of the file, for editors: drawn from the same description that it is checked
//! against.

use serde_json::{Map, Value, json};

use super::sections::FILE;
use super::shape::{Alternatives, Needs, Required, Shape, TableShape};

/// The JSON Schema of `retrysafe.toml`.
pub fn config_schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "retrysafe.toml",
        "description": "What a workspace tells `cargo retrysafe` of its own jobs",
    });
    extend(&mut schema, table(&FILE));
    schema
}

fn table(shape: &TableShape) -> Value {
    let mut properties = Map::new();
    for field in shape.fields {
        let mut property = json!({ "description": field.about });
        extend(&mut property, value(&field.shape));
        properties.insert(field.key.to_owned(), property);
    }
    let required: Vec<&str> = shape
        .fields
        .iter()
        .filter(|field| field.required != Required::No)
        .map(|field| field.key)
        .collect();
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        extend(&mut schema, json!({ "required": required }));
    }
    match &shape.needs {
        Needs::Nothing => {}
        Needs::Any(sets, _) => {
            let sets: Vec<Value> = sets.iter().map(|set| json!({ "required": set })).collect();
            extend(&mut schema, json!({ "anyOf": sets }));
        }
        Needs::One(sets, _) => extend(&mut schema, json!({ "oneOf": exactly_one(sets) })),
    }
    schema
}

/// Each set whole, and none of the keys of the others.
fn exactly_one(sets: Alternatives) -> Vec<Value> {
    let of = |chosen: &&[&str]| {
        let others: Vec<Value> = sets
            .iter()
            .filter(|set| *set != chosen)
            .flat_map(|set| set.iter())
            .map(|key| json!({ "required": [key] }))
            .collect();
        json!({ "required": chosen, "not": { "anyOf": others } })
    };
    sets.iter().map(of).collect()
}

fn value(shape: &Shape) -> Value {
    match shape {
        Shape::Text(kind) => match kind.pattern {
            Some(pattern) => json!({ "type": "string", "pattern": pattern }),
            None => json!({ "type": "string" }),
        },
        Shape::Word(_, words) => json!({ "enum": words() }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Count => json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX }),
        Shape::Number => json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
        Shape::Argument => json!({ "anyOf": [
            { "type": "integer", "minimum": 0, "maximum": u32::MAX },
            { "enum": ["last", "receiver"] },
        ] }),
        Shape::List(of, 0) => json!({ "type": "array", "items": value(of) }),
        Shape::List(of, least) => {
            json!({ "type": "array", "items": value(of), "minItems": least })
        }
        Shape::Table(of) => table(of),
        Shape::Tables(of) => json!({ "type": "array", "items": table(of) }),
        Shape::Map(_, words, of) => {
            let properties: Map<String, Value> = words()
                .into_iter()
                .map(|word| (word.to_owned(), value(of)))
                .collect();
            json!({ "type": "object", "properties": properties, "additionalProperties": false })
        }
    }
}

/// Adds the keys of one object to another.
fn extend(schema: &mut Value, more: Value) {
    if let (Some(schema), Value::Object(more)) = (schema.as_object_mut(), more) {
        schema.extend(more);
    }
}
