//! One happening to the effects that it is.

pub(super) mod asked;
mod built;
mod classify;
mod document;
mod expressions;
mod operation;
mod protection;
mod request;
pub(super) mod state;
mod store;
mod target;
mod transaction;

use retrysafe_rules::catalog::{CallKind, EffectEntry, Part};
use retrysafe_rules::grammar::{Listed, Mark};
use retrysafe_rules::rule::Confidence;
use retrysafe_rules::vocabulary::{Action, EffectKind, Protection, Repeat, Section};

use crate::ir::{Gap, GapKind, Site};
use crate::resolve::FnId;
use crate::sql::Statement;
use crate::timeline::{Apply, Bound, Context, Happening, HappeningKind, Unfolding};

use super::database;
use super::entry::RunsHow;
use super::key::{Called, Key, key_of};
use super::origin::{Work, source_word};
use super::part::Operation;
use super::repeats::Repeats;
use super::schemas::{Schemas, Store};
use super::statement;
use super::stored::Stored;
use super::text::fixed;
use super::texts::Texts;
use super::write::Binds;

/// An effect on the map of a job.
#[derive(Debug, Clone)]
pub struct MappedEffect {
    /// What it changes.
    pub kind: EffectKind,
    /// What it does to its target.
    pub action: Action,
    /// What it acts on.
    pub target: String,
    /// What keeps a repeat from doing harm.
    pub protection: Protection,
    /// What speaks for that.
    pub evidence: String,
    /// The call that names the operation.
    pub site: Site,
    /// The functions from the entry to the call.
    pub route: Vec<FnId>,
    /// Where each function of the route after the first is called.
    pub calls: Vec<Site>,
    /// The function around the call, with its type: `CrmClient::add_note`.
    pub client: String,
    /// The columns that it writes; none where that is not known.
    pub columns: Vec<String>,
    /// What it stores, where it writes to a table.
    pub stored: Option<Box<Stored>>,
    /// How often one run performs it.
    pub repeat: Repeat,
    /// Whether a transaction is open around it.
    pub in_transaction: bool,
    /// Whether it is kept in a database, on the connection or transaction that it is given.
    pub in_database: bool,
    /// Whether its target is an address that the code gives.
    pub is_addressed: bool,
    /// What the library fills in where no key is given.
    pub fills_in: Option<String>,
    /// What a repeat of it comes from, and what it meets.
    pub repeats: Repeats,
    /// The text of its idempotency key.
    pub key: Option<String>,
    /// The key that the call carries.
    pub carried: Option<Key>,
    /// The API that is called.
    pub api: String,
    /// How sure the tool is.
    pub confidence: Confidence,
}

impl MappedEffect {
    /// Whether nothing that would stop a repeat is known of it.
    pub fn is_open(&self) -> bool {
        matches!(self.protection, Protection::None | Protection::Unknown)
    }

    /// Whether the call carries a key on every path.
    pub fn is_keyed(&self) -> bool {
        self.carried.as_ref().is_some_and(|key| !key.is_partial)
    }

    /// The names under which a pattern may mean its target: the target, its host, which means
    /// every path below it, the client and the API.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let host = self.target.split('/').next().unwrap_or_default();
        [self.target.as_str(), host, &self.client, &self.api].into_iter()
    }

    /// Whether an entry of a declaration stands for it: the kind, and part of the target's name.
    pub fn is_listed_as(&self, entry: &Listed) -> bool {
        entry.kind == self.kind
            && entry.target.as_ref().is_none_or(|target| {
                let target = target.to_lowercase();
                let has = |name: &str| name.to_lowercase().contains(&target);
                // A table is called by its name; a service also by that of its client.
                let by_client =
                    self.kind.section() != Section::Writes && (has(&self.api) || has(&self.client));
                has(&self.target) || by_client
            })
    }

    /// Whether another effect is the same one, reached again.
    pub(super) fn is_again(&self, other: &MappedEffect) -> bool {
        self.site == other.site
            && self.calls.first() == other.calls.first()
            && self.target == other.target
            && self.action == other.action
            && self.protection == other.protection
            && self.key == other.key
    }
}

/// What a happening turned out to be.
pub(super) struct Reading<'r, 'a> {
    pub(super) unfolding: &'r Unfolding<'a>,
    pub(super) texts: Texts<'r>,
    pub(super) schemas: &'r Schemas,
    pub(super) runs: &'r RunsHow,
    pub(super) work: Work<'r>,
    pub(super) gaps: Vec<(crate::ir::FileId, Gap)>,
}

impl Reading<'_, '_> {
    /// The effects of a happening, in the order in which they happen.
    pub(super) fn effects(&mut self, happening: &Happening) -> Vec<MappedEffect> {
        match happening.kind {
            HappeningKind::Marked(function) => {
                self.marked(function, happening).into_iter().collect()
            }
            HappeningKind::Call => self.called(happening),
        }
    }

