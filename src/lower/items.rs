//! Items: what a file declares, test code left out.

use syn::{FnArg, ImplItem as SynImplItem, Item as SynItem, TraitItem as SynTraitItem};

use crate::ir::{
    AliasItem, ConstItem, FileIr, Function, GapKind, ImplItem, Item, Module, ModuleDecl, Name,
    Param, TraitItem, TypeItem, Use, Variant,
};

use super::MacroTable;
use super::attributes::{is_test, lower_attributes, lower_derives, path_attribute};
use super::body::Lowerer;
use super::comments::Comments;
use super::context::FileContext;
use super::expand::{Expansion, read_rules};
use super::fields::lower_variant;
use super::marks::{self, On, Ours};
use super::pats::param_name;
use super::spans;
use super::types::{lower_bounds, lower_generics, lower_path, lower_return, lower_type, name};
use super::uses::flatten_use;

pub(super) fn lower_file(file: &syn::File, text: &str, macros: &MacroTable<'_>) -> FileIr {
    let mut mistakes = Vec::new();
    let comments = Comments::read(text, &mut mistakes);
    let mut context = FileContext {
        comments,
        gaps: Vec::new(),
        mistakes,
        ours: Ours::default(),
        functions: 0,
        lifted: Vec::new(),
        rules: macros
            .iter()
            .map(|(name, rules)| (*name, (*rules).clone()))
            .collect(),
        macros: Vec::new(),
        called_macros: Vec::new(),
        expansions: 0,
    };
    let mut modules = Vec::new();
    let items = lower_items(&file.items, &mut context, &mut modules, &mut Vec::new());
    context.called_macros.sort_unstable();
    context.called_macros.dedup();
    FileIr {
        items,
        modules,
        gaps: context.gaps,
        mistakes: context.mistakes,
        functions: context.functions,
        macros: context.macros,
        called_macros: context.called_macros,
    }
}

fn lower_items(
    items: &[SynItem],
    file: &mut FileContext,
    modules: &mut Vec<ModuleDecl>,
    inline: &mut Vec<Name>,
) -> Vec<Item> {
    let mut uses = Vec::new();
    for item in items {
        match item {
            SynItem::Use(item) => flatten_use(item, &mut uses),
            SynItem::ExternCrate(item) => uses.push(lower_extern_crate(item)),
            _ => {}
        }
    }
    let around = std::mem::replace(&mut file.ours, Ours::of_uses(&uses));
    let mut lowered = Vec::with_capacity(items.len());
    for item in items {
        lower_item(item, file, modules, inline, &mut lowered);
        // Items that stood inside bodies; they may hold further ones.
        while let Some((lifted, ours)) = file.lifted.pop() {
            let around = std::mem::replace(&mut file.ours, ours);
            lower_item(&lifted, file, modules, inline, &mut lowered);
            file.ours = around;
        }
    }
    file.ours = around;
    lowered
}

fn lower_item(
    item: &SynItem,
    file: &mut FileContext,
    modules: &mut Vec<ModuleDecl>,
    inline: &mut Vec<Name>,
    out: &mut Vec<Item>,
) {
    match item {
        SynItem::Use(item) if !is_test(&item.attrs) => {
            let mut uses = Vec::new();
            flatten_use(item, &mut uses);
            out.extend(uses.into_iter().map(Item::Use));
        }
        SynItem::ExternCrate(item) => out.push(Item::Use(lower_extern_crate(item))),
        SynItem::Fn(item) if !is_test(&item.attrs) => {
            let public = !matches!(item.vis, syn::Visibility::Inherited);
            let function = lower_function(&item.attrs, &item.sig, Some(&item.block), public, file);
            out.push(Item::Function(function));
        }
        SynItem::Struct(item) if !is_test(&item.attrs) => {
            let variant = lower_variant(&item.ident, &item.fields, &[]);
            out.push(lower_type_item(
                &item.ident,
                &item.attrs,
                &item.generics,
                vec![variant],
                false,
            ));
        }
        SynItem::Enum(item) if !is_test(&item.attrs) => {
            let variants = item
                .variants
                .iter()
                .map(|variant| lower_variant(&variant.ident, &variant.fields, &variant.attrs))
                .collect();
            out.push(lower_type_item(
                &item.ident,
                &item.attrs,
                &item.generics,
                variants,
                true,
            ));
        }
        SynItem::Union(item) => {
            out.push(lower_type_item(
                &item.ident,
                &item.attrs,
                &item.generics,
                Vec::new(),
                false,
            ));
        }
        SynItem::Trait(item) if !is_test(&item.attrs) => {
            out.push(Item::Trait(lower_trait(item, file)))
        }
        SynItem::Impl(item) if !is_test(&item.attrs) => {
            out.push(Item::Impl(lower_impl(item, file)))
        }
        SynItem::Const(item) => out.push(Item::Const(lower_const(
            &item.ident,
            &item.ty,
            Some(&item.expr),
            file,
        ))),
        SynItem::Static(item) => out.push(Item::Const(lower_const(
            &item.ident,
            &item.ty,
            Some(&item.expr),
            file,
        ))),
        SynItem::Type(item) => out.push(Item::Alias(AliasItem {
            name: name(&item.ident),
            generics: lower_generics(&item.generics),
            ty: lower_type(&item.ty),
        })),
        SynItem::Mod(item) if !is_test(&item.attrs) => {
            lower_module(item, file, modules, inline, out)
        }
        SynItem::Macro(item) => lower_item_macro(item, file, modules, inline, out),
        _ => {}
    }
}

