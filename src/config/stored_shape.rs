//! The keys by which an entry describes what a call of a store without SQL says.

use super::shape::{Needs, Shape, TableShape, optional, required};
use super::texts::{FILLED, PART};

/// Where documents stand.
pub(super) const DOCUMENT: TableShape = TableShape {
    name: "`document`",
    fields: &[
        optional("values", Shape::Text(PART), "What is stored as it is"),
        optional("filter", Shape::Text(PART), "By what documents are found"),
        optional(
            "change",
            Shape::Text(PART),
            "What is changed in them, by operators such as `$set`",
        ),
        optional("indexes", Shape::Text(PART), "The indexes that are made"),
    ],
    needs: Needs::Any(
        &[&["values"], &["filter"], &["change"], &["indexes"]],
        "`document` names no place; give `values`, `filter`, `change` or `indexes`",
    ),
};

/// Which methods take expressions.
pub(super) const EXPRESSIONS: TableShape = TableShape {
    name: "`expressions`",
    fields: &[
        required(
            "key",
            Shape::Text(FILLED),
            "Takes an attribute of the item's key, with its value",
        ),
        required(
            "item",
            Shape::Text(FILLED),
            "Takes an attribute of the item that is stored, with its value",
        ),
        required("update", Shape::Text(FILLED), "Takes what is changed"),
        required(
            "condition",
            Shape::Text(FILLED),
            "Takes under which condition",
        ),
        required(
            "names",
            Shape::Text(FILLED),
            "Takes a name that stands for an attribute",
        ),
        required(
            "values",
            Shape::Text(FILLED),
            "Takes a name that stands for a value",
        ),
    ],
    needs: Needs::Nothing,
};

#[cfg(test)]
mod tests {
    use retrysafe_rules::catalog::{DocumentParts, ExpressionMethods};

    use super::super::words::fields;
    use super::*;

    #[test]
    fn stores_are_described_with_the_keys_of_the_catalogue() {
        assert_eq!(DOCUMENT.keys(), fields::<DocumentParts>());
        assert_eq!(EXPRESSIONS.keys(), fields::<ExpressionMethods>());
    }
}
