//! Attributes that document and declare the side effects of job code.
//!
//! They check their own arguments and leave the code as it was: nothing is added, nothing runs.
//! `cargo retrysafe` reads them where they stand. Wrong arguments are compile errors at the
//! argument, with the nearest valid word.
//!
//! ```
//! #[retrysafe::job(key = "invoice-reminder:{invoice_id}:v1", effects(email, db_write("invoices")))]
//! fn remind(invoice_id: u64) -> Result<(), std::io::Error> {
//!     #[retrysafe::accept(unguarded_notification, reason = "a second ping is harmless")]
//!     ping(invoice_id)?;
//!     Ok(())
//! }
//!
//! #[retrysafe::effect(email, target = "operator")]
//! fn ping(_invoice_id: u64) -> Result<(), std::io::Error> {
//!     Ok(())
//! }
//!
//! assert!(remind(1).is_ok());
//! ```

use proc_macro::TokenStream;
use proc_macro2::{Delimiter, Group, Span, TokenStream as Tokens, TokenTree};
use quote::quote_spanned;
use retrysafe_rules::grammar::{ATTRIBUTES, GrammarError, Mark, check_accept, check_key, parse};

/// Declares a function to be a job: its key, the effects it lists, how it is run.
///
/// The placeholders of the key name parameters, or fields of them; in a method also fields of
/// `self`.
///
/// ```compile_fail
/// #[retrysafe::job(key = "charge:{order}")] // there is no parameter `order`
/// fn charge(order_id: u64) {}
/// ```
#[proc_macro_attribute]
pub fn job(args: TokenStream, item: TokenStream) -> TokenStream {
    expand("job", args, item)
}

/// Declares a call of the function, or of the statement it stands on, to be a side effect.
#[proc_macro_attribute]
pub fn effect(args: TokenStream, item: TokenStream) -> TokenStream {
    expand("effect", args, item)
}

/// Declares that the function runs its closure argument at most once per recorded step.
#[proc_macro_attribute]
pub fn step(args: TokenStream, item: TokenStream) -> TokenStream {
    expand("step", args, item)
}

/// Declares that the result is the same on every attempt.
#[proc_macro_attribute]
pub fn stable(args: TokenStream, item: TokenStream) -> TokenStream {
    expand("stable", args, item)
}

/// Declares that the result differs between attempts.
#[proc_macro_attribute]
pub fn unstable(args: TokenStream, item: TokenStream) -> TokenStream {
    expand("unstable", args, item)
}

/// Writes a decision down: what a duplicate does, and why that is fine.
#[proc_macro_attribute]
pub fn accept(args: TokenStream, item: TokenStream) -> TokenStream {
    expand("accept", args, item)
}

/// Lets the other attributes stand on statements of a function that is no job.
#[proc_macro_attribute]
pub fn marked(args: TokenStream, item: TokenStream) -> TokenStream {
    expand("marked", args, item)
}

fn expand(name: &str, args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Vec::new();
    let (args, item): (Tokens, Tokens) = (args.into(), item.into());
    if name == "job"
        && let Some(signature) = signature_of(item.clone())
    {
        errors.extend(check_key(args.clone(), &signature));
    }
    check(name, Span::call_site(), args, &mut errors);
    let item = strip(item, 0, &mut errors);
    let errors = errors.into_iter().map(
        |GrammarError { span, message }| quote_spanned!(span => ::core::compile_error!(#message);),
    );
    errors.chain([item]).collect::<Tokens>().into()
}

/// Checks the arguments of an attribute.
fn check(name: &str, span: Span, args: Tokens, errors: &mut Vec<GrammarError>) {
    match parse(name, span, args) {
        Ok(parsed) => {
            if let Mark::Accept(accept) = &parsed.mark
                && let Err(mistake) = check_accept(accept)
            {
                let span = parsed.parts.first().copied().unwrap_or(span);
                errors.push(GrammarError {
                    span,
                    message: mistake.message,
                });
            }
        }
        Err(found) => errors.extend(found),
    }
}

/// The signature of a function, a method, or a method of a trait.
fn signature_of(item: Tokens) -> Option<syn::Signature> {
    syn::parse2::<syn::ImplItemFn>(item.clone())
        .map(|method| method.sig)
        .or_else(|_| syn::parse2::<syn::TraitItemFn>(item).map(|method| method.sig))
        .ok()
}

/// Removes our attributes from the statements and expressions of a body: the compiler would not
/// let an attribute macro stand there. Those on the item itself are left to the compiler.
fn strip(tokens: Tokens, depth: usize, errors: &mut Vec<GrammarError>) -> Tokens {
    let mut out = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if depth > 0
            && matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#')
            && let Some(TokenTree::Group(group)) = tokens.peek()
            && let Some((name, span, args)) = our_attribute(group)
        {
            check(&name, span, args, errors);
            tokens.next();
            continue;
        }
        out.push(match token {
            TokenTree::Group(group) => {
                let inner = strip(group.stream(), depth + 1, errors);
                let mut stripped = Group::new(group.delimiter(), inner);
                stripped.set_span(group.span());
                TokenTree::Group(stripped)
            }
            other => other,
        });
    }
    out.into_iter().collect()
}

/// The name and the arguments of `[retrysafe::name(…)]`.
fn our_attribute(group: &Group) -> Option<(String, Span, Tokens)> {
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let mut tokens = group.stream().into_iter();
    let TokenTree::Ident(first) = tokens.next()? else {
        return None;
    };
    if first != "retrysafe" {
        return None;
    }
    for _ in 0..2 {
        match tokens.next()? {
            TokenTree::Punct(colon) if colon.as_char() == ':' => {}
            _ => return None,
        }
    }
    let TokenTree::Ident(name) = tokens.next()? else {
        return None;
    };
    let args = match tokens.next() {
        Some(TokenTree::Group(args)) => args.stream(),
        _ => Tokens::new(),
    };
    let text = name.to_string();
    ATTRIBUTES
        .contains(&text.as_str())
        .then(|| (text, name.span(), args))
}
