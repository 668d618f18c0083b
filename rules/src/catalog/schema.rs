//! The shape of a catalogue file: what can be said of a crate.
//!
//! Paths are canonical: the path an item has after `use` declarations are followed and the
//! aliases of the catalogue applied. A `*` stands for any text inside one path segment.
//! One file describes one crate; every table is a list of entries of one kind.

use std::fmt;

use semver::VersionReq;
use serde::Deserialize;
use toml::Spanned;

use crate::vocabulary::{Action, Delivery, EffectKind, JobKind, Protection};

/// One file of the catalogue.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CatalogFile {
    /// The crate's package name on the registry, `std` for the standard library, or `*`.
    #[serde(rename = "crate")]
    pub krate: String,
    /// The names under which code refers to the crate, when they differ from the package's.
    #[serde(default)]
    pub lib: Vec<String>,
    /// Whether the entries were compared with the crate's sources.
    pub status: Status,
    /// The versions whose sources were read, newest first.
    #[serde(default)]
    pub read: Vec<String>,
    /// What the crate is for and what is peculiar about it, in a sentence or two.
    pub about: String,
    /// Calls with an effect, and reads that look like one.
    #[serde(default)]
    pub effect: Vec<Spanned<EffectEntry>>,
    /// What calls return, where later calls depend on it.
    #[serde(default)]
    pub returns: Vec<Spanned<ReturnsEntry>>,
    /// Values that differ between attempts.
    #[serde(default)]
    pub source: Vec<Spanned<SourceEntry>>,
    /// Pure functions of their arguments.
    #[serde(default)]
    pub stable: Vec<Spanned<StableEntry>>,
    /// How transactions begin and end.
    #[serde(default)]
    pub transaction: Vec<Spanned<TransactionEntry>>,
    /// Calls that run their argument under another regime: spawned, retried, as a step.
    #[serde(default)]
    pub wrapper: Vec<Spanned<WrapperEntry>>,
    /// Calls whose outcome guards what follows.
    #[serde(default)]
    pub guard: Vec<Spanned<GuardEntry>>,
    /// Job shapes.
    #[serde(default)]
    pub job: Vec<Spanned<JobEntry>>,
    /// What glob imports bring in.
    #[serde(default)]
    pub prelude: Vec<Spanned<PreludeEntry>>,
    /// Other paths for the same items.
    #[serde(default)]
    pub alias: Vec<Spanned<AliasEntry>>,
    /// What is never an effect although it looks like one.
    #[serde(default)]
    pub exclude: Vec<Spanned<ExcludeEntry>>,
    /// Classes of hosts and URL paths.
    #[serde(default)]
    pub url: Vec<Spanned<UrlEntry>>,
    /// Types that wrap another and lend its methods, such as handles and extractors.
    #[serde(default)]
    pub transparent: Vec<String>,
}

/// How far a file is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Every name was found in the sources of the versions in `read`.
    Checked,
    /// Carried over from research, not yet compared.
    Draft,
}

/// How a call is recognised. At least one of the lists is not empty.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CallMatch {
    /// Macros, by path, without `!`.
    #[serde(default)]
    pub macros: Vec<String>,
    /// Functions and associated functions, by path.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Functions by the last two segments of their path, where the type is the user's own
    /// (`Entity::insert`).
    #[serde(default)]
    pub suffixes: Vec<String>,
    /// Types whose methods are meant, by path, wrappers stripped.
    #[serde(default)]
    pub receivers: Vec<String>,
    /// User-defined types by the last segment of their name (`ActiveModel`).
    #[serde(default)]
    pub receiver_suffixes: Vec<String>,
    /// User-defined types that derive one of these macros, by path.
    #[serde(default)]
    pub receiver_derives: Vec<String>,
    /// Traits whose methods are meant: the receiver has this bound, or its type is unknown
    /// and the file imports the trait.
    #[serde(default)]
    pub traits: Vec<String>,
    /// Method names that go with `receivers`, `receiver-suffixes`, `receiver-derives` and
    /// `traits`; `*` at either end stands for any text.
    #[serde(default)]
    pub methods: Vec<String>,
    /// Method names so particular that they need no known receiver.
    #[serde(default)]
    pub unique_methods: Vec<String>,
    /// The number of arguments the call must have, receiver not counted.
    #[serde(default)]
    pub arguments: Option<usize>,
}

