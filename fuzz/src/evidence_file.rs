//! One file of evidence, by its content: test reports, summaries, statements, events, Git records, reflogs.

use landfall::evidence::git::Repository;
use landfall::evidence::{Evidence, read_file};

/// The target.
pub fn feed(bytes: &[u8]) {
    if let Evidence::Git(repository) = read_file(bytes) {
        walk(&repository);
    }
}

/// Asks a repository everything that an audit asks of one.
pub(super) fn walk(repository: &Repository) {
    let tip = repository.head_tip().map(str::to_owned);
    for hash in tip.iter().map(String::as_str).chain(["0000000000000000000000000000000000000000", "", "abc"]) {
        repository.commit(hash);
        repository.changed_paths(hash);
        repository.whole_hash(hash);
        repository.reaches(hash, "0000000000000000000000000000000000000001");
    }
    if let Some(tip) = &tip
        && repository.commit(tip).is_some()
    {
        assert_ne!(repository.reaches(tip, tip), Some(false), "a commit does not reach itself");
    }
}
