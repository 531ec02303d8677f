//! What must hold of sessions in every format: from a session over rows to a verdict, nothing private in any report, and
//! nothing that breaks the reading.
//!
//! A session is written down as steps and put into the records of each tool ([`written`]), so that no answer hangs on one
//! of them.

#![cfg(feature = "cli")]
#![expect(clippy::disallowed_methods, reason = "a test writes sessions to read")]

#[path = "session_formats/flooded.rs"]
mod flooded;
#[path = "sessions/in_process.rs"]
mod in_process;
#[path = "session_formats/private.rs"]
mod private;
#[path = "session_formats/replayed.rs"]
mod replayed;
#[path = "session_formats/written.rs"]
mod written;
