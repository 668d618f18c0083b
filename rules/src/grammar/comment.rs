//! Comments: the same declarations as text after `retrysafe:`.

use syn::Meta;
use syn::spanned::Spanned;

use super::attribute::parse_meta;
use super::error::GrammarError;
use super::mark::Parsed;

/// Reads the text of a comment after `retrysafe:`, such as `job(key = "invoice:{id}")`.
///
/// # Errors
/// Every mistake in the text; spans are relative to it.
pub fn parse_text(text: &str) -> Result<Parsed, Vec<GrammarError>> {
    let text = join_words(text);
    let meta: Meta = syn::parse_str(&text).map_err(|error| vec![GrammarError::from(error)])?;
    let name = meta
        .path()
        .get_ident()
        .map(ToString::to_string)
        .unwrap_or_default();
    parse_meta(&name, meta.path().span(), &meta)
}

/// Comments may spell words in kebab-case, which Rust would read as subtractions. The length
/// stays, so that spans keep their columns.
fn join_words(text: &str) -> String {
    let mut quoted = false;
    let mut before = ' ';
    text.chars()
        .map(|c| {
            if c == '"' && before != '\\' {
                quoted = !quoted;
            }
            let joins = c == '-' && !quoted && before.is_ascii_alphanumeric();
            before = c;
            if joins { '_' } else { c }
        })
        .collect()
}
