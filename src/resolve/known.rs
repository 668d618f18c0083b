//! The catalogue, indexed for the questions of resolution.

use retrysafe_rules::catalog::{
    self, CallMatch, CatalogFile, EffectEntry, GuardClass, GuardEntry, JobEntry, SourceEntry,
    SourceKind, TransactionEntry, WrapperEntry,
};
use rustc_hash::{FxHashMap, FxHashSet};
use semver::{Version, VersionReq};

use crate::ir::Name;

use super::Ty;
use super::matching::{
    CallShape, glob_path, in_version, matches, parse_type, roots_of, shape_name,
};

/// A catalogued effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EffectId(pub u32);

/// A catalogued job shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u32);

/// Entries of one kind, found by the last name of what they match.
#[derive(Debug, Default)]
struct Index {
    by_name: FxHashMap<Name, Vec<u32>>,
    wild: Vec<u32>,
}

impl Index {
    fn add(&mut self, id: u32, call: &CallMatch) {
        let mut names: FxHashSet<&str> = FxHashSet::default();
        for path in call.macros.iter().chain(&call.paths).chain(&call.suffixes) {
            names.insert(path.rsplit("::").next().unwrap_or(path));
        }
        names.extend(
            call.methods
                .iter()
                .chain(&call.unique_methods)
                .map(String::as_str),
        );
        let mut wild = false;
        for name in names {
            if name.contains('*') {
                wild = true;
            } else {
                self.by_name.entry(Name::from(name)).or_default().push(id);
            }
        }
        if wild {
            self.wild.push(id);
        }
    }

    fn candidates(&self, name: Name) -> impl Iterator<Item = u32> + '_ {
        self.by_name
            .get(&name)
            .into_iter()
            .flatten()
            .chain(&self.wild)
            .copied()
    }
}

/// An entry with the crate it belongs to.
#[derive(Debug)]
pub struct Of<T> {
    /// The package on the registry, `std` or `*`.
    pub krate: Name,
    /// The entry.
    pub entry: T,
}

/// The catalogue.
#[derive(Debug, Default)]
pub struct Known {
    /// Effects.
    pub effects: Vec<Of<EffectEntry>>,
    /// Sources of unstable values.
    pub sources: Vec<Of<SourceEntry>>,
    /// Calls that run an argument under another regime.
    pub wrappers: Vec<Of<WrapperEntry>>,
    /// Guards.
    pub guards: Vec<Of<GuardEntry>>,
    /// Transactions.
    pub transactions: Vec<Of<TransactionEntry>>,
    /// Job shapes.
    pub jobs: Vec<Of<JobEntry>>,
    /// Classes of URLs.
    pub urls: Vec<catalog::UrlEntry>,
    /// Where an HTTP request may carry a key.
    pub request_keys: Vec<catalog::KeySlot>,
    /// Headers of senders of webhooks that deliver once.
    pub sent_once: Vec<String>,
    /// The last names of macros that name a folder of migrations.
    pub migration_macros: FxHashSet<Name>,
    /// Chains of calls that define tables.
    pub definitions: Vec<catalog::DefinitionEntry>,
    /// Functions inside databases.
    pub(super) sql_functions: Vec<catalog::SqlFunctionEntry>,
    effect_index: Index,
    source_index: Index,
    wrapper_index: Index,
    job_index: Index,
    feed_index: Index,
    source_values: FxHashMap<Name, u32>,
    pub(super) aliases: FxHashMap<String, String>,
    pub(super) preludes: FxHashMap<Name, FxHashMap<Name, Name>>,
    pub(super) named: FxHashMap<(Name, Name), Name>,
    pub(super) libraries: FxHashMap<Name, Name>,
    transparent: FxHashSet<Name>,
    /// The names of the traits by which web frameworks make the arguments of handlers.
    extractors: FxHashSet<Name>,
    hands_on: FxHashSet<Name>,
    scratch: Vec<String>,
    /// Names that in-house code gives to a count of attempts.
    attempt_names: FxHashSet<String>,
    /// The last segments of what says that another attempt is of no use.
    final_errors: FxHashSet<String>,
    returns_by_path: FxHashMap<Name, Ty>,
    returns_by_method: FxHashMap<Name, Vec<(String, Ty)>>,
    returns_any_method: Vec<(String, Ty)>,
    /// What methods of traits give when they are asked for a type.
    returns_asked: FxHashMap<Name, Ty>,
    terminals: FxHashMap<Name, FxHashSet<Name>>,
    receivers: FxHashSet<Name>,
    roots: FxHashSet<Name>,
    /// The crates that have a file, by the name of their library.
    crates: FxHashSet<Name>,
    excluded_prefixes: Vec<String>,
    /// Names by which a body may register a job or take a message.
    pub job_words: FxHashSet<Name>,
}

