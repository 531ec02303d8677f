//! `record-landing`: lands this repository's own work and records how, so that landfall judges it as it judges others'.
//!
//! The later commit is validated in a clean clone, and only then main is moved to it, from the commit that it was on and from no
//! other. What the validation printed, the objects of the range without the contents of files, and the movement become
//! evidence under `fixtures/self/`, and one row of its run table.
//! `tests/self_landings.rs` derives every fact of the rows from that evidence alone; CI replays the rows.
//!
//! Left out on purpose: a row for work that did not pass. It is not recorded as landed, and there is no other lane here.

#![expect(clippy::disallowed_methods, reason = "an xtask is an edge of its own: it reads and writes this repository")]

use landfall::evidence::summary::{Shown, Summary, of_output};
use landfall::json::{digest_of, to_canonical_text};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::SystemTime;
use xshell::{Shell, cmd};

type Failure = Box<dyn Error>;

const FOLDER: &str = "fixtures/self";
const RUN_TABLE: &str = "work_landing_runs.json";
const TARGET_REF: &str = "refs/heads/main";
/// How the lines begin that count what ran; the others name folders of the machine.
const COUNTING: [&str; 8] = ["running ", "test result: ", "Summary ", "Ran ", "OK", "checked ", "ci: ", "SKIPPED"];

/// What is to be recorded.
#[derive(Debug, clap::Args)]
pub(crate) struct RecordLanding {
    /// Name of the row: what landed, in words joined by hyphens
    #[arg(long)]
    run_id: String,
    /// The commit that main is to move to
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    after: String,
    /// The validation, run in a clean clone of the later commit
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// The range, as Git names it.
struct Range {
    before: String,
    after: String,
    tree: String,
    paths: BTreeSet<String>,
}

/// Validates the range, moves main, and writes row and evidence.
pub(crate) fn run(root: &Path, asked: &RecordLanding) -> Result<String, Failure> {
    let name = &asked.run_id;
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
        return Err(format!("the run id {name:?} is not made of lower-case letters, digits and hyphens").into());
    }
    let shell = Shell::new()?;
    shell.change_dir(root);
    let range = range(&shell, asked)?;
    let ended = validate(&shell, &range, &asked.command)?;
    let (log, summary) = log_of(&ended)?;
    let validated_at = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs();
    let Range { before, after, .. } = &range;
    let reason = format!("merge: {name}");
    cmd!(shell, "git update-ref -m {reason} {TARGET_REF} {after} {before}").run()?;
    let movements = movements(&shell, &range)?;

    let evidence = root.join(FOLDER).join("evidence").join(name);
    fs::create_dir_all(&evidence)?;
    let put = |file: &str, bytes: &[u8]| fs::write(evidence.join(file), bytes);
    put("objects.pack", &objects(&shell, &range)?)?;
    put("reflog.txt", movements.as_bytes())?;
    put("validation.log", log.as_bytes())?;
    let command = asked.command.join(" ");
    let closeout = json!({
        "run_id": name, "head_before": range.before, "head_after": range.after, "tree_validated": range.tree, "command": command,
        "validated_at": validated_at, "exit_code": 0, "passed": summary.counts.passed, "failed": summary.counts.failed,
        "log_ref": format!("evidence/{name}/validation.log"), "log_sha256": digest_of(log.as_bytes()),
    });
    put("closeout.json", to_canonical_text(&closeout).as_bytes())?;
    append(root, &row(name, &range, &command, &summary))?;
    Ok(format!("recorded {name}: {} paths, {} tests passed; look at it with git diff {FOLDER}", range.paths.len(), summary.counts.passed))
}

fn range(shell: &Shell, asked: &RecordLanding) -> Result<Range, Failure> {
    let resolve = |revision: &str, kind: &str| {
        let revision = format!("{revision}^{{{kind}}}");
        cmd!(shell, "git rev-parse --verify --quiet --end-of-options {revision}").quiet().read()
    };
    let (before, after) = (resolve(TARGET_REF, "commit")?, resolve(&asked.after, "commit")?);
    cmd!(shell, "git merge-base --is-ancestor {before} {after}").quiet().run()?;
    let paths = cmd!(shell, "git diff-tree -r -z --name-only --no-renames {before} {after}").quiet().read()?;
    let paths: BTreeSet<String> = paths.split_terminator('\0').map(str::to_owned).collect();
    if paths.is_empty() {
        return Err("nothing differs between the two commits".into());
    }
    Ok(Range { tree: resolve(&after, "tree")?, before, after, paths })
}

/// The movements of main from the one commit to the other, without what a person's reflog says about them.
fn movements(shell: &Shell, range: &Range) -> Result<String, Failure> {
    let folder = cmd!(shell, "git rev-parse --path-format=absolute --git-common-dir").quiet().read()?;
    let all = fs::read_to_string(Path::new(&folder).join("logs").join(TARGET_REF))?;
    let lines: Vec<&str> = all.lines().collect();
    let first = lines.iter().rposition(|line| line.starts_with(&range.before));
    let last = lines.iter().rposition(|line| line.get(41..81) == Some(&range.after));
    let (Some(first), Some(last)) = (first, last) else {
        return Err(format!("the reflog of {TARGET_REF} shows no movement from {} to {}", range.before, range.after).into());
    };
    let moved = lines.get(first..=last).filter(|moved| !moved.is_empty()).ok_or("main was on the later commit first")?;
    // Of the message only its first word: what moved the ref. The rest names branches and folders.
    let without_names = |line: &&str| {
        let (facts, message) = line.split_once('\t').unwrap_or((line, ""));
        let word = message.split([' ', ':']).next().unwrap_or_default();
        format!("{facts}\t{word}: main\n")
    };
    Ok(moved.iter().map(without_names).collect())
}

