//! What a case expects: the code of a rule, or a reason of the loop family.

use super::input::Kind;
use crate::code::Code;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A name for a refusal. Rules have codes in capitals, contracts and trails have reasons in small letters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum CaseCode {
    /// A code that landfall has.
    Rule(Code),
    /// A reason. Contracts name most of them, records some: there is no list of all.
    Reason(String),
}

impl CaseCode {
    /// The name as it is written in a case of this kind; nothing for what no case of the kind can produce.
    pub fn named(name: &str, kind: Option<Kind>) -> Option<Self> {
        if kind.is_some_and(Kind::is_loop) {
            return is_reason(name).then(|| Self::Reason(name.to_owned()));
        }
        Code::lookup(name).filter(|code| code.as_str() == name).map(Self::Rule)
    }

    /// The whole name.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Rule(code) => code.as_str(),
            Self::Reason(reason) => reason,
        }
    }

    /// The code of a rule, if it is one.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Rule(code) => Some(*code),
            Self::Reason(_) => None,
        }
    }
}

/// Whether a text reads like a reason: a word in small letters, and behind a colon what it speaks of.
fn is_reason(text: &str) -> bool {
    let word = text.split_once(':').map_or(text, |(word, _)| word);
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    text.len() <= 100 && word.bytes().next().is_some_and(|first| first.is_ascii_lowercase()) && word.bytes().all(plain)
}

impl fmt::Display for CaseCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A reason may name what it met in a text, a control character among it.
        f.write_str(&self.as_str().replace(crate::landing::row::is_unprintable, "?"))
    }
}

impl Serialize for CaseCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for CaseCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let rule = Self::named(&name, None).or_else(|| Self::named(&name, Some(Kind::Record)));
        rule.ok_or_else(|| serde::de::Error::custom("neither a code of this version nor a reason"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_has_codes_or_reasons_and_never_both() {
        let code = "WORK_LANDING_RUN_ID_MISSING";
        for (name, of_rows, of_records) in [
            (code, true, false),
            ("run_id_missing", false, true),
            ("forbidden_token:;", false, true),
            ("forbidden_token:\n", false, true),
            ("Missing_id", false, false),
            ("", false, false),
            (":x", false, false),
            ("missing id", false, false),
        ] {
            assert_eq!(CaseCode::named(name, Some(Kind::Row)).is_some(), of_rows, "{name:?}");
            assert_eq!(CaseCode::named(name, Some(Kind::Record)).is_some(), of_records, "{name:?}");
        }
        assert_eq!(CaseCode::named("forbidden_token:\n", Some(Kind::Command)).expect("a reason").to_string(), "forbidden_token:?");
    }
}
