//! `[[effect]]`, `[[source]]`, `stable`, `[[step]]` and `[[guard]]`: what the workspace says of
//! calls, as a file of the catalogue and as patterns of its own functions.

use std::collections::BTreeSet;
use std::ops::Range;

use retrysafe_rules::catalog::{
    Argument, CallKind, CallMatch, CatalogFile, EffectEntry, GuardEntry, Regime, SourceEntry,
    StableEntry, Status, WORKSPACE, WrapperEntry,
};
use retrysafe_rules::vocabulary::{Action, EffectKind};
use serde::Deserialize;
use toml::Spanned;

use super::pattern::FunctionPattern;
use super::place::{ConfigPlace, Errors};

/// An entry about calls.
#[derive(Debug, Clone)]
pub struct CallEntry {
    /// What it says of them.
    pub meaning: Meaning,
    /// Its position among the entries of its section, here and in the file of the catalogue.
    pub position: usize,
    /// The functions of the workspace that it may mean; methods by their type or trait.
    pub functions: Vec<FunctionPattern>,
    /// How many arguments such a function takes, when that matters.
    pub arguments: Option<usize>,
    /// Where the entry begins: its header, the table, or the text in a list.
    pub place: ConfigPlace,
}

/// What an entry says of the calls that it means.
#[derive(Debug, Clone)]
pub enum Meaning {
    /// They have an effect, or only look like it.
    Effect(Box<EffectEntry>),
    /// Their result differs between attempts.
    Source,
    /// Their result is the same on every attempt.
    Stable,
    /// They run their argument at most once per recorded step.
    Step,
    /// Their outcome guards what follows.
    Guard,
}

/// The entries about calls, as written.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct RawCalls {
    effect: Vec<Spanned<EffectEntry>>,
    source: Vec<Spanned<SourceEntry>>,
    stable: Vec<Spanned<String>>,
    step: Vec<Spanned<RawStep>>,
    guard: Vec<Spanned<GuardEntry>>,
}

/// A `[[step]]` entry as written.
#[derive(Deserialize)]
struct RawStep {
    call: CallMatch,
    #[serde(default)]
    argument: Argument,
    note: Option<String>,
}

/// Makes a file of the catalogue of the entries, when there are any.
pub(super) fn read_calls(
    raw: RawCalls,
    errors: &mut Errors<'_>,
) -> (Vec<CallEntry>, Option<CatalogFile>) {
    let mut found = Found {
        entries: Vec::new(),
        errors,
    };
    let mut file = empty_file();
    let mut ids = BTreeSet::new();
    for (position, mut entry) in raw.effect.into_iter().enumerate() {
        let span = entry.span();
        let effect = entry.get_mut();
        found.name(&mut effect.id, "effect", &span, &mut ids);
        if let CallKind::Effect(kind) = effect.kind
            && effect.classify.is_none()
        {
            effect.action.get_or_insert(usual_action(kind));
        }
        let call = effect.call.clone();
        found.add(
            Meaning::Effect(Box::new(effect.clone())),
            position,
            &call,
            &span,
        );
        file.effect.push(entry);
    }
    for (position, mut entry) in raw.source.into_iter().enumerate() {
        let span = entry.span();
        let source = entry.get_mut();
        found.name(&mut source.id, "source", &span, &mut ids);
        found.add(Meaning::Source, position, &source.call, &span);
        file.source.push(entry);
    }
    for (position, path) in raw.stable.into_iter().enumerate() {
        let span = path.span();
        let call = CallMatch {
            paths: vec![path.into_inner()],
            ..CallMatch::default()
        };
        found.add(Meaning::Stable, position, &call, &span);
        let entry = StableEntry {
            paths: call.paths,
            receivers: Vec::new(),
            methods: Vec::new(),
        };
        file.stable.push(Spanned::new(span, entry));
    }
    for (position, step) in raw.step.into_iter().enumerate() {
        let span = step.span();
        let step = step.into_inner();
        found.add(Meaning::Step, position, &step.call, &span);
        let entry = WrapperEntry {
            tracked: false,
            regime: Regime::Step,
            call: step.call,
            argument: step.argument,
            note: step.note,
        };
        file.wrapper.push(Spanned::new(span, entry));
    }
    for (position, entry) in raw.guard.into_iter().enumerate() {
        found.add(
            Meaning::Guard,
            position,
            &entry.get_ref().call,
            &entry.span(),
        );
        file.guard.push(entry);
    }
    let entries = found.entries;
    let file = (!entries.is_empty()).then_some(file);
    (entries, file)
}

