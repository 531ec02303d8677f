//! Records of the landing family: what a replay saw, as metadata only (design 5).
//!
//! A record is a pure function of its inputs: no clock, no host path, no command line, no text of
//! an input that could leak. Each type is read back strictly: unknown keys are refused.

mod blocks;
mod board;
mod coverage;
mod freshness;
mod result;
mod validation;
mod version;

pub use blocks::{
    AuthorityCeiling, FurtherCases, Hit, LaneEntry, ModuleEntry, RunRowEntry, ScanBlock, ScanScope, SourceModuleImports, SupportCounts,
    Tool,
};
pub use board::{Board, BoardMechanic};
pub use coverage::CoverageRecord;
pub use freshness::{FreshnessBasis, InputDigest};
pub use result::{EvidenceBasis, ReadError, ResultRecord};
pub use validation::{CaseCoverage, ValidationRecord};
pub use version::{SchemaVersion, VersionError};

use crate::json::digest_of;
use serde::Serialize;

/// The component that every record names.
pub const COMPONENT: &str = "durable_agent_work_landing_replay";
/// The fixture that every record names.
pub const FIXTURE_ID: &str = "first_wave.durable_agent_work_landing_replay";
/// The validator that every record names.
pub const VALIDATOR_ID: &str = "landfall.replay";
/// What a record does not show.
pub const ANTI_CLAIM: &str = "this record shows that recorded evidence did or did not support recorded words; it shows no Git mutation, \
     does not prove that any commit exists, and decides nothing about a launch";

/// A record that carries the digest of its own canonical text.
pub trait Sealed: Serialize + Clone {
    /// The place of the digest.
    fn digest_slot(&mut self) -> &mut String;

    /// The record with its digest.
    #[must_use]
    fn seal(mut self) -> Self {
        *self.digest_slot() = String::new();
        *self.digest_slot() = self.computed_digest();
        self
    }

    /// The digest of the record without its digest.
    ///
    /// # Panics
    /// Never for our own records, which are objects.
    fn computed_digest(&self) -> String {
        let mut value = serde_json::to_value(self).expect("records are JSON");
        value.as_object_mut().expect("records are objects").remove("record_digest");
        digest_of(crate::json::to_canonical_text(&value).as_bytes())
    }
}

macro_rules! sealed {
    ($($record:ty),*) => { $(impl Sealed for $record {
        fn digest_slot(&mut self) -> &mut String {
            &mut self.record_digest
        }
    })* };
}
sealed!(ResultRecord, Board, ValidationRecord, CoverageRecord);

/// The file names of the records.
pub mod files {
    /// The result of a fixture.
    pub const RESULT: &str = "result.json";
    /// The board.
    pub const BOARD: &str = "board.json";
    /// The validation record.
    pub const VALIDATION: &str = "validation.json";
    /// The coverage record.
    pub const COVERAGE: &str = "negative-coverage.json";
    /// The result of a bundle.
    pub const BUNDLE: &str = "bundle-result.json";
}
