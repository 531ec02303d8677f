//! `init`: a corpus for one's own repository in any language, green from the start, with steps for CI and hooks.

use super::exit::Trouble;
use super::shipped::printable;
use super::{Exit, Format, InitArguments, World};
use crate::corpus::builtin::NINE_TEXTS;
use crate::edge::records;
use crate::json::to_canonical_text;

/// A first row to replace: a hard stop claims the least.
const RUNS: &str = r#"{
  "body_in_receipt": false,
  "work_landing_runs": [
    {
      "run_id": "first-run",
      "landing_status": "hard_stop",
      "commit_claimed_landed": false,
      "head_before": "",
      "head_after": "",
      "validation_precedes_commit_attempt": false,
      "validation_refs": ["ci/first-run/validation.log"],
      "claimed_path_refs": ["README.md"],
      "work_ledger_closeout_ref": "ledger:1:closeout",
      "blocker_capture_ref": "",
      "live_git_mutation_authorized": false,
      "unrelated_dirty_paths_staged": false,
      "release_claim_authorized": false
    }
  ]
}
"#;

const POLICY: &str = include_str!("../../fixtures/first-wave/landing_policy.json");
const PROTOCOL: &str = include_str!("../../fixtures/first-wave/projection_protocol.json");

pub(super) fn run(arguments: &InitArguments, world: &mut World<'_>) -> Result<Exit, Trouble> {
    let dir = world.at(&arguments.dir);
    let shown = printable(&arguments.dir);
    let mut texts = vec![
        ("work_landing_runs.json".to_owned(), RUNS.to_owned()),
        ("README.md".to_owned(), readme(&shown)),
        ("ci-snippet.yml".to_owned(), with_dir(SNIPPET, &shown)),
        ("ci.sh".to_owned(), with_dir(CI_SCRIPT, &shown)),
        ("hooks/check-row.sh".to_owned(), CHECK_ROW.to_owned()),
        ("hooks/pre-commit.sh".to_owned(), with_dir(PRE_COMMIT, &shown)),
    ];
    texts.extend(beside_runs());
    records::write_new(&dir, &texts)
        .map_err(|error| Trouble::Failed(format!("could not write a corpus into {shown}: {error}; nothing is overwritten")))?;
    if arguments.format == Format::Json {
        let names: Vec<_> = texts.iter().map(|(name, _)| name).collect();
        writeln!(world.out, "{}", crate::json::to_line(&serde_json::json!({"status": "pass", "written": names})))?;
    } else {
        writeln!(world.out, "a corpus of one row and nine broken cases lies in {shown}")?;
        writeln!(world.out, "  judge it:      landfall replay --corpus {shown}")?;
        writeln!(world.out, "  in CI:         {shown}/ci-snippet.yml, or {shown}/ci.sh")?;
        writeln!(world.out, "  in hooks:      {shown}/hooks/")?;
        writeln!(world.out, "  what to edit:  {shown}/README.md")?;
    }
    Ok(Exit::Pass)
}

/// The files of a corpus beside its run table: policy, protocol and the nine broken cases.
pub(super) fn beside_runs() -> Vec<(String, String)> {
    let mut texts = vec![
        ("landing_policy.json".to_owned(), without(POLICY, &["$schema"])),
        ("projection_protocol.json".to_owned(), without(PROTOCOL, &["$schema"])),
    ];
    // Twins and schemas are named in landfall's own repository.
    texts.extend(NINE_TEXTS.map(|(id, text)| (format!("negative-cases/{id}.json"), without(text, &["$schema", "twin"]))));
    texts
}

/// A shipped JSON text without some members of its top level.
fn without(text: &str, keys: &[&str]) -> String {
    let mut value: serde_json::Value = serde_json::from_str(text).expect("the shipped files are JSON");
    let object = value.as_object_mut().expect("the shipped files are objects");
    for key in keys {
        object.remove(*key);
    }
    to_canonical_text(&value)
}

