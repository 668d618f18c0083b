//! What the layout promises: who may name what, and that imports point one way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::Visit;
use syn::{Item, UseTree, Visibility};

/// The sources of the analyser, by path from `src/`.
fn sources() -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = BTreeMap::new();
    for entry in walkdir::WalkDir::new(&root).sort_by_file_name() {
        let entry = entry.expect("the sources are readable");
        if entry.path().extension().is_some_and(|ext| ext == "rs") {
            #[expect(clippy::disallowed_methods, reason = "the test reads the sources")]
            let text = std::fs::read_to_string(entry.path()).expect("the sources are readable");
            let path = entry.path().strip_prefix(&root).expect("it lies there");
            sources.insert(path.to_owned(), text);
        }
    }
    assert!(sources.len() > 50, "the sources were found");
    sources
}

/// The lines of code, without comments, that hold one of the words outside the given folders.
fn offenders(words: &[&str], allowed: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in sources() {
        if allowed.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        for (index, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if words.iter().any(|word| code.contains(word)) {
                found.push(format!("{}:{}: {line}", path.display(), index + 1));
            }
        }
    }
    found
}

#[test]
fn only_lower_names_syn() {
    // `ir` and the rest know nothing of the parser's types.
    assert_eq!(offenders(&["syn::", "use syn"], &["lower"]), [""; 0]);
}

#[test]
fn only_sql_names_the_sql_parser() {
    assert_eq!(offenders(&["sqlparser"], &["sql"]), [""; 0]);
}

#[test]
fn only_project_opens_files() {
    let words = ["std::fs", "fs::", "File::open"];
    assert_eq!(offenders(&words, &["project"]), [""; 0]);
}

#[test]
fn only_report_and_cli_print() {
    let words = ["println!", "print!", "eprintln!", "stdout()", "stderr()"];
    assert_eq!(offenders(&words, &["report", "cli"]), [""; 0]);
}

#[test]
fn no_process_is_started() {
    assert_eq!(
        offenders(&["process::Command", "Command::new"], &[]),
        [""; 0]
    );
}

/// Hash maps iterate in any order; what iterates one must sort before anything is reported. The
/// reports and the map itself therefore hold none.
#[test]
fn reports_hold_no_hash_map() {
    let found = offenders(
        &["HashMap", "HashSet"],
        &[
            "analysis",
            "cli",
            "config",
            "jobs/find",
            "jobs/draw.rs",
            "lower",
            "project",
            "resolve",
            "sql",
            "timeline",
        ],
    );
    assert_eq!(found, [""; 0]);
}

#[test]
fn imports_point_one_way() {
    let graph = Modules::read().imports();
    let cycles = cycles(&graph);
    assert!(
        cycles.is_empty(),
        "files that import each other: {cycles:#?}"
    );
}

#[test]
fn folders_import_downwards() {
    // From the bottom to the top: a folder may import what stands before it.
    let order = [
        "ir", "lower", "project", "sql", "resolve", "timeline", "config", "jobs", "analysis",
        "checks", "accept", "report", "cli",
    ];
    let rank = |file: &Path| {
        let folder = file.components().next().expect("a path has parts");
        order.iter().position(|name| folder.as_os_str() == *name)
    };
    for (file, targets) in Modules::read().imports() {
        for target in targets {
            if let (Some(from), Some(to)) = (rank(&file), rank(&target)) {
                assert!(
                    from >= to,
                    "{} imports {}",
                    file.display(),
                    target.display()
                );
            }
        }
    }
}

/// The module tree of `src/`.
struct Modules {
    files: BTreeMap<Vec<String>, (PathBuf, syn::File)>,
}

impl Modules {
    fn read() -> Modules {
        let files = sources()
            .into_iter()
            .filter(|(path, _)| path != Path::new("main.rs"))
            .map(|(path, text)| {
                let mut module: Vec<String> = path
                    .with_extension("")
                    .components()
                    .map(|part| part.as_os_str().to_string_lossy().into_owned())
                    .collect();
                if module
                    .last()
                    .is_some_and(|last| last == "mod" || last == "lib")
                {
                    module.pop();
                }
                let file = syn::parse_file(&text).expect("our own code parses");
                (module, (path, file))
            })
            .collect();
        Modules { files }
    }

