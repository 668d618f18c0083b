//! What a request is, by whom it goes to and what it says.

use std::sync::Arc;

use retrysafe_rules::catalog::UrlKind;
use retrysafe_rules::vocabulary::{Action, EffectKind};

use crate::timeline::{Bound, Context, Happening};

use super::super::graphql;
use super::super::http;
use super::super::part::{Operation, field_of};
use super::super::text::fixed;
use super::Reading;

/// How many levels down in a body the text of a query may stand.
const NESTED: u32 = 2;

/// What a request turned out to be.
pub(super) struct Request {
    pub(super) kind: EffectKind,
    pub(super) action: Action,
    /// Whether repeating it changes nothing more, by its name.
    pub(super) is_natural: bool,
}

impl Reading<'_, '_> {
    /// What a request is; none where it only reads.
    pub(super) fn request(
        &self,
        happening: &Happening,
        operation: &Operation,
        (target, url): (&str, Option<&str>),
        (kind, action): (EffectKind, Action),
    ) -> Option<Request> {
        let urls = &self.unfolding.timelines().known().urls;
        let class = url.and_then(|url| http::class_of(url, urls));
        // Who asks for a token gets one that is as good as the one before.
        let reads = class == Some(UrlKind::Read) || self.is_grant(operation);
        if reads && action == Action::Create {
            return None;
        }
        let mut request = Request {
            kind,
            action,
            is_natural: class == Some(UrlKind::Natural),
        };
        if let Some(UrlKind::Effect(by_host)) = class
            && by_host != EffectKind::Http
        {
            request.kind = by_host;
            let tells_people = matches!(
                by_host,
                EffectKind::Email | EffectKind::Sms | EffectKind::Push | EffectKind::Chat
            );
            if tells_people && action == Action::Create && by_host != kind {
                request.action = Action::Send;
            }
        }
        let address = url.unwrap_or(target);
        if http::is_graphql(address)
            && let Some(document) = self.document(operation)
        {
            match graphql::mutation(&document) {
                Some(name) => request.is_natural |= http::is_natural_name(&name, urls),
                None => return None,
            }
        }
        // What a function is called tells of a plain request; who sends to a host that is known
        // says it in the address.
        let callers = match request.kind {
            EffectKind::Http => self.callers(&happening.context),
            _ => Vec::new(),
        };
        request.is_natural |= matches!(request.action, Action::Create | Action::Send)
            && http::is_natural(address, &callers, urls);
        Some(request)
    }

    /// The text of the GraphQL document that a request carries.
    fn document(&self, operation: &Operation) -> Option<String> {
        let text = self.body_field(operation, "query")?;
        fixed(self.unfolding, &text)
    }

    /// Whether a request asks for a token, as OAuth does it.
    fn is_grant(&self, operation: &Operation) -> bool {
        self.body_field(operation, "grant_type").is_some()
    }

    /// A field of the body that a request carries.
    fn body_field(&self, operation: &Operation, name: &str) -> Option<Bound> {
        let mut found = None;
        operation.search(self.unfolding, &mut |apply, env| {
            found = apply.args.iter().find_map(|arg| {
                let arg = Bound {
                    value: Arc::clone(arg),
                    env,
                };
                field_of(self.unfolding, &arg, name, NESTED)
            });
            found.is_some()
        });
        found
    }

    /// The names of the innermost functions around a call that say what it is about.
    fn callers(&self, context: &Context) -> Vec<String> {
        let program = self.unfolding.timelines().program();
        let steps = std::iter::successors(context.route.as_deref(), |step| step.before.as_deref());
        // The entry is about the job, not about the call.
        steps
            .filter(|step| step.before.is_some())
            .map(|step| program.function(step.function).function.name.to_string())
            .filter(|name| !is_plumbing(name))
            .take(1)
            .collect()
    }
}

/// Whether a function's name says only that something is sent.
fn is_plumbing(name: &str) -> bool {
    let first = name.split('_').next().unwrap_or(name);
    matches!(
        first,
        "send"
            | "execute"
            | "request"
            | "post"
            | "call"
            | "do"
            | "run"
            | "make"
            | "api"
            | "json"
            | "http"
            | "perform"
            | "invoke"
            | "dispatch"
            | "mutate"
            | ""
    )
}