    fn marked(&self, function: FnId, happening: &Happening) -> Option<MappedEffect> {
        let program = self.unfolding.timelines().program();
        let mark = program
            .function(function)
            .function
            .marks
            .iter()
            .find_map(|mark| match &mark.value {
                Mark::Effect(effect) => Some(effect),
                _ => None,
            })?;
        let protection = match (&mark.key, mark.idempotent) {
            (Some(_), _) => Protection::Key,
            (None, true) => Protection::Declared,
            (None, false) => Protection::Unknown,
        };
        Some(MappedEffect {
            kind: mark.kind,
            action: Action::Call,
            target: mark
                .target
                .clone()
                .unwrap_or_else(|| program.short_name(function)),
            protection,
            evidence: "declared by its attribute".to_owned(),
            site: happening.site,
            route: route_of(&happening.context),
            calls: calls_of(&happening.context),
            client: self.client_of(&happening.context),
            repeat: repeat_of(&happening.context),
            in_transaction: happening.context.in_transaction,
            columns: Vec::new(),
            stored: None,
            in_database: false,
            is_addressed: false,
            fills_in: None,
            repeats: Repeats::default(),
            key: mark.key.clone(),
            carried: None,
            api: program.full_name(function),
            confidence: Confidence::High,
        })
    }

    fn called(&mut self, happening: &Happening) -> Vec<MappedEffect> {
        // Taking the message is how the job comes to run, not what it does.
        if self.runs.takes && happening.apply.as_ref().is_some_and(|apply| apply.takes) {
            return Vec::new();
        }
        let known = self.unfolding.timelines().known();
        let mut effects = Vec::new();
        let Some(terminal) = &happening.apply else {
            return effects;
        };
        for (operation, id) in self.operations(terminal, happening.env) {
            let entry = &known.effect(id).entry;
            match entry.kind {
                CallKind::Read | CallKind::Acknowledge => {}
                CallKind::Sql => effects.extend(self.sql(happening, &operation, entry)),
                CallKind::Effect(kind) => {
                    effects.extend(self.plain(happening, &operation, entry, kind));
                }
            }
        }
        effects
    }

    /// Whether a call acknowledges the message, at the end of a builder chain or not.
    pub(super) fn is_acknowledgement(&self, happening: &Happening) -> bool {
        let known = self.unfolding.timelines().known();
        let Some(apply) = &happening.apply else {
            return false;
        };
        self.operations(apply, happening.env)
            .iter()
            .any(|(operation, id)| {
                let entry = &known.effect(*id).entry;
                match entry.kind {
                    CallKind::Acknowledge => true,
                    CallKind::Sql => {
                        statement::text_of(self.unfolding, self.texts, operation, entry)
                            .is_some_and(|text| database::acknowledges(&text, known))
                    }
                    _ => false,
                }
            })
    }

    fn sql(
        &mut self,
        happening: &Happening,
        operation: &Operation,
        entry: &EffectEntry,
    ) -> Vec<MappedEffect> {
        let site = self
            .unfolding
            .site(operation.root_env, operation.root.place);
        let in_transaction = self.in_transaction(happening, operation, entry);
        let text = statement::text_of(self.unfolding, self.texts, operation, entry);
        let Some(text) = text else {
            // A statement that a catalogued builder made counts where it was built.
            let subject = operation.part(
                self.unfolding,
                entry.subject.as_ref().unwrap_or(&Part::Arg(0, None)),
            );
            if subject.is_some_and(|subject| self.is_built(&subject)) {
                return Vec::new();
            }
            self.gap(
                site,
                GapKind::UnreadSql,
                format!("the SQL text of `{}` is not known", operation.root.name),
            );
            return Vec::new();
        };
        let binds = statement::binds_of(self.unfolding, operation, entry);
        let unstable = |position: usize| self.varies(&binds, position);
        let text_at = |position: usize| {
            let bound = binds.get(position.checked_sub(1)?)?;
            fixed(self.unfolding, bound).filter(|text| !text.contains('{'))
        };
        let known = self.unfolding.timelines().known();
        let values = binds.as_slice();
        let binds = Binds {
            unstable: &unstable,
            text: &text_at,
        };
        let read = statement::read(&text, entry, known, &binds);
        for message in read.unread {
            self.gap(site, GapKind::UnreadSql, message);
        }
        read.writes
            .into_iter()
            .map(|mut write| {
                let stored = write.statement.map(|statement| {
                    Box::new(self.stored(&statement, store_of(entry), values, site))
                });
                let by_schema = stored.as_ref().and_then(|stored| stored.protection());
                // What is merged into a document is in there the second time.
                let merges = write.action == Action::Relative
                    && write.protection.is_none()
                    && stored
                        .as_ref()
                        .is_some_and(|stored| stored.only_merges() && stored.varying.is_empty());
                if merges {
                    write.action = Action::Update;
                    let why = "what it merges in is there the second time".to_owned();
                    write.protection = Some((Protection::Natural, why));
                }
                let by_place =
                    || self.contextual(happening, write.kind, write.action, in_transaction);
                let (protection, evidence) = match by_schema {
                    Some(found) if is_protective(&found) => found,
                    // What the schema lets through may be stopped by where it stands.
                    Some(found) => Some(by_place()).filter(is_protective).unwrap_or(found),
                    None => write.protection.unwrap_or_else(by_place),
                };
                let makes_another = stored.as_ref().is_some_and(|stored| stored.makes_another());
                MappedEffect {
                    kind: write.kind,
                    action: match makes_another {
                        true => Action::Create,
                        false => write.action,
                    },
                    target: write.table,
                    protection,
                    evidence,
                    site,
                    route: route_of(&happening.context),
                    calls: calls_of(&happening.context),
                    client: self.client_of(&happening.context),
                    repeat: repeat_of(&happening.context),
                    in_transaction,
                    columns: write.columns,
                    stored,
                    in_database: true,
                    is_addressed: false,
                    fills_in: None,
                    repeats: Repeats::default(),
                    key: None,
                    carried: None,
                    api: api_of(&operation.root),
                    confidence: confidence_of(&happening.context),
                }
            })
            .collect()
    }

