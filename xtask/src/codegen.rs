//! `codegen`: pages and schemas made from what decides: the rules' own texts, and the contracts.

use landfall::contract::page::{index, record_page};
use landfall::contract::schema::record_schema;
use landfall::contract::table::contracts;
use landfall::json::to_canonical_text;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

/// Folders in which every file is generated, so that a file too many is seen.
const FOLDERS: [&str; 2] = ["docs/records/loop", "schemas/loop"];

/// Every generated file: its path and its text.
fn generated() -> BTreeMap<String, String> {
    let mut files = BTreeMap::from([
        ("docs/rules.md".to_owned(), landfall::cli::rules_page()),
        ("docs/secrets.md".to_owned(), landfall::leak::credential::page::page()),
    ]);
    for contract in contracts().all() {
        let key = contract.key();
        files.insert(format!("docs/records/loop/{key}.md"), record_page(contract));
        files.insert(format!("schemas/loop/{key}.schema.json"), to_canonical_text(&record_schema(contract)));
    }
    files.insert("docs/records/loop/README.md".to_owned(), index(contracts()));
    files
}

/// Writes or checks every generated file.
pub(crate) fn run(root: &Path, check: bool) -> Result<String, Box<dyn Error>> {
    let files = generated();
    let stray = stray(root, &files)?;
    if check {
        return compare(root, &files, &stray);
    }
    for (name, text) in &files {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().ok_or("a file lies in a folder")?)?;
        std::fs::write(path, text)?;
    }
    for name in &stray {
        std::fs::remove_file(root.join(name))?;
    }
    Ok(format!("wrote docs/rules.md, docs/secrets.md, {}; {} files", FOLDERS.join(", "), files.len()))
}

fn compare(root: &Path, files: &BTreeMap<String, String>, stray: &[String]) -> Result<String, Box<dyn Error>> {
    let mut wrong: Vec<_> = stray.iter().map(|name| format!("{name} is generated from nothing any more")).collect();
    for (name, text) in files {
        match std::fs::read_to_string(root.join(name)) {
            Ok(found) if found == *text => {}
            Ok(found) => {
                let difference = landfall::corpus::parity::difference(found.as_bytes(), text.as_bytes(), name, "generated");
                wrong.push(format!("{name} is not what it is generated from\n{difference}"));
            }
            Err(error) => wrong.push(format!("no {name}: {error}")),
        }
    }
    if wrong.is_empty() {
        return Ok(format!("checked {0} of {0} generated files", files.len()));
    }
    Err(format!("{}; run cargo xtask codegen\n{}", wrong.len(), wrong.join("\n")).into())
}

/// Files in the generated folders that nothing generates.
fn stray(root: &Path, files: &BTreeMap<String, String>) -> Result<Vec<String>, Box<dyn Error>> {
    let mut stray = Vec::new();
    for folder in FOLDERS {
        let path = root.join(folder);
        if !path.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(path)? {
            let name = format!("{folder}/{}", entry?.file_name().to_string_lossy());
            if !files.contains_key(&name) {
                stray.push(name);
            }
        }
    }
    stray.sort();
    Ok(stray)
}
