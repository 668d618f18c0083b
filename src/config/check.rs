//! A value of the file against the shape that it should have, every mistake at its place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::place::{Errors, unknown_word};
use super::shape::{Required, Shape, TableShape};

/// Checks the value of a key.
pub(super) fn check_value(
    key: &str,
    value: &Spanned<DeValue<'_>>,
    shape: &Shape,
    errors: &mut Errors<'_>,
) {
    let span = value.span();
    match (shape, value.get_ref()) {
        (Shape::Text(kind), DeValue::String(text)) => {
            if let Err(message) = (kind.check)(text) {
                errors.push(span, message);
            }
        }
        (Shape::Word(what, words), DeValue::String(word)) => {
            let words = words();
            if !words.contains(&word.as_ref()) {
                errors.push(span, unknown_word(what, word, &words));
            }
        }
        (Shape::Flag, DeValue::Boolean(_)) => {}
        (Shape::Count, DeValue::Integer(_)) if whole(value).is_some_and(|n| n > 0) => {}
        (Shape::Number | Shape::Argument, DeValue::Integer(_)) if whole(value).is_some() => {}
        (Shape::Argument, DeValue::String(word)) => {
            let words = ["last", "receiver"];
            if !words.contains(&word.as_ref()) {
                errors.push(span, unknown_word("argument", word, &words));
            }
        }
        (Shape::List(of, least), DeValue::Array(items)) => {
            if items.len() < *least {
                errors.push(
                    span,
                    format!("`{key}` is empty; list at least one or leave it out"),
                );
            }
            for item in items.iter() {
                check_value(key, item, of, errors);
            }
        }
        (Shape::Table(shape), DeValue::Table(table)) => check_table(table, span, shape, errors),
        (Shape::Tables(shape), DeValue::Array(items)) => {
            for item in items.iter() {
                match item.get_ref() {
                    DeValue::Table(table) => check_table(table, item.span(), shape, errors),
                    _ => errors.push(item.span(), format!("an entry of `{key}` is a table")),
                }
            }
        }
        (Shape::Map(what, words, value), DeValue::Table(table)) => {
            let words = words();
            for (key, set) in table {
                let word: &str = key.get_ref();
                if !words.contains(&word) {
                    errors.push(key.span(), unknown_word(what, word, &words));
                }
                check_value(word, set, value, errors);
            }
        }
        _ => errors.push(span, format!("`{key}` is {}", described(shape))),
    }
}

/// Checks a table that stands at a span.
pub(super) fn check_table(
    table: &DeTable<'_>,
    span: Range<usize>,
    shape: &TableShape,
    errors: &mut Errors<'_>,
) {
    for (key, value) in table {
        let word: &str = key.get_ref();
        match shape.fields.iter().find(|field| field.key == word) {
            Some(field) => check_value(word, value, &field.shape, errors),
            None => errors.push(key.span(), unknown_word("key", word, &shape.keys())),
        }
    }
    let has = |key: &str| table.iter().any(|(name, _)| name.get_ref() == key);
    for field in shape.fields {
        if field.required == Required::Yes && !has(field.key) {
            let (name, key) = (shape.name, field.key);
            errors.push(
                span.clone(),
                format!("{name} has no `{key}`; give {}", described(&field.shape)),
            );
        }
    }
    if let Some(message) = shape.needs.unmet(&has) {
        errors.push(span, message);
    }
}

/// A number that is not negative and not huge.
fn whole(value: &Spanned<DeValue<'_>>) -> Option<u32> {
    let number = value.get_ref().as_integer()?;
    u32::from_str_radix(number.as_str(), number.radix()).ok()
}

/// What is expected, in words.
fn described(shape: &Shape) -> String {
    match shape {
        Shape::Text(_) => "a text".to_owned(),
        Shape::Word(what, words) => format!("a {what}: {}", words().join(", ")),
        Shape::Flag => "true or false".to_owned(),
        Shape::Count => "a count from 1".to_owned(),
        Shape::Number => "a number from 0".to_owned(),
        Shape::Argument => "a position from 0, \"last\" or \"receiver\"".to_owned(),
        Shape::List(Shape::Text(_) | Shape::Word(..), _) => "a list of texts".to_owned(),
        Shape::List(..) => "a list".to_owned(),
        Shape::Table(_) | Shape::Map(..) => "a table".to_owned(),
        Shape::Tables(of) => format!("a list of tables, each {}", of.name),
    }
}
