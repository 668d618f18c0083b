//! The text of the tool's configuration, wherever it stands.
//!
//! What it means is `config`'s business, also where it is a table inside a manifest: the whole
//! text is handed over together with the path of the table, so that every place holds.

use std::path::{Path, PathBuf};

use super::disk;
use super::manifest::ManifestFile;
use super::problem::{Problem, ProblemKind};

/// The text of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    /// The file it stands in, absolute: `retrysafe.toml` or a manifest.
    pub path: PathBuf,
    /// The whole text of the file.
    pub text: String,
    /// The table of the file that is the configuration; the file itself when empty.
    pub table: &'static [&'static str],
}

/// Where a manifest holds the configuration of a workspace.
const OF_WORKSPACE: &[&str] = &["workspace", "metadata", "retrysafe"];

/// Where it holds that of a package.
const OF_PACKAGE: &[&str] = &["package", "metadata", "retrysafe"];

/// The configuration of the whole project: the file at its root before the root manifest, and in
/// this the workspace before the package.
pub(super) fn of_root(
    root: &Path,
    manifest: Option<&ManifestFile>,
    problems: &mut Vec<Problem>,
) -> Option<ConfigFile> {
    let mut found: Vec<ConfigFile> = Vec::new();
    let path = root.join("retrysafe.toml");
    if path.exists() {
        match disk::read(&path, disk::LARGEST) {
            Ok(text) => found.push(ConfigFile {
                path,
                text,
                table: &[],
            }),
            Err(problem) => {
                problems.push(problem);
                return None;
            }
        }
    }
    if let Some(file) = manifest {
        let workspace = file.table.workspace.as_ref();
        let of_workspace = workspace.and_then(|section| section.metadata.as_ref());
        let of_workspace =
            of_workspace.and_then(|metadata| in_manifest(file, OF_WORKSPACE, metadata, problems));
        found.extend(of_workspace.map(|(_, config)| config));
        // Reading the package tells what is wrong with its table.
        let of_package = of_package(file, &mut Vec::new());
        found.extend(of_package.map(|(_, config)| config));
    }
    let mut found = found.into_iter();
    let config = found.next()?;
    for shadowed in found {
        let goes_first = match config.table {
            [] => "`retrysafe.toml` exists".to_owned(),
            table => format!("`[{}]` exists", table.join(".")),
        };
        problems.push(Problem::note(
            ProblemKind::ConfigShadowed,
            &shadowed.path,
            format!(
                "`[{}]` has no effect because {goes_first}",
                shadowed.table.join(".")
            ),
            "keep one of the two",
        ));
    }
    Some(config)
}

/// The note about the configuration of a package that is not the root of the project.
pub(super) fn in_member(config: &ConfigFile) -> Problem {
    Problem::note(
        ProblemKind::ConfigShadowed,
        &config.path,
        format!(
            "`[{}]` has no effect in a member of a workspace",
            config.table.join(".")
        ),
        "move it to `retrysafe.toml` at the workspace root",
    )
}

/// `[package.metadata.retrysafe]` as table and as text.
pub(super) fn of_package(
    file: &ManifestFile,
    problems: &mut Vec<Problem>,
) -> Option<(toml::Table, ConfigFile)> {
    let metadata = file.table.package.as_ref()?.metadata.as_ref()?;
    in_manifest(file, OF_PACKAGE, metadata, problems)
}

fn in_manifest(
    file: &ManifestFile,
    table: &'static [&'static str],
    metadata: &toml::Value,
    problems: &mut Vec<Problem>,
) -> Option<(toml::Table, ConfigFile)> {
    let value = metadata.get("retrysafe")?;
    let Some(read) = value.as_table() else {
        problems.push(Problem::unreadable(
            ProblemKind::ManifestInvalid,
            &file.path,
            format!("`{}` is not a table", table.join(".")),
            "write the configuration as a table",
        ));
        return None;
    };
    let config = ConfigFile {
        path: file.path.clone(),
        text: file.text.clone(),
        table,
    };
    Some((read.clone(), config))
}

#[cfg(test)]
mod tests {
    use super::super::tree::Tree;
    use super::*;

    const ROOT: &str = "[workspace.metadata.retrysafe]\nmin_confidence = \"low\"\n";
    const PACKAGE: &str = "[package]\nname = \"a\"\n[package.metadata.retrysafe]\nexclude = []\n";

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
        assert_eq!((config.text.as_str(), config.table.len()), ("a = 1\n", 0));
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn metadata_is_handed_over_with_the_manifest_around_it() {
        let (config, problems) = read(&[("Cargo.toml", ROOT)]);
        let config = config.expect("the metadata is there");
        assert_eq!((config.text.as_str(), config.table), (ROOT, OF_WORKSPACE));
        assert!(problems.is_empty(), "{problems:?}");
        let (config, _) = read(&[("Cargo.toml", PACKAGE)]);
        assert_eq!(config.map(|config| config.table), Some(OF_PACKAGE));
    }

    #[test]
    fn the_file_goes_before_the_metadata_and_that_is_noted() {
        let (config, problems) = read(&[("Cargo.toml", ROOT), ("retrysafe.toml", "a = 1\n")]);
        assert_eq!(config.map(|c| c.text), Some("a = 1\n".to_owned()));
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].kind, ProblemKind::ConfigShadowed);
    }

    #[test]
    fn the_workspace_goes_before_the_package_and_that_is_noted() {
        let (config, problems) = read(&[("Cargo.toml", &format!("{PACKAGE}{ROOT}"))]);
        assert_eq!(config.map(|config| config.table), Some(OF_WORKSPACE));
        assert_eq!(
            problems[0].message,
            "`[package.metadata.retrysafe]` has no effect because `[workspace.metadata.retrysafe]` exists"
        );
    }

    #[test]
    fn metadata_that_is_no_table_is_a_problem() {
        let (config, problems) =
            read(&[("Cargo.toml", "[workspace.metadata]\nretrysafe = \"low\"\n")]);
        assert_eq!(config, None);
        assert_eq!(problems[0].kind, ProblemKind::ManifestInvalid);
    }
}
