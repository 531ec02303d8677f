//! `record-loop`: runs the loop's own commands over a fresh ledger, and writes what they published.
//!
//! A scenario is a list of command lines. They run in this process, through the same arguments as the
//! binary's; clock and ids are scripted, and so is what a started process would have said, so two recordings have the
//! same bytes on every machine. What no command can publish is written by hand, and its scenario says so in a table of
//! its own.

mod actor;
mod recording;
mod scenarios;

use recording::record;
use scenarios::{BY_HAND, SCENARIOS};
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

/// The recorded ledgers, below the repository's root.
const LEDGERS: &str = "fixtures/loop";
/// The records of a ledger, one a line.
const RECORDS: &str = "records.jsonl";

/// Records every scenario into `fixtures/loop`, or compares (`check`).
pub(crate) fn run(root: &Path, check: bool) -> Result<String, Box<dyn Error>> {
    let ledgers = root.join(LEDGERS);
    if check {
        refuse_unknown(&ledgers)?;
    }
    for scenario in SCENARIOS {
        let recorded = record(scenario)?;
        let folder = ledgers.join(scenario.name);
        if check {
            compare(scenario.name, &recorded, &fs::read_to_string(folder.join(RECORDS)).unwrap_or_default())?;
        } else {
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(RECORDS), recorded)?;
        }
    }
    let hand: Vec<_> = BY_HAND.iter().map(|(name, why)| format!("\n  not recorded: {name}, {why}")).collect();
    let said = if check { "checked: recording again gives the same bytes for" } else { "recorded" };
    Ok(format!("{said} {} scenarios of the loop{}", SCENARIOS.len(), hand.concat()))
}

/// A folder that neither table names would be accepted records of unknown origin.
fn refuse_unknown(ledgers: &Path) -> Result<(), Box<dyn Error>> {
    let known: BTreeSet<_> = SCENARIOS.iter().map(|scenario| scenario.name).chain(BY_HAND.iter().map(|(name, _)| *name)).collect();
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(ledgers)? {
        found.insert(entry?.file_name().into_string().map_err(|_| "a folder's name is not UTF-8; a plain name is needed")?);
    }
    if let Some(stray) = found.iter().find(|name| !known.contains(name.as_str())) {
        return Err(format!("{LEDGERS}/{stray} is no scenario; enter it in xtask/src/record_loop/scenarios.rs").into());
    }
    match known.iter().find(|name| !found.contains(**name)) {
        Some(missing) => {
            Err(format!("{LEDGERS}/{missing} is missing; cargo xtask record-loop writes it unless it is written by hand").into())
        }
        None => Ok(()),
    }
}

/// Byte for byte; the first line that differs is the error.
fn compare(scenario: &str, recorded: &str, kept: &str) -> Result<(), Box<dyn Error>> {
    if recorded == kept {
        return Ok(());
    }
    let same = recorded.lines().zip(kept.lines()).take_while(|(new, old)| new == old).count();
    let place = format!("{LEDGERS}/{scenario}/{RECORDS}:{}", same + 1);
    Err(format!("{place} differs from a new recording; cargo xtask record-loop, then review what changed").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_recordings_have_the_same_bytes() {
        for scenario in SCENARIOS {
            let first = record(scenario).expect("it records");
            assert!(!first.is_empty(), "{}", scenario.name);
            assert_eq!(first, record(scenario).expect("it records"), "{}", scenario.name);
        }
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        compare("s", "a\nb\n", "a\nb\n").expect("they are equal");
        for (kept, line) in [("a\nc\n", 2), ("a\n", 2), ("", 1), ("a\nb\nc\n", 3), ("a\nb", 3)] {
            let told = compare("s", "a\nb\n", kept).expect_err("they differ").to_string();
            assert!(told.starts_with(&format!("fixtures/loop/s/records.jsonl:{line} differs")), "{told}");
        }
    }

    #[test]
    fn a_folder_of_unknown_origin_is_refused_and_a_missing_one_too() {
        let shell = xshell::Shell::new().expect("a current folder is there");
        let folder = shell.create_temp_dir().expect("a temporary folder can be made");
        let told = || refuse_unknown(folder.path()).map_err(|error| error.to_string());
        let names: Vec<_> = SCENARIOS.iter().map(|scenario| scenario.name).chain(BY_HAND.iter().map(|(name, _)| *name)).collect();
        assert!(names.iter().collect::<BTreeSet<_>>().len() == names.len(), "a scenario is recorded or written by hand, once");
        for name in &names[1..] {
            fs::create_dir(folder.path().join(name)).expect("it can be made");
        }
        assert!(told().is_err_and(|told| told.starts_with(&format!("fixtures/loop/{} is missing", names[0]))));
        fs::create_dir(folder.path().join(names[0])).expect("it can be made");
        assert_eq!(told(), Ok(()));
        fs::create_dir(folder.path().join("stray")).expect("it can be made");
        assert!(told().is_err_and(|told| told.starts_with("fixtures/loop/stray is no scenario")));
    }
}
