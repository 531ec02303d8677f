//! The command line, called in this process: what tests of sessions ask of it.

use clap::Parser;
use landfall::cli::{Arguments, Exit, World, run};
use std::path::Path;

/// What a command left behind: its exit, and what it printed on each stream, without the styles of a terminal.
pub(crate) struct Printed {
    pub(crate) exit: Exit,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a command in `root`, as in a process whose environment sets nothing, with `input` on its standard input.
pub(crate) fn landfall(root: &Path, words: &[&str], input: &[u8]) -> Printed {
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
    Printed { exit, out: text(out), err: text(err) }
}
