//! What builds and publishers print when they fail or succeed.

use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

fn any_of(messages: &[&str]) -> AhoCorasick {
    AhoCorasick::new(messages).expect("the table is small")
}

static FAILURES: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(&FAILED));
static SUCCESSES: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(&BUILT));
static STOPS: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(&COULD_NOT_RUN));

const FAILED: [&str; 26] = [
    "error: could not compile",
    "error[E",
    "BUILD FAILED",
    "Build failed",
    "build failed",
    "Build FAILED",
    "Failed to compile",
    "Compilation failed",
    "compilation failed",
    "compilation terminated",
    "ld returned 1 exit status",
    "undefined reference to",
    ": fatal error:",
    "error TS",
    "ERROR in ",
    "BUILD FAILURE",
    "make: *** [",
    "ninja: build stopped",
    "npm ERR! code ELIFECYCLE",
    "Module not found: Error",
    "error: build failed",
    "Build error occurred",
    "error during build:",
    "Traceback (most recent call last)",
    "error: linking with",
    "RollupError",
];

const BUILT: [&str; 16] = [
    "Finished `",
    "Finished dev",
    "Finished release",
    "BUILD SUCCESSFUL",
    "BUILD SUCCESS",
    "Build succeeded",
    "Compiled successfully",
    "compiled successfully",
    "✓ built in",
    "built in ",
    "Build complete",
    "build complete",
    "Successfully built",
    "Build finished",
    "webpack compiled",
    "✓ Compiled",
];

/// Whether `output` shows that a build failed (`false`), succeeded (`true`) or neither.
pub fn of_build(output: &str) -> Option<bool> {
    let mut shown = None;
    for line in output.lines().filter(|line| line.len() <= 2000) {
        let line = super::summary::without_escapes(line);
        if FAILURES.is_match(line.as_ref()) {
            // A build that was finished did not fail: what failed ran behind it.
            if shown == Some(true) {
                return None;
            }
            shown = Some(false);
        } else if shown.is_none() && SUCCESSES.is_match(line.as_ref()) {
            shown = Some(true);
        }
    }
    shown
}

const COULD_NOT_RUN: [&str; 26] = [
    "command not found",
    "No module named",
    "no such command",
    "Missing script",
    "missing script",
    "is not recognized as",
    "unrecognized arguments",
    "unexpected argument",
    "no such subcommand",
    "Could not find a package.json",
    "ENOENT",
    "No rule to make target",
    "could not find `Cargo.toml`",
    "Cannot connect to the Docker daemon",
    "No such file or directory",
    "file or directory not found",
    "no test specified",
    "permission denied",
    "Permission denied",
    "Unknown command",
    "Could not resolve host",
    "no configuration file",
    "timed out",
    "Killed",
    "No space left on device",
    "not found: ",
];

/// Whether `output` says that the program never got to do its work.
pub fn could_not_run(output: &str) -> bool {
    STOPS.is_match(output)
}

const NOT_PUBLISHED: [&str; 14] = [
    "npm error code",
    "npm ERR! code",
    "npm error 4",
    "403 Forbidden",
    "401 Unauthorized",
    "HTTPError: ",
    "error: failed to publish",
    "failed to publish",
    "Repushing of gem versions is not allowed",
    "already exists on crates.io",
    "is already uploaded",
    "ERROR: Deploy failed",
    "Deployment failed",
    "deploy failed",
];

/// Registries that refuse what was taken down as well, such as npm, say nothing of what is out.
const ALREADY_OUT: [&str; 5] =
    ["already exists on crates.io", "is already uploaded", "File already exists", "tag_name already exists", "already_exists"];

/// Whether `output` says that what was to be released is out already.
pub fn already_out(output: &str) -> bool {
    ALREADY_OUT.iter().any(|message| output.contains(message))
}

/// Whether `output` says that a release was refused.
pub fn not_published(output: &str) -> bool {
    NOT_PUBLISHED.iter().any(|message| output.contains(message))
}

const PUBLISHED: [&str; 9] = [
    "+ ",
    "Published ",
    "Uploading ",
    "Successfully registered gem",
    "Deployed to",
    "✔ Deployed",
    "Deployment complete",
    "Production: https",
    "Upload complete",
];

/// Whether `output` says that a release went out.
pub fn published(output: &str) -> bool {
    output.lines().any(|line| {
        PUBLISHED.iter().any(|message| line.trim_start().starts_with(message))
            && (line.contains('@') || !line.trim_start().starts_with('+'))
    })
}
