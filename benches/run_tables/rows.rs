//! Rows of generated run tables, five kinds, shared by the benchmarks.

use std::fmt::Write as _;

/// Forty hex digits that differ from row to row.
fn oid(seed: usize) -> String {
    (0..5).map(|part| format!("{:08x}", (seed as u32 + 1).wrapping_mul(0x9E37_79B9 ^ (part * 0x85EB_CA6B)))).collect()
}

fn row(index: usize, status: &str, landed: bool, refs: &str, note: &str, out: &mut String) {
    let (before, after) = (oid(index * 2), oid(if landed { index * 2 + 1 } else { index * 2 }));
    let _ = write!(
        out,
        "{{\"run_id\": \"ledger_guard_20261101_{index:06}\", \"landing_status\": \"{status}\", \"commit_claimed_landed\": {landed}, \
         \"head_before\": \"{before}\", \"head_after\": \"{after}\", \"validation_precedes_commit_attempt\": true, \
         \"validation_refs\": [\"cargo nextest run -p ledger --profile ci: 260 passed\", \"cargo clippy --workspace -- -D warnings: clean\"{refs}], \
         \"claimed_path_refs\": [\"crates/ledger/src/append.rs\", \"services/api/handlers/upload.py\", \"docs/adr/0031-leases.md\"], \
         \"work_ledger_closeout_ref\": \"wl-close-{index:06}\", \"blocker_capture_ref\": \"blk-{index:06}\", \
         \"live_git_mutation_authorized\": false, \"unrelated_dirty_paths_staged\": false, \"release_claim_authorized\": false, \
         \"review_ref\": \"rev-{index}\", \"attempt_no\": 2, \"note\": \"{note}\"}}"
    );
}

/// Landed rows that nothing is wrong with.
pub(crate) fn plain(index: usize, out: &mut String) {
    row(index, "scoped_commit_landed", true, "", "moved the lease owner into its own column and kept the old reader for one release", out);
}

/// URLs, escapes, other statuses, some refusals.
pub(crate) fn mixed(index: usize, out: &mut String) {
    let url = ", \"https://ci.example.org/project/runs/5521#step-4: success\"";
    match index % 10 {
        0 | 1 => row(index, "scoped_commit_landed", true, url, "see https://github.com/example/ledger/pull/88", out),
        2 => row(index, "metadata_blocked_patch_bundle", false, "", "the index lock was held;\\nretried \\\"twice\\\"", out),
        3 => row(index, "hard_stop", false, ", \"gr\\u00fcn: 4 passed\"", "stopped", out),
        4 => row(index, "scoped_commit_landed", false, "", "says one thing and another", out),
        5 => row(index, "scoped_commit_landed", true, url, "built in /home/mira/wip", out),
        _ => plain(index, out),
    }
}

/// A plain row that is full of escapes.
pub(crate) fn escaped(index: usize, out: &mut String) {
    let mut text = String::new();
    row(index, "scoped_commit_landed", true, "", "\\u00e9\\t\\\"quoted\\\" \\/ and a line\\n", &mut text);
    // One letter of every key and string is written as an escape.
    out.push_str(&text.replace('a', "\\u0061").replace("f\\u0061lse", "false"));
}

/// Refused for nearly everything.
pub(crate) fn refused(index: usize, out: &mut String) {
    let _ = write!(
        out,
        "{{\"run_id\": \"row-{index}\", \"landing_status\": \"pushed\", \"note\": \"{}\", \"validation_refs\": [\"TODO\"]}}",
        "built in ~/wip ".repeat(40)
    );
}

/// 60,000 keys, a megabyte of string, 128 levels, in turn.
pub(crate) fn hostile(index: usize, out: &mut String) {
    match index % 3 {
        0 => {
            out.push('{');
            for key in 0..60_000 {
                let _ = write!(out, "\"key_{key:05}\":1,");
            }
            out.push_str("\"last\":1}");
        }
        1 => {
            let _ = write!(out, "{{\"run_id\":\"long-{index}\",\"note\":\"{}\"}}", "x ".repeat((1 << 19) - 100));
        }
        _ => {
            // Two levels are open around a row.
            let deep = 124;
            let _ = write!(out, "{{\"run_id\":\"deep-{index}\",\"note\":{}{}}}", "[".repeat(deep), "]".repeat(deep));
        }
    }
}
