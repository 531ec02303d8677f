//! Whether a runner's arguments choose some of its tests.

pub(super) fn positional(args: &[&str]) -> bool {
    args.iter().any(|arg| !arg.starts_with('-') && !is_whole(arg) && !arg.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A folder that holds all tests, by its name.
fn is_whole(arg: &str) -> bool {
    let arg = arg.trim_start_matches("./").trim_end_matches('/');
    matches!(
        arg,
        "" | "." | "..." | "test" | "tests" | "t" | "spec" | "specs" | "run" | "src" | "all" | "-v" | "discover" | "__tests__" | "watch"
    )
}

/// The one thing that the words of a run choose: a folder, a file, a package, a name. None where they choose several or
/// none. Values of options that are not known count as things, so that what is doubtful is none.
pub(super) fn target(words: &[String]) -> Option<String> {
    const RUNNERS: [&str; 18] = [
        "test",
        "t",
        "tst",
        "run",
        "run-script",
        "exec",
        "pytest",
        "unittest",
        "nose2",
        "nextest",
        "jest",
        "vitest",
        "mocha",
        "watch",
        "artisan",
        "check",
        "verify",
        "package",
    ];
    let mut found: Option<&str> = None;
    for word in words.iter().skip(1) {
        let word = word.strip_prefix("-Dtest=").unwrap_or(word);
        let name = super::base(word);
        let script = matches!(name, "manage.py" | "runtests.py" | "setup.py");
        let number = word.bytes().all(|byte| byte.is_ascii_digit());
        if word.starts_with('-') || word.contains('=') || RUNNERS.contains(&word) || script || number || is_whole(word) {
            continue;
        }
        if found.replace(word).is_some() {
            return None;
        }
    }
    found.filter(|word| word.len() <= super::NAME_LENGTH).map(str::to_lowercase)
}

/// All words of a build, in lower case, where they are not too many to be kept.
pub(super) fn asked(words: &[String]) -> Option<String> {
    let length: usize = words.iter().map(|word| word.len() + 1).sum();
    (length <= ASKED_LENGTH).then(|| words.join(" ").to_lowercase())
}

/// The most bytes of a build's words that are kept.
const ASKED_LENGTH: usize = 200;

pub(super) fn cargo_subset(args: &[&str]) -> bool {
    let mut at = 0;
    let mut to_tests = false;
    while let Some(arg) = args.get(at) {
        at += 1;
        if *arg == "--" {
            to_tests = true;
            continue;
        }
        let name = arg.split('=').next().unwrap_or(arg);
        match name {
            "-p" | "--package" | "--lib" | "--test" | "--bin" | "--doc" | "--example" | "-E" | "--filter-expr" | "--exact" | "--skip"
            | "--ignored" | "--bench" | "--exclude" => return true,
            "--features" | "-F" | "--manifest-path" | "--target" | "--profile" | "-j" | "--jobs" | "--target-dir" | "--color"
            | "--message-format" | "--test-threads" | "--format" | "-Z" | "--logfile" | "--config" | "--retries" | "--cargo-profile"
            | "-P" | "--report-time"
                if !arg.contains('=') =>
            {
                at += 1;
            }
            _ if arg.starts_with('-') => {}
            "run" | "nextest" | "test" if !to_tests => {}
            _ => return true,
        }
    }
    false
}

pub(super) fn pytest_subset(args: &[&str]) -> bool {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        at += 1;
        let name = arg.split('=').next().unwrap_or(arg);
        match name {
            "-k" | "-m" | "--deselect" | "--ignore" | "--ignore-glob" | "--lf" | "--last-failed" | "--ff" | "--sw" | "--stepwise" => {
                return true;
            }
            "-n" | "-p" | "-c" | "-o" | "--junitxml" | "--junit-xml" | "--json-report-file" | "--cov" | "--cov-report" | "--timeout"
            | "--maxfail" | "--tb" | "--rootdir" | "--durations" | "-W" | "--log-level" | "--dist" | "--color" | "-r" | "--confcutdir"
            | "--basetemp"
                if !arg.contains('=') && args.get(at).is_some_and(|next| !next.starts_with('-')) =>
            {
                // `--cov` takes a value only where one is written behind it with an equals sign, or a folder.
                at += usize::from(name != "--cov" || !args[at].contains("test"));
            }
            _ if arg.starts_with('-') => {}
            _ if is_whole(arg) => {}
            _ => return true,
        }
    }
    false
}

pub(super) fn go_subset(args: &[&str]) -> bool {
    args.iter().any(|arg| arg.starts_with("-run") || arg.starts_with("--run") || *arg == "-short")
        || args
            .iter()
            .any(|arg| !arg.starts_with('-') && !arg.ends_with("/...") && (arg.starts_with('.') || arg.contains('/')) && *arg != "...")
        || args.iter().any(|arg| arg.ends_with("/...") && *arg != "./...")
}

pub(super) fn js_subset(args: &[&str]) -> bool {
    args.iter().any(|arg| {
        matches!(
            arg.split('=').next().unwrap_or(arg),
            "-t" | "--testNamePattern"
                | "--testPathPattern"
                | "-g"
                | "--grep"
                | "--project"
                | "--changed"
                | "--onlyChanged"
                | "--related"
                | "--filter"
        )
    }) || positional(args)
}
