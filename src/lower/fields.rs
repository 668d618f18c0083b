//! Fields of structs and variants.

use syn::Fields;

use crate::ir::{Literal, Name, Renamed, Variant};

use super::attributes::lower_attributes;
use super::marks::Ours;
use super::spans;
use super::types::{lower_type, name};

/// A variant, or the fields of a struct.
pub(super) fn lower_variant(
    ident: &syn::Ident,
    fields: &Fields,
    attributes: &[syn::Attribute],
) -> Variant {
    let named = |index: usize, field: &syn::Field| {
        let own = field.ident.as_ref().map(name);
        own.unwrap_or_else(|| Name::from(&index.to_string()))
    };
    let all = || fields.iter().enumerate();
    Variant {
        name: name(ident),
        place: spans::place(ident.span()),
        is_tuple: matches!(fields, Fields::Unnamed(_)),
        fields: all()
            .map(|(index, field)| (named(index, field), lower_type(&field.ty)))
            .collect(),
        renamed: all()
            .flat_map(|(index, field)| renamed(named(index, field), field))
            .collect(),
        iden: values_of(attributes)
            .into_iter()
            .find_map(|(key, value)| text(&value).filter(|_| key == "iden")),
    }
}

/// The other names under which a field is stored, as its attributes say.
fn renamed(of: Name, field: &syn::Field) -> Vec<Renamed> {
    let values = values_of(&field.attrs).into_iter();
    let named = values.filter_map(|(key, value)| {
        let is_name = matches!(key.as_str(), "rename" | "column_name");
        text(&value).filter(|_| is_name).map(|stored| Renamed {
            field: of,
            stored,
            is_column: key == "column_name",
        })
    });
    named.collect()
}

fn values_of(attributes: &[syn::Attribute]) -> Vec<(Name, Literal)> {
    let attributes = lower_attributes(attributes, &Ours::default());
    attributes.into_iter().flat_map(|of| of.values).collect()
}

fn text(value: &Literal) -> Option<Name> {
    match value {
        Literal::Str(text) | Literal::Other(text) => Some(*text),
        _ => None,
    }
}
