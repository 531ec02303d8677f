//! What builds and publishers print when they fail or succeed.

use super::any_of;
use aho_corasick::AhoCorasick;
use regex::Regex;
use std::sync::LazyLock;

static FAILURES: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(FAILED));
static SUCCESSES: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(BUILT));
static STOPS: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(COULD_NOT_RUN));

const FAILED: [&str; 49] = [
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
    "ARCHIVE FAILED",
    "DTS Build error",
    "ERROR: failed to solve",
    "ERROR: failed to build",
    "did not complete successfully: exit code",
    "returned a non-zero code: ",
    "bundle generation failed",
    "\u{2718} [ERROR] ",
    "[ERROR] Could not resolve",
    "Nuxt Build Error",
    "Error: error building site",
    "Compiling your crate to WebAssembly failed",
    "Build did NOT complete successfully",
    "error: emit-module command failed",
    "error: fatalError",
    "Command SwiftCompile failed",
    "COMPILATION ERROR",
    "Gradle task assemble",
    "Gradle task bundle",
    " warnings in strict mode!",
    " configuration errors!",
    " Configuration Errors!",
    "Operations failed.",
];

const BUILT: [&str; 27] = [
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
    "BUILD SUCCEEDED",
    "ARCHIVE SUCCEEDED",
    "Build Succeeded",
    "bundle generation complete",
    "✓ Built ",
    "√ Built ",
    "Build completed successfully",
    "You can preview this build using",
    "[build] Complete!",
    "Successfully tagged ",
    "[INFO]: :-) Done in ",
];

/// What a compiler says of a line of the code, and of no other file: linters speak in the same form.
static COMPILER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        :\ error\ (?:CS|FS|VB|BC|MSB|NU|NETSDK)[0-9]
        | \.(?:swift|c|cc|cpp|cxx|h|hpp|m|mm|kt|java|scala|zig|dart):[0-9]+(?::[0-9]+)?:\ error:\ 
        | \.go:[0-9]+:[0-9]+:\ (?:undefined:\ |declared\ and\ not\ used|\S+\ declared\ (?:and|but)\ not\ used|.*imported\ and\ not\ used
            |cannot\ use\ |syntax\ error:\ |missing\ return|not\ enough\ arguments\ |too\ many\ arguments\ |assignment\ mismatch:\ 
            |\S+\ redeclared\ in\ this\ block|unknown\ field\ |no\ required\ module\ provides|could\ not\ import\ |invalid\ operation:\ 
            |cannot\ find\ package|package\ \S+\ is\ not\ in\ |.*\ undefined\ \(type\ )
        ",
    )
    .expect("the table holds patterns")
});

/// What ends a part of a build only, or may be followed by more of it: a failure behind it counts.
static PARTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"Build success in |^\[100%\] Built target |(?:^|\s|=> )naming to \S+(?:\s.*)?$|^Total in [0-9]+ m?s$")
        .expect("the table holds patterns")
});

/// What ends a line of a linter: the name of its rule.
static RULE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\([a-z_]+\)$|\[[a-zA-Z][\w.,-]*\]$").expect("the table holds patterns"));

/// Most outputs hold nothing that these patterns match, and are spared them line by line.
static PATTERNED: LazyLock<AhoCorasick> = LazyLock::new(|| {
    any_of([": error", ".go:", "Build success in ", "[100%] ", "naming to ", "Total in ", "exporting to ", "] Linking ", "] Building C"])
});

/// Whether a line of a compiler is about the code: not about its tests, and not a linter's.
fn compiler_failed(line: &str) -> bool {
    (line.contains(": error") || line.contains(".go:"))
        && COMPILER.is_match(line)
        && !line.contains("_test.go:")
        && !line.starts_with("vet: ")
        && !RULE.is_match(line)
}

/// The step of an image's build that exports it, and whether a line ends it: `#12 exporting to image`, `#12 DONE 1.2s`.
fn exported<'o>(line: &'o str, step: &mut Option<&'o str>) -> bool {
    let Some((number, rest)) = line.strip_prefix('#').and_then(|line| line.split_once(' ')) else { return false };
    if rest.starts_with("exporting to ") {
        *step = Some(number);
    }
    rest.starts_with("DONE ") && *step == Some(number)
}