fn validate(shell: &Shell, range: &Range, command: &[String]) -> Result<Output, Failure> {
    let scratch = shell.create_temp_dir()?;
    let (clone, root) = (scratch.path().join("clone"), shell.current_dir());
    cmd!(shell, "git clone --quiet --no-hardlinks {root} {clone}").run()?;
    let within = Shell::new()?;
    within.change_dir(&clone);
    let after = &range.after;
    cmd!(within, "git checkout --quiet --detach {after}").run()?;
    let (program, arguments) = command.split_first().ok_or("a validation is a command")?;
    let ended = within.cmd(program).args(arguments).ignore_status().output()?;
    let tree = cmd!(within, "git status --porcelain").quiet().read()?;
    if !tree.is_empty() {
        return Err(format!("the validation changed what it validated:\n{tree}").into());
    }
    Ok(ended)
}

/// The lines that count, and what they add up to.
fn log_of(ended: &Output) -> Result<(String, Summary), Failure> {
    let printed = [&ended.stdout[..], &ended.stderr[..]].concat();
    let printed = String::from_utf8_lossy(&printed);
    if !ended.status.success() {
        let tail: Vec<&str> = printed.lines().rev().take(40).collect();
        return Err(format!("the validation failed ({}); its last lines, last first:\n{}", ended.status, tail.join("\n")).into());
    }
    let counts = |line: &&str| COUNTING.iter().any(|begin| line.starts_with(begin)) && !landfall::leak::leaks(line);
    let kept: Vec<&str> = printed.lines().map(str::trim_start).filter(counts).collect();
    let head = format!(
        "# {} of {} lines: those that count; all of them are {}\n",
        kept.len(),
        printed.lines().count(),
        digest_of(printed.as_bytes())
    );
    let log = head + &kept.join("\n") + "\n";
    let summary = of_output(&log, true).ok_or("the validation printed no summary of tests")?;
    if summary.shown != Shown::Passed {
        return Err(format!("the summary of the validation is {:?}, not passed", summary.shown).into());
    }
    Ok((log, summary))
}

/// A pack of the range's commits and of both ends' folders; the contents of files stay out.
fn objects(shell: &Shell, range: &Range) -> Result<Vec<u8>, Failure> {
    let Range { before, after, .. } = range;
    let commits = cmd!(shell, "git rev-list {after} ^{before}").quiet().read()?;
    let trees = cmd!(shell, "git rev-list --objects --no-walk --no-object-names --filter=blob:none {before} {after}").quiet().read()?;
    let ids: BTreeSet<&str> = commits.lines().chain(trees.lines()).collect();
    let ids = ids.into_iter().fold(String::new(), |all, id| all + id + "\n");
    Ok(cmd!(shell, "git pack-objects --quiet --stdout").stdin(ids).quiet().output()?.stdout)
}

fn row(name: &str, range: &Range, command: &str, summary: &Summary) -> Value {
    let log = format!("evidence/{name}/validation.log");
    json!({
        "run_id": name, "landing_status": "scoped_commit_landed", "commit_claimed_landed": true,
        "head_before": range.before, "head_after": range.after, "head_before_is_ancestor": true,
        "target_ref": TARGET_REF, "target_ref_before": range.before, "target_ref_after": range.after,
        "claimed_path_refs": range.paths,
        "validation_precedes_commit_attempt": true, "validation_refs": [log],
        "validation_outcomes": [{
            "ref": log, "exit_code": 0, "passed": summary.counts.passed, "failed": summary.counts.failed,
            "producing_command": command, "recorded_by": "xtask/src/record_landing.rs",
        }],
        "work_ledger_closeout_ref": format!("evidence/{name}/closeout.json"), "blocker_capture_ref": "",
        "live_git_mutation_authorized": false, "unrelated_dirty_paths_staged": false, "release_claim_authorized": false,
    })
}

/// Adds the row, or puts it in the place of the one of the same name.
fn append(root: &Path, row: &Value) -> Result<(), Failure> {
    let path = root.join(FOLDER).join(RUN_TABLE);
    let mut table: Value = match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            json!({ "$schema": "../../schemas/work-landing-runs.schema.json", "body_in_receipt": false, "work_landing_runs": [] })
        }
        Err(error) => return Err(error.into()),
    };
    let rows = table["work_landing_runs"].as_array_mut().ok_or("the run table holds no list of rows")?;
    rows.retain(|other| other["run_id"] != row["run_id"]);
    rows.push(row.clone());
    fs::write(path, to_canonical_text(&table))?;
    Ok(())
}
