//! What must hold of sessions in every format: from a session over rows to a verdict, nothing private in any report, and
//! nothing that breaks the reading.
//!
//! A session is written down as steps and put into the records of each tool ([`written`]), so that no answer hangs on one
//! of them.

#![cfg(feature = "cli")]
#![expect(clippy::disallowed_methods, reason = "a test writes sessions to read")]

#[path = "session_formats/flooded.rs"]
mod flooded;
#[path = "session_formats/private.rs"]
mod private;
#[path = "session_formats/replayed.rs"]
mod replayed;
#[path = "session_formats/written.rs"]
mod written;

use clap::Parser;
use landfall::cli::{Arguments, Exit, World, run};
use std::path::Path;

/// Runs a command in `root`: its exit, and what it printed on each stream.
fn landfall(root: &Path, words: &[&str], input: &[u8]) -> (Exit, String, String) {
    let arguments = Arguments::try_parse_from(["landfall"].iter().chain(words)).expect("the arguments make sense");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = run(
        &arguments.command,
        &mut World {
            root: root.to_owned(),
            out: &mut out,
            err: &mut err,
            input: &mut &*input,
            around: &mut landfall::edge::surroundings::Real,
            starter: &mut landfall::edge::process::GuardedStarter,
            host: landfall::edge::process::host,
            ledger_variable: None,
            variables: |_| None,
        },
    );
    let text = |bytes: Vec<u8>| String::from_utf8(anstream::adapter::strip_bytes(&bytes).into_vec()).expect("text");
    (exit, text(out), text(err))
}
