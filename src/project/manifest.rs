//! `Cargo.toml` as written: the fields this tool uses, typed, with places where a problem needs one.
//!
//! Knows nothing of other manifests: inheritance is in `inherit`, members in `members`. Fields
//! that are not named here may hold anything.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::disk;
use super::problem::{Problem, ProblemKind};

/// A manifest and where it was read.
#[derive(Debug)]
pub(super) struct ManifestFile {
    pub(super) path: PathBuf,
    pub(super) dir: PathBuf,
    pub(super) text: String,
    pub(super) table: Manifest,
}

impl ManifestFile {
    /// Reads and parses the manifest at exactly this path.
    pub(super) fn read(path: &Path) -> Result<Self, Problem> {
        let text = disk::read(path, disk::LARGEST)?;
        let table = toml::from_str(&text).map_err(|error| {
            let problem = Problem::unreadable(
                ProblemKind::ManifestInvalid,
                path,
                format!("the manifest is not valid: {}", one_line(error.message())),
                "correct the manifest; `cargo metadata` must accept it",
            );
            match error.span() {
                Some(span) => problem.at(&text, span.start),
                None => problem,
            }
        })?;
        Ok(Self {
            dir: path.parent().unwrap_or(Path::new("")).to_path_buf(),
            path: path.to_path_buf(),
            text,
            table,
        })
    }
}

/// Messages of the parser may go over several lines; ours may not.
pub(super) fn one_line(message: &str) -> String {
    message
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Manifest {
    #[serde(alias = "project")]
    pub(super) package: Option<PackageTable>,
    pub(super) lib: Option<LibTable>,
    pub(super) bin: Option<Vec<BinTable>>,
    #[serde(default)]
    pub(super) dependencies: Dependencies,
    #[serde(default, alias = "dev_dependencies")]
    pub(super) dev_dependencies: Dependencies,
    #[serde(default, alias = "build_dependencies")]
    pub(super) build_dependencies: Dependencies,
    #[serde(default)]
    pub(super) target: BTreeMap<String, PlatformTable>,
    #[serde(default)]
    pub(super) features: BTreeMap<String, Vec<String>>,
    pub(super) workspace: Option<WorkspaceTable>,
    #[serde(default)]
    pub(super) patch: BTreeMap<String, Dependencies>,
}

pub(super) type Dependencies = BTreeMap<String, DependencyEntry>;

#[derive(Debug, Deserialize)]
pub(super) struct PackageTable {
    pub(super) name: String,
    pub(super) version: Option<Inheritable>,
    pub(super) edition: Option<Inheritable>,
    /// Where the workspace root is, when it is not above.
    pub(super) workspace: Option<String>,
    pub(super) autolib: Option<bool>,
    pub(super) autobins: Option<bool>,
    pub(super) metadata: Option<toml::Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct LibTable {
    pub(super) name: Option<String>,
    pub(super) path: Option<Spanned<String>>,
    #[serde(default, alias = "proc_macro")]
    pub(super) proc_macro: bool,
    #[serde(default, alias = "crate_type")]
    pub(super) crate_type: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BinTable {
    pub(super) name: Spanned<String>,
    pub(super) path: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct PlatformTable {
    #[serde(default)]
    pub(super) dependencies: Dependencies,
    #[serde(default, alias = "dev_dependencies")]
    pub(super) dev_dependencies: Dependencies,
    #[serde(default, alias = "build_dependencies")]
    pub(super) build_dependencies: Dependencies,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct WorkspaceTable {
    #[serde(default)]
    pub(super) members: Vec<Spanned<String>>,
    pub(super) default_members: Option<Vec<String>>,
    #[serde(default)]
    pub(super) exclude: Vec<String>,
    #[serde(default)]
    pub(super) package: WorkspacePackage,
    #[serde(default)]
    pub(super) dependencies: Dependencies,
    pub(super) metadata: Option<toml::Value>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct WorkspacePackage {
    pub(super) version: Option<String>,
    pub(super) edition: Option<String>,
}

/// A text, or `{ workspace = true }`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inheritable {
    Given(String),
    Inherited,
}

/// `"1.2"`, or a table.
#[derive(Debug)]
pub(super) enum DependencyEntry {
    Requirement(String),
    Table(Box<DependencyTable>),
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct DependencyTable {
    pub(super) version: Option<String>,
    pub(super) path: Option<Spanned<String>>,
    pub(super) package: Option<String>,
    #[serde(default)]
    pub(super) workspace: bool,
    #[serde(default)]
    pub(super) optional: bool,
    #[serde(default)]
    pub(super) features: Vec<String>,
    #[serde(alias = "default_features")]
    pub(super) default_features: Option<bool>,
}

// Untagged enums would lose the places inside of them and say less about what is wrong.

impl<'de> Deserialize<'de> for Inheritable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Marker {
            workspace: bool,
        }
        struct TextOrMarker;
        impl<'de> Visitor<'de> for TextOrMarker {
            type Value = Inheritable;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string or `workspace = true`")
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Self::Value, E> {
                Ok(Inheritable::Given(value.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let marker = Marker::deserialize(MapAccessDeserializer::new(map))?;
                if marker.workspace {
                    Ok(Inheritable::Inherited)
                } else {
                    Err(de::Error::custom("`workspace` cannot be false"))
                }
            }
        }
        deserializer.deserialize_any(TextOrMarker)
    }
}

impl<'de> Deserialize<'de> for DependencyEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrTable;
        impl<'de> Visitor<'de> for TextOrTable {
            type Value = DependencyEntry;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a version or a table")
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Self::Value, E> {
                Ok(DependencyEntry::Requirement(value.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                DependencyTable::deserialize(MapAccessDeserializer::new(map))
                    .map(|table| DependencyEntry::Table(Box::new(table)))
            }
        }
        deserializer.deserialize_any(TextOrTable)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    fn parse(text: &str) -> Result<ManifestFile, Problem> {
        let tree = Tree::new([("Cargo.toml", text)]);
        ManifestFile::read(&tree.path("Cargo.toml"))
    }

    #[test]
    fn a_syntax_error_has_its_place() {
        let problem = parse("[package]\nname = \"ä\" oops\n").expect_err("it is not TOML");
        assert_eq!(problem.kind, ProblemKind::ManifestInvalid);
        assert_eq!((problem.line, problem.column), (Some(2), Some(12)));
        assert!(!problem.message.contains('\n'), "{}", problem.message);
    }

    #[test]
    fn a_wrong_type_inside_a_dependency_has_its_place() {
        let problem = parse("[package]\nname = \"a\"\n[dependencies]\nb = { path = 3 }\n")
            .expect_err("a path is a string");
        assert_eq!((problem.line, problem.column), (Some(4), Some(14)));
    }

    #[test]
    fn old_spellings_are_understood() {
        let file = parse(
            "[project]\nname = \"a\"\n[lib]\nproc_macro = true\ncrate_type = [\"rlib\"]\n\
             [dev_dependencies]\nb = \"1\"\nc = { version = \"1\", default_features = false }\n",
        )
        .expect("all of it was valid once");
        assert_eq!(file.table.package.map(|p| p.name), Some("a".into()));
        assert!(file.table.lib.is_some_and(|lib| lib.proc_macro));
        assert_eq!(file.table.dev_dependencies.len(), 2);
    }

    #[test]
    fn unknown_fields_and_odd_metadata_are_let_through() {
        let file = parse(
            "cargo-features = []\n[package]\nname = \"a\"\nmetadata = 3\nrust-version = false\n",
        );
        assert!(file.is_ok(), "{file:?}");
    }
}
