//! What a command was and what it printed: shell text, and the summaries of test runs, builds and Git.

use landfall::evidence::{build_output, git_output, reflog, summary, tap, terminal};
use landfall::import::{milliseconds, shell};

/// The target.
pub fn feed(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    shell::analyse(&text);
    shell::lex::split(&text);
    for whole in [true, false] {
        summary::of_output(&text, whole);
        summary::of_runner(&text, whole, "pytest");
    }
    tap::of_file(&text);
    reflog::read(&text);
    build_output::of_build(&text);
    build_output::could_not_run(&text);
    assert!(!(build_output::published(&text) && build_output::not_published(&text)) || text.lines().count() > 0);
    git_output::pushes(&text);
    for commit in git_output::commits(&text).made {
        assert!(git_output::is_hash(&commit.hash), "a commit without a hash: {}", commit.hash);
    }
    milliseconds(&text);
    let plain = terminal::shown(&text);
    assert!(plain.len() <= text.len());
    assert!(!plain.contains(['\u{1b}', '\r']), "what drives a terminal is left");
}
