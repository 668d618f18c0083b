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
//!
//! # On statements
//!
//! The compiler lets no attribute macro stand on a statement or an expression. Inside a function
//! that carries [`macro@job`] or [`macro@marked`], [`macro@effect`] and [`macro@accept`] may
//! stand there: the attribute of the function checks them and takes them out.
//!
//! - By path, `#[retrysafe::accept(…)]` or `#[::retrysafe::accept(…)]`, they are found
//!   everywhere, also among the tokens of macros such as `tokio::select!`.
//! - In the short form, `#[accept(…)]` after `use retrysafe::accept;`, they are known by their
//!   arguments, since an attribute cannot see imports: `effect` by a kind of effect in the first
//!   place, `accept` by a rule there or by a `reason`. What looks otherwise is left to the
//!   compiler or to the macro it belongs to, and so are short forms among the tokens of macros.
//!   `stable` and `unstable` have no short form, because the compiler has attributes of these
//!   names: write `#[retrysafe::stable]`.
//! - In `#[cfg_attr(…, retrysafe::accept(…))]` the other attributes stay.
//!
//! Functions inside the function keep their attributes, which the compiler expands there.
//!
//! # With other attributes
//!
//! The order does not matter to attributes that hand on what stands below them, as
//! `#[async_trait]`, `#[tokio::main]`, `#[tracing::instrument]` and `#[sqlxmq::job]` do.
//! `#[celery::task]` throws away the attributes below it: put ours above.

mod attribute;
mod body;
mod imports;
mod item;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use proc_macro2::{Span, TokenStream as Tokens};
use quote::quote_spanned;
use retrysafe_rules::grammar::{GrammarError, check_key, misplaced};

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
///
/// ```
/// #[retrysafe::marked]
/// fn notify(number: &str) {
///     #[retrysafe::effect(sms, target = "{number}", key = "{number}:late")]
///     gateway(number);
/// }
///
/// #[retrysafe::effect(sms, idempotent)]
/// fn gateway(_number: &str) {}
/// # notify("1");
/// ```
///
/// ```compile_fail
/// #[retrysafe::effect(smss)] // did you mean `sms`?
/// fn gateway(_number: &str) {}
/// ```
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
///
/// ```compile_fail
/// #[retrysafe::accept(random_key, reason = "fine")] // too short a reason
/// fn charge() {}
/// ```
#[proc_macro_attribute]
pub fn accept(args: TokenStream, item: TokenStream) -> TokenStream {
    expand("accept", args, item)
}

/// Lets [`macro@effect`] and [`macro@accept`] stand on statements of a function that is no job.
#[proc_macro_attribute]
pub fn marked(args: TokenStream, item: TokenStream) -> TokenStream {
    expand("marked", args, item)
}

fn expand(name: &str, args: TokenStream, item: TokenStream) -> TokenStream {
    let reading = read(name, args.into(), item.clone().into());
    // What was not changed is handed back as it came, delimiters with their spans and all.
    let item = reading.stripped.map_or(item, TokenStream::from);
    let before = if reading.errors.is_empty() {
        reading.imports
    } else {
        reading.errors.iter().map(compile_error).collect()
    };
    let mut all = TokenStream::from(before);
    all.extend(item);
    all
}

fn compile_error(GrammarError { span, message }: &GrammarError) -> Tokens {
    quote_spanned!(*span => ::core::compile_error!(#message);)
}

/// An attribute and its item, as they were read.
struct Reading {
    /// The mistakes in the attribute and in those inside the item.
    errors: Vec<GrammarError>,
    /// The item without the latter, where it has any.
    stripped: Option<Tokens>,
    /// Attributes that keep imports in use.
    imports: Tokens,
}

fn read(name: &str, args: Tokens, item: Tokens) -> Reading {
    let mut errors = Vec::new();
    let span = Span::call_site();
    let args = item::opened(args);
    if item::is_function(item.clone()) {
        attribute::check(name, span, args.clone(), &mut errors);
        if name == "job" {
            if let Some(signature) = item::signature(item.clone()) {
                errors.extend(check_key(args, &signature));
            }
        }
    } else {
        errors.push(GrammarError {
            span,
            message: misplaced(name),
        });
    }
    let mut stripper = body::Stripper::default();
    let stripped = stripper.item(item.clone());
    errors.extend(stripper.errors);
    Reading {
        errors,
        stripped,
        imports: imports::kept_in_use(stripper.imported, item),
    }
}