    /// Why the value at a position differs between attempts.
    fn varies(&self, values: &[Bound], position: usize) -> Option<&'static str> {
        let bound = values.get(position.checked_sub(1)?)?;
        self.origin(bound).map(|origin| source_word(origin.kind))
    }

    /// The row or the key that a call of a database writes, as a statement, with the values that it binds.
    fn row_written(
        &self,
        operation: &Operation,
        entry: &EffectEntry,
        (kind, action): (EffectKind, Action),
        table: &str,
    ) -> Option<(Statement, Vec<Bound>)> {
        if let (EffectKind::Cache, Some(part)) = (kind, &entry.value) {
            let value = operation.part(self.unfolding, part)?;
            return Some(built::key_set(table, value));
        }
        let runs_on = entry.executor.as_ref();
        let is_row = entry.document.is_some()
            || entry.expressions.is_some()
            || runs_on.is_some_and(|part| !matches!(part, Part::Method(..)));
        (kind == EffectKind::DbWrite && is_row)
            .then(|| self.built(operation, entry, action, table))
            .flatten()
    }

    /// What keeps a repeat of a statement that is built in code from doing harm, where it tells that
    /// better than the call.
    fn by_statement(
        &self,
        (statement, values): &(Statement, Vec<Bound>),
        action: Action,
        by_call: Protection,
    ) -> Option<(Protection, String)> {
        let unstable = |position: usize| self.varies(values, position);
        let binds = Binds {
            unstable: &unstable,
            text: &|_| None,
        };
        let by_update = || statement::update(statement, action == Action::Relative, &binds).1;
        match (action, by_call) {
            // An upsert does harm where it finds nothing the second time, or stores another value.
            (Action::Update, Protection::Upsert) => statement::elusive(statement, &binds)
                .or_else(|| by_update().filter(|found| found.0 == Protection::None)),
            (Action::Update | Action::Relative, _) => by_update(),
            _ => None,
        }
    }

    fn plain(
        &mut self,
        happening: &Happening,
        operation: &Operation,
        entry: &EffectEntry,
        kind: EffectKind,
    ) -> Option<MappedEffect> {
        let mut kind = self.kind_of(operation, entry, kind);
        let mut action = entry.action.unwrap_or(Action::Call);
        if let Some(classify) = entry.classify {
            action = self.classified(operation, entry, classify, action)?;
            kind = self.kind_of_command(operation, entry, kind);
        }
        let (target, url) = self.target(operation, entry);
        let mut is_natural = false;
        if entry.by_url {
            let request = self.request(
                happening,
                operation,
                (&target, url.as_deref()),
                (kind, action),
            )?;
            kind = request.kind;
            action = request.action;
            is_natural = request.is_natural;
        }
        if kind == EffectKind::File && self.is_scratch(operation, entry) {
            return None;
        }
        let built = self.row_written(operation, entry, (kind, action), &target);
        // What documents and expressions say tells more than the name of the call.
        if (entry.document.is_some() || entry.expressions.is_some())
            && let Some((statement, _)) = &built
            && statement.is_relative()
        {
            action = Action::Relative;
        }
        let in_transaction = self.in_transaction(happening, operation, entry);
        let called = Called {
            entry,
            url: url.as_deref(),
            moves_money: kind == EffectKind::Payment,
        };
        let key = key_of(self.unfolding, self.work, operation, called);
        let (protection, evidence) = self.protection(
            happening,
            operation,
            entry,
            (kind, action),
            key.as_ref(),
            in_transaction,
        );
        let (protection, evidence) =
            if is_natural && protection == Protection::None && key.is_none() {
                let why = "by its name, repeating it changes nothing more";
                (Protection::Natural, why.to_owned())
            } else {
                (protection, evidence)
            };
        if protection == Protection::Upsert && action == Action::Create {
            action = Action::Upsert;
        }
        let site = self
            .unfolding
            .site(operation.root_env, operation.root.place);
        let by_statement = built
            .as_ref()
            .filter(|_| protection != Protection::Step)
            .and_then(|built| self.by_statement(built, action, protection));
        let (protection, evidence) = by_statement.unwrap_or((protection, evidence));
        let stored = built
            .map(|(statement, values)| self.stored(&statement, store_of(entry), &values, site));
        let by_schema = stored.as_ref().and_then(Stored::protection);
        if stored.as_ref().is_some_and(Stored::makes_another) {
            action = Action::Create;
        }
        let (protection, evidence) = match by_schema {
            // A conflict clause protects only if something conflicts with it.
            Some(found) if protection == Protection::Upsert => found,
            Some(found) if !is_protective(&(protection, String::new())) => found,
            _ => (protection, evidence),
        };
        // A request by a method that is not known may as well read.
        let is_told = kind != EffectKind::Http || action != Action::Call;
        let confidence = match confidence_of(&happening.context) {
            _ if !is_told => Confidence::Low,
            confidence => confidence,
        };
        Some(MappedEffect {
            kind,
            action,
            target,
            protection,
            evidence,
            site,
            route: route_of(&happening.context),
            calls: calls_of(&happening.context),
            client: self.client_of(&happening.context),
            repeat: repeat_of(&happening.context),
            in_transaction,
            columns: stored
                .as_ref()
                .map(|stored| stored.statement.set.iter().map(|set| set.column.clone()))
                .map_or_else(|| self.set_columns(operation), Iterator::collect),
            stored: stored.map(Box::new),
            in_database: entry.executor.is_some(),
            is_addressed: entry.by_url,
            fills_in: entry.fills_in.clone(),
            repeats: Repeats::default(),
            key: key.as_ref().map(|key| key.text.clone()),
            carried: key,
            api: api_of(&operation.root),
            confidence,
        })
    }

    fn client_of(&self, context: &Context) -> String {
        let program = self.unfolding.timelines().program();
        let last = context.route.as_ref().map(|step| step.function);
        last.map_or_else(String::new, |function| program.short_name(function))
    }

    fn gap(&mut self, site: Site, kind: GapKind, message: String) {
        let gap = Gap {
            kind,
            place: site.place,
            message,
        };
        if !self
            .gaps
            .iter()
            .any(|(file, known)| *file == site.file && *known == gap)
        {
            self.gaps.push((site.file, gap));
        }
    }
}

