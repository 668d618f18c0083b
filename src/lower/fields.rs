//! Fields of structs and variants.

use syn::Fields;

use crate::ir::{Literal, Name, Renamed, Variant};

use super::attributes::lower_attributes;
use super::marks::Ours;
use super::spans;
use super::types::{lower_type, name};

/// A variant, or the fields of a struct.
pub(super) fn lower_variant(ident: &syn::Ident, fields: &Fields) -> Variant {
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
    }
}

/// The other names under which a field is stored, as its attributes say.
fn renamed(of: Name, field: &syn::Field) -> Vec<Renamed> {
    let attributes = lower_attributes(&field.attrs, &Ours::default());
    let values = attributes.iter().flat_map(|attribute| &attribute.values);
    let named = values.filter_map(|(key, value)| match value {
        Literal::Str(stored) | Literal::Other(stored)
            if matches!(key.as_str(), "rename" | "column_name") =>
        {
            Some(Renamed {
                field: of,
                stored: *stored,
                is_column: key == "column_name",
            })
        }
        _ => None,
    });
    named.collect()
}
