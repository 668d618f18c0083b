//! Literals.

use syn::Lit;

use crate::ir::{Literal, Name};

pub(super) fn lower_literal(literal: &Lit) -> Literal {
    match literal {
        Lit::Str(text) => Literal::Str(Name::from(&text.value())),
        Lit::ByteStr(bytes) => match String::from_utf8(bytes.value()) {
            Ok(text) => Literal::Str(Name::from(&text)),
            Err(_) => Literal::Other(Name::from("bytes")),
        },
        Lit::Int(number) => match number.base10_parse::<i128>() {
            Ok(value) => Literal::Int(value),
            Err(_) => Literal::Other(Name::from(number.base10_digits())),
        },
        Lit::Bool(value) => Literal::Bool(value.value),
        Lit::Char(value) => Literal::Str(Name::from(value.value().encode_utf8(&mut [0; 4]))),
        Lit::Float(value) => Literal::Other(Name::from(value.base10_digits())),
        _ => Literal::Other(Name::from("literal")),
    }
}
