//! This repository's own corpus as tests; another crate's looks the same.
use landfall::harness::{Corpus, run};

fn main() -> std::process::ExitCode {
    run(&Corpus::at("fixtures/first-wave").negatives("negative-cases").bundle("fixtures/bundle").ledgers("fixtures"))
}
