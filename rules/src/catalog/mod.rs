//! The catalogue of known APIs: typed, validated data, one file per crate.
//!
//! The engine asks it questions by path, receiver and method; nothing about a single crate
//! stands in engine code. Errors name the file and the line.

mod schema;

use include_dir::{Dir, include_dir};

pub use schema::*;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/catalog");

/// What the file is called in which a workspace speaks of calls itself.
pub const WORKSPACE: &str = "workspace";

/// A catalogue file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogError {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl std::fmt::Display for CatalogError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for CatalogError {}

/// Reads the built-in catalogue, files in the order of their names.
pub fn built_in() -> Result<Vec<CatalogFile>, Vec<CatalogError>> {
    let mut files: Vec<_> = FILES.files().collect();
    files.sort_by_key(|file| file.path());
    let mut parsed = Vec::with_capacity(files.len());
    let mut errors = Vec::new();
    for file in files {
        let name = file.path().display().to_string();
        match parse(&name, file.contents_utf8().unwrap_or("")) {
            Ok(catalog) => parsed.push(catalog),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        Ok(parsed)
    } else {
        Err(errors)
    }
}

/// Reads one catalogue file and validates its entries, all errors at once.
pub fn parse(file: &str, text: &str) -> Result<CatalogFile, Vec<CatalogError>> {
    let error = |at: usize, message: String| CatalogError {
        file: file.to_owned(),
        line: text[..at.min(text.len())].matches('\n').count() + 1,
        message,
    };
    let catalog: CatalogFile = toml::from_str(text).map_err(|problem| {
        let at = problem.span().map_or(0, |span| span.start);
        vec![error(at, problem.message().to_owned())]
    })?;
    let mut errors = Vec::new();
    let mut ids = std::collections::BTreeSet::new();
    for entry in &catalog.effect {
        let effect = entry.get_ref();
        let at = entry.span().start;
        if effect.id.is_empty() {
            errors.push(error(at, "the effect has no `id`".to_owned()));
        } else if !ids.insert(&effect.id) {
            errors.push(error(at, format!("the id `{}` is taken", effect.id)));
        }
        if effect.call.is_empty() {
            errors.push(error(at, format!("`{}` matches no call", effect.id)));
        }
        if effect.action.is_none()
            && effect.classify.is_none()
            && matches!(effect.kind, CallKind::Effect(_))
        {
            errors.push(error(
                at,
                format!("`{}` has neither action nor classify", effect.id),
            ));
        }
    }
    for entry in &catalog.wrapper {
        if entry.get_ref().call.is_empty() {
            errors.push(error(
                entry.span().start,
                "the wrapper matches no call".to_owned(),
            ));
        }
    }
    for entry in &catalog.sql_function {
        let function = entry.get_ref();
        let at = entry.span().start;
        if function.names.is_empty() {
            errors.push(error(at, "the SQL function has no name".to_owned()));
        }
        let lacks_action = match function.kind {
            CallKind::Effect(_) => function.action.is_none(),
            CallKind::Sql => true,
            CallKind::Read | CallKind::Acknowledge => false,
        };
        if lacks_action {
            let message =
                "a SQL function is a read, an acknowledgement or an effect with an action";
            errors.push(error(at, message.to_owned()));
        }
    }
    for entry in &catalog.source {
        let source = entry.get_ref();
        if source.id.is_empty() {
            let at = entry.span().start;
            errors.push(error(at, "the source has no `id`".to_owned()));
        }
        let matches_nothing = source.call.is_empty()
            && source.values.is_empty()
            && source.receiver_names.is_empty()
            && source.names.is_empty();
        if matches_nothing {
            errors.push(error(
                entry.span().start,
                format!("`{}` matches nothing", source.id),
            ));
        }
    }
    for entry in &catalog.job {
        let job = entry.get_ref();
        let by_path = matches!(
            job.shape,
            Shape::Trait | Shape::Attribute | Shape::MarkedImpl | Shape::Derive | Shape::Command
        );
        if by_path && job.paths.is_empty() {
            errors.push(error(
                entry.span().start,
                format!("`{}` names no path", job.framework),
            ));
        }
        if !by_path && job.call.is_empty() {
            errors.push(error(
                entry.span().start,
                format!("`{}` matches no call", job.framework),
            ));
        }
        if matches!(job.shape, Shape::Trait | Shape::Derive) && job.methods.is_empty() {
            errors.push(error(
                entry.span().start,
                format!("`{}` names no method", job.framework),
            ));
        }
    }
    if errors.is_empty() {
        Ok(catalog)
    } else {
        Err(errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_catalogue_is_valid() {
        if let Err(errors) = built_in() {
            let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
            panic!("{}", lines.join("\n"));
        }
    }

    #[test]
    fn an_error_names_file_and_line() {
        let text = "crate = \"x\"\nstatus = \"draft\"\nabout = \"x\"\n\n[[effect]]\nid = \"a\"\nkind = \"mail\"\ncall = {}\n";
        let errors = parse("x.toml", text).expect_err("the kind does not exist");
        assert_eq!(errors[0].line, 7);
        assert!(
            errors[0].message.contains("unknown kind `mail`"),
            "{}",
            errors[0]
        );
    }

    #[test]
    fn an_entry_of_the_catalogue_has_an_id() {
        let text = "crate = \"x\"\nstatus = \"draft\"\nabout = \"x\"\n[[source]]\nkind = \"clock\"\ncall = { paths = [\"x::now\"] }\n";
        let errors = parse("x.toml", text).expect_err("the id is missing");
        assert_eq!(errors[0].message, "the source has no `id`");
    }

    #[test]
    fn a_sql_function_says_what_it_does() {
        let text = "crate = \"x\"\nstatus = \"draft\"\nabout = \"x\"\n[[sql-function]]\nnames = [\"x.send\"]\nkind = \"enqueue\"\n";
        let errors = parse("x.toml", text).expect_err("the action is missing");
        assert_eq!(errors[0].line, 4);
        assert!(errors[0].message.contains("action"), "{}", errors[0]);
    }

    #[test]
    fn an_entry_that_can_match_nothing_is_an_error() {
        let text = "crate = \"x\"\nstatus = \"draft\"\nabout = \"x\"\n[[effect]]\nid = \"a\"\nkind = \"email\"\naction = \"send\"\ncall = { methods = [\"send\"] }\n";
        let errors = parse("x.toml", text).expect_err("methods without receivers match nothing");
        assert_eq!(
            (errors[0].line, errors[0].message.as_str()),
            (4, "`a` matches no call")
        );
    }
}
