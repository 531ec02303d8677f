//! in-toto statements, in DSSE envelopes or bare: what was tested, by digest.

use super::envelope::{self, Envelope, Signed, TrustedKey};
use super::git_output::is_hash;
use crate::json::{Value, parse};

/// A test result that names its commits by digest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attested {
    /// Commits it is about, lower case.
    pub commits: Vec<String>,
    /// It says that the tests passed, or that they failed; neither for what is no test result.
    pub passed: Option<bool>,
    /// It says *passed* and lists failed tests.
    pub inconsistent: bool,
    /// The envelope it came in, until its signature is checked.
    pub envelope: Option<Envelope>,
    /// What is known of its signature.
    pub signed: Signed,
}

const SUBJECT_LIMIT: usize = 1000;

/// Reads one envelope or statement; `None` for anything else.
pub(super) fn read(value: &Value<'_>) -> Option<Attested> {
    let Some(envelope) = Envelope::read(value) else { return statement(value) };
    if !envelope.is_statement() {
        return Some(Attested { envelope: Some(envelope), ..Attested::default() });
    }
    let inner = parse(&envelope.payload).ok()?;
    let attested = statement(&inner)?;
    drop(inner);
    Some(Attested { envelope: Some(envelope), ..attested })
}

impl Attested {
    /// Holds the signature to the keys that a policy names.
    pub fn verify(&mut self, keys: &[TrustedKey]) {
        self.signed = envelope::verify(self.envelope.as_ref(), keys);
        // What was signed is read; the bytes are of no further use.
        self.envelope = None;
    }

    /// Whether it may be taken as evidence: no policy names keys, or one of them signed it.
    pub fn is_trusted(&self) -> bool {
        !matches!(self.signed, Signed::Refused(_))
    }
}

fn statement(value: &Value<'_>) -> Option<Attested> {
    let kind = value.get("_type")?.as_str()?;
    if !kind.starts_with("https://in-toto.io/Statement/") {
        return None;
    }
    let predicate_type = value.get("predicateType").and_then(Value::as_str).unwrap_or_default();
    let predicate = value.get("predicate");
    let mut attested = Attested::default();
    let digest_of = |digest: &Value<'_>, attested: &mut Attested| {
        for key in ["gitCommit", "sha1"] {
            if let Some(hash) = digest.get(key).and_then(Value::as_str)
                && is_hash(hash)
                && attested.commits.len() < SUBJECT_LIMIT
            {
                attested.commits.push(hash.to_ascii_lowercase());
            }
        }
    };
    for subject in value.get("subject").and_then(Value::elements).unwrap_or_default() {
        if let Some(digest) = subject.get("digest") {
            digest_of(digest, &mut attested);
        }
    }
    if predicate_type.starts_with("https://in-toto.io/attestation/test-result/") {
        let result = predicate.and_then(|predicate| predicate.get("result")).and_then(Value::as_str);
        let failed =
            predicate.and_then(|predicate| predicate.get("failedTests")).and_then(Value::elements).is_some_and(|failed| !failed.is_empty());
        attested.passed = match result {
            Some("PASSED" | "WARNED") => Some(true),
            Some("FAILED") => Some(false),
            _ => None,
        };
        attested.inconsistent = attested.passed == Some(true) && failed;
    } else if let Some(materials) =
        predicate.and_then(|predicate| predicate.get("buildDefinition")).and_then(|build| build.get("resolvedDependencies"))
    {
        for material in materials.elements().unwrap_or_default() {
            if let Some(digest) = material.get("digest") {
                digest_of(digest, &mut attested);
            }
        }
    }
    Some(attested)
}
