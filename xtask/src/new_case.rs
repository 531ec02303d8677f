//! `new-case`: a broken case starts as a copy of what it is to be broken from.

use landfall::code::Code;
use landfall::json::to_canonical_text;
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;

/// Arguments of `new-case`.
#[derive(Debug, clap::Args)]
pub(crate) struct NewCase {
    /// The case's id: its file name without `.json`
    case_id: String,
    /// The code it is to show, with or without its prefix
    #[arg(long)]
    code: String,
    /// The accepted row it is broken from: a fixture folder and a run id
    #[arg(long, default_value = "first-wave/scoped-commit-landed")]
    twin: String,
}

/// Writes the scaffold.
pub(crate) fn run(root: &Path, case: &NewCase) -> Result<String, Box<dyn Error>> {
    let id = &case.case_id;
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_') {
        return Err("a case id has lower-case letters, digits and _ only".into());
    }
    let code = Code::lookup(&case.code).ok_or_else(|| format!("no code {}; see cargo xtask explain", case.code))?;
    let mut row = twin_row(root, &case.twin)?;
    row["run_id"] = Value::from(id.as_str());
    let scaffold = json!({
        "$schema": "../../schemas/negative-case.schema.json",
        "case_id": id,
        "kind": "row",
        "expected_codes": [code],
        "why": "TODO: say what goes wrong when this row is believed",
        "twin": case.twin,
        "input": row,
    });
    let name = format!("negative-cases/landing/{id}.json");
    let path = root.join(&name);
    if path.symlink_metadata().is_ok() {
        return Err(format!("{name} is there already").into());
    }
    std::fs::write(path, to_canonical_text(&scaffold))?;
    Ok(format!("wrote {name}: break its input in one respect, say why, then see\n  cargo test {id}\n  cargo xtask check-corpus"))
}

fn twin_row(root: &Path, twin: &str) -> Result<Value, Box<dyn Error>> {
    let (folder, run_id) = twin.split_once('/').ok_or("a twin is a fixture folder and a run id, as in first-wave/scoped-commit-landed")?;
    let text = std::fs::read_to_string(root.join("fixtures").join(folder).join("work_landing_runs.json"))?;
    let table: Value = serde_json::from_str(&text)?;
    let rows = table["work_landing_runs"].as_array().ok_or("the fixture has no rows")?;
    let row = rows.iter().find(|row| row["run_id"] == run_id).ok_or_else(|| format!("no row {run_id} in fixtures/{folder}"))?;
    Ok(row.clone())
}
