//! What the fuzz targets run. Each target is one function from bytes to nothing that panics where a promise is broken.
//!
//! The binaries under `fuzz_targets/` hand these functions what libFuzzer makes up; `tests/fuzz_corpus.rs` of landfall
//! itself includes this very file and hands them the committed corpus. So a crash that was found once stays found, on
//! any toolchain and without a fuzzer. A promise is either that nothing panics, or that two ways to the same answer
//! agree: what is judged here against what [`reference`] or another plain way says.

pub mod allowlist;
pub mod artifacts;
pub mod audit_policy;
pub mod bundle;
pub mod case_file;
pub mod claims;
pub mod command_output;
pub mod contract;
pub mod evidence_file;
mod folder;
pub mod git_folder;
pub mod ledger_lines;
pub mod memory;
pub mod reference;
pub mod report;
pub mod run_table;
pub mod session;
pub mod session_database;
pub mod session_folder;
pub mod shown;
pub mod strict_json;
pub mod trail;
pub mod web_page;

/// A target: takes any bytes.
pub type Target = fn(&[u8]);

/// Every target by name, which is that of its corpus folder and of its file under `fuzz_targets/`.
pub const TARGETS: [(&str, Target); 21] = [
    ("allowlist", allowlist::feed),
    ("artifacts", artifacts::feed),
    ("audit_policy", audit_policy::feed),
    ("bundle", bundle::feed),
    ("case_file", case_file::feed),
    ("claims", claims::feed),
    ("command_output", command_output::feed),
    ("contract", contract::feed),
    ("evidence_file", evidence_file::feed),
    ("git_folder", git_folder::feed),
    ("ledger_lines", ledger_lines::feed),
    ("memory", memory::feed),
    ("report", report::feed),
    ("run_table", run_table::feed),
    ("session", session::feed),
    ("session_database", session_database::feed),
    ("session_folder", session_folder::feed),
    ("shown", shown::feed),
    ("strict_json", strict_json::feed),
    ("trail", trail::feed),
    ("web_page", web_page::feed),
];
