//! The report as landfall's own JSON: everything, in the one canonical text.

use super::Report;
use crate::json::to_canonical_text;
use crate::landing::record::{SchemaVersion, Tool};

/// The report as JSON.
pub fn render(report: &Report) -> String {
    to_canonical_text(&serde_json::json!({
        "schema_version": SchemaVersion::current("report"),
        "tool": Tool::this(),
        "verdict": report.verdict,
        "parts": report.parts,
    }))
}
