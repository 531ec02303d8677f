//! What no condition can say: named predicates.

use super::fields::Fields;
use super::value::text;
use crate::json::Value;
use serde::{Deserialize, Serialize};

/// A predicate, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predicate {
    /// A directive's `target`, or its `target_swarm` where the target says nothing, is none we have.
    DirectiveTargetUnsupported,
    /// `noop_argv` has words, and they are not the fixed noop: a word names the governed command, or the
    /// last one does not print the marker.
    NoopArgvNotFixed,
    /// An attempt's `argv_digest` is no `sha256:` with 64 hexadecimal digits in lower case.
    ArgvDigestUnreadable,
}

const NOOP_MARKER: &str = "controlled-noop-ok";

/// The swarms that a directive can be meant for.
pub(super) const TARGETS: [&str; 7] = ["trade", "memory", "simulation", "security", "explorer", "overseer", "*"];

impl Predicate {
    /// Whether it holds of `record`.
    pub fn holds<'v>(self, record: &impl Fields<'v>) -> bool {
        match self {
            Self::DirectiveTargetUnsupported => {
                let target = text(record.get("target"));
                let said = if target.is_empty() { text(record.get("target_swarm")) } else { target };
                !said.is_empty() && !TARGETS.contains(&&*said)
            }
            Self::ArgvDigestUnreadable => {
                let hex = record.get("argv_digest").and_then(Value::as_str).and_then(|digest| digest.strip_prefix("sha256:"));
                !hex.is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
            }
            Self::NoopArgvNotFixed => {
                let words = record.get("noop_argv").and_then(Value::elements).unwrap_or_default();
                let has = |word: &Value<'_>, part: &str| text(Some(word)).contains(part);
                words.last().is_some_and(|last| !has(last, NOOP_MARKER) || words.iter().any(|word| has(word, "run_replay_evidence_check")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn only_the_fixed_noop_passes() {
        let fault = |words: &str| {
            let text = format!("{{\"noop_argv\": {words}}}");
            Predicate::NoopArgvNotFixed.holds(&parse(text.as_bytes()).expect("the test's text is JSON"))
        };
        assert!(!fault(r#"["landfall", "noop", "controlled-noop-ok"]"#) && !fault("[]") && !fault("\"text\""));
        assert!(fault(r#"["landfall", "noop"]"#) && fault(r#"["controlled-noop-ok", 7]"#));
        assert!(fault(r#"["python", "run_replay_evidence_check", "controlled-noop-ok"]"#));
    }

    #[test]
    fn a_digest_reads_like_one() {
        let fault = |digest: &str| {
            let text = format!("{{\"argv_digest\": \"{digest}\"}}");
            Predicate::ArgvDigestUnreadable.holds(&parse(text.as_bytes()).expect("the test's text is JSON"))
        };
        let hex = "0123456789abcdef".repeat(4);
        assert!(!fault(&format!("sha256:{hex}")));
        assert!(fault(&hex) && fault(&format!("sha256:{hex}0")) && fault(&format!("sha256:{}", hex.to_uppercase())));
    }
}
