//! One happening to the effects that it is.

use std::sync::Arc;

use retrysafe_rules::catalog::{CallKind, Classify, EffectEntry, Idempotent, Part, UrlKind};
use retrysafe_rules::grammar::Mark;
use retrysafe_rules::vocabulary::{Action, Delivery, EffectKind, Protection, Repeat};

use crate::ir::{Gap, GapKind, Site};
use crate::resolve::{EffectId, FnId, Ty};
use crate::timeline::{Apply, Bound, Context, Happening, HappeningKind, Unfolding, Value};

use super::draw::Texts;
use super::entry::RunsHow;
use super::http;
use super::key::{Key, instability, key_of};
use super::part::Operation;
use super::statement;
use super::text::{fixed, hole_name, render};

/// How sure the tool is of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// A name hint only.
    Low,
    /// One heuristic link.
    Medium,
    /// Every link resolved.
    High,
}

impl Confidence {
    /// The word in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Confidence::Low => "low",
            Confidence::Medium => "medium",
            Confidence::High => "high",
        }
    }
}

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
    /// Where the entry calls the second function of the route.
    pub first_call: Option<Site>,
    /// How often one run performs it.
    pub repeat: Repeat,
    /// Whether a transaction is open around it.
    pub in_transaction: bool,
    /// The text of its idempotency key.
    pub key: Option<String>,
    /// The API that is called.
    pub api: String,
    /// How sure the tool is.
    pub confidence: Confidence,
}

