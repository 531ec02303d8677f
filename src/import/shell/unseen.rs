//! Programs that may land work without a line of git's in the record: scripts, targets, aliases, other tools.
//!
//! None of them shows that something landed. But whoever accuses somebody of not having landed it must have seen
//! everything that might have.

use super::program::{Act, base, git_command};

/// What a part may do unseen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Unseen {
    /// It may commit.
    pub(super) commits: bool,
    /// It may push or release.
    pub(super) sends: bool,
}

/// Words of names that say that a script or a target lands work.
const COMMITS: [&str; 16] = [
    "commit",
    "commits",
    "land",
    "save",
    "submit",
    "ship",
    "checkpoint",
    "finish",
    "merge",
    "squash",
    "autocommit",
    "finalize",
    "wrap",
    "done",
    "git",
    "sync",
];
const SENDS: [&str; 15] = [
    "push", "publish", "release", "deploy", "ship", "land", "submit", "sync", "upload", "promote", "rollout", "pr", "mirror", "backup",
    "git",
];
/// Words of names that say what else a script is for.
const OTHER: [&str; 27] = [
    "lint",
    "fmt",
    "format",
    "build",
    "compile",
    "test",
    "tests",
    "check",
    "clean",
    "install",
    "setup",
    "start",
    "stop",
    "generate",
    "gen",
    "migrate",
    "serve",
    "dev",
    "docs",
    "bench",
    "seed",
    "download",
    "fetch",
    "verify",
    "validate",
    "env",
    "bootstrap",
];
/// Names in the addresses of hosts of repositories.
const HOSTS: [&str; 6] = ["github", "gitlab", "bitbucket", "gitea", "forgejo", "codeberg"];
/// Subcommands of git that neither commit nor send: any other may be an alias for one that does.
const KNOWN: [&str; 62] = [
    "",
    "add",
    "annotate",
    "apply",
    "archive",
    "bisect",
    "blame",
    "branch",
    "bundle",
    "cat-file",
    "check-attr",
    "check-ignore",
    "checkout",
    "checkout-index",
    "clean",
    "clone",
    "commit",
    "config",
    "count-objects",
    "describe",
    "diff",
    "diff-index",
    "diff-tree",
    "difftool",
    "fetch",
    "for-each-ref",
    "format-patch",
    "fsck",
    "gc",
    "grep",
    "hash-object",
    "help",
    "init",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge-base",
    "mergetool",
    "mv",
    "name-rev",
    "notes",
    "prune",
    "push",
    "range-diff",
    "reflog",
    "remote",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "rm",
    "shortlog",
    "show",
    "show-ref",
    "sparse-checkout",
    "stash",
    "status",
    "switch",
    "tag",
    "version",
    "worktree",
];

/// What the part with these words may do. What git itself prints about is not unseen.
pub(super) fn of(words: &[String], args: &[&str], act: Act) -> Unseen {
    let Some(first) = words.first() else { return Unseen::default() };
    let name = base(first).trim_end_matches(".exe").trim_end_matches(".cmd");
    match name {
        "git" => return of_git(args),
        // Runs elsewhere are looked at: what they print is not this tree's.
        "gh" | "glab"
            if matches!(args.first(), Some(&"run" | &"ci" | &"pipeline"))
                && args.get(1).is_some_and(|verb| matches!(*verb, "view" | "list" | "watch" | "download" | "trace" | "status")) => {}
        "gh" | "hub" | "glab" | "tea" | "fj" | "bb" => {
            let verb = args
                .iter()
                .take(3)
                .any(|arg| matches!(*arg, "create" | "merge" | "sync" | "run" | "update-branch" | "sync-fork" | "api" | "push"))
                || args.first() == Some(&"release") && args.get(1).is_some_and(|verb| matches!(*verb, "edit" | "upload"));
            return Unseen { commits: args.contains(&"merge"), sends: verb };
        }
        // The interface of a host merges and releases, too.
        "curl" | "wget" | "http" | "xh" if args.iter().any(|arg| HOSTS.iter().any(|host| arg.contains(host))) => {
            return Unseen { commits: false, sends: true };
        }
        // A look at what runs there brings nothing.
        "kubectl" | "oc" | "terraform" | "tofu"
            if matches!(verb(args), Some("get" | "describe" | "logs" | "top" | "explain" | "plan" | "validate" | "show" | "output")) => {}
        // What reaches another machine may bring work there.
        "kubectl" | "oc" | "terraform" | "tofu" | "pulumi" | "ansible-playbook" | "ssh" | "scp" | "rsync" | "aws" | "az" | "pm2" => {
            return Unseen { commits: false, sends: true };
        }
        "jj" | "sl" | "hg" | "gt" | "spr" | "ghstack" | "arc" | "lazygit" | "git-town" | "tig" => {
            return Unseen { commits: true, sends: true };
        }
        _ => {}
    }
    if matches!(act, Act::Read | Act::Shell | Act::Edit | Act::Remove | Act::Test { .. }) {
        return Unseen::default();
    }
    let parts =
        |name: &str| name.to_ascii_lowercase().split(|each: char| !each.is_ascii_alphanumeric()).map(str::to_owned).collect::<Vec<_>>();
    let says = |name: &str, words: &[&str]| parts(name).iter().any(|part| words.contains(&part.as_str()));
    let interpreter =
        matches!(name, "bash" | "sh" | "zsh" | "dash" | "python" | "python3" | "node" | "ruby" | "perl" | "deno" | "bun" | "tsx");
    let script = if interpreter { args.iter().find(|arg| !arg.starts_with('-')).copied().unwrap_or_default() } else { first.as_str() };
    let shell = script.ends_with(".sh") || script.ends_with(".bash") || !interpreter && script.contains('/');
    let runs_targets =
        matches!(name, "make" | "gmake" | "just" | "task" | "rake" | "invoke" | "inv" | "mage" | "npm" | "pnpm" | "yarn" | "bun");
    if runs_targets {
        let any = |words: &[&str]| args.iter().any(|arg| !arg.starts_with('-') && says(arg, words));
        return Unseen { commits: any(&COMMITS), sends: any(&SENDS) };
    }
    let file = base(script);
    if shell {
        // A script may do anything, unless its name says what.
        let open = !says(file, &OTHER);
        return Unseen { commits: open || says(file, &COMMITS), sends: open || says(file, &SENDS) };
    }
    Unseen { commits: says(file, &COMMITS), sends: says(file, &SENDS) }
}

