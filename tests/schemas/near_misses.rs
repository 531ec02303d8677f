//! The table of near misses: valid files, and small edits that a schema must refuse.
//!
//! Longer than most files, since it is a table.

use super::shelf::Shelf;
use super::{BUNDLE, CASE, MANIFEST, POLICY, PROTOCOL, ROW, RUNS, read_json, root};
use serde_json::{Value, json};

/// Takes out what a pointer names.
pub(super) fn remove(value: &mut Value, at: &str) {
    let (parent, key) = at.rsplit_once('/').expect("a pointer below the top");
    match value.pointer_mut(parent) {
        Some(Value::Object(members)) => drop(members.remove(key).unwrap_or_else(|| panic!("nothing at {at}"))),
        Some(Value::Array(items)) => drop(items.remove(key.parse().expect("an index"))),
        _ => panic!("nothing at {at}"),
    }
}

/// Puts a value where a pointer says; `-` is behind the last item of a list.
fn put(value: &mut Value, at: &str, new: Value) {
    let Some((parent, key)) = at.rsplit_once('/') else {
        *value = new;
        return;
    };
    match value.pointer_mut(parent) {
        Some(Value::Object(members)) => drop(members.insert(key.to_owned(), new)),
        Some(Value::Array(items)) if key == "-" => items.push(new),
        Some(Value::Array(items)) => items[key.parse::<usize>().expect("an index")] = new,
        _ => panic!("nothing around {at}"),
    }
}

/// A valid file and the edits that spoil it.
pub(super) struct Base {
    pub(super) schema: &'static str,
    pub(super) valid: Value,
    /// Pointers to take out.
    without: Vec<String>,
    /// Pointers and what to put there.
    with: Vec<(String, Value)>,
}

/// A file that must be refused.
pub(super) struct NearMiss {
    pub(super) schema: &'static str,
    pub(super) edit: String,
    pub(super) value: Value,
}

impl NearMiss {
    pub(super) fn name(&self) -> String {
        format!("{}: {}", self.schema, self.edit)
    }
}

pub(super) fn near_misses(shelf: &Shelf) -> Vec<NearMiss> {
    let spoil = |base: &Base, edit: String, change: &dyn Fn(&mut Value)| {
        let mut value = base.valid.clone();
        change(&mut value);
        NearMiss { schema: base.schema, edit, value }
    };
    let mut misses = Vec::new();
    for base in bases(shelf) {
        misses.extend(base.without.iter().map(|at| spoil(&base, format!("without {at}"), &|value| remove(value, at))));
        misses.extend(base.with.iter().map(|(at, new)| spoil(&base, format!("{at} = {new}"), &|value| put(value, at, new.clone()))));
    }
    misses
}

/// `"pointer" => value;` lines; the value is JSON.
macro_rules! edits {
    ($($at:literal => $new:tt;)*) => { vec![$(($at.to_owned(), json!($new))),*] };
}

fn owned(pointers: &[&str]) -> Vec<String> {
    pointers.iter().map(|at| (*at).to_owned()).collect()
}

/// The valid files and how they are spoiled. Where a fixture is shipped, it is the valid file.
pub(super) fn bases(shelf: &Shelf) -> Vec<Base> {
    let fixture = |path: &str| read_json(&root().join("fixtures").join(path));
    let table = fixture("first-wave/work_landing_runs.json");
    let row = |status: &str| {
        let rows = table["work_landing_runs"].as_array().expect("the table has rows");
        rows.iter().find(|row| row["landing_status"] == status).unwrap_or_else(|| panic!("the fixture has no {status} row")).clone()
    };
    let example = |index: usize| shelf.schemas[CASE]["examples"][index].clone();
    vec![
        runs(&table),
        any_row(row("hard_stop")),
        landed_row(row("scoped_commit_landed")),
        blocked_row(row("metadata_blocked_patch_bundle")),
        policy(fixture("first-wave/landing_policy.json")),
        protocol(fixture("first-wave/projection_protocol.json")),
        manifest(fixture("bundle/source_module_manifest.json")),
        bundle(fixture("bundle/bundle_manifest.json")),
        case(example(0)),
        json_case(example(1)),
        manifest_case(example(2)),
        corpus_case(example(3)),
        record_case(example(4)),
    ]
}

