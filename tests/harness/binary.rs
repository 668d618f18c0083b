//! The binary run in a folder, and folders made for it.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// What a run gave.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the binary in a folder.
pub(crate) fn retrysafe(dir: &Path, args: &[&str]) -> Run {
    retrysafe_with(dir, args, &[])
}

/// Runs the binary in a folder, with variables of the environment.
pub(crate) fn retrysafe_with(dir: &Path, args: &[&str], env: &[(&str, &str)]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-retrysafe"))
        .current_dir(dir)
        .args(args)
        .envs(env.iter().copied())
        .output()
        .expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    Run {
        code: output.status.code().expect("it ends by itself"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().expect("it lies in the folder")).expect("writable");
        std::fs::write(path, text).expect("writable");
    }
    dir
}
