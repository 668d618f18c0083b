//! The keys of the entries that have the shape of the catalogue's.

use retrysafe_rules::catalog::{Classify, GuardClass, Idempotent, SourceKind};
use retrysafe_rules::vocabulary::{Action, EffectKind};

use super::call_shape::{CALL, CALL_GUARD, KEY_SLOT, KIND_GIVEN, PARTS, TEXTS};
use super::shape::{Needs, Shape, TableShape, optional, required};
use super::stored_shape::{DOCUMENT, EXPRESSIONS};
use super::texts::{ANY, FILLED, PART, VERSIONS};
use super::words::variants;

const NOTE: &str = "What a reader should know";
const CALLS: &str = "How the calls are recognised";

/// `[[effect]]`.
pub(super) const EFFECT_ENTRY: TableShape = TableShape {
    name: "an `[[effect]]`",
    fields: &[
        optional(
            "id",
            Shape::Text(FILLED),
            "A name for the entry, unique in the file",
        ),
        required(
            "kind",
            Shape::Word("kind of effect", kinds),
            "What the call is; `sql` when its text tells, `read` when it is no effect",
        ),
        optional(
            "kinds",
            Shape::Tables(&KIND_GIVEN),
            "What else it is when something is given",
        ),
        optional(
            "taken-by",
            TEXTS,
            "The methods and commands by which somebody takes what it hands on",
        ),
        optional(
            "action",
            Shape::Word("action", || {
                Action::ALL.iter().map(|word| word.word()).collect()
            }),
            "What it does to its target",
        ),
        required("call", Shape::Table(&CALL), CALLS),
        optional(
            "terminals",
            TEXTS,
            "Methods of the returned builder that make it happen",
        ),
        optional(
            "classify",
            Shape::Word("way to classify", variants::<Classify>),
            "How kind and action are read off an argument",
        ),
        optional(
            "subject",
            Shape::Text(PART),
            "The argument that `classify` reads",
        ),
        optional(
            "target",
            PARTS,
            "Where the name of the target stands, best first",
        ),
        optional(
            "keys",
            Shape::Tables(&KEY_SLOT),
            "Where an idempotency key can be given",
        ),
        optional(
            "guards",
            Shape::Tables(&CALL_GUARD),
            "What protects the call",
        ),
        optional(
            "idempotent",
            Shape::Word("answer", variants::<Idempotent>),
            "Whether repeating the call with equal arguments is harmless",
        ),
        optional(
            "executor",
            Shape::Text(PART),
            "Where the connection or transaction stands",
        ),
        optional("value", Shape::Text(PART), "What a key is set to"),
        optional(
            "document",
            Shape::Table(&DOCUMENT),
            "Where the documents stand that the call is given",
        ),
        optional(
            "expressions",
            Shape::Table(&EXPRESSIONS),
            "The methods of its builder that take expressions",
        ),
        optional(
            "overwrites",
            Shape::Flag,
            "Whether an INSERT of it overwrites the row of the same key",
        ),
        optional(
            "in-transaction",
            Shape::Flag,
            "Whether it always runs in a transaction that is handed to it",
        ),
        optional(
            "by-url",
            Shape::Flag,
            "Whether the host of the URL tells the kind of effect",
        ),
        optional(
            "fills-in",
            Shape::Text(ANY),
            "What the library fills in when no key is given",
        ),
        optional(
            "window",
            Shape::Text(ANY),
            "How long the other side remembers a key",
        ),
        optional(
            "versions",
            Shape::Text(VERSIONS),
            "The versions of the crate that have this call",
        ),
        optional("note", Shape::Text(ANY), NOTE),
    ],
    needs: Needs::Nothing,
};

/// `[[source]]`.
pub(super) const SOURCE_ENTRY: TableShape = TableShape {
    name: "a `[[source]]`",
    fields: &[
        optional(
            "id",
            Shape::Text(FILLED),
            "A name for the entry, unique in the file",
        ),
        required(
            "kind",
            Shape::Word("kind of source", variants::<SourceKind>),
            "Why the value differs between attempts",
        ),
        optional("call", Shape::Table(&CALL), CALLS),
        optional(
            "values",
            TEXTS,
            "Constants and unit structs that stand for it, by path",
        ),
        optional(
            "receiver-names",
            TEXTS,
            "Names of fields and variables on which a method counts",
        ),
        optional(
            "names",
            TEXTS,
            "Names of fields, parameters and methods that hold it",
        ),
        optional("note", Shape::Text(ANY), NOTE),
    ],
    needs: Needs::Any(
        &[&["call"], &["values"], &["receiver-names"], &["names"]],
        "a `[[source]]` matches nothing; give `call`, `values`, `receiver-names` or `names`",
    ),
};

/// `[[step]]`.
pub(super) const STEP_ENTRY: TableShape = TableShape {
    name: "a `[[step]]`",
    fields: &[
        required("call", Shape::Table(&CALL), CALLS),
        optional(
            "argument",
            Shape::Argument,
            "The argument that it runs; the last one otherwise",
        ),
        optional("note", Shape::Text(ANY), NOTE),
    ],
    needs: Needs::Nothing,
};

/// `[[guard]]`.
pub(super) const GUARD_ENTRY: TableShape = TableShape {
    name: "a `[[guard]]`",
    fields: &[
        required(
            "class",
            Shape::Word("class of guard", variants::<GuardClass>),
            "What its outcome tells",
        ),
        optional("call", Shape::Table(&CALL), CALLS),
        optional(
            "values",
            TEXTS,
            "Constants and variants that stand for it, by path",
        ),
        optional(
            "literals",
            TEXTS,
            "Literals that are compared against, such as `23505`",
        ),
        optional("note", Shape::Text(ANY), NOTE),
    ],
    needs: Needs::Any(
        &[&["call"], &["values"], &["literals"]],
        "a `[[guard]]` matches nothing; give `call`, `values` or `literals`",
    ),
};

fn kinds() -> Vec<&'static str> {
    let effects = EffectKind::ALL.iter().map(|kind| kind.word());
    effects.chain(["sql", "read", "acknowledge"]).collect()
}

#[cfg(test)]
mod tests {
    use retrysafe_rules::catalog::{EffectEntry, GuardEntry, SourceEntry};

    use super::super::words::fields;
    use super::*;

    #[test]
    fn entries_have_the_keys_of_the_catalogue() {
        assert_eq!(EFFECT_ENTRY.keys(), fields::<EffectEntry>());
        assert_eq!(SOURCE_ENTRY.keys(), fields::<SourceEntry>());
        assert_eq!(GUARD_ENTRY.keys(), fields::<GuardEntry>());
    }
}