impl Known {
    /// Indexes catalogue files.
    pub fn new(files: Vec<CatalogFile>) -> Known {
        let mut known = Known::default();
        for file in &files {
            let package = Name::from(&file.krate);
            if file.krate != catalog::WORKSPACE {
                let library = file.krate.replace('-', "_");
                known.crates.insert(Name::from(&library));
            }
            known
                .crates
                .extend(file.lib.iter().map(|lib| Name::from(lib)));
            if let Some(lib) = file.lib.first() {
                known.libraries.insert(package, Name::from(lib));
            }
            for alias in &file.alias {
                let alias = alias.get_ref();
                known.aliases.insert(alias.from.clone(), alias.to.clone());
            }
            known
                .transparent
                .extend(file.transparent.iter().map(|path| Name::from(path)));
            let extractors = file.extractors.iter();
            known.extractors.extend(
                extractors.map(|path| Name::from(path.rsplit("::").next().unwrap_or(path))),
            );
            known
                .hands_on
                .extend(file.hands_on.iter().map(|path| Name::from(path)));
            known.scratch.extend(file.scratch.iter().cloned());
            known.final_errors.extend(file.final_errors.iter().cloned());
            let permanent = file.job.iter().flat_map(|job| &job.get_ref().permanent);
            known
                .final_errors
                .extend(permanent.map(|path| last_two(path).to_owned()));
        }
        for file in files {
            // What a workspace says of some calls of a crate says nothing of its others.
            let roots = (file.krate == catalog::WORKSPACE).then(|| known.roots.clone());
            known.add_file(file);
            known.roots = roots.unwrap_or(known.roots);
        }
        known
    }

    fn add_file(&mut self, file: CatalogFile) {
        let krate = Name::from(&file.krate);
        let macros = file.migrations.iter();
        self.migration_macros
            .extend(macros.map(|path| Name::from(path.rsplit("::").next().unwrap_or(path))));
        let definitions = file.definition.into_iter();
        self.definitions
            .extend(definitions.map(toml::Spanned::into_inner));
        for spanned in file.effect {
            let entry = spanned.into_inner();
            self.effect_index
                .add(self.effects.len() as u32, &entry.call);
            for name in &entry.terminals {
                let roots = self.terminals.entry(Name::from(name)).or_default();
                roots.extend(roots_of(&entry.call));
                roots.extend(file.lib.iter().map(|lib| Name::from(lib)));
                roots.insert(Name::from(&file.krate.replace('-', "_")));
            }
            self.name_paths(&entry.call);
            self.effects.push(Of { krate, entry });
        }
        for spanned in file.source {
            let entry = spanned.into_inner();
            let id = self.sources.len() as u32;
            self.source_index.add(id, &entry.call);
            if entry.kind == SourceKind::Attempt {
                self.attempt_names.extend(entry.names.iter().cloned());
            }
            self.source_values
                .extend(entry.values.iter().map(|path| (Name::from(path), id)));
            self.name_paths(&entry.call);
            self.add_named(&entry.values);
            self.sources.push(Of { krate, entry });
        }
        for spanned in file.wrapper {
            let entry = spanned.into_inner();
            self.wrapper_index
                .add(self.wrappers.len() as u32, &entry.call);
            self.name_paths(&entry.call);
            self.wrappers.push(Of { krate, entry });
        }
        for spanned in file.guard {
            let entry = spanned.into_inner();
            self.name_paths(&entry.call);
            self.guards.push(Of { krate, entry });
        }
        for spanned in file.transaction {
            let entry = spanned.into_inner();
            self.add_named(&entry.receivers);
            self.add_named(&entry.types);
            self.transactions.push(Of { krate, entry });
        }
        for spanned in file.job {
            let entry = spanned.into_inner();
            self.job_index.add(self.jobs.len() as u32, &entry.call);
            self.feed_index.add(self.jobs.len() as u32, &entry.fed_by);
            self.name_paths(&entry.fed_by);
            for path in entry.call.paths.iter().chain(&entry.call.suffixes) {
                self.job_words
                    .insert(Name::from(path.rsplit("::").next().unwrap_or(path)));
            }
            let methods = entry.call.methods.iter().chain(&entry.call.unique_methods);
            self.job_words.extend(methods.map(|name| Name::from(name)));
            self.name_paths(&entry.call);
            self.add_named(&entry.paths);
            self.add_named(&entry.first_param);
            self.jobs.push(Of { krate, entry });
        }
        for spanned in file.prelude {
            let entry = spanned.into_inner();
            let glob = Name::from(&entry.glob);
            let exports = self.preludes.entry(glob).or_default();
            for path in &entry.exports {
                let last = path.rsplit("::").next().unwrap_or(path);
                exports.insert(Name::from(last), Name::from(path));
            }
        }
        for spanned in file.returns {
            let entry = spanned.into_inner();
            self.add_named(&entry.receivers);
            let gives = parse_type(&entry.gives);
            self.receivers
                .extend(entry.receivers.iter().map(|path| Name::from(path)));
            for path in &entry.paths {
                self.returns_by_path.insert(Name::from(path), gives.clone());
                self.add_named(std::slice::from_ref(path));
            }
            if !entry.traits.is_empty() {
                let methods = entry.methods.iter();
                self.returns_asked
                    .extend(methods.map(|method| (Name::from(method), gives.clone())));
            }
            for receiver in &entry.receivers {
                for method in &entry.methods {
                    let pair = (receiver.clone(), gives.clone());
                    if method == "*" {
                        self.returns_any_method.push(pair);
                    } else {
                        self.returns_by_method
                            .entry(Name::from(method))
                            .or_default()
                            .push(pair);
                    }
                }
            }
        }
        for spanned in file.exclude {
            self.excluded_prefixes.extend(spanned.into_inner().prefixes);
        }
        self.urls
            .extend(file.url.into_iter().map(toml::Spanned::into_inner));
        self.sent_once.extend(file.sent_once);
        self.request_keys
            .extend(file.request_key.into_iter().map(toml::Spanned::into_inner));
        let functions = file.sql_function.into_iter();
        self.sql_functions
            .extend(functions.map(toml::Spanned::into_inner));
    }

