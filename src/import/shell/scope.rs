//! Whether a runner's arguments choose some of its tests.

pub(super) fn positional(args: &[&str]) -> bool {
    args.iter().any(|arg| !arg.starts_with('-') && !is_whole(arg))
}

/// A folder that holds all tests, by its name.
fn is_whole(arg: &str) -> bool {
    let arg = arg.trim_start_matches("./").trim_end_matches('/');
    matches!(
        arg,
        "" | "." | "..." | "test" | "tests" | "t" | "spec" | "specs" | "run" | "src" | "all" | "-v" | "discover" | "__tests__" | "watch"
    )
}

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
