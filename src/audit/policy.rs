//! The policy of an audit: which answers block, which validations count, what a session may touch.
//!
//! A policy can only ask for more: what is contradicted blocks under every one. Its digest stands in the answer, and a
//! policy that the judged session changed itself is not applied unless the caller says so.

use crate::evidence::{Evidence, EvidenceFile, KeyFault, Signed, TrustedKey};
use crate::finding::Support;
use crate::import::{Event, Place, Timeline};
use crate::json::{Value, digest_of, parse};
use serde::Serialize;

/// The `schema_version` of a policy file.
pub const POLICY_SCHEMA: &str = "landfall/audit-policy/v1";

/// What a policy file says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuditPolicy {
    /// `sha256:` and the digest of the file's bytes.
    pub digest: String,
    /// Whether a claim that is not shown blocks too.
    pub not_shown_blocks: bool,
    /// The runners whose runs count as tests, by the names of landfall's tables; `None` for all.
    pub validations: Option<Vec<String>>,
    /// Folders and files that a session may touch; `None` for all.
    pub touchable_paths: Option<Vec<String>>,
    /// Whether a pass counts only where a failure was seen before it.
    pub seen_red: bool,
    /// Keys whose signatures count; without any, statements are taken as unsigned and matched by digest only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attestation_keys: Vec<TrustedKey>,
}

/// Why a policy file is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PolicyFault {
    /// No JSON object.
    #[error("is no JSON object")]
    NotObject,
    /// Another schema, or none.
    #[error("has no schema_version landfall/audit-policy/v1")]
    Schema,
    /// A key that is not known: misspelt, it would ask for less than was meant.
    #[error("has a key that is not known")]
    Key,
    /// A value of the wrong kind.
    #[error("has a value of the wrong kind")]
    Kind,
    /// A key that cannot be used.
    #[error("names {0}")]
    PublicKey(#[from] KeyFault),
}

impl AuditPolicy {
    /// Reads a policy file.
    ///
    /// # Errors
    /// When it is no policy; nothing of it is quoted.
    pub fn read(bytes: &[u8]) -> Result<Self, PolicyFault> {
        let value = parse(bytes).ok().filter(Value::is_object).ok_or(PolicyFault::NotObject)?;
        if value.get("schema_version").and_then(Value::as_str) != Some(POLICY_SCHEMA) {
            return Err(PolicyFault::Schema);
        }
        let mut policy = Self { digest: digest_of(bytes), ..Self::default() };
        for (key, value) in value.members() {
            match key.as_ref() {
                "schema_version" => {}
                "blocks" => {
                    let blocks = texts(value)?;
                    if blocks.iter().any(|answer| !matches!(answer.as_str(), "contradicted" | "not_shown")) {
                        return Err(PolicyFault::Kind);
                    }
                    policy.not_shown_blocks = blocks.iter().any(|answer| answer == "not_shown");
                }
                "validations" => policy.validations = Some(texts(value)?),
                "touchable_paths" => policy.touchable_paths = Some(texts(value)?),
                "seen_red" => policy.seen_red = if let Value::Bool(wanted) = value { *wanted } else { return Err(PolicyFault::Kind) },
                "attestation_keys" => {
                    let keys = value.elements().filter(|keys| !keys.is_empty()).ok_or(PolicyFault::Kind)?;
                    policy.attestation_keys = keys.iter().map(trusted_key).collect::<Result<_, _>>()?;
                    let names = || policy.attestation_keys.iter().map(|key| &key.name);
                    if names().enumerate().any(|(at, name)| names().take(at).any(|other| other == name)) {
                        return Err(PolicyFault::Kind);
                    }
                }
                _ => return Err(PolicyFault::Key),
            }
        }
        Ok(policy)
    }

    /// Takes runs out of `timeline` that are no validation under this policy.
    pub fn narrow(&self, timeline: &mut Timeline) {
        let Some(counting) = &self.validations else { return };
        for event in &mut timeline.events {
            if let Event::Command(command) = event
                && !command.shell.test.as_ref().is_some_and(|test| counting.iter().any(|name| name == test.name))
            {
                command.shell.test = None;
                command.facts.summary = None;
            }
        }
    }

    /// Checks the signatures of statements, where this policy names keys. What none of them signed is no evidence.
    pub fn verify(&self, evidence: &mut [EvidenceFile]) {
        if self.attestation_keys.is_empty() {
            return;
        }
        for file in evidence {
            if let Evidence::Attested(statements) = &mut file.evidence {
                statements.iter_mut().for_each(|statement| statement.verify(&self.attestation_keys));
            }
        }
    }

