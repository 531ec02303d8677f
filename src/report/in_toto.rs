//! An in-toto Statement v1 with a verification summary (VSA v1): who verified what against which policy.
//!
//! Unsigned: signing is for those who have a key. `timeVerified` is left out, since a report has no clock; the
//! specification leaves it optional. Anything but a pass is `FAILED`: a summary has no third word.

use super::{Part, PartKind, Report, Verdict, uri};
use crate::json::to_canonical_text;
use crate::landing::build::POLICY_FILE;
use serde_json::{Value, json};

/// The resource that is named where the caller names none.
pub const RESOURCE: &str = "urn:x-landfall:records";
/// The level that a pass reaches; names that start with `SLSA_` belong to SLSA.
const LEVEL: &str = "LANDFALL_EVIDENCE_SUPPORTED";

/// The report as a statement about `resource`, a URI.
pub fn render(report: &Report, resource: &str) -> String {
    let passed = report.verdict == Verdict::Pass;
    to_canonical_text(&json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": report.parts.iter().flat_map(subjects).collect::<Vec<_>>(),
        "predicateType": "https://slsa.dev/verification_summary/v1",
        "predicate": {
            // No version here: those who compare the id compare all of it, and the optional member beside it is one
            // that strict readers of this predicate do not know. The records name the version.
            "verifier": { "id": "pkg:cargo/landfall" },
            "resourceUri": resource,
            "policy": policy(report),
            "inputAttestations": report.parts.iter().flat_map(records).collect::<Vec<_>>(),
            "verificationResult": if passed { "PASSED" } else { "FAILED" },
            "verifiedLevels": [if passed { LEVEL } else { "FAILED" }],
        },
    }))
}

/// What was verified: the inputs of a replay; of an audit the answer, since it names no digest of a session.
fn subjects(part: &Part) -> Vec<Value> {
    if part.kind == PartKind::Audit {
        return part.records.iter().map(|file| json!({"name": file.name, "digest": {"sha256": file.sha256}})).collect();
    }
    let known = part.inputs.iter().filter(|input| is_digest(input.sha256.as_str()));
    let mut subjects: Vec<_> = known.map(|input| json!({"name": input.path, "digest": {"sha256": input.sha256}})).collect();
    if subjects.is_empty() {
        // A statement needs a subject; a replay without any input still made records.
        subjects = part.records.iter().map(|file| json!({"name": file.name, "digest": {"sha256": file.sha256}})).collect();
    }
    subjects
}

fn records(part: &Part) -> Vec<Value> {
    let of_file = |file: &super::RecordFile| {
        let name = uri::of_path(file.name.as_str());
        json!({"uri": name, "digest": {"sha256": file.sha256}})
    };
    part.records.iter().map(of_file).collect()
}

/// The landing policy of the first replay; for an audit the rules of this version.
fn policy(report: &Report) -> Value {
    let inputs = report.parts.iter().flat_map(|part| &part.inputs);
    let is_policy = |path: &str| path == POLICY_FILE || path.ends_with(&format!("/{POLICY_FILE}"));
    match inputs.filter(|input| is_digest(input.sha256.as_str())).find(|input| is_policy(input.path.as_str())) {
        Some(input) => json!({"uri": uri::of_path(input.path.as_str()), "digest": {"sha256": input.sha256}}),
        None => json!({"uri": concat!("urn:x-landfall:rules:", env!("CARGO_PKG_VERSION"))}),
    }
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