fn runs(table: &Value) -> Base {
    let mut with = edits! {
        "" => [];
        "/$schema" => 7;
        "/body_in_receipt" => "no";
        "/work_landing_runs" => {"scoped-commit-landed": {}};
        "/work_landing_runs" => [];
        "/work_landing_runs/0" => "landed, all green";
        "/work_landing_runs/0/landing_status" => "landed";
    };
    with.push(("/work_landing_runs/-".to_owned(), table["work_landing_runs"][0].clone()));
    Base { schema: RUNS, valid: table.clone(), without: owned(&["/work_landing_runs"]), with }
}

/// A stopped row: what every row must have, and nothing of what a landed one must.
fn any_row(valid: Value) -> Base {
    let without = owned(&[
        "/run_id",
        "/landing_status",
        "/commit_claimed_landed",
        "/validation_refs",
        "/claimed_path_refs",
        "/work_ledger_closeout_ref",
        "/live_git_mutation_authorized",
        "/unrelated_dirty_paths_staged",
        "/release_claim_authorized",
    ]);
    let mut with = edits! {
        "" => [];
        "/$schema" => 7;
        "/run_id" => 7;
        "/run_id" => " \t";
        "/landing_status" => "hard_stop ";
        "/landing_status" => "Hard_Stop";
        "/commit_claimed_landed" => true;
        "/commit_claimed_landed" => "false";
        "/head_before" => 7;
        "/head_after" => ["964ee31"];
        "/validation_precedes_commit_attempt" => "yes";
        "/validation_refs" => "make test: ok";
        "/validation_refs" => [];
        "/validation_refs" => [" "];
        "/validation_refs" => ["make test: ok", "Todo "];
        "/validation_refs" => ["N/A"];
        "/validation_refs" => ["na"];
        "/validation_refs" => ["..."];
        "/validation_refs" => ["make test: ok", null];
        "/claimed_path_refs" => [];
        "/claimed_path_refs" => ["pending"];
        "/claimed_path_refs" => ["harbour/berths.py", "/etc/hosts"];
        "/claimed_path_refs" => [" \\share"];
        "/claimed_path_refs" => ["~/berths.py"];
        "/claimed_path_refs" => ["c:berths.py"];
        "/claimed_path_refs" => ["File:berths.py"];
        "/claimed_path_refs" => ["harbour/../../berths.py"];
        "/claimed_path_refs" => ["harbour\\.."];
        "/claimed_path_refs" => [".. "];
        "/claimed_path_refs" => ["harbour\u{7}"];
        "/claimed_path_refs" => ["harbour\nberths.py"];
        "/work_ledger_closeout_ref" => true;
        "/work_ledger_closeout_ref" => "";
        "/blocker_capture_ref" => true;
        "/validation_outcomes" => {};
        "/validation_outcomes" => ["passed"];
        "/validation_outcomes" => [{"exit_code": 0}];
        "/validation_outcomes" => [{"ref": 7}];
        "/validation_outcomes/0/result" => true;
        "/validation_outcomes/0/exit_code" => "0";
        "/validation_outcomes/0/passed" => "2";
        "/validation_outcomes/0/passed" => (-1);
        "/validation_outcomes/0/failed" => "0";
        "/validation_outcomes/0/failed" => (-1);
        "/validation_outcomes/0/skipped_before" => 0.5;
        "/validation_outcomes/0/skipped_before" => (-1);
        "/validation_outcomes/0/skipped_after" => 0.5;
        "/validation_outcomes/0/skipped_after" => (-1);
        "/validation_outcomes/0/recorded_by" => null;
        "/validation_outcomes/0/producing_command" => ["make", "test"];
        "/validation_outcomes/0/release_authorized" => true;
        "/head_before_is_ancestor" => "yes";
        "/target_ref" => 7;
        "/target_ref_before" => 7;
        "/target_ref_after" => 7;
        "/body" => "x";
        "/note" => {"raw_diff_body": "x"};
        "/note" => {"live_git_mutation_authorized": "ok"};
        "/note" => [{"release_claim_authorized": true}];
    };
    for fact in ["paths", "validation", "order", "outcome", "head", "commit_attempt", "blocker", "completion"] {
        with.push(("/evidence".to_owned(), json!({fact: {"depth": "guessed"}})));
    }
    for flag in AUTHORITY {
        with.push((format!("/{flag}"), json!(true)));
        with.push((format!("/{flag}"), json!(null)));
    }
    Base { schema: ROW, valid, without, with }
}

