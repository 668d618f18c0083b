//! The text of the tool's configuration, wherever it stands.
//!
//! What it means is `config`'s business. Configuration inside a manifest is handed over as if it
//! were a file of its own, with every key still on its line and in its column.

use std::path::{Path, PathBuf};

use super::disk;
use super::manifest::ManifestFile;
use super::problem::{Problem, ProblemKind};

/// The text of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    /// The file it stands in, absolute: `retrysafe.toml` or a manifest.
    pub path: PathBuf,
    /// The configuration as a TOML document of its own.
    pub text: String,
    /// Whether it is a table inside a manifest.
    pub in_manifest: bool,
    /// Whether lines and columns of `text` are those of the file.
    pub places_hold: bool,
}

/// The configuration of the whole project: the file at its root before the root manifest.
pub(super) fn of_root(
    root: &Path,
    manifest: Option<&ManifestFile>,
    problems: &mut Vec<Problem>,
) -> Option<ConfigFile> {
    let metadata = manifest
        .and_then(|file| Some((file, file.table.workspace.as_ref()?.metadata.as_ref()?)))
        .and_then(|(file, metadata)| {
            let (_, config) = in_manifest(file, "workspace", metadata, problems)?;
            Some(config)
        });
    let path = root.join("retrysafe.toml");
    if !path.exists() {
        return metadata;
    }
    if let Some(shadowed) = metadata {
        problems.push(Problem::note(
            ProblemKind::ConfigShadowed,
            &shadowed.path,
            "`[workspace.metadata.retrysafe]` has no effect because `retrysafe.toml` exists",
            "keep one of the two",
        ));
    }
    match disk::read(&path, disk::LARGEST) {
        Ok(text) => Some(ConfigFile {
            path,
            text,
            in_manifest: false,
            places_hold: true,
        }),
        Err(problem) => {
            problems.push(problem);
            None
        }
    }
}

/// `[package.metadata.retrysafe]` as table and as text.
pub(super) fn of_package(
    file: &ManifestFile,
    problems: &mut Vec<Problem>,
) -> Option<(toml::Table, ConfigFile)> {
    let metadata = file.table.package.as_ref()?.metadata.as_ref()?;
    in_manifest(file, "package", metadata, problems)
}

fn in_manifest(
    file: &ManifestFile,
    section: &str,
    metadata: &toml::Value,
    problems: &mut Vec<Problem>,
) -> Option<(toml::Table, ConfigFile)> {
    let value = metadata.get("retrysafe")?;
    let Some(table) = value.as_table() else {
        problems.push(Problem::unreadable(
            ProblemKind::ManifestInvalid,
            &file.path,
            format!("`{section}.metadata.retrysafe` is not a table"),
            "write the configuration as a table",
        ));
        return None;
    };
    let kept = keep_sections(&file.text, &[section, "metadata", "retrysafe"]);
    // Lines were told apart without a parser: only a result that means the same is used.
    let places_hold = toml::from_str::<toml::Table>(&kept).is_ok_and(|parsed| parsed == *table);
    let text = if places_hold {
        kept
    } else {
        toml::to_string(table).unwrap_or_default()
    };
    let config = ConfigFile {
        path: file.path.clone(),
        text,
        in_manifest: true,
        places_hold,
    };
    Some((table.clone(), config))
}

/// The text with everything blanked but the sections below `prefix`, and these renamed so that
/// they stand at the top: `[a.b.rules]` becomes `[    rules]`.
fn keep_sections(text: &str, prefix: &[&str]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        match header(line, prefix) {
            Header::None if inside => kept.push_str(line),
            Header::None => blank(line, &mut kept),
            Header::Other => {
                inside = false;
                blank(line, &mut kept);
            }
            Header::Prefix => {
                inside = true;
                blank(line, &mut kept);
            }
            Header::Below { name, rest } => {
                inside = true;
                kept.push_str(&line[..name]);
                blank(&line[name..rest], &mut kept);
                kept.push_str(&line[rest..]);
            }
        }
    }
    kept
}

/// What a line says about the section that follows.
enum Header {
    /// It is no header.
    None,
    /// Another section.
    Other,
    /// The section that the prefix names.
    Prefix,
    /// A section below: where its name starts, and where what follows the prefix does.
    Below { name: usize, rest: usize },
}