/// What an operation keeps rows in.
fn store_of(entry: &EffectEntry) -> Store {
    match entry.document {
        Some(_) => Store::Documents,
        None if entry.overwrites || entry.expressions.is_some() => Store::Items,
        None => Store::Tables,
    }
}

/// Whether a protection stops a repeat.
fn is_protective(found: &(Protection, String)) -> bool {
    !matches!(found.0, Protection::Unknown | Protection::None)
}

/// The functions from the entry to a happening.
pub(super) fn route_of(context: &Context) -> Vec<FnId> {
    let mut route = Vec::new();
    let mut at = context.route.clone();
    while let Some(step) = at {
        route.push(step.function);
        at = step.before.clone();
    }
    route.reverse();
    route
}

/// Where each function of a route after the first is called.
pub(super) fn calls_of(context: &Context) -> Vec<Site> {
    let mut calls = Vec::new();
    let mut at = context.route.clone();
    while let Some(step) = at {
        if step.before.is_some() {
            calls.extend(step.call);
        }
        at = step.before.clone();
    }
    calls.reverse();
    calls
}

fn repeat_of(context: &Context) -> Repeat {
    if context.retried {
        Repeat::Retried
    } else if context.spawned {
        Repeat::Spawned
    } else if context.loops > 0 {
        Repeat::Loop
    } else {
        Repeat::Once
    }
}

fn confidence_of(context: &Context) -> Confidence {
    if context.certain {
        Confidence::High
    } else {
        Confidence::Medium
    }
}

fn api_of(apply: &Apply) -> String {
    if apply.is_macro {
        format!("{}!", apply.path)
    } else {
        apply.path.to_string()
    }
}
