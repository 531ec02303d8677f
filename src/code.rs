//! Codes: the stable names of what landfall refuses.

use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// A code landfall has; made only from the rule table, so that no other can be written or read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Code(&'static str);

impl Code {
    /// Names a code; rules do this, each its own.
    pub const fn named(name: &'static str) -> Self {
        Self(name)
    }

    /// The whole code.
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// The code in lower case without its family's prefix: file name, id and page anchor.
    pub fn slug(self) -> String {
        self.0.strip_prefix(LANDING_PREFIX).unwrap_or(self.0).to_ascii_lowercase()
    }

    /// The code of this name, with or without the prefix, in any case.
    pub fn lookup(name: &str) -> Option<Self> {
        let wanted = name.trim().to_ascii_uppercase();
        all().find(|code| code.0 == wanted || code.0.strip_prefix(LANDING_PREFIX) == Some(&wanted))
    }
}

/// The prefix of every code of the landing family.
pub const LANDING_PREFIX: &str = "WORK_LANDING_";

/// Every code landfall has: the rules', then the faults of a corpus.
pub fn all() -> impl Iterator<Item = Code> {
    crate::landing::rules::RULES.iter().map(|rule| rule.code).chain(crate::corpus::faults::FAULTS.iter().map(|fault| fault.code))
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        all().find(|code| code.0 == name).ok_or_else(|| serde::de::Error::custom("a code this version does not have"))
    }
}
