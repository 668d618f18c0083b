//! Patterns.

use crate::ir::{Name, Pat, PatId};

use super::body::Lowerer;
use super::types::{lower_qualified, member_name, name};

impl Lowerer<'_> {
    /// Lowers a pattern and binds its names in the innermost scope.
    pub(super) fn lower_pat(&mut self, pat: &syn::Pat) -> PatId {
        let lowered = match pat {
            syn::Pat::Ident(ident) => {
                let bound = name(&ident.ident);
                let sub = ident.subpat.as_ref().map(|(_, pat)| self.lower_pat(pat));
                let constant = ident.by_ref.is_none()
                    && ident.mutability.is_none()
                    && sub.is_none()
                    && bound.chars().next().is_some_and(char::is_uppercase);
                if constant {
                    let place = super::spans::place(ident.ident.span());
                    Pat::Path(crate::ir::Path::plain([bound], place))
                } else {
                    Pat::Bind(self.bind(bound), sub)
                }
            }
            syn::Pat::Type(typed) => return self.lower_pat(&typed.pat),
            syn::Pat::Paren(paren) => return self.lower_pat(&paren.pat),
            syn::Pat::Reference(reference) => return self.lower_pat(&reference.pat),
            syn::Pat::Guard(guard) => return self.lower_pat(&guard.pat),
            syn::Pat::Tuple(tuple) => Pat::Tuple(self.lower_pats(&tuple.elems)),
            syn::Pat::Slice(slice) => Pat::Tuple(self.lower_pats(&slice.elems)),
            syn::Pat::TupleStruct(tuple) => {
                let path = lower_qualified(tuple.qself.as_ref(), &tuple.path);
                Pat::TupleStruct(path, self.lower_pats(&tuple.elems))
            }
            syn::Pat::Struct(pattern) => {
                let path = lower_qualified(pattern.qself.as_ref(), &pattern.path);
                let fields = pattern
                    .fields
                    .iter()
                    .map(|field| (member_name(&field.member), self.lower_pat(&field.pat)))
                    .collect();
                Pat::Struct(path, fields)
            }
            syn::Pat::Path(path) => Pat::Path(lower_qualified(path.qself.as_ref(), &path.path)),
            syn::Pat::Lit(literal) => Pat::Literal(super::literals::lower_literal(&literal.lit)),
            syn::Pat::Or(or) => self.lower_alternatives(or),
            _ => Pat::Wild,
        };
        self.push_pat(lowered)
    }

    /// Every alternative binds the same names, so they share their locals.
    fn lower_alternatives(&mut self, or: &syn::PatOr) -> Pat {
        let before = self.scope.len();
        let mut cases = Vec::with_capacity(or.cases.len());
        for (index, case) in or.cases.iter().enumerate() {
            if index == 1 {
                let shared = self.scope[before..].to_vec();
                self.shared.push(shared);
            }
            cases.push(self.lower_pat(case));
        }
        if or.cases.len() > 1 {
            self.shared.pop();
        }
        Pat::Or(cases)
    }

    fn lower_pats<'p>(
        &mut self,
        pats: impl IntoIterator<Item = &'p syn::Pat>,
    ) -> Vec<Option<PatId>> {
        pats.into_iter()
            .map(|pat| match pat {
                syn::Pat::Rest(_) => None,
                other => Some(self.lower_pat(other)),
            })
            .collect()
    }
}

/// The name a parameter's pattern binds, when it is a plain one or wraps a single one
/// (`State(db): State<Db>`).
pub(super) fn param_name(pat: &syn::Pat) -> Option<Name> {
    match pat {
        syn::Pat::Ident(ident) => Some(name(&ident.ident)),
        syn::Pat::Reference(reference) => param_name(&reference.pat),
        syn::Pat::TupleStruct(tuple) if tuple.elems.len() == 1 => param_name(&tuple.elems[0]),
        _ => None,
    }
}
