//! Codes of answers. Those of the landing family mean there what they mean here.

use crate::code::Code;

/// The last run that shows a result did not pass.
pub const NOT_PASSING: Code = Code::named("WORK_LANDING_VALIDATION_NOT_PASSING");
/// The only runs hide their status behind another command, and print no result.
pub const STATUS_MASKED: Code = Code::named("WORK_LANDING_VALIDATION_STATUS_MASKED");
/// Files were touched after the last run.
pub const STALE: Code = Code::named("WORK_LANDING_VALIDATION_STALE");
/// The run covers less than the claim, or less than the run before it.
pub const NARROWED: Code = Code::named("WORK_LANDING_VALIDATION_NARROWED");
/// No test ran.
pub const VACUOUS: Code = Code::named("WORK_LANDING_VALIDATION_VACUOUS");
/// A report was written by an edit, not by a run.
pub const BACKFILLED: Code = Code::named("WORK_LANDING_EVIDENCE_BACKFILLED");
/// A commit from before the session was replaced.
pub const HISTORY_REWRITTEN: Code = Code::named("WORK_LANDING_HISTORY_REWRITTEN");
/// The branch of the claim, or of the remote, did not move.
pub const TARGET_REF_NOT_ADVANCED: Code = Code::named("WORK_LANDING_TARGET_REF_NOT_ADVANCED");
/// HEAD did not move.
pub const HEAD_ADVANCE_MISSING: Code = Code::named("WORK_LANDING_HEAD_ADVANCE_MISSING");
/// The commit holds other paths than the claim names.
pub const CLAIMED_PATHS_DIFFER: Code = Code::named("WORK_LANDING_CLAIMED_PATHS_DIFFER");
/// The commit holds no path at all.
pub const CLAIMED_PATHS_MISSING: Code = Code::named("WORK_LANDING_CLAIMED_PATHS_MISSING");
/// The commit holds paths that the session did not touch.
pub const DIRTY_TREE: Code = Code::named("WORK_LANDING_DIRTY_TREE_BOUNDARY_MISSING");
/// The evidence is about another commit.
pub const DIGEST_MISMATCH: Code = Code::named("WORK_LANDING_EVIDENCE_DIGEST_MISMATCH");
/// Two sources of evidence disagree, or one disagrees with itself.
pub const EVIDENCE_CONTRADICTED: Code = Code::named("WORK_LANDING_EVIDENCE_CONTRADICTED");
/// A release command failed.
pub const RELEASE_OVERCLAIM: Code = Code::named("WORK_LANDING_RELEASE_OVERCLAIM");
/// Nothing of the kind is recorded.
pub const EVIDENCE_REF_MISSING: Code = Code::named("WORK_LANDING_EVIDENCE_REF_MISSING");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_an_answer_has_a_page() {
        for code in [
            NOT_PASSING,
            STATUS_MASKED,
            STALE,
            NARROWED,
            VACUOUS,
            BACKFILLED,
            HISTORY_REWRITTEN,
            TARGET_REF_NOT_ADVANCED,
            HEAD_ADVANCE_MISSING,
            CLAIMED_PATHS_DIFFER,
            CLAIMED_PATHS_MISSING,
            DIRTY_TREE,
            DIGEST_MISMATCH,
            EVIDENCE_CONTRADICTED,
            RELEASE_OVERCLAIM,
            EVIDENCE_REF_MISSING,
        ] {
            assert!(Code::lookup(code.as_str()).is_some(), "{code}");
        }
    }
}
