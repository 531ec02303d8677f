//! `init`: a corpus for one's own repository, green from the start, with a CI snippet.

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
        ("landing_policy.json".to_owned(), without(POLICY, &["$schema"])),
        ("projection_protocol.json".to_owned(), without(PROTOCOL, &["$schema"])),
        ("README.md".to_owned(), readme(&shown)),
        ("ci-snippet.yml".to_owned(), snippet(&shown)),
    ];
    // Twins and schemas are named in landfall's own repository.
    texts.extend(NINE_TEXTS.map(|(id, text)| (format!("negative-cases/{id}.json"), without(text, &["$schema", "twin"]))));
    records::write_new(&dir, &texts)
        .map_err(|error| Trouble::Failed(format!("could not write a corpus into {shown}: {error}; nothing is overwritten")))?;
    if arguments.format == Format::Json {
        let names: Vec<_> = texts.iter().map(|(name, _)| name).collect();
        writeln!(world.out, "{}", crate::json::to_line(&serde_json::json!({"status": "pass", "written": names})))?;
    } else {
        writeln!(world.out, "a corpus of one row and nine broken cases lies in {shown}")?;
        writeln!(world.out, "  judge it:      landfall replay --corpus {shown}")?;
        writeln!(world.out, "  in CI:         {shown}/ci-snippet.yml")?;
        writeln!(world.out, "  what to edit:  {shown}/README.md")?;
    }
    Ok(Exit::Pass)
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
         Judge all of it with `landfall replay --corpus {dir}`; a refusal names its code, and `landfall explain CODE` its reason.\n"
    )
}

fn snippet(dir: &str) -> String {
    format!(
        "# A step for your workflow: fails when a recorded claim is not supported by its evidence.\n\
         # Put the landfall binary on the path first, from a checkout of it: cargo install --locked --path .\n\
         - name: landfall\n  run: landfall replay --corpus {dir} --out \"${{RUNNER_TEMP:-target}}/landfall\"\n"
    )
}