/// The entries found so far.
struct Found<'e, 't> {
    entries: Vec<CallEntry>,
    errors: &'e mut Errors<'t>,
}

impl Found<'_, '_> {
    /// Gives an entry without id one after its line.
    fn name(
        &mut self,
        id: &mut String,
        section: &str,
        span: &Range<usize>,
        ids: &mut BTreeSet<String>,
    ) {
        if id.is_empty() {
            let line = self.errors.lines.place(span.clone()).line;
            *id = format!("{section}-at-line-{line}");
        }
        if !ids.insert(id.clone()) {
            let message = format!("the id `{id}` is taken; choose another or leave it out");
            self.errors.push(span.clone(), message);
        }
    }

    fn add(&mut self, meaning: Meaning, position: usize, call: &CallMatch, span: &Range<usize>) {
        self.entries.push(CallEntry {
            meaning,
            position,
            functions: functions_of(call),
            arguments: call.arguments,
            place: self.errors.lines.place(span.clone()),
        });
    }
}

fn empty_file() -> CatalogFile {
    CatalogFile {
        final_errors: Vec::new(),
        krate: WORKSPACE.to_owned(),
        lib: Vec::new(),
        status: Status::Draft,
        read: Vec::new(),
        about: "What the workspace says of its own calls.".to_owned(),
        effect: Vec::new(),
        returns: Vec::new(),
        source: Vec::new(),
        stable: Vec::new(),
        transaction: Vec::new(),
        wrapper: Vec::new(),
        guard: Vec::new(),
        job: Vec::new(),
        prelude: Vec::new(),
        alias: Vec::new(),
        exclude: Vec::new(),
        url: Vec::new(),
        request_key: Vec::new(),
        definition: Vec::new(),
        migrations: Vec::new(),
        sql_function: Vec::new(),
        transparent: Vec::new(),
        extractors: Vec::new(),
        hands_on: Vec::new(),
        sent_once: Vec::new(),
        scratch: Vec::new(),
    }
}

/// What an effect of a kind does when nothing else is said.
fn usual_action(kind: EffectKind) -> Action {
    use EffectKind as K;
    match kind {
        K::Email | K::Sms | K::Push | K::Chat | K::Webhook | K::Publish => Action::Send,
        K::Enqueue => Action::Create,
        _ => Action::Call,
    }
}

/// The functions of the workspace that a call may be: named by their path, or as methods of a
/// type or trait.
fn functions_of(call: &CallMatch) -> Vec<FunctionPattern> {
    let with_methods = |owners: &[String], prefix: &str| -> Vec<String> {
        let of = |owner: &String| {
            let methods = call.methods.iter();
            let paths = methods.map(|method| format!("{prefix}{owner}::{method}"));
            paths.collect::<Vec<String>>()
        };
        owners.iter().flat_map(of).collect()
    };
    let mut texts = call.paths.clone();
    texts.extend(call.suffixes.iter().map(|suffix| format!("**::{suffix}")));
    texts.extend(with_methods(&call.receivers, ""));
    texts.extend(with_methods(&call.receiver_suffixes, "**::"));
    texts.extend(with_methods(&call.traits, ""));
    let patterns = texts
        .iter()
        .filter_map(|text| FunctionPattern::new(text).ok());
    patterns.collect()
}