/// The words that no record may use for more than `false`.
const AUTHORITY: [&str; 10] = [
    "live_git_mutation_authorized",
    "broad_checkpoint_authorized",
    "unrelated_dirty_paths_authorized",
    "source_mutation_authorized",
    "provider_calls_authorized",
    "release_authorized",
    "launch_authorized",
    "commit_landed_claim_authorized_without_head_advance",
    "unrelated_dirty_paths_staged",
    "release_claim_authorized",
];

fn landed_row(valid: Value) -> Base {
    let without = owned(&["/head_before", "/head_after", "/validation_precedes_commit_attempt", "/target_ref_before", "/target_ref_after"]);
    let with = edits! {
        "/commit_claimed_landed" => false;
        "/commit_claimed_landed" => "true";
        "/head_before" => null;
        "/head_before" => "HEAD~1";
        "/head_before" => "a3c21";
        "/head_before" => "sha512:a3c213aa";
        "/head_after" => "964ee316 ";
        "/head_after" => "964ee316f2a685a16cc867d655951d1918c656e1964ee316f2";
        "/head_after" => "0000000";
        "/head_after" => "sha1:000000";
        "/validation_precedes_commit_attempt" => false;
        "/validation_precedes_commit_attempt" => null;
        "/head_before_is_ancestor" => false;
        "/target_ref_before" => "refs/heads/main";
        "/target_ref_after" => "0000000";
    };
    Base { schema: ROW, valid, without, with }
}

fn blocked_row(valid: Value) -> Base {
    let without = owned(&["/validation_precedes_commit_attempt", "/blocker_capture_ref"]);
    let with = edits! {
        "/commit_claimed_landed" => true;
        "/validation_precedes_commit_attempt" => false;
        "/blocker_capture_ref" => "";
        "/blocker_capture_ref" => "TBD";
        "/blocker_capture_ref" => null;
    };
    Base { schema: ROW, valid, without, with }
}

fn policy(valid: Value) -> Base {
    let lanes = valid["lane_decision_table"].as_array().expect("the policy has lanes").clone();
    let place = |id: &str| lanes.iter().position(|lane| lane["lane_id"] == id).unwrap_or_else(|| panic!("the fixture has no {id} lane"));
    let at = |id: &str, key: &str| format!("/lane_decision_table/{}/{key}", place(id));
    let mut without = owned(&["/lane_decision_table"]);
    without.extend((0..lanes.len()).map(|index| format!("/lane_decision_table/{index}")));
    without.extend(["lane_id", "allowed_without_operator_authorization", "release_authorized"].map(|key| at("hard_stop", key)));
    let mut with = edits! {
        "" => [];
        "/$schema" => 7;
        "/policy_id" => 7;
        "/authority_ceiling" => "none";
        "/authority_ceiling/release_authorized" => true;
        "/authority_ceiling/release_authorised" => "no";
        "/authority_ceiling/provider_payload" => false;
        "/release_authorized" => true;
        "/lanes" => [];
        "/lane_decision_table" => {};
        "/lane_decision_table/-" => "hard_stop";
        "/lane_decision_table/-" => {"allowed_without_operator_authorization": false, "release_authorized": false};
        "/lane_decision_table/-" => {"lane_id": "push_to_main", "allowed_without_operator_authorization": false, "release_authorized": false};
        "/lane_decision_table/-" => {"lane_id": "broad_checkpoint ", "allowed_without_operator_authorization": true, "release_authorized": false};
    };
    with.extend(lanes.iter().map(|lane| ("/lane_decision_table/-".to_owned(), lane.clone())));
    with.extend([
        (at("scoped_commit", "allowed_without_operator_authorization"), json!("yes")),
        (at("broad_checkpoint", "allowed_without_operator_authorization"), json!(true)),
        (at("hard_stop", "release_authorized"), json!(null)),
        (at("scoped_commit", "live_git_mutation_authorized"), json!(true)),
        (at("scoped_commit", "stages_unrelated_dirty_paths"), json!(true)),
        (at("hard_stop", "stages_unrelated_dirty_paths"), json!("only_after_operator_authorization")),
        (at("broad_checkpoint", "stages_unrelated_dirty_paths"), json!(true)),
        (at("scoped_commit", "requires"), json!("claimed_path_refs")),
        (at("scoped_commit", "requires"), json!([7])),
        (at("scoped_commit", "stage_unrelated_dirty_paths"), json!(false)),
    ]);
    Base { schema: POLICY, valid, without, with }
}

