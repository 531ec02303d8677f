//! SARIF 2.1.0 for code hosts: one run, a result for each reason, a location for each result.
//!
//! What was accepted without a remark is no result; the counts stand in the run's properties. A place without a
//! line is shown at the file's first line, since hosts refuse a result without one.

use super::{Item, Outcome, Remark, Report, describe, uri};
use crate::json::{hex, to_canonical_text};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// The report as SARIF.
pub fn render(report: &Report) -> String {
    let told = || report.items().flat_map(|(_, item)| item.remarks.iter().map(move |remark| (item, remark)));
    let codes: BTreeSet<_> = told().map(|(_, remark)| remark.code.as_str()).collect();
    let index: BTreeMap<_, _> = codes.iter().enumerate().map(|(index, code)| (*code, index)).collect();
    let mut seen = BTreeMap::new();
    let results = told().map(|(item, remark)| result(item, remark, index[remark.code.as_str()], &mut seen)).collect();
    let inputs = report.parts.iter().flat_map(|part| &part.inputs);
    let log = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "landfall",
                    version: env!("CARGO_PKG_VERSION"),
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: codes.iter().map(|code| Rule::of(code)).collect(),
                },
            },
            invocations: [Invocation { execution_successful: true }],
            automation_details: Automation { id: "landfall/" },
            artifacts: inputs
                .map(|input| Artifact {
                    location: Location { uri: uri::of_path(input.path.as_str()) },
                    length: i64::try_from(input.size_bytes).unwrap_or(-1),
                    hashes: BTreeMap::from([("sha-256", input.sha256.as_str())]),
                })
                // Files of two parts may be one file.
                .collect::<BTreeSet<_>>(),
            column_kind: "unicodeCodePoints",
            results,
            properties: json!({
                "verdict": report.verdict,
                "checked": report.parts.iter().map(|part| json!({"part": part.kind, "verdict": part.verdict, "tallies": part.tallies,
                    "unlistedFindings": part.unlisted_findings})).collect::<Vec<_>>(),
            }),
        }],
    };
    to_canonical_text(&log)
}

fn result(item: &Item, remark: &Remark, rule_index: usize, seen: &mut BTreeMap<String, u64>) -> ResultEntry {
    let text = format!("{} {} ({}): {}", item.kind.as_str(), item.name, item.support.as_str().replace('_', " "), remark.message);
    // No line: a session grows and a table is sorted anew, and a reason stays the same reason.
    let basis = [item.kind.as_str(), item.place.file.as_str(), item.name.as_str(), remark.code.as_str()].join("\u{0}");
    let fingerprint = hex(&Sha256::digest(basis.as_bytes()));
    let count = seen.entry(fingerprint.clone()).or_default();
    *count += 1;
    let fingerprint = format!("{fingerprint}:{count}");
    let related = item.evidence.iter().enumerate().map(|(index, place)| LocationEntry {
        id: Some(index as u64 + 1),
        physical_location: Physical::of(place),
        logical_locations: None,
        message: Some(Message { text: "evidence".to_owned() }),
    });
    ResultEntry {
        rule_id: remark.code.to_string(),
        rule_index,
        kind: "fail",
        level: match item.outcome {
            Outcome::Refused => "error",
            Outcome::NotShown => "warning",
            Outcome::Accepted => "note",
        },
        message: Message { text: message(&text) },
        locations: [LocationEntry {
            id: None,
            physical_location: Physical::of(&item.place),
            logical_locations: Some([Logical { name: item.name.to_string(), kind: "object" }]),
            message: None,
        }],
        related_locations: related.collect(),
        partial_fingerprints: BTreeMap::from([("landfallSubject/v1", fingerprint.clone()), ("primaryLocationLineHash", fingerprint)]),
        properties: json!({"support": item.support, "outcome": item.outcome, "says": item.says}),
    }
}

/// `text` as a message: braces are placeholders there, and brackets before parentheses links.
fn message(text: &str) -> String {
    let text = text.replace('{', "{{").replace('}', "}}");
    if text.contains("](") { text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]") } else { text }
}

#[derive(Serialize)]
struct Log<'r> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'r> {
    tool: Tool,
    invocations: [Invocation; 1],
    automation_details: Automation,
    artifacts: BTreeSet<Artifact<'r>>,
    column_kind: &'static str,
    results: Vec<ResultEntry>,
    properties: serde_json::Value,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Message,
    full_description: Message,
    help: Message,
}

impl Rule {
    fn of(code: &str) -> Self {
        let refuses = message(&describe::code(code));
        let help = match crate::code::Code::lookup(code) {
            Some(known) => format!("{refuses} The whole page: landfall explain {}", known.slug()),
            None => refuses.clone(),
        };
        let short = Message { text: describe::words(code) };
        Self { id: code.to_owned(), short_description: short, full_description: Message { text: refuses }, help: Message { text: help } }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Serialize)]
struct Automation {
    id: &'static str,
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct Artifact<'r> {
    location: Location,
    length: i64,
    hashes: BTreeMap<&'static str, &'r str>,
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct Location {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultEntry {
    rule_id: String,
    rule_index: usize,
    kind: &'static str,
    level: &'static str,
    message: Message,
    locations: [LocationEntry; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<LocationEntry>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    properties: serde_json::Value,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LocationEntry {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_locations: Option<[Logical; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Location,
    region: Region,
}

impl Physical {
    fn of(place: &super::Place) -> Self {
        let line = place.line.unwrap_or(1);
        Self { artifact_location: Location { uri: uri::of_path(place.file.as_str()) }, region: Region { start_line: line } }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
}

#[derive(Serialize)]
struct Logical {
    name: String,
    kind: &'static str,
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn a_message_holds_no_placeholder_and_no_link() {
        assert_eq!(message("row[3] {0}"), "row[3] {{0}}");
        assert_eq!(message("[x](1)"), "\\[x\\](1)");
    }
}
