//! # WORK_LANDING_INPUT_FILE_MISSING
//!
//! ## Refuses
//!
//! An input file that is required and absent, or is no regular file: a folder, a link, a FIFO, a device.
//!
//! ## Why it matters
//!
//! A check that could not run is never a pass, and reading a FIFO would wait for ever.
//!
//! ## Evidence it reads
//!
//! What stands at the fixed name in the input folder, without following links.
//!
//! ## Smallest refused
//!
//! ```json corpus
//! {"kind": "folder", "files": {}}
//! ```
//!
//! ## Nearest accepted
//!
//! ```json corpus
//! {
//!   "kind": "folder",
//!   "files": {
//!     "landing_policy.json": "{}",
//!     "projection_protocol.json": "{}",
//!     "work_landing_runs.json": "{}"
//!   }
//! }
//! ```
//!
//! Source: work-landing specification, section 1.

use crate::code::Code;
use crate::finding::{Refusal, Support};
use crate::landing::rule::{Check, InputState, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code::named("WORK_LANDING_INPUT_FILE_MISSING"),
    source: include_str!("input_file_missing.rs"),
    always_with: &[],
    checks: &[Check::Input(judge)],
};

fn judge(state: InputState) -> Option<Refusal> {
    let found = match state {
        InputState::File => return None,
        InputState::Absent => "nothing",
        InputState::Folder => "a folder",
        InputState::Link => "a symbolic link",
        InputState::Special => "a FIFO, socket or device",
        InputState::Unreadable => "a file that cannot be read",
    };
    Some(Refusal::new(Support::NotShown, "an input file", found, "a regular file of this name"))
}
