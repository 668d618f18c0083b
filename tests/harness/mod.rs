//! What every test of fixtures needs: a package analysed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cargo_retrysafe::analysis::{analyse, knowledge};
use cargo_retrysafe::config;
use cargo_retrysafe::project::{Request, load};
use cargo_retrysafe::report::Report;

/// Analyses a package and renders it into names and places.
pub(crate) fn report_on(path: &Path) -> Report {
    let request = Request {
        paths: vec![path.to_owned()],
        current_dir: path.to_owned(),
        ..Request::default()
    };
    let project = load(&request).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
    let config = match &project.config {
        Some(file) => config::read(&file.text).expect("the fixture's configuration is right"),
        None => config::Config::default(),
    };
    let known = knowledge(&config).expect("the catalogue is valid");
    let analysis = analyse(&project, &known, &config);
    Report::new(&analysis, &project.root, &|_| true, Duration::ZERO)
}

/// The folder of fixtures.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}
