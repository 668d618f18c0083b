//! Job shapes: how a job is found, how often it runs and where its input stands.

use std::fmt;

use semver::VersionReq;
use serde::Deserialize;

use super::call::CallMatch;
use super::part::Argument;
use crate::vocabulary::{Delivery, JobKind};

/// The shape by which a job is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// `impl TRAIT for T`: the body is a method of the impl.
    Trait,
    /// A call whose argument is the body: a function or closure.
    Registration,
    /// A call with a type argument that names an implementor of a job trait.
    TypeRegistration,
    /// An attribute on a function, which is the body.
    Attribute,
    /// An attribute on an impl or trait; the bodies are its marked methods.
    MarkedImpl,
    /// A derive on a type; the body is an inherent method of it.
    Derive,
    /// A derive on an enum that is named as a set of jobs; each arm of its body method is one, or
    /// what the arm calls.
    Command,
    /// A loop around a call that takes one message, tick or turn.
    Loop,
    /// A call that verifies a webhook; the body is the function around it.
    Verification,
}

/// How many times one piece of work may run in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Attempts {
    /// At most so many times, the first included.
    Count(u32),
    /// Without end.
    Unlimited,
    /// The code does not tell.
    #[default]
    Unknown,
}

impl<'de> Deserialize<'de> for Attempts {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Attempts;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a count from 1, \"unlimited\" or \"unknown\"")
            }
            fn visit_i64<E: serde::de::Error>(self, n: i64) -> Result<Attempts, E> {
                match u32::try_from(n) {
                    Ok(count) if count > 0 => Ok(Attempts::Count(count)),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Signed(n), &self)),
                }
            }
            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Attempts, E> {
                match word {
                    "unlimited" => Ok(Attempts::Unlimited),
                    "unknown" => Ok(Attempts::Unknown),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// Where code overrides the number of attempts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AttemptsFrom {
    /// An argument of the attribute.
    #[serde(default)]
    pub attribute: Option<String>,
    /// An associated constant of the impl.
    #[serde(default, rename = "const")]
    pub constant: Option<String>,
    /// A method of the impl that returns a literal.
    #[serde(default)]
    pub method: Option<String>,
    /// A method in the registration chain, or in the chain of one of its arguments.
    #[serde(default)]
    pub chain: Option<String>,
    /// What is added to the number found, 1 where it counts retries only.
    #[serde(default)]
    pub plus: u32,
}

/// Where the persisted input of a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Input {
    /// The parameter at this position, `self` not counted.
    Param(usize),
    /// Every parameter from this position on.
    ParamsFrom(usize),
    /// The receiver: its fields are the payload.
    Receiver,
    /// Read from a handle inside the body.
    Body,
    /// The variables that the body captures.
    Captures,
    /// The message, event or request at hand.
    Message,
    /// Nothing.
    #[default]
    None,
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let input = match word.split_once(':') {
            Some(("param", n)) => n.parse().ok().map(Input::Param),
            Some(("params-from", n)) => n.parse().ok().map(Input::ParamsFrom),
            Some(_) => None,
            None => match word.as_str() {
                "self" => Some(Input::Receiver),
                "body" => Some(Input::Body),
                "captures" => Some(Input::Captures),
                "message" => Some(Input::Message),
                "none" => Some(Input::None),
                _ => None,
            },
        };
        input.ok_or_else(|| {
            serde::de::Error::custom(format!(
                "`{word}` is no place of a job's input: write `param:N`, `params-from:N`, `self`, \
                 `body`, `captures`, `message` or `none`"
            ))
        })
    }
}

/// A job shape.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JobEntry {
    /// The framework's name as users know it.
    pub framework: String,
    /// What kind of job it makes.
    pub kind: JobKind,
    /// The shape by which it is found.
    pub shape: Shape,
    /// Traits, attributes or derives, by path, for the shapes of those names.
    #[serde(default)]
    pub paths: Vec<String>,
    /// The registering, message-taking or verifying calls, for the other shapes.
    #[serde(default)]
    pub call: CallMatch,
    /// The methods that are the body; for marked impls empty means every method.
    #[serde(default)]
    pub methods: Vec<String>,
    /// Attributes that mark the bodies in a marked impl.
    #[serde(default)]
    pub markers: Vec<String>,
    /// The argument that is the body of a registration.
    #[serde(default)]
    pub argument: Argument,
    /// Calls of which at least one stands in the receiver chain or in its arguments.
    #[serde(default)]
    pub requires: Vec<String>,
    /// Calls of which none may stand there.
    #[serde(default)]
    pub forbids: Vec<String>,
    /// Types of which the first parameter must be one.
    #[serde(default)]
    pub first_param: Vec<String>,
    /// Words of which the attribute's arguments must hold one.
    #[serde(default)]
    pub attribute_words: Vec<String>,
    /// Whether the loop counts only when its body has an effect (timers and sleeps).
    #[serde(default)]
    pub needs_effect: bool,
    /// For channels of the process: the calls that put something in. The loop that takes it out
    /// counts only when such a call stands in the code of another job.
    #[serde(default)]
    pub fed_by: CallMatch,
    /// Whether the call verifies only where what it gives is compared with something.
    #[serde(default)]
    pub compared: bool,
    /// Where the input stands.
    #[serde(default)]
    pub input: Input,
    /// Types handed in by the framework, which are not part of the input.
    #[serde(default)]
    pub injected: Vec<String>,
    /// How many times one piece of work may run.
    #[serde(default)]
    pub attempts: Attempts,
    /// Where code overrides that.
    #[serde(default)]
    pub attempts_from: Vec<AttemptsFrom>,
    /// How often the runner hands out the same work.
    pub delivery: Delivery,
    /// What happens on an error, in a few words.
    #[serde(default)]
    pub on_error: Option<String>,
    /// What happens on a crash, in a few words.
    #[serde(default)]
    pub on_crash: Option<String>,
    /// Errors that mean: do not run again.
    #[serde(default)]
    pub permanent: Vec<String>,
    /// Errors and calls that mean: run again.
    #[serde(default)]
    pub transient: Vec<String>,
    /// Methods and types that give a value which is the same on every attempt.
    #[serde(default)]
    pub stable: Vec<String>,
    /// Methods and types that give a value which changes with the attempt.
    #[serde(default)]
    pub attempt: Vec<String>,
    /// The versions of the crate that have this shape; all when absent.
    #[serde(default)]
    pub versions: Option<VersionReq>,
    /// What a reader should know.
    #[serde(default)]
    pub note: Option<String>,
}
