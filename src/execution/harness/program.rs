//! The parent's side: which words a fixed program is started with, and within which bounds.

use super::reply::{GUARDED_REPAIR_MARKER, NOOP_MARKER, POST_REPAIR_MARKER, REPAIR_NOOP_MARKER};
use crate::execution::start::{Asked, Host, Refusal, Requested, Start};
use crate::json::to_line;
use std::collections::BTreeMap;
use std::path::Path;

/// How long a read-only check may wait for its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeoutProfile {
    /// It waits 15 s.
    Standard,
    /// It waits 60 s.
    Patient,
}

impl TimeoutProfile {
    /// The profile of this name. Only the two safe retry profiles have one here.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "standard" => Some(Self::Standard),
            "patient" => Some(Self::Patient),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Patient => "patient",
        }
    }

    /// The hard cap of a run: twice what it waits, in seconds.
    pub fn cap(self) -> f64 {
        match self {
            Self::Standard => 30.0,
            Self::Patient => 120.0,
        }
    }
}

/// A fixed program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// Prints its marker.
    Noop,
    /// Prints its marker.
    RepairNoop,
    /// Prints its marker and one line naming each target as completed; changes nothing.
    GuardedRepair {
        /// The targets; they are handed over sorted.
        targets: Vec<String>,
    },
    /// Compares two lists of targets.
    PostRepairEvidence {
        /// The targets that were to be repaired.
        expected: Vec<String>,
        /// The targets that are said to be.
        completed: Vec<String>,
    },
    /// The one command that the allowlist knows, as landfall's own evidence check. Its values come from an
    /// argument list that passed the allowlist parser; the checks of the gate are the runner's.
    ReadOnlyCheck {
        /// `--scenario-id`
        scenario_id: String,
        /// `--action`
        action: String,
        /// `--directive-id`
        directive_id: String,
        /// `--timeout-profile`
        timeout_profile: TimeoutProfile,
        /// `--db-path`, below the workspace root.
        db_path: String,
    },
}

impl Program {
    /// The words after the executable.
    pub fn arguments(&self) -> Vec<String> {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        match self {
            Self::Noop => words(&["noop", NOOP_MARKER]),
            Self::RepairNoop => words(&["repair-noop", REPAIR_NOOP_MARKER]),
            Self::GuardedRepair { targets } => {
                let mut sorted = targets.clone();
                sorted.sort();
                std::iter::once("guarded-repair".to_owned()).chain(sorted).collect()
            }
            Self::PostRepairEvidence { expected, completed } => {
                let lists = BTreeMap::from([("completed", completed), ("expected", expected)]);
                vec!["post-repair-evidence".to_owned(), to_line(&lists)]
            }
            Self::ReadOnlyCheck { scenario_id, action, directive_id, timeout_profile, db_path } => words(&[
                "read-only-check",
                "--scenario-id",
                scenario_id,
                "--action",
                action,
                "--directive-id",
                directive_id,
                "--timeout-profile",
                timeout_profile.name(),
                "--db-path",
                db_path,
            ]),
        }
    }

