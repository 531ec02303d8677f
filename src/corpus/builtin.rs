//! The nine broken cases of the floor, built into the binary for corpora that bring none.

use crate::folder::MemoryFolder;

macro_rules! nine {
    ($($id:literal),*) => { [$(($id, include_str!(concat!("../../negative-cases/landing/", $id, ".json")))),*] };
}

/// Each of the nine: id and text.
pub const NINE_TEXTS: [(&str, &str); 9] = nine!(
    "claim_without_work_ledger_closeout",
    "commit_claim_without_head_change",
    "dirty_tree_boundary_missing",
    "live_git_mutation_authorized",
    "missing_evidence_ref",
    "private_path_leakage",
    "release_overclaim",
    "uncaptured_blocker",
    "validation_after_commit_attempt"
);

/// A folder of the nine.
pub fn nine() -> MemoryFolder {
    let mut folder = MemoryFolder::default();
    for (id, text) in NINE_TEXTS {
        folder.file(format!("{id}.json"), text);
    }
    folder
}