    fn name_paths(&mut self, call: &CallMatch) {
        self.roots.extend(roots_of(call));
        self.add_named(&call.paths);
        self.add_named(&call.macros);
        self.add_named(&call.receivers);
        self.add_named(&call.traits);
    }

    /// Whether a type lends the methods of its argument.
    pub fn is_transparent(&self, path: Name) -> bool {
        self.transparent.contains(&path)
    }

    /// Whether a web framework makes the arguments of handlers by a trait of this name.
    pub fn is_extractor(&self, name: Name) -> bool {
        self.extractors.contains(&name)
    }

    /// Whether a function gives back its first argument as a value.
    pub fn hands_on(&self, path: Name) -> bool {
        self.hands_on.contains(&path)
    }

    /// Whether only one of several callers gets a yes from a call, as from `SET NX`.
    pub fn is_claim(&self, shape: &CallShape<'_>) -> bool {
        let claims = self
            .guards
            .iter()
            .filter(|of| of.entry.class == GuardClass::Claim);
        claims
            .filter(|of| of.entry.call.unique_methods.is_empty())
            .any(|of| matches(&of.entry.call, shape).is_some())
    }

    /// Whether in-house code calls a count of attempts, or what changes with one, by this name.
    pub fn is_attempt_name(&self, name: &str) -> bool {
        self.attempt_names.contains(name)
    }

    /// Whether an error's constructor or variant, or a method that turns one into such, says that
    /// another attempt is of no use.
    pub fn is_final(&self, path: &str) -> bool {
        let last = path.rsplit("::").next().unwrap_or(path);
        self.final_errors.contains(last_two(path)) || self.final_errors.contains(last)
    }

    /// Whether a function makes something temporary, which nobody else sees.
    pub fn is_scratch(&self, path: &str) -> bool {
        self.scratch.iter().any(|prefix| lies_in(path, prefix))
    }

    /// What a function of another crate returns.
    pub fn returns(&self, path: Name) -> Option<&Ty> {
        self.returns_by_path.get(&path)
    }

    /// What a method of a type of another crate returns.
    pub fn method_returns(&self, receiver: Name, method: Name) -> Option<&Ty> {
        self.returns_by_method
            .get(&method)
            .into_iter()
            .flatten()
            .chain(&self.returns_any_method)
            .find(|(pattern, _)| glob_path(pattern, &receiver))
            .map(|(_, gives)| gives)
    }

    /// What a method gives that is asked for a type by turbofish, whatever it is called on.
    pub fn returns_asked(&self, method: Name) -> Option<&Ty> {
        self.returns_asked.get(&method)
    }

    /// Whether the catalogue knows methods of a type, or of what an attribute turns a function into.
    pub fn is_receiver(&self, path: Name) -> bool {
        self.receivers.contains(&path)
    }