fn lower_extern_crate(item: &syn::ItemExternCrate) -> Use {
    let bound = item
        .rename
        .as_ref()
        .map_or_else(|| name(&item.ident), |(_, ident)| name(ident));
    Use {
        global: true,
        path: vec![name(&item.ident)],
        name: Some(bound),
    }
}

fn lower_type_item(
    ident: &proc_macro2::Ident,
    attrs: &[syn::Attribute],
    generics: &syn::Generics,
    variants: Vec<Variant>,
    is_enum: bool,
) -> Item {
    Item::Type(TypeItem {
        name: name(ident),
        place: spans::place(ident.span()),
        attributes: lower_attributes(attrs, &Ours::default()),
        derives: lower_derives(attrs),
        generics: lower_generics(generics),
        variants,
        is_enum,
    })
}

fn lower_module(
    item: &syn::ItemMod,
    file: &mut FileContext,
    modules: &mut Vec<ModuleDecl>,
    inline: &mut Vec<Name>,
    out: &mut Vec<Item>,
) {
    let module = name(&item.ident);
    match &item.content {
        Some((_, items)) => {
            inline.push(module);
            let items = lower_items(items, file, modules, inline);
            inline.pop();
            out.push(Item::Module(Module {
                name: module,
                items,
            }));
        }
        None => modules.push(ModuleDecl {
            inline: inline.clone(),
            name: module,
            path: path_attribute(&item.attrs),
            place: spans::place(item.ident.span()),
        }),
    }
}

/// A macro that stands among items: read as items where it holds nothing else.
fn lower_item_macro(
    item: &syn::ItemMacro,
    file: &mut FileContext,
    modules: &mut Vec<ModuleDecl>,
    inline: &mut Vec<Name>,
    out: &mut Vec<Item>,
) {
    if item.mac.path.is_ident("macro_rules") {
        let read = item
            .ident
            .as_ref()
            .and_then(|ident| read_rules(name(ident), item.mac.tokens.clone()));
        file.macros.extend(read);
        return;
    }
    let place = spans::macro_place(&item.mac);
    match file.expansion(&item.mac) {
        Expansion::Tokens(tokens) => {
            if let Ok(inner) = syn::parse2::<syn::File>(tokens) {
                file.expansions += 1;
                out.extend(lower_items(&inner.items, file, modules, inline));
                file.expansions -= 1;
                return;
            }
            file.unexpanded(&item.mac);
        }
        Expansion::Failed => file.unexpanded(&item.mac),
        Expansion::NoRules => {}
    }
    if item
        .mac
        .path
        .segments
        .last()
        .is_some_and(|segment| segment.ident == "include")
    {
        file.gap(GapKind::Include, place, "the included file is not read");
        return;
    }
    if let Ok(statics) = item.mac.parse_body_with(parse_lazy_statics)
        && !statics.is_empty()
    {
        for (ident, ty, value) in &statics {
            out.push(Item::Const(lower_const(ident, ty, Some(value), file)));
        }
    } else if let Ok(inner) = item.mac.parse_body::<syn::File>() {
        let items = lower_items(&inner.items, file, modules, inline);
        out.extend(items);
    } else if holds_function(item.mac.tokens.clone()) {
        let text = lower_path(&item.mac.path).text();
        file.gap(
            GapKind::UnreadMacro,
            place,
            format!("the items of `{text}!` are not read"),
        );
    }
}

/// `static ref NAME: Type = value;`, as `lazy_static!` and its kin have them.
fn parse_lazy_statics(
    input: syn::parse::ParseStream<'_>,
) -> syn::Result<Vec<(proc_macro2::Ident, syn::Type, syn::Expr)>> {
    let mut statics = Vec::new();
    while !input.is_empty() {
        input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        input.parse::<syn::Token![static]>()?;
        input.parse::<syn::Token![ref]>()?;
        let ident = input.parse()?;
        input.parse::<syn::Token![:]>()?;
        let ty = input.parse()?;
        input.parse::<syn::Token![=]>()?;
        statics.push((ident, ty, input.parse()?));
        input.parse::<syn::Token![;]>()?;
    }
    Ok(statics)
}

/// Whether a token stream holds the keyword `fn` at any depth: code that was not read.
fn holds_function(tokens: proc_macro2::TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == "fn",
        proc_macro2::TokenTree::Group(group) => holds_function(group.stream()),
        _ => false,
    })
}

