//! The keys by which an entry describes a call: how it is recognised, where its key stands and what
//! protects it.

use retrysafe_rules::vocabulary::{EffectKind, Protection};

use super::shape::{Needs, Shape, TableShape, optional, required};
use super::texts::{ANY, FILLED, FUNCTIONS, PART};

/// Texts, at least one.
pub(super) const TEXTS: Shape = Shape::List(&Shape::Text(FILLED), 1);
pub(super) const PARTS: Shape = Shape::List(&Shape::Text(PART), 1);
const FUNCTION_PATTERNS: Shape = Shape::List(&Shape::Text(FUNCTIONS), 1);

/// How a call is recognised.
pub(super) const CALL: TableShape = TableShape {
    name: "`call`",
    fields: &[
        optional("macros", TEXTS, "Macros, by path, without `!`"),
        optional("paths", FUNCTION_PATTERNS, "Functions, by path"),
        optional(
            "suffixes",
            TEXTS,
            "Functions by the last segments of their path",
        ),
        optional(
            "receivers",
            FUNCTION_PATTERNS,
            "Types whose methods are meant, by path",
        ),
        optional(
            "receiver-suffixes",
            TEXTS,
            "Types of your own by the last segment of their path",
        ),
        optional(
            "receiver-derives",
            TEXTS,
            "Types of your own that derive a macro, by its path",
        ),
        optional(
            "traits",
            FUNCTION_PATTERNS,
            "Traits whose methods are meant, by path",
        ),
        optional(
            "methods",
            TEXTS,
            "The methods that are meant; `*` stands for any text",
        ),
        optional(
            "unique-methods",
            TEXTS,
            "Methods so particular that any receiver will do",
        ),
        optional(
            "arguments",
            Shape::Number,
            "How many arguments the call has",
        ),
    ],
    needs: Needs::Any(
        &[
            &["macros"],
            &["paths"],
            &["suffixes"],
            &["unique-methods"],
            &["methods", "receivers"],
            &["methods", "receiver-suffixes"],
            &["methods", "receiver-derives"],
            &["methods", "traits"],
        ],
        "`call` matches nothing; give `paths`, or `methods` with `receivers` or `traits`",
    ),
};

/// A place where a key can be given.
pub(super) const KEY_SLOT: TableShape = TableShape {
    name: "an entry of `keys`",
    fields: &[
        optional("headers", TEXTS, "The headers that carry it"),
        optional("fields", TEXTS, "The fields of the body that carry it"),
        optional(
            "part",
            Shape::Text(PART),
            "The part of the call that carries it",
        ),
        optional("within", TEXTS, "The constructor around the key"),
        optional("unless", TEXTS, "Values that are no key"),
        optional(
            "consumer-side",
            Shape::Flag,
            "Whether only the receiver can use it",
        ),
        optional("hosts", TEXTS, "The hosts at which it counts"),
        optional(
            "reference",
            Shape::Flag,
            "Whether it counts only where it is the same on every attempt",
        ),
    ],
    needs: Needs::Any(
        &[&["headers"], &["fields"], &["part"]],
        "an entry of `keys` names no place; give `headers`, `fields` or `part`",
    ),
};

/// The kind of a call to which something is given.
pub(super) const KIND_GIVEN: TableShape = TableShape {
    name: "an entry of `kinds`",
    fields: &[
        required("given", PARTS, "The parts of which one is given"),
        required(
            "kind",
            Shape::Word("kind of effect", || {
                EffectKind::ALL.iter().map(|word| word.word()).collect()
            }),
            "What the call is then",
        ),
    ],
    needs: Needs::Nothing,
};

/// What protects a call.
pub(super) const CALL_GUARD: TableShape = TableShape {
    name: "an entry of `guards`",
    fields: &[
        optional(
            "method",
            Shape::Text(FILLED),
            "The method whose presence protects",
        ),
        optional(
            "path",
            Shape::Text(FILLED),
            "The path whose presence among the arguments protects",
        ),
        optional(
            "value",
            Shape::Text(ANY),
            "The first argument that the method must have",
        ),
        required(
            "gives",
            Shape::Word("protection", || {
                Protection::ALL.iter().map(|word| word.word()).collect()
            }),
            "The protection it gives",
        ),
    ],
    needs: Needs::Any(
        &[&["method"], &["path"]],
        "an entry of `guards` names nothing; give `method` or `path`",
    ),
};

#[cfg(test)]
mod tests {
    use retrysafe_rules::catalog::{CallGuard, CallMatch, KeySlot, KindGiven};

    use super::super::words::fields;
    use super::*;

    #[test]
    fn calls_are_described_with_the_keys_of_the_catalogue() {
        assert_eq!(CALL.keys(), fields::<CallMatch>());
        assert_eq!(KEY_SLOT.keys(), fields::<KeySlot>());
        assert_eq!(KIND_GIVEN.keys(), fields::<KindGiven>());
        assert_eq!(CALL_GUARD.keys(), fields::<CallGuard>());
    }
}
