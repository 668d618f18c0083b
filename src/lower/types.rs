//! Paths, types and generics.

use syn::{
    GenericArgument, GenericParam as SynParam, PathArguments, ReturnType, Type, TypeParamBound,
};

use crate::ir::{GenericParam, Generics, Name, Path, Segment, TypeRef};

use super::spans;

pub(super) fn name(ident: &proc_macro2::Ident) -> Name {
    let text = ident.to_string();
    Name::from(text.strip_prefix("r#").unwrap_or(&text))
}

pub(super) fn lower_path(path: &syn::Path) -> Path {
    Path {
        global: path.leading_colon.is_some(),
        qself: None,
        qself_len: 0,
        segments: path.segments.iter().map(lower_segment).collect(),
        place: spans::path_place(path),
    }
}

/// A path with an optional `<T as Trait>` in front.
pub(super) fn lower_qualified(qself: Option<&syn::QSelf>, path: &syn::Path) -> Path {
    let mut lowered = lower_path(path);
    if let Some(qself) = qself {
        lowered.qself = Some(Box::new(lower_type(&qself.ty)));
        lowered.qself_len = qself.position as u32;
    }
    lowered
}

fn lower_segment(segment: &syn::PathSegment) -> Segment {
    let mut lowered = Segment::plain(name(&segment.ident));
    match &segment.arguments {
        PathArguments::None => {}
        PathArguments::AngleBracketed(generics) => {
            for argument in &generics.args {
                match argument {
                    GenericArgument::Type(ty) => lowered.args.push(lower_type(ty)),
                    GenericArgument::AssocType(assoc) => {
                        lowered
                            .assoc
                            .push((name(&assoc.ident), lower_type(&assoc.ty)));
                    }
                    _ => {}
                }
            }
        }
        PathArguments::Parenthesized(function) => {
            let params = function
                .inputs
                .iter()
                .map(|input| lower_type(&input.ty))
                .collect();
            lowered.args.push(TypeRef::Tuple(params));
            lowered
                .assoc
                .push((Name::from("Output"), lower_return(&function.output)));
        }
    }
    lowered
}

pub(super) fn lower_generic_args(args: &syn::AngleBracketedGenericArguments) -> Vec<TypeRef> {
    args.args
        .iter()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(lower_type(ty)),
            _ => None,
        })
        .collect()
}

pub(super) fn lower_return(output: &ReturnType) -> TypeRef {
    match output {
        ReturnType::Default => TypeRef::Tuple(Vec::new()),
        ReturnType::Type(_, ty) => lower_type(ty),
    }
}

pub(super) fn lower_type(ty: &Type) -> TypeRef {
    match ty {
        Type::Path(path) => TypeRef::Path(lower_qualified(path.qself.as_ref(), &path.path)),
        Type::Reference(reference) => lower_type(&reference.elem),
        Type::Ptr(pointer) => lower_type(&pointer.elem),
        Type::Paren(paren) => lower_type(&paren.elem),
        Type::Group(group) => lower_type(&group.elem),
        Type::Tuple(tuple) => TypeRef::Tuple(tuple.elems.iter().map(lower_type).collect()),
        Type::Slice(slice) => TypeRef::Slice(Box::new(lower_type(&slice.elem))),
        Type::Array(array) => TypeRef::Slice(Box::new(lower_type(&array.elem))),
        Type::ImplTrait(bounds) => TypeRef::Impl(lower_bounds(&bounds.bounds)),
        Type::TraitObject(bounds) => TypeRef::Dyn(lower_bounds(&bounds.bounds)),
        Type::FnPtr(function) => TypeRef::Fn(
            function
                .inputs
                .iter()
                .map(|input| lower_type(&input.ty))
                .collect(),
            Box::new(lower_return(&function.output)),
        ),
        Type::Never(_) => TypeRef::Never,
        _ => TypeRef::Infer,
    }
}

pub(super) fn lower_bounds<'a>(bounds: impl IntoIterator<Item = &'a TypeParamBound>) -> Vec<Path> {
    bounds
        .into_iter()
        .filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => Some(lower_path(&bound.path)),
            _ => None,
        })
        .collect()
}

pub(super) fn lower_generics(generics: &syn::Generics) -> Generics {
    let mut params: Vec<GenericParam> = generics
        .params
        .iter()
        .filter_map(|param| match param {
            SynParam::Type(param) => Some(GenericParam {
                name: name(&param.ident),
                bounds: lower_bounds(&param.bounds),
                default: param.default.as_ref().map(|(_, ty)| lower_type(ty)),
            }),
            _ => None,
        })
        .collect();
    for predicate in generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates)
    {
        let syn::WherePredicate::Type(predicate) = predicate else {
            continue;
        };
        let Type::Path(path) = &predicate.bounded_ty else {
            continue;
        };
        let Some(ident) = path.path.get_ident() else {
            continue;
        };
        let bounded = name(ident);
        if let Some(param) = params.iter_mut().find(|param| param.name == bounded) {
            param.bounds.extend(lower_bounds(&predicate.bounds));
        }
    }
    Generics { params }
}

/// The name of a field, or its position.
pub(super) fn member_name(member: &syn::Member) -> Name {
    match member {
        syn::Member::Named(ident) => name(ident),
        syn::Member::Unnamed(index) => Name::from(&index.index.to_string()),
    }
}