/// The last step of as many: `[9/9] Linking`.
fn last_step(line: &str) -> bool {
    let step = line.strip_prefix('[').and_then(|line| line.split_once("] ")).and_then(|(step, _)| step.split_once('/'));
    (line.contains("] Linking ") || line.contains("] Building C"))
        && step.is_some_and(|(step, all)| step == all && !all.is_empty() && all.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A target of `make` that tests or lints: that it failed is no failure to build.
fn is_other_target(line: &str) -> bool {
    let target = line.split_once("make: *** [").and_then(|(_, rest)| rest.split_once(']')).map_or("", |(target, _)| target);
    target
        .split(|each: char| !each.is_ascii_alphanumeric())
        .any(|word| matches!(word, "test" | "tests" | "check" | "lint" | "spec" | "e2e"))
}

/// Whether `output` shows that a build failed (`false`), succeeded (`true`) or neither.
pub fn of_build(output: &str) -> Option<bool> {
    let (mut shown, mut parts, mut unsure) = (None, false, false);
    let mut step = None;
    let output = &*super::terminal::shown(output);
    let patterned = PATTERNED.is_match(output);
    // Most outputs hold none of these, and are spared a search of each line.
    let fails = FAILURES.is_match(output);
    let builds = SUCCESSES.is_match(output);
    let lines = if patterned || fails || builds || output.contains("Build Error (") { output } else { "" };
    for line in lines.lines().filter(|line| line.len() <= 2000).map(str::trim_end) {
        if fails && FAILURES.is_match(line) && !is_other_target(line)
            || line.starts_with("Build Error (")
            || patterned && compiler_failed(line)
        {
            // A build that was finished did not fail: what failed ran behind it.
            unsure |= shown == Some(true);
            shown = shown.or(Some(false));
        } else if shown.is_none() && builds && SUCCESSES.is_match(line) && !(patterned && PARTS.is_match(line)) {
            shown = Some(true);
        } else if patterned && (exported(line, &mut step) || last_step(line) || PARTS.is_match(line)) {
            parts = true;
        }
    }
    match (shown, super::task_output::of_builds(output)) {
        (_, Some(false)) => Some(false),
        (None, tasks) => tasks.or(parts.then_some(true)),
        _ if unsure => None,
        _ => shown,
    }
}

static NO_CODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"error: could not compile `[^`]+` \((?:lib|bin "[^"]+")\)|Failed to execute goal \S+:compile |^> Task \S*:compile\w+ FAILED|: error (?:CS|FS|VB|BC)[0-9]"#,
    )
    .expect("the table holds patterns")
});

/// Whether `output` names a failure to compile among what else a build may fail in.
pub fn compile_error(output: &str) -> bool {
    output.contains("COMPILATION ERROR") || output.contains("Compilation failure")
}

/// Only an output with one of these can say that the code did not compile.
static UNCOMPILED: LazyLock<AhoCorasick> =
    LazyLock::new(|| any_of([": error", ".go:", "error: could not compile `", "Failed to execute goal ", "> Task "]));

/// Whether the output of a run of tests shows that the code that they test did not compile: their own may not, too.
pub fn did_not_compile(output: &str) -> bool {
    let output = super::terminal::shown(output);
    let lines = if UNCOMPILED.is_match(&*output) { &*output } else { "" };
    lines.lines().filter(|line| line.len() <= 2000).any(|line| {
        compiler_failed(line) && line.contains(".go:")
            || NO_CODE.find(line).is_some_and(|found| {
                let of_tests = if found.as_str().starts_with(": error") { &line[..found.start()] } else { found.as_str() };
                !of_tests.contains("Test") && !of_tests.contains("test")
            })
    })
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

const NOT_PUBLISHED: [&str; 25] = [
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
    "error: error validating",
    "error: error when ",
    "Error from server (",
    "Error: failed to update machine",
    "Error: UPGRADE FAILED",
    "Error: INSTALLATION FAILED",
    "exceeded its progress deadline",
    "error: timed out waiting for the condition",
    "\u{2502} Error: ",
    "Push rejected, failed to compile",
    "pre-receive hook declined",
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

const PUBLISHED: [&str; 17] = [
    "+ ",
    "Published ",
    "\u{2022} release succeeded after ",
    "Uploading ",
    "Successfully registered gem",
    "Deployed to",
    "✔ Deployed",
    "Deployment complete",
    "Production: https",
    "Upload complete",
    "Successfully published ",
    "\u{27a4} YN0000: Package archive published",
    "Apply complete! ",
    "remote: Verifying deploy... done",
    "Deploy is live!",
    "\u{2714}  Deploy complete!",
    "\u{2714} Deploy complete!",
];

/// What ends a line that says that it is out.
const ROLLED_OUT: [&str; 3] = [" successfully rolled out", " deployed to Heroku", " deployed to Dokku"];

/// Whether `output` says that a release went out.
pub fn published(output: &str) -> bool {
    output.lines().any(|line| {
        let line = line.trim_end();
        if line == "Published" || ROLLED_OUT.iter().any(|end| line.ends_with(end)) {
            return true;
        }
        PUBLISHED.iter().any(|message| line.trim_start().starts_with(message))
            && (line.contains('@') || !line.trim_start().starts_with('+'))
    })
}

#[cfg(test)]
mod tests;
