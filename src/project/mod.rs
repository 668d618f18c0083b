//! The project on disk: the only reader of files.
//!
//! From a manifest or plain paths to packages, targets, versions, source files and migrations,
//! read as files: no process is started and nothing of the project is executed, so that code which
//! nobody has reviewed can be analysed. What stands in a source file is not looked at.
//!
//! [`load`] never gives up on the whole for a part: what cannot be read becomes a [`Problem`]
//! beside the rest.

mod assembly;
mod config_file;
mod declared;
mod disk;
mod loading;
mod lock;
mod loose;
mod manifest;
mod manifests;
mod members;
mod migrations;
mod modules;
mod nested;
mod package;
mod paths;
mod problem;
mod request;
mod selection;
mod source;
mod targets;
mod walk;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tree;

pub use config_file::ConfigFile;
pub use loading::{load, locate_root};
pub use migrations::list_migrations;
pub use modules::{LocatedModule, ModuleSite, locate_module};
pub use package::{Dependency, DependencyKind, Origin, Package, Project, Target, TargetKind};
pub use problem::{Problem, ProblemKind, Severity};
pub use request::Request;
pub use source::{create_file, read_config, read_source, read_text, write_output};
