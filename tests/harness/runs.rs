//! The binary, run as users run it.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Run {
    /// The output as JSON.
    pub(crate) fn json(&self) -> Result<Value, String> {
        serde_json::from_str(&self.out)
            .map_err(|error| format!("no JSON ({error}): {}{}", self.out, self.err))
    }
}

/// Runs the binary in a folder, on so many threads.
pub(crate) fn run(dir: &Path, args: &[&str], threads: u32) -> Run {
    #[expect(clippy::disallowed_methods, reason = "the tests run the binary")]
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-retrysafe"))
        .current_dir(dir)
        .args(args)
        .env("RAYON_NUM_THREADS", threads.to_string())
        .output()
        .expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    Run {
        code: output.status.code().expect("it ends by itself"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}
