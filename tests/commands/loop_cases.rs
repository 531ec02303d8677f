//! The cases of the loop family through `check`: it says of their inputs what the audit says.

use crate::folders::{shipped, tree};
use crate::landfall_binary::landfall;
use serde_json::{Value, json};

#[test]
fn every_case_of_the_loop_family_gives_its_reasons_line_by_line() {
    let files = tree(&shipped("negative-cases/loop"));
    let files = files.iter().filter(|(path, _)| path.extension().is_some_and(|extension| extension == "json"));
    let cases: Vec<Value> = files.map(|(_, bytes)| serde_json::from_slice(bytes).expect("a case is JSON")).collect();
    for (kind, least) in [("record", 50), ("trail", 6), ("command", 7)] {
        let of_kind: Vec<_> = cases.iter().filter(|case| case["kind"] == kind).collect();
        assert!(of_kind.len() >= least, "only {} cases of kind {kind}", of_kind.len());
        let lines: Vec<_> = of_kind.iter().map(|case| case["input"].to_string()).collect();
        let ran = landfall(&["check", kind, "--jsonl", "--format", "json"]).input(lines.join("\n")).ends_with(1);
        let answers: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
        assert_eq!(answers.len(), of_kind.len());
        for (case, answer) in of_kind.iter().zip(&answers) {
            let mut expected = case["expected_codes"].as_array().expect("a list").clone();
            expected.sort_by_key(ToString::to_string);
            assert_eq!(answer["codes"], json!(expected), "{}", case["case_id"]);
        }
    }
}
