//! `export-bundle`: makes `fixtures/bundle/` from its originals.
//!
//! The six control files are copied byte for byte, the manifest is computed from the copies' bytes, and the three
//! inputs are the first wave's own. Nothing in the bundle is edited by hand; with `check` everything is compared and
//! nothing written.

#![expect(clippy::disallowed_methods, reason = "an xtask is an edge of its own: it reads and writes this repository")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

type Failure = Box<dyn Error>;

const ORIGINALS: &str = "fixtures/control-plane";
const FIRST_WAVE: &str = "fixtures/first-wave";
const BUNDLE: &str = "fixtures/bundle";
const IMPORT_CLASS: &str = "copied_non_secret_macro_body";
const INPUTS: [&str; 3] = ["work_landing_runs.json", "landing_policy.json", "projection_protocol.json"];

/// One control file: what the manifest says of it that its bytes do not.
struct Module {
    module_id: &'static str,
    source_ref: &'static str,
    material_class: &'static str,
    /// Text a reader of the copy may count on finding in it.
    anchors: &'static [&'static str],
}

const MODULES: [Module; 6] = [
    Module {
        module_id: "workitem_runtime_entrypoint_copy",
        source_ref: "system/lib/workitem_runtime_entrypoint.py",
        material_class: "public_macro_tool_body",
        anchors: &["SCHEMA = \"workitem-runtime-answer/v1\"", "def build_parser(", "def main("],
    },
    Module {
        module_id: "work_landing_status_copy",
        source_ref: "system/lib/work_landing_status.py",
        material_class: "public_macro_ledger_body",
        anchors: &["SCHEMA = \"work-landing-status/v1\"", "def decide_landing_status(", "def build_landing_row("],
    },
    Module {
        module_id: "work_landing_copy",
        source_ref: "tools/meta/control/work_landing.py",
        material_class: "public_macro_tool_body",
        anchors: &["SCHEMA = \"work-landing-transaction/v1\"", "def land_item(", "def block_item("],
    },
    Module {
        module_id: "mission_transaction_preflight_copy",
        source_ref: "tools/meta/control/mission_transaction_preflight.py",
        material_class: "public_macro_transaction_body",
        anchors: &["SCHEMA = \"mission-transaction-preflight/v1\"", "def run_preflight(", "def find_secrets("],
    },
    Module {
        module_id: "scoped_commit_copy",
        source_ref: "tools/meta/control/scoped_commit.py",
        material_class: "public_macro_transaction_body",
        anchors: &["SCHEMA = \"scoped-commit-blocker/v1\"", "def commit_owned_paths(", "def capture_patch("],
    },
    Module {
        module_id: "work_ledger_copy",
        source_ref: "tools/meta/factory/work_ledger.py",
        material_class: "public_macro_ledger_body",
        anchors: &["SCHEMA = \"work-ledger-entry/v1\"", "def append_entry(", "def verify_lines("],
    },
];

/// Writes `fixtures/bundle/` below `root`, or with `check` compares it with what would be written.
pub(crate) fn run(root: &Path, check: bool) -> Result<(), Failure> {
    let files = bundle_files(root)?;
    let bundle = root.join(BUNDLE);
    if check { compare(&files, &bundle) } else { write(&files, &bundle) }
}

/// Every file of the bundle, by its path in it.
fn bundle_files(root: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let mut files = BTreeMap::new();
    let mut rows = Vec::new();
    for module in &MODULES {
        let body = read(&root.join(ORIGINALS).join(module.source_ref))?;
        rows.push(module_row(module, &body)?);
        files.insert(format!("source_modules/{}", module.source_ref), body);
    }
    for name in INPUTS {
        files.insert(name.to_owned(), read(&root.join(FIRST_WAVE).join(name))?);
    }
    files.insert("source_module_manifest.json".to_owned(), text(&manifest(rows))?);
    files.insert("bundle_manifest.json".to_owned(), text(&bundle_manifest())?);
    Ok(files)
}