impl MappedEffect {
    /// Whether another effect is the same one, reached again.
    pub(super) fn is_again(&self, other: &MappedEffect) -> bool {
        self.site == other.site
            && self.first_call == other.first_call
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
    pub(super) runs: &'r RunsHow,
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
            first_call: first_call_of(&happening.context),
            repeat: repeat_of(&happening.context),
            in_transaction: happening.context.in_transaction,
            key: mark.key.clone(),
            api: program.full_name(function),
            confidence: Confidence::High,
        })
    }

    fn called(&mut self, happening: &Happening) -> Vec<MappedEffect> {
        let Some((operation, id)) = self.operation(happening) else {
            return Vec::new();
        };
        let known = self.unfolding.timelines().known();
        let of = known.effect(id);
        let entry = &of.entry;
        // Taking the message is how the job comes to run, not what it does.
        if self.runs.takes && happening.apply.as_ref().is_some_and(|apply| apply.takes) {
            return Vec::new();
        }
        match entry.kind {
            CallKind::Read | CallKind::Acknowledge => Vec::new(),
            CallKind::Sql => self.sql(happening, &operation, entry),
            CallKind::Effect(kind) => self
                .plain(happening, &operation, entry, kind)
                .into_iter()
                .collect(),
        }
    }

    /// The call that names the operation, and the entry it matches.
    fn operation(&self, happening: &Happening) -> Option<(Operation, EffectId)> {
        let terminal = happening.apply.as_ref()?;
        let known = self.unfolding.timelines().known();
        let here = |root: &Arc<Apply>, root_env| Operation {
            root: Arc::clone(root),
            root_env,
            terminal: Arc::clone(terminal),
            env: happening.env,
        };
        let by_chain = terminal.receiver.as_ref().and_then(|receiver| {
            let start = Bound {
                value: Arc::clone(receiver),
                env: happening.env,
            };
            self.root_of(&start, terminal, 60)
        });
        if let Some((root, env, id)) = by_chain {
            return Some((here(&root, env), id));
        }
        let id = terminal.effect?;
        let entry = &known.effect(id).entry;
        if !entry.terminals.is_empty() {
            return None;
        }
        // `client.execute(request)`: the request says what it does.
        if entry.classify == Some(Classify::HttpRequest) {
            let own = here(terminal, happening.env);
            if let Some((root, env, id)) = self.verb_of(&own) {
                return Some((here(&root, env), id));
            }
        }
        // A write to a handle whose opening counts already is part of that.
        if entry.target.first() == Some(&Part::Receiver)
            && let Some(receiver) = &terminal.receiver
            && self.is_built(&Bound {
                value: Arc::clone(receiver),
                env: happening.env,
            })
            && matches!(entry.kind, CallKind::Effect(EffectKind::File))
        {
            return None;
        }
        // `tx.execute(query)`: the statement was named where it was made.
        if entry.kind == CallKind::Sql {
            let own = here(terminal, happening.env);
            let subject = own.part(
                self.unfolding,
                entry.subject.as_ref().unwrap_or(&Part::Arg(0, None)),
            );
            if let Some(subject) = subject
                && let Some((root, env, id)) = self.statement_root(&subject)
            {
                return Some((here(&root, env), id));
            }
        }
        Some((here(terminal, happening.env), id))
    }

    /// The call at the beginning of a builder chain whose entry names the terminal.
    fn root_of(
        &self,
        start: &Bound,
        terminal: &Apply,
        budget: u32,
    ) -> Option<(Arc<Apply>, crate::timeline::EnvId, EffectId)> {
        let known = self.unfolding.timelines().known();
        let mut frontier = vec![start.clone()];
        let mut left = budget;
        while let Some(bound) = frontier.pop() {
            let mut steps = 80;
            for head in self.unfolding.heads(&bound, &mut steps) {
                if left == 0 {
                    return None;
                }
                left -= 1;
                let Value::Apply(apply) = &*head.value else {
                    continue;
                };
                if let Some(id) = apply.effect
                    && known
                        .effect(id)
                        .entry
                        .terminals
                        .iter()
                        .any(|name| terminal.name == name.as_str())
                {
                    return Some((Arc::clone(apply), head.env, id));
                }
                if let Some(receiver) = &apply.receiver {
                    frontier.push(Bound {
                        value: Arc::clone(receiver),
                        env: head.env,
                    });
                }
            }
        }
        None
    }

    /// Whether a file lies in a temporary folder of the process, which nobody else sees.
    fn is_scratch(&self, operation: &Operation, entry: &EffectEntry) -> bool {
        let target = entry
            .target
            .iter()
            .find_map(|part| operation.part(self.unfolding, part));
        target.is_some_and(|target| mentions_crate(self.unfolding, &target, "tempfile", 8))
    }

    /// The call in a request's chain that names its method and URL.
    fn verb_of(
        &self,
        operation: &Operation,
    ) -> Option<(Arc<Apply>, crate::timeline::EnvId, EffectId)> {
        let known = self.unfolding.timelines().known();
        let mut found = None;
        operation.search_shared(self.unfolding, &mut |apply, env| {
            if let Some(id) = apply.effect
                && !Arc::ptr_eq(apply, &operation.terminal)
                && !known.effect(id).entry.terminals.is_empty()
                && known.effect(id).entry.by_url
            {
                found = Some((Arc::clone(apply), env, id));
            }
            found.is_some()
        });
        found
    }

    /// Whether a value comes out of a catalogued builder.
    fn is_built(&self, subject: &Bound) -> bool {
        let mut at = subject.clone();
        for _ in 0..40 {
            let head = self.unfolding.head(&at);
            let next = match &*head.value {
                Value::Apply(apply) if apply.effect.is_some() => return true,
                Value::Apply(apply) => apply.receiver.as_ref(),
                Value::Field(base, _) | Value::Item(base) => Some(base),
                _ => return false,
            };
            match next {
                Some(value) => {
                    at = Bound {
                        value: Arc::clone(value),
                        env: head.env,
                    }
                }
                None => return false,
            }
        }
        false
    }

    fn statement_root(
        &self,
        subject: &Bound,
    ) -> Option<(Arc<Apply>, crate::timeline::EnvId, EffectId)> {
        let known = self.unfolding.timelines().known();
        let mut at = subject.clone();
        for _ in 0..20 {
            let head = self.unfolding.head(&at);
            let Value::Apply(apply) = &*head.value else {
                return None;
            };
            if let Some(id) = apply.effect
                && known.effect(id).entry.kind == CallKind::Sql
            {
                return Some((Arc::clone(apply), head.env, id));
            }
            at = Bound {
                value: Arc::clone(apply.receiver.as_ref()?),
                env: head.env,
            };
        }
        None
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
        let unstable = |position: usize| {
            binds
                .get(position.checked_sub(1)?)
                .and_then(|bound| instability(self.unfolding, bound))
                .map(source_word)
        };
        let read = statement::read(&text, &unstable);
        for message in read.unread {
            self.gap(site, GapKind::UnreadSql, message);
        }
        read.writes
            .into_iter()
            .map(|write| {
                let (protection, evidence) = write.protection.unwrap_or_else(|| {
                    self.contextual(happening, write.kind, write.action, in_transaction)
                });
                MappedEffect {
                    kind: write.kind,
                    action: write.action,
                    target: write.table,
                    protection,
                    evidence,
                    site,
                    route: route_of(&happening.context),
                    first_call: first_call_of(&happening.context),
                    repeat: repeat_of(&happening.context),
                    in_transaction,
                    key: None,
                    api: api_of(&operation.root),
                    confidence: confidence_of(&happening.context),
                }
            })
            .collect()
    }

    fn plain(
        &mut self,
        happening: &Happening,
        operation: &Operation,
        entry: &EffectEntry,
        kind: EffectKind,
    ) -> Option<MappedEffect> {
        let mut kind = kind;
        let mut action = entry.action.unwrap_or(Action::Call);
        if let Some(classify) = entry.classify {
            action = self.classified(operation, entry, classify, action)?;
        }
        let (target, url) = self.target(operation, entry);
        if entry.by_url {
            match url
                .as_deref()
                .and_then(|url| http::class_of(url, &self.unfolding.timelines().known().urls))
            {
                Some(UrlKind::Read) if action == Action::Create => return None,
                Some(UrlKind::Effect(by_host)) => {
                    if by_host != EffectKind::Http && by_host != kind {
                        kind = by_host;
                        if matches!(
                            by_host,
                            EffectKind::Email
                                | EffectKind::Sms
                                | EffectKind::Push
                                | EffectKind::Chat
                        ) && action == Action::Create
                        {
                            action = Action::Send;
                        }
                    }
                }
                _ => {}
            }
        }
        if kind == EffectKind::File && self.is_scratch(operation, entry) {
            return None;
        }
        let in_transaction = self.in_transaction(happening, operation, entry);
        let key = key_of(self.unfolding, operation, entry);
        let (protection, evidence) = self.protection(
            happening,
            operation,
            entry,
            (kind, action),
            key.as_ref(),
            in_transaction,
        );
        if protection == Protection::Upsert && action == Action::Create {
            action = Action::Upsert;
        }
        Some(MappedEffect {
            kind,
            action,
            target,
            protection,
            evidence,
            site: self
                .unfolding
                .site(operation.root_env, operation.root.place),
            route: route_of(&happening.context),
            first_call: first_call_of(&happening.context),
            repeat: repeat_of(&happening.context),
            in_transaction,
            key: key.map(|key| key.text),
            api: api_of(&operation.root),
            confidence: confidence_of(&happening.context),
        })
    }

    /// The action that an argument or the chain tells; `None` for a read.
    fn classified(
        &self,
        operation: &Operation,
        entry: &EffectEntry,
        classify: Classify,
        default: Action,
    ) -> Option<Action> {
        let unfolding = self.unfolding;
        let subject = || {
            let part = entry.subject.clone().unwrap_or(Part::Arg(0, None));
            operation.part(unfolding, &part)
        };
        match classify {
            Classify::HttpMethod => match subject() {
                Some(method) => http::action_of(&render(unfolding, &method)),
                None => Some(default),
            },
            Classify::HttpVerb => http::action_of(&operation.root.name),
            Classify::HttpRequest => {
                let mut found = None;
                operation.search(unfolding, &mut |apply, env| {
                    let verb = match apply.name.as_str() {
                        "get" | "head" | "post" | "put" | "patch" | "delete" => {
                            Some(apply.name.to_string())
                        }
                        "request" | "method" | "new" => apply.args.first().map(|arg| {
                            render(
                                unfolding,
                                &Bound {
                                    value: Arc::clone(arg),
                                    env,
                                },
                            )
                        }),
                        _ => None,
                    };
                    if let Some(verb) = verb
                        && verb.chars().all(char::is_alphabetic)
                        && matches!(
                            verb.to_ascii_uppercase().as_str(),
                            "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"
                        )
                    {
                        found = Some(http::action_of(&verb));
                    }
                    found.is_some()
                });
                found.unwrap_or(Some(default))
            }
            Classify::SetExpression => {
                let relative =
                    operation.has_method(unfolding, "set") && self.sets_relatively(operation);
                Some(if relative { Action::Relative } else { default })
            }
            Classify::FileOpen => file_action(operation, unfolding, default),
            Classify::RedisCommand => {
                let command = subject()
                    .and_then(|bound| fixed(unfolding, &bound))
                    .unwrap_or_default();
                redis_action(&command, default)
            }
            Classify::RedisVerb => redis_action(&operation.root.name, default),
            Classify::MongoUpdate => {
                let mut names = Vec::new();
                if let Some(update) = operation.part(unfolding, &Part::Arg(1, None)) {
                    field_names(unfolding, &update, 3, &mut names);
                }
                let adds = names
                    .iter()
                    .any(|name| matches!(name.as_str(), "$inc" | "$push" | "$mul"));
                Some(if adds { Action::Relative } else { default })
            }
            Classify::DynamoUpdate => {
                let text = subject()
                    .and_then(|bound| fixed(unfolding, &bound))
                    .unwrap_or_default();
                let adds =
                    text.contains("ADD ") || text.contains(" + ") || text.contains("list_append");
                Some(if adds { Action::Relative } else { default })
            }
            Classify::NameVerb => Some(verb_action(&operation.root.name, default)),
            Classify::Process
            | Classify::RedisScript
            | Classify::Sql
            | Classify::SqlFile
            | Classify::SqlPieces
            | Classify::SqlStatement => Some(default),
        }
    }

    /// `.set(column.eq(column + 1))`: an operation inside the argument of `set`.
    fn sets_relatively(&self, operation: &Operation) -> bool {
        let mut relative = false;
        operation.search(self.unfolding, &mut |apply, env| {
            if apply.name == "set" || apply.name == "col_expr" {
                for arg in &apply.args {
                    relative |= holds_arithmetic(
                        self.unfolding,
                        &Bound {
                            value: Arc::clone(arg),
                            env,
                        },
                        6,
                    );
                }
            }
            relative
        });
        relative
    }

    /// The name of the target, and the URL where that is one.
    fn target(&self, operation: &Operation, entry: &EffectEntry) -> (String, Option<String>) {
        let mut weak = None;
        for part in &entry.target {
            let found = match part {
                Part::Literal(text) => Some(text.clone()),
                Part::Name => Some(operation.root.name.to_string()),
                Part::Type => type_text(self.unfolding, operation),
                Part::Generic(index) => self.generic_text(operation, *index),
                Part::Receiver => operation.part(self.unfolding, part).and_then(|bound| {
                    // The name that the code gives it says more than how it was made.
                    let named = match &*bound.value {
                        Value::Apply(_) | Value::Result(_) => None,
                        _ => hole_name(self.unfolding, &bound).filter(|name| name != "self"),
                    };
                    let head = self.unfolding.head(&bound);
                    match &*head.value {
                        Value::Function(_) | Value::Path(_) | Value::Literal(_) => {
                            hole_name(self.unfolding, &head)
                        }
                        _ => named
                            .or_else(|| self.root_function(&head))
                            .or_else(|| type_text(self.unfolding, operation)),
                    }
                }),
                // A job is called by its payload's type.
                _ if matches!(entry.kind, CallKind::Effect(EffectKind::Enqueue)) => operation
                    .part(self.unfolding, part)
                    .map(|bound| match &*self.unfolding.head(&bound).value {
                        Value::Struct {
                            def: Some(_), name, ..
                        } => name.rsplit("::").next().unwrap_or(name).to_owned(),
                        _ => render(self.unfolding, &bound),
                    }),
                _ => operation
                    .part(self.unfolding, part)
                    .map(|bound| render(self.unfolding, &bound)),
            };
            let Some(text) = found.filter(|text| !text.is_empty()) else {
                continue;
            };
            if text == "{}" {
                weak = weak.or(Some(text));
                continue;
            }
            let is_url = entry.by_url || text.contains("://");
            return if is_url {
                (http::target(&text), Some(text))
            } else {
                (text, None)
            };
        }
        // `RequestBuilder::send` on a builder made elsewhere: the URL stands in its chain.
        if entry.by_url {
            let mut url = None;
            operation.search(self.unfolding, &mut |apply, env| {
                let index = match apply.name.as_str() {
                    "get" | "head" | "post" | "put" | "patch" | "delete" | "uri" => 0,
                    "request" => 1,
                    _ => return false,
                };
                url = apply.args.get(index).map(|arg| {
                    render(
                        self.unfolding,
                        &Bound {
                            value: Arc::clone(arg),
                            env,
                        },
                    )
                });
                url.is_some()
            });
            if let Some(url) = url {
                return (http::target(&url), Some(url));
            }
        }
        (
            weak.map_or_else(|| "?".to_owned(), |_| "?".to_owned()),
            None,
        )
    }

    /// The function of the workspace that a chain begins with: `send_mail.builder()`.
    fn root_function(&self, head: &Bound) -> Option<String> {
        let mut at = head.clone();
        for _ in 0..20 {
            match &*at.value {
                Value::Apply(apply) => {
                    let receiver = Bound {
                        value: Arc::clone(apply.receiver.as_ref()?),
                        env: at.env,
                    };
                    at = self.unfolding.head(&receiver);
                }
                Value::Function(_) => return hole_name(self.unfolding, &at),
                _ => return None,
            }
        }
        None
    }

    fn generic_text(&self, operation: &Operation, index: usize) -> Option<String> {
        let given = operation.root.generics.get(index).cloned().or_else(|| {
            match &operation.root.receiver_ty {
                Ty::Extern(_, args) | Ty::Adt(_, args) => args.get(index).cloned(),
                _ => None,
            }
        })?;
        ty_name(self.unfolding, &given)
    }

    /// Whether the call runs on an open transaction, or between begin and commit.
    fn in_transaction(
        &self,
        happening: &Happening,
        operation: &Operation,
        entry: &EffectEntry,
    ) -> bool {
        if happening.context.in_closure_transaction {
            return true;
        }
        if let Some(Part::Terminal(index)) = &entry.executor
            && let Some(ty) = operation.terminal.arg_types.get(*index)
            && let Some(answer) = self.is_transaction_type(ty)
        {
            return answer;
        }
        let executor = match &entry.executor {
            Some(part) => operation.part(self.unfolding, part),
            // A statement given to `tx.execute(query)`.
            None => None,
        };
        // `tx.execute(query)`: the statement was made elsewhere, and the receiver runs it.
        let executor = executor.or_else(|| {
            let receiver = operation.terminal.receiver.as_ref()?;
            let receiver = Bound {
                value: Arc::clone(receiver),
                env: operation.env,
            };
            let apart = !Arc::ptr_eq(&operation.root, &operation.terminal)
                && !self.leads_to(&receiver, &operation.root);
            apart.then_some(receiver)
        });
        match executor {
            Some(executor) => match self.is_transaction(&executor) {
                Some(answer) => answer,
                None => happening.context.in_transaction,
            },
            None => happening.context.in_transaction,
        }
    }

    /// Whether a type says that it is a transaction, or that it is something to begin one on.
    fn is_transaction_type(&self, ty: &Ty) -> Option<bool> {
        let path = ty.extern_path()?;
        let known = self.unfolding.timelines().known();
        let names = |list: &[String]| list.iter().any(|name| path == name.as_str());
        known.transactions.iter().find_map(|of| {
            if names(&of.entry.types) {
                Some(true)
            } else if names(&of.entry.receivers) && path.ends_with("Pool") {
                Some(false)
            } else {
                None
            }
        })
    }

    /// Whether a builder chain begins with a call.
    fn leads_to(&self, receiver: &Bound, root: &Arc<Apply>) -> bool {
        let mut frontier = vec![receiver.clone()];
        for _ in 0..40 {
            let Some(at) = frontier.pop() else {
                return false;
            };
            for head in self.unfolding.heads(&at, &mut 60) {
                if let Value::Apply(apply) = &*head.value {
                    if Arc::ptr_eq(apply, root) {
                        return true;
                    }
                    frontier.extend(apply.receiver.as_ref().map(|receiver| Bound {
                        value: Arc::clone(receiver),
                        env: head.env,
                    }));
                }
            }
        }
        false
    }

    /// Whether a value is a transaction; `None` when that is not known.
    fn is_transaction(&self, bound: &Bound) -> Option<bool> {
        let mut frontier = vec![bound.clone()];
        let mut answer = None;
        for _ in 0..40 {
            let Some(at) = frontier.pop() else { break };
            let mut steps = 120;
            for head in self.unfolding.heads(&at, &mut steps) {
                match &*head.value {
                    Value::Apply(apply) if apply.begins => return Some(true),
                    Value::Apply(apply) => match &apply.receiver {
                        Some(receiver) => frontier.push(Bound {
                            value: Arc::clone(receiver),
                            env: head.env,
                        }),
                        None => answer = Some(false),
                    },
                    Value::Field(_, name) | Value::Path(name) if name.contains("pool") => {
                        answer = Some(false)
                    }
                    _ => {}
                }
            }
        }
        answer
    }

    fn protection(
        &self,
        happening: &Happening,
        operation: &Operation,
        entry: &EffectEntry,
        (kind, action): (EffectKind, Action),
        key: Option<&Key>,
        in_transaction: bool,
    ) -> (Protection, String) {
        if let Some(key) = key {
            return match key.unstable {
                None => (Protection::Key, format!("carries the key `{}`", key.text)),
                Some(kind) => (
                    Protection::None,
                    format!("its key `{}` is {}", key.text, source_word(kind)),
                ),
            };
        }
        for guard in &entry.guards {
            let by_method = guard.method.as_ref().is_some_and(|method| {
                let own = operation.root.name == method.as_str();
                own || operation.has_method(self.unfolding, method)
            });
            let by_path = guard
                .path
                .as_ref()
                .is_some_and(|path| self.mentions_path(operation, path));
            let value_fits = guard.value.as_ref().is_none_or(|wanted| {
                guard
                    .method
                    .as_ref()
                    .and_then(|method| {
                        operation.part(self.unfolding, &Part::Method(method.clone(), 0))
                    })
                    .is_some_and(|value| render(self.unfolding, &value) == *wanted)
            });
            if (by_method || by_path) && value_fits {
                let by = guard
                    .method
                    .as_ref()
                    .or(guard.path.as_ref())
                    .cloned()
                    .unwrap_or_default();
                return (guard.gives, format!("guarded by `{by}`"));
            }
        }
        if entry.classify == Some(Classify::SetExpression) && action == Action::Update {
            return match self.unstable_argument(operation, &["set", "col_expr"]) {
                Some(kind) => (
                    Protection::None,
                    format!("a value it sets is {}", source_word(kind)),
                ),
                None => (Protection::Natural, "sets the same values again".to_owned()),
            };
        }
        let unstable_target = entry
            .target
            .first()
            .and_then(|part| operation.part(self.unfolding, part))
            .is_some_and(|bound| instability(self.unfolding, &bound).is_some());
        match (action, entry.idempotent) {
            (Action::Upsert, _) if !unstable_target => {
                return (Protection::Upsert, "writes by its name".to_owned());
            }
            (Action::Delete, Idempotent::Yes | Idempotent::Depends) => {
                return (
                    Protection::Natural,
                    "deleting twice changes nothing".to_owned(),
                );
            }
            (Action::Set, Idempotent::Yes | Idempotent::Depends) if !unstable_target => {
                return (
                    Protection::Natural,
                    "setting the same again changes nothing".to_owned(),
                );
            }
            (_, Idempotent::Yes) if !unstable_target => {
                return (
                    Protection::Natural,
                    "repeating it changes nothing".to_owned(),
                );
            }
            _ => {}
        }
        self.contextual(happening, kind, action, in_transaction)
    }

    /// Why an argument of some methods of the chain differs between attempts; columns that only
    /// say when a row was touched are left out.
    fn unstable_argument(
        &self,
        operation: &Operation,
        methods: &[&str],
    ) -> Option<retrysafe_rules::catalog::SourceKind> {
        let mut found = None;
        operation.search(self.unfolding, &mut |apply, env| {
            if methods.contains(&apply.name.as_str()) {
                for arg in &apply.args {
                    let bound = Bound {
                        value: Arc::clone(arg),
                        env,
                    };
                    found = found.or_else(|| unstable_column(self.unfolding, &bound, 4));
                }
            }
            found.is_some()
        });
        found
    }

    fn mentions_path(&self, operation: &Operation, path: &str) -> bool {
        let mut found = false;
        let last_two = |text: &str| {
            let segments: Vec<&str> = text.rsplit("::").take(2).collect();
            segments.into_iter().rev().collect::<Vec<_>>().join("::")
        };
        let wanted = last_two(path);
        operation.search(self.unfolding, &mut |apply, env| {
            found |= apply.path == path;
            for arg in &apply.args {
                let head = self.unfolding.head(&Bound {
                    value: Arc::clone(arg),
                    env,
                });
                found |= match &*head.value {
                    Value::Path(text) | Value::Struct { name: text, .. } => {
                        last_two(text) == wanted
                    }
                    _ => false,
                };
            }
            found
        });
        found
    }

    /// The protection that an effect owes to where it stands.
    fn contextual(
        &self,
        happening: &Happening,
        kind: EffectKind,
        action: Action,
        in_transaction: bool,
    ) -> (Protection, String) {
        if happening.context.step && !happening.context.retried {
            return (Protection::Step, "runs inside a recorded step".to_owned());
        }
        if self.runs.delivery == Delivery::AtMostOnce {
            return (
                Protection::AtMostOnce,
                "the job is never run again".to_owned(),
            );
        }
        if in_transaction && matches!(kind, EffectKind::DbWrite | EffectKind::Enqueue) {
            return (
                Protection::Unknown,
                "inside a transaction; what commits with it is not yet told".to_owned(),
            );
        }
        if happening.context.guarded {
            return (
                Protection::Unknown,
                "behind a condition that is not yet understood".to_owned(),
            );
        }
        match (kind, action) {
            (EffectKind::DbWrite, Action::Create | Action::Append) => (
                Protection::Unknown,
                "what the schema forbids is not yet read".to_owned(),
            ),
            (_, Action::Update) => (
                Protection::Unknown,
                "what it changes is not known".to_owned(),
            ),
            _ => (
                Protection::None,
                "nothing in front of it stops a second one".to_owned(),
            ),
        }
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

/// The functions from the entry to a happening.
fn route_of(context: &Context) -> Vec<FnId> {
    let mut route = Vec::new();
    let mut at = context.route.clone();
    while let Some(step) = at {
        route.push(step.function);
        at = step.before.clone();
    }
    route.reverse();
    route
}

/// Where the entry calls the second function of a route.
fn first_call_of(context: &Context) -> Option<Site> {
    let mut at = context.route.clone();
    let mut call = None;
    while let Some(step) = at {
        if step.before.is_some() {
            call = step.call;
        }
        at = step.before.clone();
    }
    call
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

fn source_word(kind: retrysafe_rules::catalog::SourceKind) -> &'static str {
    use retrysafe_rules::catalog::SourceKind as Kind;
    match kind {
        Kind::Random => "random",
        Kind::Clock => "a clock reading",
        Kind::Environment => "the identity of the process",
        Kind::Attempt => "different on every attempt",
        Kind::Unordered => "in no fixed order",
        Kind::Configuration => "configuration",
    }
}

fn ty_name(unfolding: &Unfolding<'_>, ty: &Ty) -> Option<String> {
    match ty {
        Ty::Adt(id, _) => Some(
            unfolding.timelines().program().types[id.index()]
                .item
                .name
                .to_string(),
        ),
        Ty::Extern(path, args) => {
            // A wrapper says less than the type of ours that it wraps.
            let inner = args.iter().find(|arg| matches!(arg, Ty::Adt(..)));
            match inner.and_then(|arg| ty_name(unfolding, arg)) {
                Some(inner) => Some(inner),
                None => {
                    let mut segments = path.rsplit("::");
                    let last = segments.next()?;
                    match last {
                        "Entity" | "ActiveModel" | "Model" => segments.next().map(str::to_owned),
                        other => Some(other.to_owned()),
                    }
                }
            }
        }
        _ => None,
    }
}

/// The name of the type that a call is made on.
fn type_text(unfolding: &Unfolding<'_>, operation: &Operation) -> Option<String> {
    if let Some(name) = ty_name(unfolding, &operation.root.receiver_ty) {
        return Some(name);
    }
    let mut segments: Vec<&str> = operation.root.path.split("::").collect();
    segments.pop();
    while matches!(segments.last(), Some(&"Entity" | &"ActiveModel" | &"Model"))
        && segments.len() > 1
    {
        segments.pop();
    }
    segments.last().map(|last| (*last).to_owned())
}

/// Why a value that is put into a column differs between attempts: `column.eq(value)`, tuples of
/// them, or a struct of columns.
fn unstable_column(
    unfolding: &Unfolding<'_>,
    bound: &Bound,
    depth: u32,
) -> Option<retrysafe_rules::catalog::SourceKind> {
    let head = unfolding.head(bound);
    let at = |value: &crate::timeline::V| Bound {
        value: Arc::clone(value),
        env: head.env,
    };
    let is_audit = |name: &str| statement::AUDIT.contains(&name);
    match &*head.value {
        Value::Apply(apply) => match (&apply.receiver, apply.args.as_slice()) {
            (Some(column), [value]) if matches!(apply.name.as_str(), "eq" | "set") => {
                let name = hole_name(unfolding, &at(column)).unwrap_or_default();
                if is_audit(&name) {
                    None
                } else {
                    instability(unfolding, &at(value))
                }
            }
            _ => instability(unfolding, &head),
        },
        Value::Tuple(elems) | Value::Array(elems) if depth > 0 => elems
            .iter()
            .find_map(|elem| unstable_column(unfolding, &at(elem), depth - 1)),
        Value::Struct { fields, base, .. } => fields
            .iter()
            .filter(|(name, _)| !is_audit(name))
            .find_map(|(_, value)| instability(unfolding, &at(value)))
            .or_else(|| {
                base.as_ref()
                    .filter(|_| depth > 0)
                    .and_then(|base| unstable_column(unfolding, &at(base), depth - 1))
            }),
        _ => instability(unfolding, &head),
    }
}

fn holds_arithmetic(unfolding: &Unfolding<'_>, bound: &Bound, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let head = unfolding.head(bound);
    let at = |value: &crate::timeline::V| Bound {
        value: Arc::clone(value),
        env: head.env,
    };
    match &*head.value {
        Value::Operation(op, left, _) => {
            matches!(
                op,
                crate::ir::BinaryOp::Add
                    | crate::ir::BinaryOp::Subtract
                    | crate::ir::BinaryOp::Arithmetic
            ) && matches!(&*unfolding.head(&at(left)).value, Value::Path(_))
        }
        Value::Apply(apply) => {
            let adds =
                matches!(apply.name.as_str(), "add" | "sub" | "mul") && apply.receiver.is_some();
            adds || apply
                .args
                .iter()
                .any(|arg| holds_arithmetic(unfolding, &at(arg), depth - 1))
        }
        Value::Tuple(elems) => elems
            .iter()
            .any(|elem| holds_arithmetic(unfolding, &at(elem), depth - 1)),
        _ => false,
    }
}

/// Whether a value is made by functions of a crate, or from what they gave.
fn mentions_crate(unfolding: &Unfolding<'_>, bound: &Bound, krate: &str, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    unfolding.heads(bound, &mut 40).iter().any(|head| {
        let at = |value: &crate::timeline::V| Bound {
            value: Arc::clone(value),
            env: head.env,
        };
        match &*head.value {
            Value::Apply(apply) => {
                apply.path.split("::").next() == Some(krate)
                    || apply
                        .receiver
                        .iter()
                        .chain(&apply.args)
                        .any(|value| mentions_crate(unfolding, &at(value), krate, depth - 1))
            }
            Value::Field(inner, _) | Value::Item(inner) => {
                mentions_crate(unfolding, &at(inner), krate, depth - 1)
            }
            Value::Struct { fields, .. } => fields
                .iter()
                .any(|(_, value)| mentions_crate(unfolding, &at(value), krate, depth - 1)),
            _ => false,
        }
    })
}