    /// What a good run prints, where that is asked for.
    pub fn marker(&self) -> Option<&'static str> {
        match self {
            Self::Noop => Some(NOOP_MARKER),
            Self::RepairNoop => Some(REPAIR_NOOP_MARKER),
            Self::GuardedRepair { .. } => Some(GUARDED_REPAIR_MARKER),
            Self::PostRepairEvidence { .. } => Some(POST_REPAIR_MARKER),
            Self::ReadOnlyCheck { .. } => None,
        }
    }

    /// The hard cap in seconds. No record and no flag raises it.
    pub fn cap(&self) -> f64 {
        match self {
            Self::Noop => 5.0,
            Self::RepairNoop | Self::GuardedRepair { .. } | Self::PostRepairEvidence { .. } => 10.0,
            Self::ReadOnlyCheck { timeout_profile, .. } => timeout_profile.cap(),
        }
    }

    /// What the child takes from itself first of all.
    pub fn requested(&self) -> Requested {
        match self {
            Self::ReadOnlyCheck { .. } => Requested::in_folder(),
            _ => Requested::alone(),
        }
    }

    /// Its start in `folder`, which a [`crate::execution::start::Starter`] has found fit; `timeout` may lower the cap.
    ///
    /// # Errors
    /// As [`Start::build`]; and a target that could be taken for an option is no argument that is handed over.
    pub fn start(&self, host: &Host, folder: &Path, timeout: Option<f64>) -> Result<Start, Vec<Refusal>> {
        let (arguments, cap, marker, requested) = (self.arguments(), self.cap(), self.marker(), self.requested());
        let built = Start::build(Asked { host, folder, arguments, timeout, cap, marker, requested });
        if !matches!(self, Self::GuardedRepair { targets } if targets.iter().any(|target| target.starts_with('-'))) {
            return built;
        }
        let mut refusals = built.err().unwrap_or_default();
        refusals.push(Refusal::ArgumentNotAllowed);
        refusals.sort_by_key(|refusal| refusal.reason());
        refusals.dedup();
        Err(refusals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    fn check(timeout_profile: TimeoutProfile) -> Program {
        let [scenario_id, action, directive_id, db_path] = ["s1", "REDUCE_RISK", "d1", "ledger.db"].map(str::to_owned);
        Program::ReadOnlyCheck { scenario_id, action, directive_id, timeout_profile, db_path }
    }

    #[test]
    fn words_are_fixed_and_in_order() {
        assert_eq!(Program::Noop.arguments(), ["noop", "controlled-noop-ok"]);
        assert_eq!(Program::RepairNoop.arguments(), ["repair-noop", "controlled-repair-noop-ok"]);
        assert_eq!(Program::GuardedRepair { targets: texts(&["b", "a; touch X"]) }.arguments(), ["guarded-repair", "a; touch X", "b"]);
        let lists = Program::PostRepairEvidence { expected: texts(&["a\"b"]), completed: texts(&["é"]) };
        assert_eq!(lists.arguments(), ["post-repair-evidence", r#"{"completed":["\u00e9"],"expected":["a\"b"]}"#]);
        assert_eq!(
            check(TimeoutProfile::Patient).arguments().join(" "),
            "read-only-check --scenario-id s1 --action REDUCE_RISK --directive-id d1 --timeout-profile patient --db-path ledger.db"
        );
    }

    #[test]
    fn a_target_that_could_be_an_option_is_refused() {
        let host = Host { program: "/opt/landfall".into(), environment: Vec::new() };
        let start = |targets: &[&str], timeout| Program::GuardedRepair { targets: texts(targets) }.start(&host, Path::new("/w"), timeout);
        for target in ["-", "--", "--help", "-x\0"] {
            assert_eq!(start(&["a", target], None), Err(vec![Refusal::ArgumentNotAllowed]), "{target:?}");
        }
        assert_eq!(start(&["--"], Some(99.0)), Err(vec![Refusal::ArgumentNotAllowed, Refusal::TimeoutAboveCap]));
        assert!(start(&["a", "b-c"], None).is_ok());
    }

    #[test]
    fn caps_come_from_the_program_or_the_approved_profile() {
        let none = Vec::new;
        let caps = [
            (Program::Noop, 5.0),
            (Program::RepairNoop, 10.0),
            (Program::GuardedRepair { targets: none() }, 10.0),
            (Program::PostRepairEvidence { expected: none(), completed: none() }, 10.0),
            (check(TimeoutProfile::Standard), 30.0),
            (check(TimeoutProfile::Patient), 120.0),
        ];
        let host = Host { program: "/opt/landfall".into(), environment: Vec::new() };
        for (program, cap) in caps {
            assert_eq!(program.start(&host, Path::new("/w"), None).unwrap().deadline(), cap);
            assert_eq!(program.start(&host, Path::new("/w"), Some(cap + 0.5)), Err(vec![Refusal::TimeoutAboveCap]));
        }
        assert_eq!(["fast", "", "Standard", "patient "].map(TimeoutProfile::named), [None; 4]);
        assert_eq!(
            ["standard", "patient"].map(|name| TimeoutProfile::named(name).map(TimeoutProfile::name)),
            [Some("standard"), Some("patient")]
        );
    }
}
