//! Places in a call: where a value stands, and which argument is meant.

use std::fmt;

use serde::Deserialize;

/// A place in a call or its builder chain where a value stands.
///
/// Written `arg:0`, `arg:0.field`, `method:queue_url`, `method:header:1`, `next:arg`, `terminal:0`,
/// `field:to`, `generic:0`, `receiver`, `type`, `name`, `literal:stripe`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// An argument of the call that names the operation, or a field of that argument.
    Arg(usize, Option<String>),
    /// An argument of a builder method somewhere in the chain, or in the chain of an argument.
    Method(String, usize),
    /// An argument of the first such builder method after the call that names the operation.
    Next(String, usize),
    /// An argument of the call that makes it happen.
    Terminal(usize),
    /// A field of a struct literal among the arguments.
    Field(String),
    /// A generic argument of the call or of its receiver's type.
    Generic(usize),
    /// The receiver.
    Receiver,
    /// The last segment of the receiver's or the called function's type.
    Type,
    /// The name of the called function.
    Name,
    /// The text itself.
    Literal(String),
}

impl std::str::FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` names no part of a call: write `arg:N`, `method:NAME`, `next:NAME`, \
                 `terminal:N`, `field:NAME`, `generic:N`, `receiver`, `type`, `name` or \
                 `literal:TEXT`"
            )
        };
        let number = |n: &str| n.parse::<usize>().map_err(|_| wrong());
        let (head, rest) = text.split_once(':').unwrap_or((text, ""));
        Ok(match (head, rest) {
            ("receiver", "") => Part::Receiver,
            ("type", "") => Part::Type,
            ("name", "") => Part::Name,
            ("literal", rest) if !rest.is_empty() => Part::Literal(rest.to_owned()),
            ("field", rest) if !rest.is_empty() => Part::Field(rest.to_owned()),
            ("arg", rest) => match rest.split_once('.') {
                Some((index, field)) => Part::Arg(number(index)?, Some(field.to_owned())),
                None => Part::Arg(number(rest)?, None),
            },
            ("terminal", rest) => Part::Terminal(number(rest)?),
            ("generic", rest) => Part::Generic(number(rest)?),
            ("method" | "next", rest) if !rest.is_empty() => {
                let (name, index) = match rest.split_once(':') {
                    Some((name, index)) => (name.to_owned(), number(index)?),
                    None => (rest.to_owned(), 0),
                };
                match head {
                    "next" => Part::Next(name, index),
                    _ => Part::Method(name, index),
                }
            }
            _ => return Err(wrong()),
        })
    }
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// Which argument of a call is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Argument {
    /// By position from 0, the receiver not counted.
    At(usize),
    /// The last one, wherever it stands.
    #[default]
    Last,
    /// The receiver.
    Receiver,
}

impl<'de> Deserialize<'de> for Argument {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Argument;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a position from 0, \"last\" or \"receiver\"")
            }
            fn visit_i64<E: serde::de::Error>(self, n: i64) -> Result<Argument, E> {
                usize::try_from(n).map(Argument::At).map_err(E::custom)
            }
            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Argument, E> {
                match word {
                    "last" => Ok(Argument::Last),
                    "receiver" => Ok(Argument::Receiver),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
