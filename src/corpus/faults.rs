//! What can be wrong with a corpus: the faults that `check-corpus` and the harness report (design 4).
//!
//! They speak of cases and folders, not of claims, so they carry no prefix and have no rule file;
//! each has its page here.

use crate::code::Code;
use serde::Serialize;

/// A kind of fault, with its page.
#[derive(Debug)]
pub struct FaultPage {
    /// Its name.
    pub code: Code,
    /// What is wrong.
    pub refuses: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What mends it.
    pub mend: &'static str,
}

/// A fault found, with the place that has it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct CorpusFault {
    /// Which fault.
    pub code: Code,
    /// The file, case or rule that has it.
    pub place: String,
    /// What was found.
    pub message: String,
}

const fn page(code: &'static str, refuses: &'static str, why: &'static str, mend: &'static str) -> FaultPage {
    FaultPage { code: Code::named(code), refuses, why, mend }
}

macro_rules! faults {
    ($($name:ident: $refuses:literal, $why:literal, $mend:literal;)*) => {
        $(#[doc = $refuses] pub const $name: Code = Code::named(stringify!($name));)*
        /// Every fault, by name.
        pub static FAULTS: &[FaultPage] = &[$(page(stringify!($name), $refuses, $why, $mend)),*];
    };
}

faults! {
    CASES_MISSING: "A folder of negative cases without a case, or no such folder.",
        "A corpus that refuses nothing has never been seen to refuse.",
        "Drop a case file into the folder, or name the right folder.";
    CASE_CODE_MISSING: "A case whose input does not produce a code it expects.",
        "Either the rule is gone or the case shows something else.",
        "See which codes the input produces with `landfall check`, then mend the rule or the case.";
    CASE_CODE_UNEXPECTED: "A case whose input produces a code it does not expect (where exact sets are asked for).",
        "A case that is broken twice does not show which break was caught.",
        "Break the input in one respect only, or list the code.";
    CASE_FILE_UNREAD: "A file among the cases, or in a fixture folder, that nothing reads.",
        "A file nobody reads looks like evidence and is none.",
        "Name case files `<case id>.json`; remove what is not a case.";
    CASE_ID_MISMATCH: "A case whose `case_id` is not its file stem.",
        "A case is known by its file; two names for one case hide an exchange.",
        "Make `case_id` the file name without `.json`.";
    CASE_KIND_UNKNOWN: "A case of a kind that this version does not judge.",
        "A case that is not judged must not look caught.",
        "Use one of the kinds that `landfall check --help` lists.";
    CASE_TODO: "A case that still has a TODO of its scaffold.",
        "A scaffold refuses something by accident.",
        "Fill in what the TODO asks for.";
    CASE_TWIN_MISSING: "A case without a twin, or whose twin is not there (required where exact sets are asked for); a recorded ledger without a record, or a contract without an accepted one.",
        "Without the accepted input it was broken from, nobody sees the one respect in which it is broken.",
        "Name the fixture row, file or record that the input was broken from; record one where a contract has none.";
    CASE_TWIN_REFUSED: "A case whose twin is refused, or a recorded ledger with a record that is not valid.",
        "A rule that refuses everything would catch the case too.",
        "Mend the twin, or name one that is accepted.";
    CASE_UNREADABLE: "A case file that is not one strict JSON object with the members of a case.",
        "What cannot be read is not tested.",
        "Mend the file at the place named.";
    CASE_WHY_MISSING: "A case that does not say why accepting it would hurt.",
        "A refusal nobody can explain is the first to be weakened.",
        "Say in `why` what goes wrong when the input is believed.";
    CORPUS_ORIGINAL_DRIFT: "A copied body that differs from its live original.",
        "A reader of the bundle would review code that is no longer run.",
        "Export the bundle anew, and review the difference shown.";
    CORPUS_ORIGINAL_MISSING: "A copied body without a live original, or an original without a copy.",
        "Parity with nothing is not parity.",
        "Restore the original, or export the bundle anew.";
    CORPUS_RECORD_STALE: "A blessed record that does not say what a replay says now: another digest of an input, another verdict.",
        "A record older than its corpus describes something nobody can check any more.",
        "Look at the difference; if it is meant, bless the records and review them like code.";
    FILTER_MATCHED_NOTHING: "A name filter that matches nothing.",
        "A run of nothing is green for the wrong reason.",
        "List the names with `--list`, then filter by one of them.";
    RULE_BEARS_NO_LOAD: "A rule, or a clause of a contract, without a case that only it catches.",
        "With the rule taken out nothing would slip through, so nobody would miss it.",
        "Add a case that expects this code alone.";
    RULE_WITHOUT_CASE: "A rule that no case expects, or a clause of a contract that no edit of an accepted record violates alone.",
        "A rule that has never been seen to refuse may not be able to.",
        "Add a case with `cargo xtask new-case`, and see it slip through first; of a clause say what comes `also`, record another accepted record, or drop it.";
}

impl FaultPage {
    /// The page, as `explain` and the generated docs show it.
    pub fn page(&self) -> String {
        format!(
            "# {}\n\n## Refuses\n\n{}\n\n## Why it matters\n\n{}\n\n## What mends it\n\n{}\n\nSource: design, section 4; a fault of a corpus, not of a claim.\n",
            self.code, self.refuses, self.why, self.mend
        )
    }
}

impl CorpusFault {
    /// A fault of `place`.
    pub fn new(code: Code, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code, place: place.into(), message: message.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(FAULTS.is_sorted_by_key(|fault| fault.code));
    }
}
