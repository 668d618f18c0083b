//! Bodies: our attributes on statements and expressions are checked and taken out, since the
//! compiler would not let them stand there. Everything else stays as it is.

use proc_macro2::{Delimiter, Group, TokenStream as Tokens, TokenTree};
use retrysafe_rules::grammar::GrammarError;

use crate::attribute::{Reading, check_on_statement, read};
use crate::item::leads_to_function;

/// Takes the declarations out of the body of an item.
#[derive(Default)]
pub(crate) struct Stripper {
    /// The mistakes in them.
    pub(crate) errors: Vec<GrammarError>,
    /// What stands in the brackets of those that rest on an import.
    pub(crate) imported: Vec<Tokens>,
}

impl Stripper {
    /// The item without the declarations in its body; `None` where there are none.
    pub(crate) fn item(&mut self, item: Tokens) -> Option<Tokens> {
        let mut tokens: Vec<TokenTree> = item.into_iter().collect();
        let Some(TokenTree::Group(last)) = tokens.last() else {
            return None;
        };
        let inner = match last.delimiter() {
            Delimiter::Brace => self.body(last.stream(), false)?,
            Delimiter::None => self.item(last.stream())?,
            _ => return None,
        };
        let last = refilled(last, inner);
        tokens.pop();
        tokens.push(last);
        Some(tokens.into_iter().collect())
    }

    /// The tokens without our attributes; `None` where there are none, so that groups without
    /// any keep their own tokens and the spans of their delimiters.
    fn body(&mut self, tokens: Tokens, in_macro: bool) -> Option<Tokens> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out = Vec::with_capacity(tokens.len());
        let mut changed = false;
        let mut at = 0;
        while at < tokens.len() {
            let Some((brackets, length)) = attribute_at(&tokens[at..]) else {
                let in_macro = in_macro || ends_in_macro_name(&tokens[..at]);
                let inner = match &tokens[at] {
                    TokenTree::Group(group) => self
                        .body(group.stream(), in_macro)
                        .map(|inner| refilled(group, inner)),
                    _ => None,
                };
                changed |= inner.is_some();
                out.push(inner.unwrap_or_else(|| tokens[at].clone()));
                at += 1;
                continue;
            };
            let end = at + length;
            match read(brackets.stream(), in_macro) {
                // An attribute macro may stand on a function, wherever that is.
                Reading::Ours(ours) if !leads_to_function(&tokens[at..]) => {
                    changed = true;
                    for declaration in &ours.declarations {
                        check_on_statement(declaration, &mut self.errors);
                    }
                    self.imported.extend(ours.imported);
                    if let Some(rest) = ours.rest {
                        out.extend_from_slice(&tokens[at..end - 1]);
                        out.push(refilled(brackets, rest));
                    }
                }
                _ => out.extend_from_slice(&tokens[at..end]),
            }
            at = end;
        }
        changed.then(|| out.into_iter().collect())
    }
}

/// The brackets of the attribute that the tokens start with, and of how many tokens it is.
fn attribute_at(tokens: &[TokenTree]) -> Option<(&Group, usize)> {
    let is = |at: usize, c: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == c);
    if !is(0, '#') {
        return None;
    }
    let at = if is(1, '!') { 2 } else { 1 };
    match tokens.get(at) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
            Some((group, at + 1))
        }
        _ => None,
    }
}

/// Whether what comes next are the tokens of a macro: after `name!` and `macro_rules! name`.
fn ends_in_macro_name(tokens: &[TokenTree]) -> bool {
    let called = |tokens: &[TokenTree]| match tokens {
        [.., TokenTree::Ident(name), TokenTree::Punct(mark)] if mark.as_char() == '!' => {
            // `return !(…)` negates.
            let name = name.to_string();
            !["if", "while", "match", "return", "break", "in", "else"].contains(&name.as_str())
        }
        _ => false,
    };
    called(tokens) || matches!(tokens, [before @ .., TokenTree::Ident(_)] if called(before))
}

fn refilled(group: &Group, inner: Tokens) -> TokenTree {
    let mut refilled = Group::new(group.delimiter(), inner);
    refilled.set_span(group.span());
    TokenTree::Group(refilled)
}