impl CallMatch {
    /// Whether the entry could match anything at all.
    pub fn is_empty(&self) -> bool {
        let names_receivers = !self.receivers.is_empty()
            || !self.receiver_suffixes.is_empty()
            || !self.receiver_derives.is_empty()
            || !self.traits.is_empty();
        let by_method = !self.methods.is_empty() && names_receivers;
        self.macros.is_empty()
            && self.paths.is_empty()
            && self.suffixes.is_empty()
            && self.unique_methods.is_empty()
            && !by_method
    }
}

/// A call with an effect.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EffectEntry {
    /// Unique in its file.
    pub id: String,
    /// What the call is.
    pub kind: CallKind,
    /// What it does to its target; may be refined by `classify`.
    #[serde(default)]
    pub action: Option<Action>,
    /// How the call is recognised.
    pub call: CallMatch,
    /// Methods of the returned builder that make it happen; empty: it happens at the call.
    #[serde(default)]
    pub terminals: Vec<String>,
    /// How kind and action are read off an argument.
    #[serde(default)]
    pub classify: Option<Classify>,
    /// The argument that `classify` reads; the first one when absent.
    #[serde(default)]
    pub subject: Option<Part>,
    /// Where the name of the target stands, in order of preference.
    #[serde(default)]
    pub target: Vec<Part>,
    /// Where an idempotency key can be given.
    #[serde(default)]
    pub keys: Vec<KeySlot>,
    /// Builder methods or arguments that protect the call.
    #[serde(default)]
    pub guards: Vec<CallGuard>,
    /// Whether repeating the call with equal arguments changes anything more.
    #[serde(default)]
    pub idempotent: Idempotent,
    /// Where the connection or transaction stands that the call runs on.
    #[serde(default)]
    pub executor: Option<Part>,
    /// Whether the host of the URL turns it into another kind of effect.
    #[serde(default)]
    pub by_url: bool,
    /// What the library fills in when no key is given.
    #[serde(default)]
    pub fills_in: Option<String>,
    /// How long the other side remembers a key.
    #[serde(default)]
    pub window: Option<String>,
    /// The versions of the crate that have this call; all when absent.
    #[serde(default)]
    pub versions: Option<VersionReq>,
    /// What a reader should know, and why the entry is as it is.
    #[serde(default)]
    pub note: Option<String>,
}

/// What a catalogued call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// An effect of a kind known in advance.
    Effect(EffectKind),
    /// A database statement, which its SQL text tells to be a read or a write.
    Sql,
    /// A read: known, and no effect.
    Read,
    /// The acknowledgement of a message.
    Acknowledge,
}

impl<'de> Deserialize<'de> for CallKind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        match word.as_str() {
            "sql" => Ok(CallKind::Sql),
            "read" => Ok(CallKind::Read),
            "acknowledge" => Ok(CallKind::Acknowledge),
            other => EffectKind::parse(other)
                .map(CallKind::Effect)
                .ok_or_else(|| {
                    serde::de::Error::custom(format!(
                        "unknown kind `{other}`: an effect kind, `sql`, `read` or `acknowledge`"
                    ))
                }),
        }
    }
}

/// How an effect's kind and action follow from its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Classify {
    /// The subject is SQL text.
    Sql,
    /// The subject is the path of a file with SQL text, relative to the package.
    SqlFile,
    /// The statement is the text given at first plus every text pushed later.
    SqlPieces,
    /// The subject is a value made by a call whose argument is the SQL text.
    SqlStatement,
    /// The subject is an HTTP method.
    HttpMethod,
    /// The subject is a request made elsewhere by a builder with a method and a URL.
    HttpRequest,
    /// The name of the called function is the HTTP method.
    HttpVerb,
    /// The subject is the name of a program.
    Process,
    /// The options in the chain tell how a file is opened.
    FileOpen,
    /// The subject is the name of a Redis command.
    RedisCommand,
    /// The name of the called method is the Redis command.
    RedisVerb,
    /// The subject is a Lua script for Redis.
    RedisScript,
    /// The `set` expressions in the chain tell whether an update is relative.
    SetExpression,
    /// The update document tells (`$inc`, `$set`, `$push`).
    MongoUpdate,
    /// The update expression tells (`ADD`, `SET n = n + :x`).
    DynamoUpdate,
    /// The verb at the start of the method's name tells.
    NameVerb,
}