fn header(line: &str, prefix: &[&str]) -> Header {
    let unindented = line.trim_start();
    let Some(inner) = unindented.strip_prefix('[') else {
        return Header::None;
    };
    let mut rest = inner.strip_prefix('[').unwrap_or(inner);
    let name = line.len() - rest.len();
    for (position, part) in prefix.iter().enumerate() {
        let Some(after) = rest.trim_start().strip_prefix(part) else {
            return Header::Other;
        };
        let after = after.trim_start();
        if let Some(after) = after.strip_prefix('.') {
            rest = after;
        } else if position + 1 == prefix.len() && after.starts_with(']') {
            return Header::Prefix;
        } else {
            return Header::Other;
        }
    }
    Header::Below {
        name,
        rest: line.len() - rest.len(),
    }
}

/// As many columns and line ends, nothing else.
fn blank(text: &str, into: &mut String) {
    into.extend(text.chars().map(|c| match c {
        '\r' | '\n' => c,
        _ => ' ',
    }));
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    const ROOT: &str = r#"[workspace]
members = ["ä"]

[workspace.metadata.retrysafe] # ours
min_confidence = "low"

  [ workspace . metadata.retrysafe.rules ]
random-key = "deny"

[[workspace.metadata.retrysafe.job]]
path = "a::*"
effects = [
    "email",
]

[workspace.metadata.other]
x = 1
"#;

    fn read(files: &[(&str, &str)]) -> (Option<ConfigFile>, Vec<Problem>) {
        let tree = Tree::new([]);
        for (path, text) in files {
            tree.write(path, text);
        }
        let mut problems = Vec::new();
        let manifest = ManifestFile::read(&tree.path("Cargo.toml")).ok();
        let config = of_root(&tree.path(""), manifest.as_ref(), &mut problems);
        (config, problems)
    }

    #[test]
    fn the_file_at_the_root_is_handed_over_as_it_is() {
        let (config, problems) = read(&[("retrysafe.toml", "a = 1\n")]);
        let config = config.expect("the file is there");
        assert_eq!(config.text, "a = 1\n");
        assert!(!config.in_manifest && config.places_hold);
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn metadata_becomes_a_document_with_every_key_in_its_place() {
        let (config, _) = read(&[("Cargo.toml", ROOT)]);
        let config = config.expect("the metadata is there");
        assert!(config.in_manifest && config.places_hold);
        let table: toml::Table = toml::from_str(&config.text).expect("it is TOML");
        assert_eq!(table["min_confidence"].as_str(), Some("low"));
        assert_eq!(table["rules"]["random-key"].as_str(), Some("deny"));
        assert_eq!(table["job"][0]["path"].as_str(), Some("a::*"));
        assert_eq!(table.len(), 3, "{table}");
        let line = |text: &str, word: &str| {
            let at = text.find(word).expect("the word is there");
            let before = &text[..at];
            let start = before.rfind('\n').map_or(0, |newline| newline + 1);
            (
                before.matches('\n').count(),
                before[start..].chars().count(),
            )
        };
        for word in [
            "min_confidence",
            "rules ]",
            "random-key",
            "job]]",
            "\"email\"",
        ] {
            assert_eq!(line(&config.text, word), line(ROOT, word), "{word}");
        }
    }

    #[test]
    fn metadata_written_inline_keeps_its_meaning_but_not_its_places() {
        let manifest = "[workspace.metadata]\nretrysafe = { min_confidence = \"low\" }\n";
        let (config, _) = read(&[("Cargo.toml", manifest)]);
        let config = config.expect("the metadata is there");
        assert!(!config.places_hold);
        assert_eq!(config.text.trim(), "min_confidence = \"low\"");
    }

    #[test]
    fn the_file_goes_before_the_metadata_and_that_is_noted() {
        let (config, problems) = read(&[("Cargo.toml", ROOT), ("retrysafe.toml", "a = 1\n")]);
        assert_eq!(config.map(|c| c.text), Some("a = 1\n".to_owned()));
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].kind, ProblemKind::ConfigShadowed);
    }

    #[test]
    fn metadata_that_is_no_table_is_a_problem() {
        let (config, problems) =
            read(&[("Cargo.toml", "[workspace.metadata]\nretrysafe = \"low\"\n")]);
        assert_eq!(config, None);
        assert_eq!(problems[0].kind, ProblemKind::ManifestInvalid);
    }
}
