//! What a program of a command line is for: a test run, a build, a commit, a read, an edit.
//!
//! Tables of names, in the open, so that a runner is one more line. What is on no table may do
//! anything: it may run tests and it may write.

/// What a part of a command line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Runs tests; `subset` says that its arguments choose some of them.
    Test {
        /// The runner's name, from the table.
        runner: &'static str,
        /// Whether the arguments choose some tests.
        subset: bool,
    },
    /// Builds or compiles; the name is from the table.
    Build(&'static str),
    /// `git commit`
    Commit,
    /// `git push`
    Push,
    /// A release command; the name is from the table.
    Release(&'static str),
    /// `git reset`, that moves a branch.
    Reset,
    /// Git that makes commits by another name: merge, rebase, cherry-pick, revert, pull, am.
    Replay,
    /// Changes the shell, and nothing else: `cd`, `export`, `set`.
    Shell,
    /// Reads, prints or waits.
    Read,
    /// Plainly writes files of the tree.
    Edit,
    /// Deletes or moves files of the tree.
    Remove,
    /// May write, may run anything: a script, an installer, a name on no table.
    Other,
}

const WRAPPERS: [&str; 22] = [
    "sudo",
    "env",
    "time",
    "nice",
    "nohup",
    "timeout",
    "gtimeout",
    "stdbuf",
    "xvfb-run",
    "command",
    "exec",
    "unbuffer",
    "caffeinate",
    "npx",
    "bunx",
    "uvx",
    "ionice",
    "setarch",
    "doppler",
    "dotenv",
    "rtk",
    "corepack",
];

/// The program's words, with environment, wrappers and runners of an environment taken off.
pub fn program(words: &[String]) -> &[String] {
    let mut words = words;
    for _ in 0..8 {
        let Some(first) = words.first() else { return words };
        if is_assignment(first) {
            words = &words[1..];
            continue;
        }
        let name = base(first);
        if WRAPPERS.contains(&name) {
            let mut rest = &words[1..];
            while let Some(word) = rest.first() {
                let takes_value = matches!(
                    (name, word.as_str()),
                    ("timeout" | "gtimeout", "-k" | "-s" | "--signal" | "--kill-after")
                        | ("nice", "-n")
                        | ("npx", "-p" | "--package")
                        | ("sudo", "-u")
                );
                if takes_value {
                    rest = rest.get(2..).unwrap_or_default();
                } else if word.starts_with('-') || is_assignment(word) || word == "run" && name == "doppler" {
                    rest = &rest[1..];
                } else {
                    break;
                }
            }
            if matches!(name, "timeout" | "gtimeout") {
                rest = rest.get(1..).unwrap_or_default();
            }
            words = rest;
            continue;
        }
        let second = words.get(1).map_or("", String::as_str);
        let skip = match (name, second) {
            ("uv" | "poetry" | "pipenv" | "hatch" | "rye" | "pdm" | "pixi", "run") => {
                options(words, 2, &["--with", "--extra", "--group", "-p", "--python", "--project", "--directory", "-e"])
            }
            ("uv", "tool") if words.get(2).is_some_and(|word| word == "run") => 3,
            ("conda" | "mamba" | "micromamba", "run") => options(words, 2, &["-n", "-p", "--name"]),
            ("bundle", "exec") | ("pnpm" | "yarn", "exec" | "dlx") | ("mise" | "direnv" | "asdf", "exec" | "x") => options(words, 2, &[]),
            ("pnpm" | "yarn" | "bun", "turbo" | "nx" | "lerna") => 1,
            ("docker" | "podman", "exec") => options(words, 2, &["-e", "-w", "-u", "--workdir", "--user", "--env"]) + 1,
            ("docker" | "podman", "compose") if words.get(2).is_some_and(|word| word == "exec" || word == "run") => {
                options(words, 3, &["-e", "-w", "-u", "--workdir", "--user", "--env"]) + 1
            }
            ("docker-compose", "exec" | "run") => options(words, 2, &["-e", "-w", "-u"]) + 1,
            _ => return words,
        };
        words = words.get(skip..).unwrap_or_default();
    }
    words
}

fn options(words: &[String], mut at: usize, with_value: &[&str]) -> usize {
    while let Some(word) = words.get(at) {
        if with_value.contains(&word.as_str()) {
            at += 2;
        } else if word.starts_with('-') {
            at += 1;
        } else {
            break;
        }
    }
    at
}

pub(super) fn is_assignment(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    word.contains('=') && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The last name of a path.
pub fn base(word: &str) -> &str {
    word.rsplit(['/', '\\']).next().unwrap_or(word)
}

/// What the program with its arguments is for. `words` are those of [`program`].
pub fn act(words: &[String]) -> Act {
    let Some(first) = words.first() else { return Act::Shell };
    let name = base(first).trim_end_matches(".exe").trim_end_matches(".cmd");
    let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let has = |wanted: &[&str]| args.iter().any(|arg| wanted.contains(arg));
    if name == "git" {
        return git(&args);
    }
    if has(&["--help", "--version"]) || args == ["-h"] || args == ["-V"] {
        return Act::Read;
    }
    if let Some(act) = super::runners::act(first, name, &args) {
        return act;
    }
    match name {
        "cd" | "export" | "set" | "unset" | "source" | "." | "pushd" | "popd" | "alias" | "shopt" | "ulimit" | "umask" | "trap" | ":"
        | "true" | "false" | "exit" | "return" | "local" | "declare" | "readonly" | "eval" | "for" | "case" | "break" | "continue"
        | "nvm" | "in" => Act::Shell,
        "sed" | "gsed" if args.iter().any(|arg| arg.starts_with("-i") || *arg == "--in-place" || is_cluster(arg, 'i')) => Act::Edit,
        "perl" | "ruby" if args.iter().any(|arg| is_cluster(arg, 'i')) => Act::Edit,
        "patch" | "ed" | "ex" | "apply_patch" | "truncate" => Act::Edit,
        "tee" => Act::Edit,
        "rm" | "mv" | "unlink" | "trash" => Act::Remove,
        "cp" | "ln" | "touch" | "install" | "rsync" | "tar" | "unzip" => Act::Other,
        "find" | "fd" if has(&["-delete", "-exec", "-execdir"]) => Act::Other,
        "ls" | "cat" | "bat" | "head" | "tail" | "grep" | "egrep" | "fgrep" | "rg" | "ag" | "find" | "fd" | "wc" | "echo" | "printf"
        | "pwd" | "which" | "whereis" | "type" | "date" | "sleep" | "test" | "[" | "[[" | "jq" | "yq" | "tree" | "stat" | "du" | "df"
        | "ps" | "sort" | "uniq" | "cut" | "awk" | "gawk" | "sed" | "gsed" | "tr" | "diff" | "cmp" | "file" | "xxd" | "od" | "less"
        | "more" | "seq" | "kill" | "wait" | "uname" | "whoami" | "id" | "hostname" | "nl" | "tac" | "rev" | "strings" | "sha256sum"
        | "md5sum" | "shasum" | "basename" | "dirname" | "realpath" | "readlink" | "read" | "column" | "comm" | "paste" | "fold"
        | "printenv" | "history" | "lsof" | "netstat" | "ss" | "top" | "uptime" | "man" | "help" | "time" | "gh" | "hub" | "glab"
        | "curl" | "wget" | "ping" | "mkdir" | "pgrep" | "command" | "zcat" | "env" | "look" | "jobs" | "fg" | "bg" | "nproc" | "free"
        | "xcpretty" | "xcbeautify" | "gotestfmt" | "tap-spec" | "tap-dot" | "tap-min" | "tap-summary" | "tap-diff" | "tap-nyc"
        | "tap-difflet" | "tap-mocha-reporter" | "tap-arc" | "faucet" | "pino-pretty" | "bunyan" | "c++filt" | "rustfilt" | "ansi2txt"
        | "strip-ansi" | "ansifilter" | "col" | "lolcat" | "ccze" | "ts" | "pv" | "expand" | "iconv" | "colordiff" | "delta"
        | "hexdump" | "cloc" | "tokei" | "tput" | "clear" | "open_file" | "xmllint" | "sqlite3" => Act::Read,
        _ => Act::Other,
    }
}

/// Whether a cluster of single-letter options holds `letter`: `-pi`, `-i.bak`.
fn is_cluster(arg: &str, letter: char) -> bool {
    arg.strip_prefix('-').is_some_and(|letters| {
        !letters.starts_with('-') && letters.chars().take_while(char::is_ascii_alphabetic).take(4).any(|each| each == letter)
    })
}

/// The subcommand of git behind its global options, and its arguments.
pub fn git_command<'a, 'w>(args: &'a [&'w str]) -> (&'w str, &'a [&'w str]) {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        match *arg {
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" | "--config-env" => at += 2,
            option if option.starts_with('-') => at += 1,
            command => return (command, &args[at + 1..]),
        }
    }
    ("", &[])
}