fn lower_trait(item: &syn::ItemTrait, file: &mut FileContext) -> TraitItem {
    let mut lowered = TraitItem {
        name: name(&item.ident),
        place: spans::place(item.ident.span()),
        attributes: lower_attributes(&item.attrs, &file.ours),
        generics: lower_generics(&item.generics),
        supertraits: lower_bounds(&item.supertraits),
        methods: Vec::new(),
        types: Vec::new(),
        consts: Vec::new(),
    };
    for member in &item.items {
        match member {
            SynTraitItem::Fn(method) => lowered.methods.push(lower_function(
                &method.attrs,
                &method.sig,
                method.default.as_ref(),
                true,
                file,
            )),
            SynTraitItem::Type(assoc) => {
                lowered
                    .types
                    .push((name(&assoc.ident), lower_bounds(&assoc.bounds)));
            }
            SynTraitItem::Const(constant) => {
                let default = constant.default.as_ref().map(|(_, expr)| expr);
                lowered
                    .consts
                    .push(lower_const(&constant.ident, &constant.ty, default, file));
            }
            _ => {}
        }
    }
    lowered
}

fn lower_impl(item: &syn::ItemImpl, file: &mut FileContext) -> ImplItem {
    let mut lowered = ImplItem {
        place: spans::place(item.impl_token.span),
        attributes: lower_attributes(&item.attrs, &file.ours),
        generics: lower_generics(&item.generics),
        trait_: item.trait_.as_ref().map(|(path, _)| lower_path(path)),
        self_ty: lower_type(&item.self_ty),
        methods: Vec::new(),
        types: Vec::new(),
        consts: Vec::new(),
    };
    for member in &item.items {
        match member {
            SynImplItem::Fn(method) if !is_test(&method.attrs) => {
                let public = !matches!(method.vis, syn::Visibility::Inherited);
                lowered.methods.push(lower_function(
                    &method.attrs,
                    &method.sig,
                    Some(&method.block),
                    public,
                    file,
                ));
            }
            SynImplItem::Type(assoc) => lowered
                .types
                .push((name(&assoc.ident), lower_type(&assoc.ty))),
            SynImplItem::Const(constant) => {
                lowered.consts.push(lower_const(
                    &constant.ident,
                    &constant.ty,
                    Some(&constant.expr),
                    file,
                ));
            }
            _ => {}
        }
    }
    lowered
}

fn lower_const(
    ident: &proc_macro2::Ident,
    ty: &syn::Type,
    value: Option<&syn::Expr>,
    file: &mut FileContext,
) -> ConstItem {
    let value = value.map(|expr| {
        let mut lowerer = Lowerer::new(file);
        let root = lowerer.lower_expr(expr);
        lowerer.finish(root)
    });
    ConstItem {
        name: name(ident),
        ty: lower_type(ty),
        value,
    }
}

fn lower_function(
    attrs: &[syn::Attribute],
    signature: &syn::Signature,
    block: Option<&syn::Block>,
    is_public: bool,
    file: &mut FileContext,
) -> Function {
    file.functions += 1;
    let first_line = attrs
        .first()
        .map_or(signature.fn_token.span, |attr| attr.pound_token.spans[0])
        .start()
        .line as u32;
    let name_line = signature.ident.span().start().line as u32;
    let mut found = file.comments.take_above(first_line);
    found.extend(file.comments.take_above(name_line));
    marks::check_keys(&found, signature, &mut file.mistakes);
    let ours = file.ours.clone();
    found.extend(marks::from_attributes(
        attrs,
        On::Function(signature),
        &ours,
        &mut file.mistakes,
    ));

    let mut lowerer = Lowerer::new(file);
    let mut params = Vec::new();
    let mut has_self = false;
    let mut is_self_mut = false;
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(receiver) => {
                has_self = true;
                is_self_mut = matches!(receiver.kind, syn::ReceiverKind::Reference(_, _, Some(_)));
            }
            FnArg::Typed(typed) => params.push(Param {
                name: param_name(&typed.pat),
                pat: block.map(|_| lowerer.lower_pat(&typed.pat)),
                ty: lower_type(&typed.ty),
                is_mut: is_mut_reference(&typed.ty),
            }),
        }
    }
    let body = block.map(|block| {
        let root = lowerer.lower_block(block);
        lowerer.finish(root)
    });
    Function {
        name: name(&signature.ident),
        place: spans::place(signature.ident.span()),
        extent: block.map_or_else(
            || spans::place(signature.ident.span()),
            |block| spans::between(signature.fn_token.span, block.brace_token.span.close()),
        ),
        attributes: lower_attributes(attrs, &ours),
        marks: found,
        generics: lower_generics(&signature.generics),
        has_self,
        is_self_mut,
        params,
        returns: match &signature.output {
            syn::ReturnType::Default => None,
            output => Some(lower_return(output)),
        },
        is_async: signature.asyncness.is_some(),
        is_public,
        body,
    }
}

fn is_mut_reference(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Reference(reference) if reference.mutability.is_some())
}
