//! `new-case`: a broken case starts as a copy of what it is to be broken from.

use landfall::code::Code;
use landfall::contract::page::page_of_reason;
use landfall::corpus::ledgers::{Ledgers, record_named};
use landfall::edge::disk::DiskFolder;
use landfall::json::to_canonical_text;
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;

/// Arguments of `new-case`.
#[derive(Debug, clap::Args)]
pub(crate) struct NewCase {
    /// The case's id: its file name without `.json`
    case_id: String,
    /// The code it is to show, with or without its prefix; of a loop record the reason
    #[arg(long)]
    code: String,
    /// The accepted row it is broken from: a fixture folder and a run id; or a ledger and a record's own id, as in
    /// loop/experience-loop/evidence-exec-replay-runtime-reduce-risk-1
    #[arg(long, default_value = "first-wave/scoped-commit-landed")]
    twin: String,
}

/// Writes the scaffold.
pub(crate) fn run(root: &Path, case: &NewCase) -> Result<String, Box<dyn Error>> {
    let id = &case.case_id;
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_') {
        return Err("a case id has lower-case letters, digits and _ only".into());
    }
    let (folder, schema, scaffold) = match case.twin.strip_prefix("loop/") {
        Some(twin) => of_record(root, case, twin)?,
        None => of_row(root, case)?,
    };
    let mut scaffold = scaffold;
    scaffold["$schema"] = Value::from(format!("{schema}schemas/negative-case.schema.json"));
    scaffold["case_id"] = Value::from(id.as_str());
    scaffold["why"] = Value::from("TODO: say what goes wrong when this is believed");
    scaffold["twin"] = Value::from(case.twin.as_str());
    let name = format!("negative-cases/{folder}/{id}.json");
    let path = root.join(&name);
    if path.symlink_metadata().is_ok() {
        return Err(format!("{name} is there already").into());
    }
    std::fs::create_dir_all(path.parent().ok_or("a case lies in a folder")?)?;
    std::fs::write(path, to_canonical_text(&scaffold))?;
    Ok(format!(
        "wrote {name}: break its input in one respect, say why, then see\n  cargo test --test landing {id}\n  cargo xtask check-corpus"
    ))
}

/// A scaffold: its folder, the way from there to the root, and the members that depend on the kind.
type Scaffold = (String, &'static str, Value);

fn of_row(root: &Path, case: &NewCase) -> Result<Scaffold, Box<dyn Error>> {
    let code = Code::lookup(&case.code).ok_or_else(|| format!("no code {}; see cargo xtask explain", case.code))?;
    let mut row = twin_row(root, &case.twin)?;
    row["run_id"] = Value::from(case.case_id.as_str());
    Ok(("landing".to_owned(), "../../", json!({"kind": "row", "expected_codes": [code], "input": row})))
}

fn of_record(root: &Path, case: &NewCase, twin: &str) -> Result<Scaffold, Box<dyn Error>> {
    if page_of_reason(&case.code).is_none() {
        return Err(format!("no reason {}; see cargo xtask explain", case.code).into());
    }
    let (scenario, id) = twin
        .split_once('/')
        .ok_or("a recorded twin is a ledger and an id, as in loop/retry-governance/replay-retry-plan-6b52d41a0bfbb42a")?;
    let ledgers = Ledgers::read(&DiskFolder::open(&root.join("fixtures"))?);
    let (records, _) = ledgers.records();
    let record = record_named(&records, scenario, id).ok_or_else(|| format!("no record {id}, or several, in fixtures/loop/{scenario}"))?;
    let record: Value = serde_json::from_str(&record.to_text())?;
    let folder = format!("loop/{}", record["type"].as_str().ok_or("a record has a type")?);
    Ok((folder, "../../../", json!({"kind": "record", "expected_codes": [case.code], "input": record})))
}

fn twin_row(root: &Path, twin: &str) -> Result<Value, Box<dyn Error>> {
    let (folder, run_id) = twin.split_once('/').ok_or("a twin is a fixture folder and a run id, as in first-wave/scoped-commit-landed")?;
    let text = std::fs::read_to_string(root.join("fixtures").join(folder).join("work_landing_runs.json"))?;
    let table: Value = serde_json::from_str(&text)?;
    let rows = table["work_landing_runs"].as_array().ok_or("the fixture has no rows")?;
    let row = rows.iter().find(|row| row["run_id"] == run_id).ok_or_else(|| format!("no row {run_id} in fixtures/{folder}"))?;
    Ok(row.clone())
}
