//! Every key of the file: what it is called, what it says and what it may be set to.

use retrysafe_rules::rule::{Confidence, Family, Level, Rule};
use retrysafe_rules::vocabulary::Delivery;

use super::entries::{EFFECT_ENTRY, GUARD_ENTRY, SOURCE_ENTRY, STEP_ENTRY};
use super::shape::{Field, Needs, Required, Shape, TableShape, optional, required};
use super::texts::{EFFECT, FILES, FILLED, FUNCTIONS, JOBS, NAMES, REASONED};

const FILE_PATTERNS: Shape = Shape::List(&Shape::Text(FILES), 0);
const NAME_PATTERNS: Shape = Shape::List(&Shape::Text(NAMES), 0);

/// The whole file.
pub(super) const FILE: TableShape = TableShape {
    name: "the configuration",
    fields: &[
        optional(
            "rules",
            Shape::Map("rule or family", rules_and_families, &LEVEL),
            "How loud rules and families of rules are; a rule goes before its family",
        ),
        optional(
            "min_confidence",
            Shape::Word("confidence", confidences),
            "How sure a finding must be to be shown",
        ),
        optional(
            "exclude",
            FILE_PATTERNS,
            "Files whose jobs are not reported, by globs from the workspace root",
        ),
        optional(
            "job",
            Shape::Tables(&JOB),
            "Jobs that the code itself does not show",
        ),
        optional(
            "accept",
            Shape::Tables(&ACCEPT),
            "Decisions, written down: what a duplicate does and why that is fine",
        ),
        optional(
            "effect",
            Shape::Tables(&EFFECT_ENTRY),
            "Calls with an effect, and calls that only look like one",
        ),
        optional(
            "source",
            Shape::Tables(&SOURCE_ENTRY),
            "Calls and values that differ between attempts",
        ),
        optional(
            "stable",
            Shape::List(&Shape::Text(FUNCTIONS), 0),
            "Functions whose result is the same on every attempt, by path",
        ),
        optional(
            "step",
            Shape::Tables(&STEP_ENTRY),
            "Functions that run their argument at most once per recorded step",
        ),
        optional(
            "guard",
            Shape::Tables(&GUARD_ENTRY),
            "Calls and values whose outcome guards what follows",
        ),
        optional(
            "audit_columns",
            NAME_PATTERNS,
            "Columns that only say when a row was touched, beside the usual ones",
        ),
        optional(
            "append_only_tables",
            NAME_PATTERNS,
            "Tables in which a second row does no harm, such as logs",
        ),
        optional(
            "quiet_targets",
            NAME_PATTERNS,
            "Targets that may be told something twice",
        ),
        optional(
            "schema",
            Shape::Table(&SCHEMA),
            "Where the schema is defined",
        ),
    ],
    needs: Needs::Nothing,
};

const JOB: TableShape = TableShape {
    name: "a `[[job]]`",
    fields: &[
        optional(
            "path",
            Shape::Text(FUNCTIONS),
            "Functions that are jobs, by path",
        ),
        optional(
            "trait",
            Shape::Text(FILLED),
            "A trait whose implementors are jobs, by path",
        ),
        optional(
            "method",
            Shape::Text(FILLED),
            "The method of the trait that is the job",
        ),
        optional("key", Shape::Text(FILLED), "The template of the job's key"),
        optional(
            "delivery",
            Shape::Word("delivery", deliveries),
            "How often the runner hands out the same work",
        ),
        optional(
            "attempts",
            Shape::Count,
            "How many times one piece of work may run in all",
        ),
        optional(
            "effects",
            Shape::List(&Shape::Text(EFFECT), 0),
            "The effects that the job may have, in the words of the attribute",
        ),
        optional("schedule", Shape::Flag, "Whether a schedule runs it"),
    ],
    needs: Needs::One(
        &[&["path"], &["trait", "method"]],
        "a `[[job]]` names either a `path` or a `trait` with its `method`",
    ),
};

const ACCEPT: TableShape = TableShape {
    name: "an `[[accept]]`",
    fields: &[
        required(
            "rule",
            Shape::Text(FILLED),
            "The rule whose findings are accepted",
        ),
        optional(
            "path",
            Shape::Text(FILES),
            "The files, by a glob from the workspace root",
        ),
        optional(
            "job",
            Shape::Text(JOBS),
            "The jobs, by a glob over their names",
        ),
        Field {
            key: "reason",
            about: "What a duplicate does and why that is fine",
            shape: Shape::Text(REASONED),
            required: Required::ByTheCheck,
        },
    ],
    needs: Needs::Any(
        &[&["path"], &["job"]],
        "an `[[accept]]` names a `path` or a `job`; say what it is about",
    ),
};

const SCHEMA: TableShape = TableShape {
    name: "`[schema]`",
    fields: &[optional(
        "migrations",
        Shape::List(&Shape::Text(FILLED), 0),
        "Folders and files of migrations, from the workspace root",
    )],
    needs: Needs::Nothing,
};

const LEVEL: Shape = Shape::Word("level", levels);

fn levels() -> Vec<&'static str> {
    Level::SETTABLE.iter().map(|level| level.word()).collect()
}

/// The words of all rules, then of all families.
pub(super) fn rules_and_families() -> Vec<&'static str> {
    let rules = Rule::ALL.iter().map(|rule| rule.word());
    rules
        .chain(Family::ALL.iter().map(|family| family.word()))
        .collect()
}

fn confidences() -> Vec<&'static str> {
    Confidence::ALL.iter().map(|word| word.word()).collect()
}

fn deliveries() -> Vec<&'static str> {
    Delivery::ALL.iter().map(|word| word.word()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_family_is_called_as_a_rule_is() {
        let mut words = rules_and_families();
        let all = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all);
    }
}
