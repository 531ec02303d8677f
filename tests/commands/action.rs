//! The GitHub action's script, run as the action runs it.
#![expect(clippy::disallowed_methods, reason = "this test is about a script and its environment")]

use crate::folders::{edit, read, scratch, shipped};
use crate::landfall_binary::landfall;
use crate::process::{Ran, run};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

fn judge(root: &Path, variables: &[(&str, &str)]) -> Ran {
    let binary = Path::new(env!("CARGO_BIN_EXE_landfall")).parent().expect("it lies in a folder");
    let mut command = Command::new("bash");
    command.arg(shipped("action/judge.sh")).current_dir(root);
    command.env("PATH", format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default()));
    command.env("GITHUB_OUTPUT", root.join("outputs")).env("GITHUB_STEP_SUMMARY", root.join("summary.md"));
    command.envs(variables.iter().copied());
    run(command, b"", Duration::from_secs(60))
}

#[test]
fn the_action_reports_and_ends_with_the_verdict() {
    let root = scratch();
    landfall(&["init"]).at(root.path()).ends_with(0);
    let variables = [("LANDFALL_CORPUS", "landing"), ("LANDFALL_OUT", "records")];
    judge(root.path(), &variables).ends_with(0);
    assert!(read(&root.path().join("outputs")).contains("verdict=pass"));
    edit(&root.path().join("landing/work_landing_runs.json"), "ledger:1:closeout", "");
    let ran = judge(root.path(), &variables).ends_with(1);
    assert!(ran.out.contains("::error file=landing/work_landing_runs.json"), "{}", ran.out);
    assert!(read(&root.path().join("outputs")).contains("verdict=blocked"));
    assert!(read(&root.path().join("summary.md")).contains("blocked"));
    for name in ["landfall.sarif", "junit.xml", "landfall.html", "landfall.intoto.json"] {
        assert!(root.path().join("records").join(name).is_file(), "{name}");
    }
    judge(root.path(), &[("LANDFALL_CORPUS", "nowhere"), ("LANDFALL_OUT", "records")]).ends_with(3);
    assert!(read(&root.path().join("outputs")).ends_with("verdict=failed\n"));
}

#[test]
fn every_input_of_the_action_reaches_the_script_as_a_variable_and_in_no_other_way() {
    let action = read(&shipped("action.yml"));
    let script = read(&shipped("action/judge.sh"));
    let mut inputs = 0;
    for line in action.lines().filter(|line| line.contains("${{ inputs.")) {
        let (variable, input) = line.trim().split_once(": ").expect("a variable and its input");
        assert!(variable.starts_with("LANDFALL_") && script.contains(variable), "{line}");
        let name = input.trim_start_matches("${{ inputs.").trim_end_matches(" }}");
        assert!(action.contains(&format!("\n  {name}:\n")), "no input {name}");
        inputs += 1;
    }
    assert_eq!(inputs, 5);
    let shells = action.lines().filter(|line| line.trim_start().starts_with("run:"));
    assert!(shells.clone().count() > 0 && shells.clone().all(|line| !line.contains("${{")));
}
