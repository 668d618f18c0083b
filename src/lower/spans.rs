//! Spans to places, without building token streams.

use proc_macro2::Span;
use syn::Expr;

use crate::ir::Place;

/// The place of a span.
pub(super) fn place(span: Span) -> Place {
    let (start, end) = (span.start(), span.end());
    Place {
        line: start.line as u32,
        column: start.column as u32,
        end_line: end.line as u32,
        end_column: end.column as u32,
    }
}

/// The place from the start of one span to the end of another.
pub(super) fn between(first: Span, last: Span) -> Place {
    place(first).to(place(last))
}

/// The place of a path.
pub(super) fn path_place(path: &syn::Path) -> Place {
    let first = path
        .leading_colon
        .map(|colon| colon.spans[0])
        .or_else(|| path.segments.first().map(|segment| segment.ident.span()));
    let last = path
        .segments
        .last()
        .map(|segment| match &segment.arguments {
            syn::PathArguments::AngleBracketed(args) => args.gt_token.span,
            syn::PathArguments::Parenthesized(args) => args.paren_token.span.close(),
            syn::PathArguments::None => segment.ident.span(),
        });
    match (first, last) {
        (Some(first), Some(last)) => between(first, last),
        _ => Place::default(),
    }
}

/// The place of a macro call, from its path to its closing delimiter.
pub(super) fn macro_place(mac: &syn::Macro) -> Place {
    path_place(&mac.path).to(place(mac.delimiter.span().close()))
}

/// A span inside an expression that serves for expressions lowered to nothing.
pub(super) fn any_span(expr: &Expr) -> Span {
    match expr {
        Expr::Lit(literal) => literal.lit.span(),
        Expr::Infer(infer) => infer.underscore_token.span,
        _ => Span::call_site(),
    }
}