fn readme(dir: &str) -> String {
    format!(
        "# Recorded landings\n\n\
         `work_landing_runs.json` holds what agents recorded about their work, a row a run. `landing_policy.json` and\n\
         `projection_protocol.json` say what a landing may do here and what its records are projected from; edit their refs.\n\
         Each file in `negative-cases/` is a row broken in one respect; drop in another and it is judged too.\n\n\
         Judge all of it with `landfall replay --corpus {dir}`; a refusal names its code, and `landfall explain CODE` its reason.\n\n\
         - `ci-snippet.yml`: a step for GitHub, with annotations and a summary. `ci.sh`: the same for any other CI.\n\
         - `hooks/check-row.sh`: one row on its standard input is judged before an agent stops.\n\
         - `hooks/pre-commit.sh`: the table as it is staged is judged before a commit.\n"
    )
}

/// A step for GitHub.
const SNIPPET: &str = r#"# A step for your workflow: fails when a recorded claim is not supported by its evidence.
# Put the landfall binary on the path first, from a checkout of it: cargo install --locked --path .
- name: landfall
  shell: bash
  run: |
    records="${RUNNER_TEMP:-target}/landfall"; verdict=0
    landfall replay --corpus @DIR@ --out "$records" || verdict=$?
    if [ "$verdict" -le 1 ]; then
      landfall report "$records" --format github@MAP@ || [ $? -eq 1 ] || exit 3
      landfall report "$records" --format summary@MAP@ >> "$GITHUB_STEP_SUMMARY" || [ $? -eq 1 ] || exit 3
    fi
    exit "$verdict"
"#;

/// The same for any other CI: JUnit for its dashboard, a page for people.
const CI_SCRIPT: &str = r#"#!/bin/sh
# For any CI: judges the recorded landings, leaves reports beside the records, and ends with the verdict's exit code.
set -u
records=${1:-target/landfall}
verdict=0
landfall replay --corpus @DIR@ --out "$records" || verdict=$?
if [ "$verdict" -le 1 ]; then
  for report in junit:junit.xml sarif:landfall.sarif html:landfall.html; do
    landfall report "$records" --format "${report%%:*}"@MAP@ --out "$records/${report#*:}" || [ $? -eq 1 ] || exit 3
  done
fi
exit "$verdict"
"#;

/// For the end of an agent's turn.
const CHECK_ROW: &str = r#"#!/bin/sh
# Before an agent stops: the one row it recorded must hold. The row is a JSON object on standard input:
#   your-recorder --last-row | sh check-row.sh
# It exits 0 or 2; 2 is what agents' stop hooks read as: go on, and read on standard error why. No row is no pass.
set -u
if answer=$(landfall check row -); then
  exit 0
fi
printf '%s\n' "${answer:-no row was recorded}" >&2
exit 2
"#;

/// For Git: `ln -s ../../landing/hooks/pre-commit.sh .git/hooks/pre-commit`, made executable.
const PRE_COMMIT: &str = r#"#!/bin/sh
# Before a commit: the run table as it is staged must hold. From .git/hooks/pre-commit: exec sh @DIR@/hooks/pre-commit.sh
set -eu
table=@DIR@/work_landing_runs.json
git diff --cached --quiet -- "$table" && exit 0
git show ":$table" | landfall check runs - --format text
"#;

/// A script with the corpus's folder in it, quoted for the shell; mapped where it lies below the repository's root.
fn with_dir(script: &str, dir: &str) -> String {
    let below = crate::report::Mapping::default().add(&format!("corpus={dir}")).is_ok();
    let map = if below { " --map corpus=@DIR@" } else { "" };
    script.replace("@MAP@", map).replace("@DIR@", &quoted(dir))
}

/// `dir` as one word of a shell, whatever its name is.
fn quoted(dir: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'-');
    if dir.bytes().all(plain) && !dir.starts_with('-') { dir.to_owned() } else { format!("'{}'", dir.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_folder_is_one_word_whatever_its_name_is() {
        assert_eq!(quoted("evidence/landing-1"), "evidence/landing-1");
        assert_eq!(quoted("a b'$(x)"), r"'a b'\''$(x)'");
    }
}