fn of_git(args: &[&str]) -> Unseen {
    let (command, rest) = git_command(args);
    match command {
        // What follows prints what it did, or is read as a replay.
        "merge" | "rebase" | "cherry-pick" | "revert" | "pull" | "am" | "submodule" | "read-tree" | "symbolic-ref" => Unseen::default(),
        "update-ref" | "commit-tree" | "fast-import" | "citool" | "gui" | "filter-branch" | "replay" => {
            Unseen { commits: true, sends: false }
        }
        "send-pack" | "subtree" | "svn" | "lfs" | "p4" | "send-email" | "http-push" => {
            Unseen { commits: false, sends: rest.first() != Some(&"add") }
        }
        known if KNOWN.contains(&known) => Unseen::default(),
        _ => Unseen { commits: true, sends: true },
    }
}

/// The subcommand of a tool that reaches other machines, behind the options in front of it that are known. None behind any
/// other: whether it takes the next word as its value is not known.
fn verb<'a>(args: &[&'a str]) -> Option<&'a str> {
    let mut args = args.iter();
    loop {
        match *args.next()? {
            "-n" | "--namespace" | "--context" | "--cluster" | "--kubeconfig" => drop(args.next()),
            option if option.starts_with('-') => {
                if !option.contains('=') {
                    return None;
                }
            }
            verb => return Some(verb),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::analyse;

    #[test]
    fn what_may_land_work_is_known_by_its_name_and_shows_nothing() {
        for (text, commits, sends) in [
            ("./land.sh", true, true),
            ("bash scripts/finish.sh", true, true),
            ("./scripts/lint.sh", false, false),
            ("./scripts/build-and-push.sh", false, true),
            ("make commit", true, false),
            ("make build", false, false),
            ("npm run push", false, true),
            ("hub push origin main", false, true),
            ("fj pr merge", true, true),
            ("curl -s -X POST https://api.github.example/repos/k/app/merges -d x", false, true),
            ("curl -s http://localhost:8080/push", false, false),
            ("python3 tools/commit_all.py", true, false),
            ("python3 manage.py migrate", false, false),
            ("git ci -m x", true, true),
            ("git -C x status", false, false),
            ("git update-ref refs/heads/main abc", true, false),
            ("gh pr merge 3 --squash", true, true),
            ("gh pr view 3", false, false),
            ("gh run view 5 --log-failed", false, false),
            ("kubectl rollout status deploy/w", true, true),
            ("kubectl -n prod get pods", false, false),
            ("kubectl -n prod exec deploy/get -- logs", true, true),
            ("kubectl -n prod scale deployment logs --replicas=2", true, true),
            ("kubectl --context=prod logs deploy/w", false, false),
            ("kubectl --wait get pods", true, true),
            ("terraform -chdir=infra plan", false, false),
            ("terraform apply plan", true, true),
            ("cargo test", false, false),
            ("ls ./land.sh", false, false),
        ] {
            let found = analyse(text);
            assert_eq!((found.replays, found.sends), (commits || sends, sends), "{text}");
            assert_eq!(found.unseen, commits || sends, "{text}");
        }
    }

    #[test]
    fn the_folder_of_a_run_tells_it_from_others() {
        let key = |text: &str| analyse(text).test.expect("a run").key;
        assert_ne!(key("cargo test"), key("cd ../other && cargo test"));
        assert_eq!(key("cd /x && cargo test"), key("cd /x && cargo test"));
        assert_ne!(key("make -C a test"), key("make -C b test"));
        let folder = |text: &str| analyse(text).commit.expect("a commit").folder;
        assert_ne!(folder("git commit -m x"), folder("git -C ../other commit -m x"));
        assert_ne!(analyse("cd /y && git reset --hard HEAD~1").reset_folder, 0);
    }
}