    /// Where the session touched what it may not.
    pub fn outside(&self, timeline: &Timeline) -> Vec<Place> {
        let Some(allowed) = &self.touchable_paths else { return Vec::new() };
        let within = |path: &str| {
            allowed.iter().map(|allowed| allowed.trim_end_matches('/')).any(|allowed| {
                path.strip_prefix(allowed).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                    && !path.split('/').any(|part| part == "..")
            })
        };
        let touches = timeline.events.iter().filter_map(|event| if let Event::Touch(touch) = event { Some(touch) } else { None });
        touches.filter(|touch| !within(&touch.path)).map(|touch| touch.place).take(1000).collect()
    }

    /// Whether an answer blocks.
    pub fn blocks(&self, answer: Support) -> bool {
        match answer {
            Support::Contradicted | Support::Forbidden => true,
            Support::NotShown => self.not_shown_blocks,
            Support::Supported => false,
        }
    }
}

fn trusted_key(value: &Value<'_>) -> Result<TrustedKey, PolicyFault> {
    if !value.is_object() || value.members().iter().any(|(key, _)| !matches!(key.as_ref(), "name" | "public_key")) {
        return Err(if value.is_object() { PolicyFault::Key } else { PolicyFault::Kind });
    }
    let text = |key: &str| value.get(key).and_then(Value::as_str).ok_or(PolicyFault::Kind);
    let name = text("name")?;
    // Names are shown, so they are plain.
    if name.is_empty() || name.len() > 64 || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')) {
        return Err(PolicyFault::Kind);
    }
    Ok(TrustedKey::read(name, text("public_key")?)?)
}

/// What was found out about the signature of a statement, in words.
pub(super) fn word_of(signed: &Signed) -> String {
    match signed {
        Signed::Unchecked => "unverified signature".to_owned(),
        Signed::By(key) => format!("signed by {key}"),
        Signed::Refused(reason) => reason.to_string(),
    }
}

fn texts(value: &Value<'_>) -> Result<Vec<String>, PolicyFault> {
    let items = value.elements().ok_or(PolicyFault::Kind)?;
    items.iter().map(|item| item.as_str().map(str::to_owned).ok_or(PolicyFault::Kind)).collect()
}

/// Whether the session, or a commit that it printed, changed the file at `path`.
pub fn was_changed(path: &str, timeline: &Timeline, evidence: &[EvidenceFile]) -> bool {
    let below = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|before| before.is_empty() || before.ends_with('/'));
    let is_it = |changed: &str| !changed.is_empty() && (below(path, changed) || below(changed, path));
    let commits = |event: &Event| match event {
        Event::Command(command) => command.facts.commits.made.iter().map(|line| line.hash.clone()).collect(),
        _ => Vec::new(),
    };
    let repositories =
        || evidence.iter().filter_map(|file| if let Evidence::Git(repository) = &file.evidence { Some(repository) } else { None });
    timeline.events.iter().any(|event| match event {
        Event::Touch(touch) => is_it(&touch.path),
        other => commits(other).iter().any(|short| {
            repositories().any(|repository| {
                let changed = repository.whole_hash(short).and_then(|hash| repository.changed_paths(&hash));
                changed.is_some_and(|changed| changed.iter().any(|path| is_it(path)))
            })
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_says_only_what_is_known() {
        let of = |rest: &str| AuditPolicy::read(format!("{{\"schema_version\": \"{POLICY_SCHEMA}\"{rest}}}").as_bytes());
        let policy = of(r#", "blocks": ["not_shown"], "seen_red": true, "touchable_paths": ["src/"]"#).expect("a policy");
        assert!(policy.blocks(Support::NotShown) && policy.blocks(Support::Contradicted) && policy.seen_red);
        assert!(!of("").expect("an empty policy").blocks(Support::NotShown));
        assert!(of(r#", "blocks": []"#).expect("a policy").blocks(Support::Contradicted), "no policy lets a contradiction pass");
        assert_eq!(of(r#", "block": ["not_shown"]"#), Err(PolicyFault::Key));
        assert_eq!(of(r#", "blocks": ["supported"]"#), Err(PolicyFault::Kind));
        assert_eq!(of(r#", "seen_red": "yes""#), Err(PolicyFault::Kind));
        assert_eq!(AuditPolicy::read(b"{}"), Err(PolicyFault::Schema));
        assert_eq!(AuditPolicy::read(b"[]"), Err(PolicyFault::NotObject));
    }
}
