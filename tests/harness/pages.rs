//! A rule's page, taken apart: its headings, its sections, the packages that its fences stand for.
//!
//! A `rust` fence is the whole `src/lib.rs` of a package. What stands before it in other fences
//! belongs to the same package: `toml` with `[dependencies]` takes the place of those below, any
//! other `toml` is the `retrysafe.toml`, `sql` is a migration. A finding is noted at the end of
//! its line, `//~ rule` in Rust and `#~ rule` in the configuration.

/// What the pages' code depends on, unless a page says otherwise. Nothing of it is built.
const DEPENDENCIES: &str = r#"[dependencies]
anyhow = "1"
apalis = { version = "0.7", features = ["retry"] }
apalis-sql = { version = "0.7", features = ["postgres"] }
async-stripe = "0.41"
async-trait = "0.1"
aws-sdk-s3 = "1"
aws-sdk-sesv2 = "1"
aws-sdk-sns = "1"
aws-sdk-sqs = "1"
bcrypt = "0.17"
chrono = { version = "0.4", features = ["serde"] }
fang = "0.10"
futures = "0.3"
gethostname = "1"
kube = "2"
lapin = "2"
lettre = "0.11"
octocrab = "0.44"
rand = "0.9"
redis = "0.32"
reqwest = { version = "0.12", features = ["json"] }
restate-sdk = "0.7"
retrysafe = "0.1"
serde = { version = "1", features = ["derive"] }
serde_json = "1"
sha2 = "0.10"
slack-morphism = "2"
sqlx = { version = "0.8", features = ["postgres", "uuid", "chrono"] }
sqlxmq = "0.6"
teloxide = "0.17"
tokio = { version = "1", features = ["full"] }
tokio-cron-scheduler = "0.14"
tracing = "0.1"
twilio = "1"
uuid = { version = "1", features = ["v4", "v5", "serde"] }
"#;

/// A page.
pub(crate) struct Page {
    /// The lines before the first section.
    pub(crate) opening: Vec<String>,
    /// The sections in their order.
    pub(crate) sections: Vec<Section>,
}

/// A section below its heading.
pub(crate) struct Section {
    pub(crate) heading: String,
    pub(crate) prose: String,
    /// The packages of its fences.
    pub(crate) packages: Vec<Package>,
    /// Configurations that stand for themselves.
    pub(crate) configurations: Vec<String>,
}

/// A package that a fence stands for.
#[derive(Default)]
pub(crate) struct Package {
    pub(crate) source: String,
    pub(crate) configuration: Option<String>,
    dependencies: Option<String>,
    migration: Option<String>,
}

/// A finding: its file, line and rule.
pub(crate) type Noted = (String, u64, String);

impl Package {
    /// The files, by path.
    pub(crate) fn files(&self) -> Vec<(&'static str, String)> {
        let dependencies = self.dependencies.as_deref().unwrap_or(DEPENDENCIES);
        let manifest = format!(
            "[package]\nname = \"page\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{dependencies}"
        );
        let mut files = vec![
            ("Cargo.toml", manifest),
            ("src/lib.rs", self.source.clone()),
        ];
        let rest = [
            ("retrysafe.toml", &self.configuration),
            ("migrations/1_tables.sql", &self.migration),
        ];
        for (path, text) in rest {
            files.extend(text.clone().map(|text| (path, text)));
        }
        files
    }

    /// The findings that are noted in it.
    pub(crate) fn noted(&self) -> Vec<Noted> {
        let mut noted = marks("src/lib.rs", &self.source, "//~");
        if let Some(text) = &self.configuration {
            noted.extend(marks("retrysafe.toml", text, "#~"));
        }
        noted.sort();
        noted
    }
}

fn marks(file: &str, text: &str, sign: &str) -> Vec<Noted> {
    let mut noted = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        for mark in text.split(sign).skip(1) {
            noted.push((file.to_owned(), line, mark.trim().to_owned()));
        }
    }
    noted
}

/// Takes a page apart.
///
/// # Errors
/// What about its fences is not as it should be.
pub(crate) fn read(text: &str) -> Result<Page, String> {
    let mut page = Page {
        opening: Vec::new(),
        sections: Vec::new(),
    };
    let mut waiting = Package::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(heading) = line.strip_prefix("## ") {
            page.close(std::mem::take(&mut waiting))?;
            page.sections.push(Section {
                heading: heading.to_owned(),
                prose: String::new(),
                packages: Vec::new(),
                configurations: Vec::new(),
            });
        } else if let Some(language) = line.strip_prefix("```") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let body = body.join("\n") + "\n";
            let Some(section) = page.sections.last_mut() else {
                return Err("a fence stands before the first section".to_owned());
            };
            match language {
                "rust" => {
                    waiting.source = body;
                    section.packages.push(std::mem::take(&mut waiting));
                }
                "toml" if body.starts_with("[dependencies]") => waiting.dependencies = Some(body),
                "toml" => {
                    let before = waiting.configuration.replace(body);
                    section.configurations.extend(before);
                }
                "sql" => waiting.migration = Some(body),
                // A command and what it prints.
                "console" => {}
                other => return Err(format!("a fence in `{other}` is not executed")),
            }
        } else if let Some(section) = page.sections.last_mut() {
            section.prose.push_str(line);
            section.prose.push('\n');
        } else {
            page.opening.push(line.to_owned());
        }
    }
    page.close(waiting)?;
    Ok(page)
}

impl Page {
    /// Ends a section: what waits for a package stands for itself or was forgotten.
    fn close(&mut self, waiting: Package) -> Result<(), String> {
        if waiting.dependencies.is_some() || waiting.migration.is_some() {
            return Err("a fence stands before no `rust` fence of its section".to_owned());
        }
        if let Some(section) = self.sections.last_mut() {
            section.configurations.extend(waiting.configuration);
        }
        Ok(())
    }

    /// The section of that heading.
    pub(crate) fn section(&self, heading: &str) -> Result<&Section, String> {
        let mut sections = self.sections.iter();
        sections
            .find(|section| section.heading == heading)
            .ok_or_else(|| format!("there is no section `{heading}`"))
    }
}

/// What is noted and not found, and what is found and not noted; both in order.
pub(crate) fn difference(noted: &[Noted], found: &[Noted]) -> Result<(), String> {
    if noted == found {
        return Ok(());
    }
    let show = |all: &[Noted], known: &[Noted]| {
        let count = |of: &[Noted], one: &Noted| of.iter().filter(|other| *other == one).count();
        all.iter()
            .filter(|one| count(all, one) > count(known, one))
            .map(|(file, line, rule)| format!("    {file}:{line}  {rule}\n"))
            .collect::<String>()
    };
    Err(format!(
        "noted but not found:\n{}found but not noted:\n{}",
        show(noted, found),
        show(found, noted)
    ))
}
