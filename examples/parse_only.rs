//! Reads every Rust file that a folder's targets reach and parses it, nothing else: what the
//! instructions of a whole run are compared with (`tests/instructions/compare`).

use std::path::PathBuf;

use cargo_retrysafe::project::{Request, load};
use cargo_retrysafe::resolve::Known;

fn main() {
    let path = PathBuf::from(std::env::args_os().nth(1).expect("name a folder"));
    let request = Request {
        paths: vec![path.clone()],
        current_dir: path,
        ..Request::default()
    };
    let project = load(&request).expect("the project can be loaded");
    if std::env::args().nth(2).is_some() {
        // Which files those are is asked of the analyser, in a run of its own.
        let loaded = cargo_retrysafe::analysis::load_program(&project, &Known::default());
        for file in loaded.files {
            println!("{}", file.path.display());
        }
        return;
    }
    let mut parsed = 0usize;
    for line in std::io::stdin().lines() {
        let file = line.expect("the list can be read");
        #[expect(clippy::disallowed_methods, reason = "this is no part of the analyser")]
        let text = std::fs::read_to_string(file).expect("the file can be read");
        if let Ok(file) = syn::parse_file(&text) {
            parsed += file.items.len();
        }
        proc_macro2::extra::invalidate_current_thread_spans();
    }
    println!("{parsed} items");
}