fn protocol(valid: Value) -> Base {
    let without = owned(&["/source_pattern_ids", "/source_refs", "/projection_receipt_refs", "/public_runtime_refs"]);
    let with = edits! {
        "" => [];
        "/$schema" => 7;
        "/protocol_id" => 7;
        "/protocol_name" => "first wave";
        "/source_pattern_ids" => "durable_agent_work_landing_replay_compound";
        "/source_pattern_ids" => ["durable_agent_work_landing_replay_compound_v2"];
        "/source_pattern_ids" => ["durable_agent_work_landing_replay_compound", "tbd"];
        "/source_refs" => ["a", "b"];
        "/source_refs" => ["a", "b", "a"];
        "/source_refs" => ["a", "b", "?"];
        "/projection_receipt_refs" => ["a"];
        "/projection_receipt_refs" => ["a", "a"];
        "/projection_receipt_refs" => ["a", "b", 7];
        "/public_runtime_refs" => ["a", "b"];
        "/public_runtime_refs" => [" ", "b", "c"];
        "/body_in_receipt" => true;
        "/body_in_receipt" => null;
        "/credential_or_account_bound_bodies_exported" => true;
    };
    Base { schema: PROTOCOL, valid, without, with }
}

fn manifest(valid: Value) -> Base {
    let modules = valid["modules"].as_array().expect("the manifest has modules").clone();
    let mut without = owned(&["/source_import_class", "/body_in_receipt", "/module_count", "/modules"]);
    without.extend((0..modules.len()).map(|index| format!("/modules/{index}")));
    let needed = ["module_id", "source_ref", "path", "material_class", "source_import_class", "source_to_target_relation"];
    let needed = needed.into_iter().chain(["sha256", "required_anchors", "body_copied", "body_in_receipt", "body_text_in_receipt"]);
    without.extend(needed.map(|key| format!("/modules/0/{key}")));
    let mut with = edits! {
        "" => [];
        "/$schema" => 7;
        "/manifest_id" => 7;
        "/exported_on" => "a Tuesday";
        "/source_import_class" => "copied_secret_macro_body";
        "/body_in_receipt" => 0;
        "/module_count" => true;
        "/module_count" => 7;
        "/modules" => {};
        "/modules/-" => "work_ledger.py";
        "/modules/0/module_id" => 7;
        "/modules/0/module_id" => "";
        "/modules/0/source_ref" => "system/lib/../../x.py";
        "/modules/0/path" => "";
        "/modules/0/path" => 7;
        "/modules/0/path" => "/etc/hosts";
        "/modules/0/path" => "\\share\\x.py";
        "/modules/0/path" => "C:x.py";
        "/modules/0/path" => "source_modules/../../x.py";
        "/modules/0/path" => "source_modules\\..\\x.py";
        "/modules/0/path" => "source_modules/..";
        "/modules/0/path" => "source_modules/x\u{0}.py";
        "/modules/0/target_ref" => "../x.py";
        "/modules/0/material_class" => "private_body";
        "/modules/0/source_import_class" => "copied";
        "/modules/0/source_to_target_relation" => "summary";
        "/modules/0/sha256" => 7;
        "/modules/0/sha256" => "661fb03d25c1c20de4304a0ded8bcbfacc8c1a0784936a22c37e038058c4c4e4";
        "/modules/0/sha256" => "sha256:661FB03D25C1C20DE4304A0DED8BCBFACC8C1A0784936A22C37E038058C4C4E4";
        "/modules/0/sha256" => "sha256:661fb03d25c1c20de4304a0ded8bcbfacc8c1a0784936a22c37e038058c4c4e4 ";
        "/modules/0/required_anchors" => "def main(";
        "/modules/0/required_anchors" => [];
        "/modules/0/required_anchors" => ["def main(", 1];
        "/modules/0/required_anchors" => [" "];
        "/modules/0/body_copied" => false;
        "/modules/0/body_in_receipt" => 0;
        "/modules/0/body_text_in_receipt" => true;
        "/modules/0/line_count" => "141";
        "/modules/0/line_count" => 0;
        "/modules/0/byte_count" => 1.5;
        "/modules/0/byte_count" => 0;
        "/modules/0/source_sha256" => "661fb03d";
        "/modules/0/source_sha256" => 7;
        "/modules/0/target_sha256" => "sha1:661fb03d25c1c20de4304a0ded8bcbfacc8c1a07";
        "/modules/0/sha256_match" => false;
        "/modules/0/required_anchor" => "def main(";
    };
    let stranger = |source_ref: Value| {
        let mut module = modules[0].clone();
        put(&mut module, "/source_ref", source_ref);
        ("/modules/-".to_owned(), module)
    };
    with.push(stranger(json!("system/lib/seventh.py")));
    with.extend(modules.iter().map(|module| stranger(module["source_ref"].clone())));
    let mut nameless = modules[0].clone();
    remove(&mut nameless, "/source_ref");
    with.push(("/modules/-".to_owned(), nameless));
    Base { schema: MANIFEST, valid, without, with }
}