fn git(args: &[&str]) -> Act {
    let (command, rest) = git_command(args);
    let has = |wanted: &[&str]| rest.iter().any(|arg| wanted.contains(arg));
    match command {
        "commit" if !has(&["--dry-run", "-h", "--help"]) => Act::Commit,
        "push" if !has(&["--dry-run", "-n", "--help"]) => Act::Push,
        "reset"
            if has(&["--hard", "--soft", "--mixed", "--keep", "--merge"])
                || rest.iter().any(|arg| arg.starts_with("HEAD~") || arg.starts_with("HEAD^")) =>
        {
            Act::Reset
        }
        "merge" | "rebase" | "cherry-pick" | "revert" | "pull" | "am" => Act::Replay,
        "apply" if !has(&["--check", "--stat", "--numstat", "--cached"]) => Act::Edit,
        "rm" | "mv" => Act::Remove,
        "restore" if has(&["--staged"]) && !has(&["--worktree", "-W"]) => Act::Read,
        "checkout" | "switch" | "restore" | "stash" | "clean" | "submodule" | "worktree" | "clone" | "bisect" | "read-tree"
        | "checkout-index" => {
            if command == "stash" && has(&["list", "show"])
                || command == "checkout" && (has(&["-b", "-B"]))
                || command == "switch" && has(&["-c", "-C"])
            {
                Act::Read
            } else {
                Act::Other
            }
        }
        _ => Act::Read,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Act {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        act(program(&words))
    }

    #[test]
    fn wrappers_are_taken_off() {
        assert_eq!(of("A=1 sudo -E timeout 60 cargo test"), Act::Test { runner: "cargo test", subset: false });
        assert_eq!(of("uv run --with x pytest -q"), Act::Test { runner: "pytest", subset: false });
        assert_eq!(of("docker compose exec -T web pytest tests/test_a.py"), Act::Test { runner: "pytest", subset: true });
        assert_eq!(of("git -C /x -c a=b commit -m done"), Act::Commit);
        assert_eq!(of("git commit --dry-run"), Act::Read);
        assert_eq!(of("sed -n 1,40p a"), Act::Read);
        assert_eq!(of("sed -i s/a/b/ a"), Act::Edit);
        assert_eq!(of("perl -pi -e s/a/b/ a"), Act::Edit);
        assert_eq!(of("./deploy.sh"), Act::Other);
        assert_eq!(of("/usr/bin/grep x"), Act::Read);
    }
}