/// Whether a repeat with equal arguments is harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Idempotent {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// It depends on the arguments, or follows from the action.
    #[default]
    Depends,
}

/// A place in a call or its builder chain where a value stands.
///
/// Written `arg:0`, `arg:0.field`, `method:queue_url`, `method:header:1`, `terminal:0`,
/// `field:to`, `generic:0`, `receiver`, `type`, `name`, `literal:stripe`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// An argument of the call that names the operation, or a field of that argument.
    Arg(usize, Option<String>),
    /// An argument of a builder method somewhere in the chain, or in the chain of an argument.
    Method(String, usize),
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
                "`{text}` names no part of a call: write `arg:N`, `method:NAME`, `terminal:N`, \
                 `field:NAME`, `generic:N`, `receiver`, `type`, `name` or `literal:TEXT`"
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
            ("method", rest) if !rest.is_empty() => match rest.split_once(':') {
                Some((name, index)) => Part::Method(name.to_owned(), number(index)?),
                None => Part::Method(rest.to_owned(), 0),
            },
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

/// A place where an idempotency key can be given.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KeySlot {
    /// The headers that carry it, when it is a header.
    #[serde(default)]
    pub headers: Vec<String>,
    /// The part of the call that carries it, when it is none.
    #[serde(default)]
    pub part: Option<Part>,
    /// The constructor around the key, such as `RequestStrategy::Idempotent`; without it the
    /// value does not count as a key.
    #[serde(default)]
    pub within: Vec<String>,
    /// Values that are no key (`*` as the id of a stream entry).
    #[serde(default)]
    pub unless: Vec<String>,
    /// Whether only the receiver of the message can use it.
    #[serde(default)]
    pub consumer_side: bool,
}

/// A builder method or argument that protects the call.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CallGuard {
    /// The method whose presence in the chain protects.
    #[serde(default)]
    pub method: Option<String>,
    /// The path whose presence among the arguments protects.
    #[serde(default)]
    pub path: Option<String>,
    /// The value that the method's first argument must have.
    #[serde(default)]
    pub value: Option<String>,
    /// The protection it gives.
    pub gives: Protection,
}

/// What a call returns.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReturnsEntry {
    /// The functions, by path.
    #[serde(default)]
    pub paths: Vec<String>,
    /// The receiver types, by path.
    #[serde(default)]
    pub receivers: Vec<String>,
    /// The methods on them.
    #[serde(default)]
    pub methods: Vec<String>,
    /// The type, `Result`, `Option` and futures around it stripped; `self` for the receiver's
    /// own type, `item` for the type argument of the receiver, `generic` for the turbofish.
    pub gives: String,
}

/// Why a source's value differs between attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// A random value.
    Random,
    /// A clock reading.
    Clock,
    /// Identity of the process, host or thread.
    Environment,
    /// An attempt counter or per-attempt id.
    Attempt,
    /// Configuration: the same until the next deployment, unstable only in a strict sense.
    Configuration,
    /// An iteration order, a per-process hash.
    Unordered,
}

/// A value that differs between attempts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SourceEntry {
    /// Unique in its file.
    pub id: String,
    /// Why it differs.
    pub kind: SourceKind,
    /// The calls that give it.
    #[serde(default)]
    pub call: CallMatch,
    /// Constants and unit structs that stand for it (`diesel::dsl::now`).
    #[serde(default)]
    pub values: Vec<String>,
    /// Names of fields or variables on which a method of `call` counts when nothing else is
    /// known of them (`clock`, `rng`).
    #[serde(default)]
    pub receiver_names: Vec<String>,
    /// What a reader should know.
    #[serde(default)]
    pub note: Option<String>,
}

/// Functions whose result depends on their arguments alone.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StableEntry {
    /// The functions, by path.
    #[serde(default)]
    pub paths: Vec<String>,
    /// The receiver types, by path.
    #[serde(default)]
    pub receivers: Vec<String>,
    /// The methods on them.
    #[serde(default)]
    pub methods: Vec<String>,
}

