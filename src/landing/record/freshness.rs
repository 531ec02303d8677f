//! What a record was made from, so that a later run can tell whether it still holds (spec 8).

use super::SchemaVersion;
use crate::json::digest_of;
use serde::{Deserialize, Serialize};

/// One input file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputDigest {
    /// Display path.
    pub path: String,
    /// Bare hex digest.
    pub sha256: String,
    /// Number of bytes.
    pub size_bytes: u64,
}

/// The inputs of a run and one digest over them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FreshnessBasis {
    /// The basis format.
    pub schema_version: SchemaVersion,
    /// Digest over everything below but the counts.
    pub basis_digest: String,
    /// The card format.
    pub card_schema_version: SchemaVersion,
    /// Whether negative cases were judged.
    pub include_negative: bool,
    /// Number of `inputs`.
    pub input_count: u64,
    /// Number of `missing_inputs`.
    pub missing_path_count: u64,
    /// The format of the result.
    pub validator_schema_version: SchemaVersion,
    /// The version of landfall, whose rules decided.
    pub validator_version: String,
    /// The inputs that exist, in order.
    pub inputs: Vec<InputDigest>,
    /// The inputs that do not.
    pub missing_inputs: Vec<String>,
}

impl FreshnessBasis {
    /// The basis over these inputs.
    pub fn new(include_negative: bool, record: &str, inputs: Vec<InputDigest>, missing_inputs: Vec<String>) -> Self {
        let mut basis = Self {
            schema_version: SchemaVersion::current("freshness-basis"),
            basis_digest: String::new(),
            card_schema_version: SchemaVersion::current("card"),
            include_negative,
            input_count: inputs.len() as u64,
            missing_path_count: missing_inputs.len() as u64,
            validator_schema_version: SchemaVersion::current(record),
            validator_version: env!("CARGO_PKG_VERSION").to_owned(),
            inputs,
            missing_inputs,
        };
        basis.basis_digest = basis.computed_digest();
        basis
    }

    fn computed_digest(&self) -> String {
        digest_of(
            crate::json::to_spaced_line(&serde_json::json!({
                "card_schema_version": self.card_schema_version,
                "include_negative": self.include_negative,
                "inputs": self.inputs,
                "missing_inputs": self.missing_inputs,
                "validator_schema_version": self.validator_schema_version,
                "validator_version": self.validator_version,
            }))
            .as_bytes(),
        )
    }
}