    /// Which files each file imports from.
    fn imports(&self) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
        let mut graph = BTreeMap::new();
        for (module, (path, file)) in &self.files {
            let targets: &mut BTreeSet<PathBuf> = graph.entry(path.clone()).or_default();
            for used in uses(&file.items) {
                // A module that hands on its children's items does not need them.
                if used.handed_on {
                    continue;
                }
                if let Some(target) = self.resolve(module, &used.path, 0) {
                    targets.insert(target);
                }
            }
            let mut written = Written::default();
            written.visit_file(file);
            for path in &written.paths {
                targets.extend(self.resolve(module, path, 0));
            }
            targets.remove(path);
        }
        graph
    }

    /// The file that defines what a path names.
    fn resolve(&self, module: &[String], path: &[String], depth: u32) -> Option<PathBuf> {
        let mut at = module.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => {
                at.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|first| first == "super") {
                    at.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                let mut child = at.clone();
                child.push(first.to_owned());
                self.files.get(&child)?;
            }
        }
        while let Some(first) = rest.first() {
            let mut child = at.clone();
            child.push(first.clone());
            if !self.files.contains_key(&child) {
                break;
            }
            at = child;
            rest = &rest[1..];
        }
        let (file, parsed) = self.files.get(&at)?;
        let handed = rest.first().filter(|_| depth < 8).and_then(|name| {
            uses(&parsed.items)
                .into_iter()
                .find(|used| used.handed_on && used.path.last() == Some(name))
        });
        handed
            .and_then(|used| self.resolve(&at, &used.path, depth + 1))
            .or_else(|| Some(file.clone()))
    }
}

/// The paths into this crate that code writes out: `super::key::key_of(…)`.
#[derive(Default)]
struct Written {
    paths: Vec<Vec<String>>,
}

impl<'ast> Visit<'ast> for Written {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        // Inline modules are the tests, which stand one level deeper.
        if module.content.is_none() {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        if names.len() > 1 && matches!(names[0].as_str(), "crate" | "super" | "self") {
            self.paths.push(names);
        }
        syn::visit::visit_path(self, path);
    }
}

struct Used {
    path: Vec<String>,
    handed_on: bool,
}

fn uses(items: &[Item]) -> Vec<Used> {
    let mut found = Vec::new();
    for item in items {
        if let Item::Use(item) = item {
            let handed_on = !matches!(item.vis, Visibility::Inherited);
            flatten(&item.tree, &mut Vec::new(), &mut |path| {
                found.push(Used { path, handed_on });
            });
        }
    }
    found
}

fn flatten(tree: &UseTree, prefix: &mut Vec<String>, found: &mut dyn FnMut(Vec<String>)) {
    let mut leaf = |ident: &proc_macro2::Ident| {
        let mut path = prefix.clone();
        if ident != "self" {
            path.push(ident.to_string());
        }
        found(path);
    };
    match tree {
        UseTree::Name(name) => leaf(&name.ident),
        UseTree::Rename(rename) => leaf(&rename.ident),
        UseTree::Glob(_) => found(prefix.clone()),
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            flatten(&path.tree, prefix, found);
            prefix.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, prefix, found);
            }
        }
    }
}

/// The groups of files that reach each other.
fn cycles(graph: &BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> Vec<BTreeSet<&PathBuf>> {
    let reach = |from: &PathBuf| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&PathBuf> = graph.get(from).into_iter().flatten().collect();
        while let Some(file) = open.pop() {
            if seen.insert(file) {
                open.extend(graph.get(file).into_iter().flatten());
            }
        }
        seen
    };
    let reached: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> =
        graph.keys().map(|file| (file, reach(file))).collect();
    let mut groups: Vec<BTreeSet<&PathBuf>> = Vec::new();
    for (file, others) in &reached {
        if others.contains(file) && !groups.iter().any(|group| group.contains(file)) {
            let group = others.iter().filter(|other| reached[*other].contains(file));
            groups.push(group.copied().collect());
        }
    }
    groups
}