/// How transactions begin and end.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TransactionEntry {
    /// Types on which the methods stand, by path.
    #[serde(default)]
    pub receivers: Vec<String>,
    /// Traits on which they stand.
    #[serde(default)]
    pub traits: Vec<String>,
    /// Methods that return a transaction.
    #[serde(default)]
    pub begin: Vec<String>,
    /// Methods that commit it.
    #[serde(default)]
    pub commit: Vec<String>,
    /// Methods that roll it back.
    #[serde(default)]
    pub rollback: Vec<String>,
    /// Methods that run a closure in a transaction.
    #[serde(default)]
    pub closure: Vec<String>,
    /// The type of a transaction, by path.
    #[serde(default)]
    pub types: Vec<String>,
    /// Whether the closure is run again on transient errors.
    #[serde(default)]
    pub reruns: bool,
    /// What a reader should know.
    #[serde(default)]
    pub note: Option<String>,
}

/// Under what regime a wrapper runs its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Regime {
    /// In a task of its own.
    Spawned,
    /// Again after an error, in the same process.
    Retried,
    /// Once per recorded step of a durable runtime.
    Step,
    /// Once per item of a collection or stream.
    Loop,
    /// Against a deadline.
    Timeout,
}

/// A call that runs its argument under another regime.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WrapperEntry {
    /// The regime.
    pub regime: Regime,
    /// The calls.
    pub call: CallMatch,
    /// The wrapped argument; the receiver for `backon`-like extension methods.
    #[serde(default)]
    pub argument: Argument,
    /// What a reader should know.
    #[serde(default)]
    pub note: Option<String>,
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

/// What a guard tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuardClass {
    /// A unique violation recognised by the caller.
    UniqueViolation,
    /// A lock: it stops overlap, never repetition.
    Lock,
    /// An atomic claim, when its outcome is tested.
    Claim,
    /// A check of existing state, racy by itself.
    Check,
    /// A write that happens only under a condition.
    ConditionalWrite,
    /// Process memory: no guard across attempts.
    FalseGuard,
}

/// A call or value whose outcome guards what follows.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GuardEntry {
    /// What it tells.
    pub class: GuardClass,
    /// The calls.
    #[serde(default)]
    pub call: CallMatch,
    /// Constants and variants that stand for it.
    #[serde(default)]
    pub values: Vec<String>,
    /// Literals compared against (`23505`).
    #[serde(default)]
    pub literals: Vec<String>,
    /// What a reader should know.
    #[serde(default)]
    pub note: Option<String>,
}

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

/// What a glob import brings in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PreludeEntry {
    /// The module that is imported by `::*`.
    pub glob: String,
    /// The canonical paths of what it exports.
    pub exports: Vec<String>,
}

/// Another path for the same item or module.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AliasEntry {
    /// The other path; a module's alias covers everything below it.
    pub from: String,
    /// The canonical path.
    pub to: String,
}

/// What is never an effect.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExcludeEntry {
    /// Why.
    pub why: String,
    /// Path prefixes of types, functions and macros.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// Macros by name.
    #[serde(default)]
    pub macros: Vec<String>,
    /// Traits whose implementors are left out of a union of implementations (test doubles).
    #[serde(default)]
    pub types: Vec<String>,
}

/// A class of hosts or URL paths.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct UrlEntry {
    /// What a request there is; `read` for queries sent by POST.
    pub kind: UrlKind,
    /// Hosts, `*` for any label, optionally with a path prefix.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Ends of URL paths.
    #[serde(default)]
    pub paths: Vec<String>,
}

/// What a request to a class of URLs is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlKind {
    /// An effect of this kind.
    Effect(EffectKind),
    /// A read.
    Read,
}

impl<'de> Deserialize<'de> for UrlKind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match CallKind::deserialize(deserializer)? {
            CallKind::Effect(kind) => Ok(UrlKind::Effect(kind)),
            CallKind::Read => Ok(UrlKind::Read),
            CallKind::Sql | CallKind::Acknowledge => Err(serde::de::Error::custom(
                "a URL class is an effect kind or `read`",
            )),
        }
    }
}