fn manifest(rows: Vec<Value>) -> Value {
    json!({
        "$schema": "../../schemas/source-module-manifest.schema.json",
        "source_import_class": IMPORT_CLASS,
        "body_in_receipt": false,
        "module_count": rows.len(),
        "modules": rows,
    })
}

fn bundle_manifest() -> Value {
    json!({
        "$schema": "../../schemas/bundle-manifest.schema.json",
        "bundle_id": "landfall-work-landing-bundle",
        "body_in_receipt": false,
    })
}

fn module_row(module: &Module, body: &[u8]) -> Result<Value, Failure> {
    let source_ref = module.source_ref;
    let body_text = std::str::from_utf8(body).map_err(|_| format!("{source_ref} is not UTF-8; text is needed"))?;
    if let Some(anchor) = module.anchors.iter().find(|anchor| !body_text.contains(**anchor)) {
        return Err(format!("{source_ref} lacks the anchor `{anchor}`; update the table or the file").into());
    }
    let digest = digest(body);
    Ok(json!({
        "module_id": module.module_id,
        "source_ref": source_ref,
        "path": format!("source_modules/{source_ref}"),
        "material_class": module.material_class,
        "source_import_class": IMPORT_CLASS,
        "source_to_target_relation": "exact_copy",
        "sha256": digest,
        "source_sha256": digest,
        "target_sha256": digest,
        "sha256_match": true,
        "line_count": body_text.lines().count(),
        "byte_count": body.len(),
        "required_anchors": module.anchors,
        "body_copied": true,
        "body_in_receipt": false,
        "body_text_in_receipt": false,
    }))
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold("sha256:".to_owned(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes every write");
        hex
    })
}

fn text(value: &Value) -> Result<Vec<u8>, Failure> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| format!("{} cannot be read ({error}); an original is needed", path.display()).into())
}

fn write(files: &BTreeMap<String, Vec<u8>>, bundle: &Path) -> Result<(), Failure> {
    if bundle.exists() {
        fs::remove_dir_all(bundle)?;
    }
    for (path, bytes) in files {
        let place = bundle.join(path);
        fs::create_dir_all(place.parent().expect("a bundle path lies below its folder"))?;
        fs::write(place, bytes)?;
    }
    Ok(())
}

/// Byte for byte, undeclared files included; the first difference is the error.
fn compare(files: &BTreeMap<String, Vec<u8>>, bundle: &Path) -> Result<(), Failure> {
    for (path, bytes) in files {
        match fs::read(bundle.join(path)) {
            Ok(kept) if kept == *bytes => {}
            Ok(_) => return Err(format!("{path} of the bundle differs from its original; export the bundle again").into()),
            Err(_) => return Err(format!("{path} of the bundle is missing; export the bundle again").into()),
        }
    }
    let mut kept = Vec::new();
    list(bundle, "", &mut kept)?;
    match kept.iter().find(|path| !files.contains_key(*path)) {
        Some(path) => Err(format!("{path} of the bundle has no original; remove it or declare it").into()),
        None => Ok(()),
    }
}

fn list(folder: &Path, prefix: &str, found: &mut Vec<String>) -> Result<(), Failure> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{path}/"), found)?;
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MODULES, Module, digest, module_row, run};
    use std::path::Path;

    fn module(anchors: &'static [&'static str]) -> Module {
        Module { anchors, ..MODULES[0] }
    }

    #[test]
    fn the_bundle_in_the_tree_is_what_its_originals_give() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository");
        run(root, true).expect("the bundle is fresh");
    }

    #[test]
    fn an_anchor_that_is_not_in_the_body_is_refused() {
        let refused = module_row(&module(&["def gone("]), b"def here():\n").expect_err("the anchor is missing");
        assert!(refused.to_string().contains("lacks the anchor `def gone(`"));
    }

    #[test]
    fn sizes_and_digest_are_those_of_the_bytes() {
        let row = module_row(&module(&["b"]), b"a\nb").expect("the anchor is there");
        assert_eq!((row["line_count"].as_u64(), row["byte_count"].as_u64()), (Some(2), Some(3)));
        assert_eq!(row["sha256"], digest(b"a\nb"));
        assert_eq!(digest(b""), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
