//! URLs: classes of hosts and paths, and what a request there is.

use serde::Deserialize;

use super::effect::CallKind;
use crate::vocabulary::EffectKind;

/// A class of hosts or URL paths.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct UrlEntry {
    /// What a request there is; `read` for queries sent by POST.
    pub kind: UrlKind,
    /// Hosts, `*` for any label, optionally with a path prefix.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Ends of URL paths.
    #[serde(default)]
    pub paths: Vec<String>,
}

/// What a request to a class of URLs is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlKind {
    /// An effect of this kind.
    Effect(EffectKind),
    /// A read.
    Read,
}

impl<'de> Deserialize<'de> for UrlKind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match CallKind::deserialize(deserializer)? {
            CallKind::Effect(kind) => Ok(UrlKind::Effect(kind)),
            CallKind::Read => Ok(UrlKind::Read),
            CallKind::Sql | CallKind::Acknowledge => Err(serde::de::Error::custom(
                "a URL class is an effect kind or `read`",
            )),
        }
    }
}