fn field_names(unfolding: &Unfolding<'_>, bound: &Bound, depth: u32, out: &mut Vec<String>) {
    let head = unfolding.head(bound);
    if let Value::Struct { fields, .. } = &*head.value {
        for (name, value) in fields {
            out.push(name.to_string());
            if depth > 0 {
                field_names(
                    unfolding,
                    &Bound {
                        value: Arc::clone(value),
                        env: head.env,
                    },
                    depth - 1,
                    out,
                );
            }
        }
    }
}

/// How the options in a chain open a file; `None` for reading.
fn file_action(
    operation: &Operation,
    unfolding: &Unfolding<'_>,
    default: Action,
) -> Option<Action> {
    let on = |name: &str| {
        operation
            .part(unfolding, &Part::Method(name.to_owned(), 0))
            .is_some_and(|value| render(unfolding, &value) != "false")
    };
    if on("append") {
        Some(Action::Append)
    } else if on("create_new") {
        Some(Action::Create)
    } else if on("write") || on("create") || on("truncate") {
        Some(Action::Set)
    } else if operation.has_method(unfolding, "read") {
        None
    } else {
        Some(default)
    }
}

/// What a Redis command does; `None` for a read.
fn redis_action(command: &str, default: Action) -> Option<Action> {
    let command = command
        .split_whitespace()
        .next()
        .unwrap_or(command)
        .to_ascii_uppercase();
    match command.as_str() {
        "GET" | "MGET" | "EXISTS" | "TTL" | "PTTL" | "KEYS" | "SCAN" | "HGET" | "HGETALL"
        | "HMGET" | "LRANGE" | "LLEN" | "SMEMBERS" | "SISMEMBER" | "ZRANGE" | "ZSCORE"
        | "ZCARD" | "SCARD" | "PING" | "INFO" | "TYPE" | "XLEN" | "XRANGE" | "XREAD"
        | "HEXISTS" | "HKEYS" | "HVALS" | "STRLEN" | "ZRANGEBYSCORE" | "TIME" | "SELECT" => None,
        "SET" | "SETEX" | "PSETEX" | "MSET" | "HSET" | "HMSET" | "EXPIRE" | "PEXPIRE" | "SADD"
        | "ZADD" | "PERSIST" => Some(Action::Set),
        "SETNX" | "HSETNX" => Some(Action::Create),
        "DEL" | "UNLINK" | "HDEL" | "SREM" | "ZREM" | "LTRIM" | "LREM" | "FLUSHDB" | "FLUSHALL"
        | "GETDEL" => Some(Action::Delete),
        "INCR" | "DECR" | "INCRBY" | "DECRBY" | "INCRBYFLOAT" | "HINCRBY" | "ZINCRBY"
        | "APPEND" => Some(Action::Relative),
        "LPUSH" | "RPUSH" | "XADD" => Some(Action::Append),
        "PUBLISH" | "SPUBLISH" => Some(Action::Send),
        _ => Some(default),
    }
}

fn verb_action(name: &str, default: Action) -> Action {
    let head = name.split('_').next().unwrap_or(name);
    match head {
        "create" | "add" | "insert" | "new" | "open" | "start" => Action::Create,
        "update" | "edit" | "set" | "modify" | "change" | "rename" => Action::Update,
        "delete" | "remove" | "destroy" | "clear" => Action::Delete,
        "send" | "post" | "publish" | "forward" | "reply" => Action::Send,
        "put" | "upsert" | "replace" => Action::Set,
        _ => default,
    }
}
