//! Patterns: of functions, of files, of jobs and of names.

use globset::{GlobBuilder, GlobMatcher};

/// A pattern of functions by their path: `crate::jobs::*`, where `*` is one segment and `**` any
/// number of them.
#[derive(Debug, Clone)]
pub struct FunctionPattern {
    /// The pattern as written.
    pub text: String,
    matcher: GlobMatcher,
}

impl FunctionPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        // As globs over files: a segment is a folder.
        let matcher = GlobBuilder::new(&text.replace("::", "/"))
            .literal_separator(true)
            .build()
            .map_err(|error| wrong(text, "paths", &error))?
            .compile_matcher();
        Ok(FunctionPattern {
            text: text.to_owned(),
            matcher,
        })
    }

    /// Whether it means an item, written with its crate's name or with `crate`.
    pub fn means(&self, item: &ItemPath) -> bool {
        item.forms[..2]
            .iter()
            .any(|form| self.matcher.is_match(form))
    }

    /// The same, or it leaves the crate out.
    pub fn means_shortly(&self, item: &ItemPath) -> bool {
        item.forms.iter().any(|form| self.matcher.is_match(form))
    }
}

/// The ways to write the path of an item: with `crate`, with its crate's name, without either.
#[derive(Debug, Clone)]
pub struct ItemPath {
    forms: [String; 3],
}

impl ItemPath {
    /// What stands under a path in a crate of the workspace.
    pub fn own(krate: &str, path: &str) -> Self {
        let path = path.replace("::", "/");
        ItemPath {
            forms: [format!("crate/{path}"), format!("{krate}/{path}"), path],
        }
    }

    /// What stands under a whole path of another crate.
    pub fn foreign(path: &str) -> Self {
        let path = path.replace("::", "/");
        ItemPath {
            forms: [path.clone(), path.clone(), path],
        }
    }

    /// Whether a text is one of the ways to write it.
    pub fn is_written(&self, text: &str) -> bool {
        let text = text.replace("::", "/");
        self.forms.contains(&text)
    }
}

/// A pattern of files by their path from the workspace root; that of a folder means all in it.
#[derive(Debug, Clone)]
pub struct FilePattern {
    /// The pattern as written.
    pub text: String,
    file: GlobMatcher,
    below: GlobMatcher,
}

impl FilePattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        let trimmed = text.strip_prefix('.').filter(|rest| rest.starts_with('/'));
        let trimmed = trimmed.unwrap_or(text).trim_matches('/');
        let glob = |pattern: &str| {
            GlobBuilder::new(pattern)
                .literal_separator(true)
                .build()
                .map(|glob| glob.compile_matcher())
                .map_err(|error| wrong(text, "files", &error))
        };
        Ok(FilePattern {
            text: text.to_owned(),
            file: glob(trimmed)?,
            below: glob(&format!("{trimmed}/**"))?,
        })
    }

    /// Whether it means a file, by its path from the workspace root with `/`.
    pub fn means(&self, path: &str) -> bool {
        self.file.is_match(path) || self.below.is_match(path)
    }
}

/// A pattern of jobs by their name.
#[derive(Debug, Clone)]
pub struct JobPattern {
    /// The pattern as written.
    pub text: String,
    matcher: GlobMatcher,
}

impl JobPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        // A job's name may hold brackets: `handle[SendReminder]`.
        let escaped = text.replace('[', "[[]");
        let matcher = GlobBuilder::new(&escaped)
            .literal_separator(false)
            .build()
            .map_err(|error| wrong(text, "job names", &error))?
            .compile_matcher();
        Ok(JobPattern {
            text: text.to_owned(),
            matcher,
        })
    }

    /// Whether it means a job; the last segment of the name alone is enough.
    pub fn means(&self, job: &str) -> bool {
        let last = job.rsplit("::").next().unwrap_or(job);
        self.matcher.is_match(job) || self.matcher.is_match(last)
    }
}

/// A pattern of tables, columns or targets, in which letters have no case.
#[derive(Debug, Clone)]
pub struct NamePattern {
    /// The pattern as written.
    pub text: String,
    matcher: GlobMatcher,
}

impl NamePattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        let matcher = GlobBuilder::new(text)
            .literal_separator(false)
            .case_insensitive(true)
            .build()
            .map_err(|error| wrong(text, "names", &error))?
            .compile_matcher();
        Ok(NamePattern {
            text: text.to_owned(),
            matcher,
        })
    }

    /// Whether it means a name.
    pub fn means(&self, name: &str) -> bool {
        self.matcher.is_match(name)
    }
}

fn wrong(text: &str, of: &str, error: &globset::Error) -> String {
    format!("`{text}` is no pattern of {of}: {}", error.kind())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_named_with_its_crate_or_with_the_word_crate() {
        let means = |pattern: &str, path: &str| {
            let pattern = FunctionPattern::new(pattern).expect("it is a pattern");
            pattern.means(&ItemPath::own("shop", path))
        };
        assert!(means("crate::mail::send", "mail::send"));
        assert!(means("shop::mail::*", "mail::send"));
        assert!(!means("crate::*", "mail::send"));
        assert!(means("crate::**", "mail::Mailer::send"));
        assert!(means("**::send*", "mail::Mailer::send_all"));
        assert!(!means("mail::send", "mail::send"));
        let short = FunctionPattern::new("mail::send").expect("it is a pattern");
        assert!(short.means_shortly(&ItemPath::own("shop", "mail::send")));
        assert!(short.means(&ItemPath::foreign("mail::send")));
        assert!(ItemPath::own("shop", "a::B").is_written("shop::a::B"));
    }

    #[test]
    fn a_folder_means_all_files_in_it() {
        let pattern = |text: &str| FilePattern::new(text).expect("it is a pattern");
        for text in ["src/legacy", "src/legacy/", "./src/legacy", "/src/l*"] {
            assert!(pattern(text).means("src/legacy/deep/mod.rs"), "{text}");
        }
        assert!(!pattern("src/legacy").means("src/legacy.rs"));
        assert!(pattern("**/tests/*.rs").means("app/tests/a.rs"));
        assert!(!pattern("*.rs").means("src/a.rs"));
    }

    #[test]
    fn the_last_segment_of_a_job_is_enough() {
        let pattern = |text: &str| JobPattern::new(text).expect("it is a pattern");
        assert!(pattern("send_*").means("reminders::send_invoice"));
        assert!(pattern("reminders::*").means("reminders::send_invoice"));
        assert!(pattern("handle[Send]").means("worker::handle[Send]"));
        assert!(!pattern("send").means("reminders::send_invoice"));
    }

    #[test]
    fn names_have_no_case() {
        let pattern = NamePattern::new("Audit*").expect("it is a pattern");
        assert!(pattern.means("audit_log") && pattern.means("AUDIT.events"));
    }

    #[test]
    fn what_is_no_pattern_is_told_in_words() {
        let message = FilePattern::new("a[").expect_err("the class is not closed");
        assert!(
            message.starts_with("`a[` is no pattern of files: "),
            "{message}"
        );
    }
}
