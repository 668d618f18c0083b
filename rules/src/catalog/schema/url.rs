//! URLs: classes of hosts and paths, and what a request there is.

use serde::Deserialize;

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
    /// Names of parameters in the query.
    #[serde(default)]
    pub parameters: Vec<String>,
    /// First words of the last fixed part of a path.
    #[serde(default)]
    pub verbs: Vec<String>,
    /// First words of the name of the function around the call.
    #[serde(default)]
    pub functions: Vec<String>,
}

/// What a request to a class of URLs is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlKind {
    /// An effect of this kind.
    Effect(EffectKind),
    /// A read.
    Read,
    /// A call that changes nothing more when it is repeated, although it is a POST.
    Natural,
}

impl<'de> Deserialize<'de> for UrlKind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        match word.as_str() {
            "natural" => Ok(UrlKind::Natural),
            "read" => Ok(UrlKind::Read),
            other => EffectKind::parse(other)
                .map(UrlKind::Effect)
                .ok_or_else(|| {
                    serde::de::Error::custom(format!(
                        "`{other}` is no class of URLs: an effect kind, `natural` or `read`"
                    ))
                }),
        }
    }
}
