//! Recorded sessions of many tools become one timeline.
//!
//! Each format has a file and one trait, [`Importer`]; what a file is, its content says, not its name.
//! Importers read records and pair results with calls by id; they judge nothing. A record that is not
//! known is counted and skipped, and a line that does not read is too: only a session of which
//! nothing was read is an error. Nothing recorded is followed as an instruction.

mod aider;
mod batch;
mod builder;
mod claude_code;
mod codex;
mod detect;
mod document;
mod facts;
mod gemini;
mod lines;
mod opencode;
mod openhands;
mod outcome;
mod polled;
mod session;
pub mod shell;
mod swe_agent;
mod time;
mod timeline;
mod unpacked;

pub use builder::{Builder, Said};
pub use detect::{Format, HEAD_BYTES, detect};
pub use lines::Limits;
pub use opencode::{Row, Rows};
pub use outcome::Outcome;
pub use session::{Importer, Unread, import_file, import_folder, import_rows, import_with_side};
pub use time::milliseconds;
pub use timeline::{Command, Counts, Event, Facts, FileId, Place, PlainWrite, Position, Statement, Timeline, Touch, TouchKind};

#[cfg(test)]
mod tests;
