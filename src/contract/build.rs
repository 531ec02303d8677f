//! What a contract says about making a record of its type, beside what its clauses fix.

use serde::Deserialize;
use serde_json::{Map, Value as Json};

/// How a record of a type is made.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// What makes it.
    pub by: By,
    /// What every record of the type says of itself and no clause fixes.
    #[serde(default)]
    pub says: Map<String, Json>,
    /// What it takes from the record that it comes from.
    #[serde(default)]
    pub takes: Vec<Take>,
    /// Whether a parent that may have no child gets one all the same, which says so and is not valid.
    #[serde(default)]
    pub records_refusal: bool,
    /// The field of which a second record may not repeat the text, where that is not what `idempotent_by` says.
    pub once_by: Option<String>,
}

/// What makes a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The contract alone: nothing of it is decided.
    Contract,
    /// A builder that decides what the contract leaves open.
    Builder,
    /// A runner that starts a process.
    Runner,
}

/// A field that is taken from the parent.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct Take {
    /// The field of the record.
    pub field: String,
    /// Where the parent has it; `None`: wherever a copy of that name comes from.
    pub from: Option<String>,
}

impl From<String> for Take {
    /// A field, or a field and the path it comes from.
    fn from(text: String) -> Self {
        match text.split_once(' ') {
            Some((field, from)) => Self { field: field.to_owned(), from: Some(from.to_owned()) },
            None => Self { field: text, from: None },
        }
    }
}