fn bundle(valid: Value) -> Base {
    let with = edits! {
        "" => "landfall-work-landing-bundle";
        "/$schema" => 7;
        "/bundle_id" => {"name": "landfall-work-landing-bundle"};
        "/body_in_receipt" => "no";
    };
    Base { schema: BUNDLE, valid, without: owned(&["/bundle_id"]), with }
}

fn case(valid: Value) -> Base {
    let without = owned(&["/case_id", "/kind", "/expected_codes", "/why", "/input"]);
    let with = edits! {
        "" => [];
        "/$schema" => 7;
        "/case_id" => 7;
        "/case_id" => "landing/status";
        "/case_id" => "";
        "/kind" => "lane";
        "/expected_codes" => "WORK_LANDING_RUN_ID_MISSING";
        "/expected_codes" => [];
        "/expected_codes" => ["WORK_LANDING_RUN_ID_MISSING", "WORK_LANDING_RUN_ID_MISSING"];
        "/expected_codes" => ["run_id_missing"];
        "/expected_codes" => ["WORK_LANDING_RUN_ID_MISSING "];
        "/expected_codes" => [7];
        "/why" => 7;
        "/why" => " ";
        "/why" => "TODO: say why";
        "/twin" => 7;
        "/twin" => "";
        "/twin" => "../first-wave/scoped-commit-landed";
        "/twin" => "/first-wave";
        "/twin" => "TODO";
        "/origin" => 7;
        "/basis" => "seed-words";
    };
    Base { schema: CASE, valid, without, with }
}

fn json_case(valid: Value) -> Base {
    let with = edits! {
        "/input" => "{}";
        "/input" => {};
        "/input" => {"text": "{}", "base64": "e30="};
        "/input" => {"bytes": "{}"};
        "/input" => {"text": 7};
        "/input" => {"base64": 7};
        "/input" => {"base64": "e30"};
    };
    Base { schema: CASE, valid, without: Vec::new(), with }
}

fn manifest_case(valid: Value) -> Base {
    let without = owned(&["/input/manifest", "/input/files"]);
    let with = edits! {
        "/input" => [];
        "/input/files" => [];
        "/input/files/a.py" => 7;
        "/input/symlinks" => ["a.py"];
        "/input/symlinks/a.py" => null;
        "/input/links" => {};
    };
    Base { schema: CASE, valid, without, with }
}

fn record_case(valid: Value) -> Base {
    let with = edits! {
        "/expected_codes" => ["WORK_LANDING_RUN_ID_MISSING"];
        "/expected_codes" => ["Missing_id"];
        "/expected_codes" => ["missing id"];
        "/expected_codes" => ["missing_id:"];
    };
    Base { schema: CASE, valid, without: Vec::new(), with }
}

fn corpus_case(valid: Value) -> Base {
    let with = edits! {
        "/input" => [];
        "/input/kind" => "table";
    };
    Base { schema: CASE, valid, without: owned(&["/input/kind"]), with }
}
