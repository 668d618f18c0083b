//! Calls with an effect: what they do, how that is read off them, and what protects them.

use semver::VersionReq;
use serde::Deserialize;

use super::call::CallMatch;
use super::part::Part;
use crate::vocabulary::{Action, EffectKind, Protection};

/// A call with an effect.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EffectEntry {
    /// Unique in its file; a configuration may leave it out.
    #[serde(default)]
    pub id: String,
    /// What the call is.
    pub kind: CallKind,
    /// Other kinds that it is of when something is given; the first one that fits.
    #[serde(default)]
    pub kinds: Vec<KindGiven>,
    /// The methods and commands by which somebody takes what it hands on; where no code of the workspace
    /// names one, it is kept.
    #[serde(default)]
    pub taken_by: Vec<String>,
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
    /// What a key is set to.
    #[serde(default)]
    pub value: Option<Part>,
    /// Where the documents stand that the call is given; none for a call of another store.
    #[serde(default)]
    pub document: Option<DocumentParts>,
    /// The methods of its builder that take expressions; none for a call of another store.
    #[serde(default)]
    pub expressions: Option<ExpressionMethods>,
    /// Whether an INSERT of it overwrites the row of the same key, as in CQL.
    #[serde(default)]
    pub overwrites: bool,
    /// Whether it always runs in a transaction that is handed to it.
    #[serde(default)]
    pub in_transaction: bool,
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

/// The kind of a call to which something is given: a phone number makes a message a text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KindGiven {
    /// The parts of which one is given, and is not `None`.
    pub given: Vec<Part>,
    /// What the call is then.
    pub kind: EffectKind,
}

/// Where documents stand that a call of a document store is given.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DocumentParts {
    /// What is stored as it is, one document or several.
    #[serde(default)]
    pub values: Option<Part>,
    /// By what documents are found.
    #[serde(default)]
    pub filter: Option<Part>,
    /// What is changed in those that are found, by operators such as `$set`.
    #[serde(default)]
    pub change: Option<Part>,
    /// The models of the indexes that are made.
    #[serde(default)]
    pub indexes: Option<Part>,
}

/// The methods of a request's builder that say in expressions what it does, by their names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExpressionMethods {
    /// Takes an attribute of the item's key, with its value.
    pub key: String,
    /// Takes an attribute of the item that is stored, with its value.
    pub item: String,
    /// Takes what is changed.
    pub update: String,
    /// Takes under which condition.
    pub condition: String,
    /// Takes a name that stands for an attribute, with that.
    pub names: String,
    /// Takes a name that stands for a value, with that.
    pub values: String,
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

/// A place where an idempotency key can be given.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KeySlot {
    /// The headers that carry it, when it is a header.
    #[serde(default)]
    pub headers: Vec<String>,
    /// The fields of the body that carry it, when it is one.
    #[serde(default)]
    pub fields: Vec<String>,
    /// The part of the call that carries it, when it is neither.
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
    /// The hosts at which it counts, with a path below them where only that is meant; everywhere
    /// when empty.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Whether it is a name for the work that many a receiver only keeps: where it is the same on
    /// every attempt it counts as a key, where it is not it says nothing.
    #[serde(default)]
    pub reference: bool,
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