    /// Whether a method makes some catalogued builder happen, judged by its name and the crate
    /// of its receiver's type, where that is known.
    pub fn is_terminal(&self, method: Name, receiver: Option<Name>) -> bool {
        let Some(roots) = self.terminals.get(&method) else {
            return false;
        };
        match receiver {
            Some(path) => {
                let root = Name::from(path.split("::").next().unwrap_or(&path));
                // What a macro made in a module of ours may belong to any crate.
                roots.contains(&root) || !self.roots.contains(&root)
            }
            None => true,
        }
    }

    /// Whether the catalogue speaks of the crate of a path, or says that what stands there is
    /// never an effect: silence about a call then means that it has none.
    pub fn speaks_of(&self, path: &str) -> bool {
        let root = path.split("::").next().unwrap_or(path);
        let root = Name::from(root);
        matches!(root.as_str(), "std" | "core" | "alloc")
            || self.crates.contains(&root)
            || self.roots.contains(&root)
            || self
                .excluded_prefixes
                .iter()
                .any(|prefix| lies_in(path, prefix))
    }

    /// The effects that a call may be, best evidence first.
    pub fn effects_of(
        &self,
        shape: &CallShape<'_>,
        versions: &FxHashMap<Name, Version>,
    ) -> Option<EffectId> {
        let name = shape_name(shape)?;
        let mut best: Option<(u8, u32)> = None;
        for id in self.effect_index.candidates(name) {
            let of = &self.effects[id as usize];
            if !in_version(of.krate, of.entry.versions.as_ref(), versions) {
                continue;
            }
            if let Some(rank) = matches(&of.entry.call, shape)
                && best.is_none_or(|(known, _)| rank < known)
            {
                best = Some((rank, id));
            }
        }
        best.map(|(_, id)| EffectId(id))
    }

    /// The wrapper that a call is.
    pub fn wrapper_of(&self, shape: &CallShape<'_>) -> Option<&WrapperEntry> {
        let name = shape_name(shape)?;
        self.wrapper_index
            .candidates(name)
            .map(|id| &self.wrappers[id as usize].entry)
            .find(|entry| matches(&entry.call, shape).is_some())
    }

    /// The source that a call is.
    pub fn source_of(&self, shape: &CallShape<'_>) -> Option<&SourceEntry> {
        let name = shape_name(shape)?;
        self.source_index
            .candidates(name)
            .map(|id| &self.sources[id as usize].entry)
            .find(|entry| matches(&entry.call, shape).is_some())
    }

    /// The source that a constant or unit struct is.
    pub fn source_value(&self, path: Name) -> Option<&SourceEntry> {
        self.source_values
            .get(&path)
            .map(|id| &self.sources[*id as usize].entry)
    }

    /// The job shapes whose call matches.
    pub fn jobs_of(
        &self,
        shape: &CallShape<'_>,
        versions: &FxHashMap<Name, Version>,
    ) -> Vec<JobId> {
        let Some(name) = shape_name(shape) else {
            return Vec::new();
        };
        let mut found: Vec<JobId> = self
            .job_index
            .candidates(name)
            .filter(|id| {
                let of = &self.jobs[*id as usize];
                in_version(of.krate, of.entry.versions.as_ref(), versions)
                    && matches(&of.entry.call, shape).is_some()
            })
            .map(JobId)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a call puts something into a channel of the process.
    pub fn feeds(&self, shape: &CallShape<'_>) -> bool {
        shape_name(shape).is_some_and(|name| {
            self.feed_index
                .candidates(name)
                .any(|id| matches(&self.jobs[id as usize].entry.fed_by, shape).is_some())
        })
    }

    /// Whether an entry is about the version that a package uses.
    pub fn fits_version(
        &self,
        krate: Name,
        wanted: Option<&VersionReq>,
        versions: &FxHashMap<Name, Version>,
    ) -> bool {
        in_version(krate, wanted, versions)
    }

    /// A job shape.
    pub fn job(&self, id: JobId) -> &Of<JobEntry> {
        &self.jobs[id.0 as usize]
    }

    /// An effect.
    pub fn effect(&self, id: EffectId) -> &Of<EffectEntry> {
        &self.effects[id.0 as usize]
    }
}

/// Whether a path is another one or begins with its segments.
fn lies_in(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The last two segments of a path.
fn last_two(path: &str) -> &str {
    match path.rmatch_indices("::").nth(1) {
        Some((at, _)) => &path[at + 2..],
        None => path,
    }
}
