//! The schemas of the input files, held to the files that are shipped.
//!
//! A schema that accepts too much helps nobody and nobody notices. So beside the shipped files there
//! are near misses, small edits of a valid file that must be refused; and every constraint is taken
//! out in turn, and must let one of them slip through. What no schema can see (two ids that are one
//! commit, a text that leaks) is the judge's and not tested here.
//!
//! Longer than most files, for the table of near misses.

#[path = "schemas/loops.rs"]
mod loops;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

const RUNS: &str = "work-landing-runs.schema.json";
const ROW: &str = "run-row.schema.json";
const POLICY: &str = "landing-policy.schema.json";
const PROTOCOL: &str = "projection-protocol.schema.json";
const MANIFEST: &str = "source-module-manifest.schema.json";
const BUNDLE: &str = "bundle-manifest.schema.json";
const CASE: &str = "negative-case.schema.json";

/// Constraints that another one implies; they stay because editors complete from them.
const FOR_EDITORS: [(&str, &str); 1] = [(RUNS, "/$defs/run_row/properties/commit_claimed_landed/type")];

#[test]
fn every_schema_compiles_and_there_is_one_for_each_input() {
    let shelf = Shelf::read();
    let names: Vec<_> = shelf.schemas.keys().map(String::as_str).collect();
    assert_eq!(names, [BUNDLE, POLICY, CASE, PROTOCOL, ROW, MANIFEST, RUNS]);
    for name in names {
        shelf.compile(name);
    }
}

#[test]
fn every_schema_says_what_it_is_and_describes_every_property() {
    for (name, schema) in Shelf::read().schemas {
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        assert_eq!(schema["$id"], name, "{name}");
        let said = |node: &Value, key: &str| node[key].as_str().is_some_and(|text| !text.trim().is_empty());
        assert!(said(&schema, "title") && said(&schema, "description"), "{name} has no title or no description");
        for (at, node) in declared(&schema) {
            // A property that is nothing but a reference is described where it refers to.
            assert!(said(node, "description") || node.get("$ref").is_some(), "{name}: no description at {at}");
        }
    }
}

#[test]
fn every_example_is_valid_where_it_stands() {
    let shelf = Shelf::read();
    let mut checked = 0;
    for (name, schema) in &shelf.schemas {
        let nodes = declared(schema).into_iter().chain([(String::new(), schema)]);
        for (at, node) in nodes.filter(|(_, node)| node.get("examples").is_some()) {
            let judge = shelf.compile(&format!("{name}#{at}"));
            for example in node["examples"].as_array().expect("examples are a list") {
                judge.accept(example, &format!("an example at {name}#{at}"));
                checked += 1;
            }
        }
    }
    assert!(checked > 0, "EXAMPLES_MISSING: no schema has an example");
}

#[test]
fn shipped_inputs_are_valid_under_the_schema_they_name() {
    let shelf = Shelf::read();
    for folder in ["fixtures/first-wave", "fixtures/bundle"] {
        // The evidence and the copied bodies below are no inputs: landfall reads them as text.
        let inputs: Vec<_> =
            json_files(&root().join(folder)).into_iter().filter(|path| path.parent() == Some(&root().join(folder))).collect();
        assert!(!inputs.is_empty(), "SHIPPED_INPUTS_MISSING: no input below {folder}");
        for path in inputs {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("shipped names are UTF-8");
            check_named(&shelf, &path, &format!("{}.schema.json", stem.replace('_', "-")));
        }
    }
}

#[test]
fn negative_cases_are_valid_under_the_schema_they_name() {
    let shelf = Shelf::read();
    let cases = json_files(&root().join("negative-cases"));
    assert!(!cases.is_empty(), "CASES_MISSING: no case below negative-cases");
    for path in cases {
        // A case that somebody drops in need not name its schema; one that names any names this one.
        if read_json(&path).get("$schema").is_some() {
            check_named(&shelf, &path, CASE);
        } else {
            shelf.compile(CASE).accept(&read_json(&path), &path.display().to_string());
        }
    }
}

#[test]
fn near_misses_are_refused() {
    let shelf = Shelf::read();
    let judges: BTreeMap<_, _> = shelf.schemas.keys().map(|name| (name.as_str(), shelf.compile(name))).collect();
    for base in bases(&shelf) {
        judges[base.schema].accept(&base.valid, &format!("the valid file that near misses of {} are made from", base.schema));
    }
    let misses = near_misses(&shelf);
    for name in judges.keys() {
        assert!(misses.iter().any(|miss| miss.schema == *name), "NEAR_MISSES_MISSING: none for {name}");
    }
    let accepted: Vec<_> = misses.iter().filter(|miss| judges[miss.schema].accepts(&miss.value)).map(NearMiss::name).collect();
    assert!(accepted.is_empty(), "{} of {} near misses are accepted:\n{}", accepted.len(), misses.len(), accepted.join("\n"));
}

#[test]
fn every_constraint_bears_load() {
    let shelf = Shelf::read();
    let misses = near_misses(&shelf);
    let of_schema = |(name, schema)| constraints(schema).into_iter().map(move |at| (name, at));
    let places: Vec<(&String, String)> = shelf.schemas.iter().flat_map(of_schema).collect();
    let near: BTreeMap<&String, _> = shelf.schemas.keys().map(|name| (name, shelf.misses_near(name, &misses))).collect();
    // Compiling a few hundred schemas takes a while: every core takes a share.
    let shares = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let idle_in = |first: usize| {
        let share = places.iter().skip(first).step_by(shares);
        let idle = share.filter(|(name, at)| slips_without(&shelf, &near[name], name, at) == FOR_EDITORS.contains(&(name, at)));
        idle.map(|(name, at)| format!("{name}{at}")).collect::<Vec<_>>()
    };
    let idle = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..shares).map(|first| scope.spawn(move || idle_in(first))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a share ends with an answer")).collect::<Vec<_>>()
    });
    assert!(idle.is_empty(), "no near miss slips through without these (or one does, and it is listed as idle):\n{}", idle.join("\n"));
}

/// Whether a near miss is accepted once the constraint at `at` is taken out.
fn slips_without(shelf: &Shelf, near: &[(&str, Vec<&NearMiss>)], name: &str, at: &str) -> bool {
    let mut loose = Shelf { schemas: shelf.schemas.clone() };
    remove(loose.schemas.get_mut(name).expect("the name is the shelf's"), at);
    near.iter().any(|(schema, misses)| {
        let judge = loose.compile(schema);
        misses.iter().any(|miss| judge.accepts(&miss.value))
    })
}

/// Cases that landfall accepts must not be underlined by an editor. The sample of them lies beside
/// some working copies only, so this is the one test that looks outside the repository, and nothing
/// else may depend on it.
#[test]
fn accepted_sample_cases_are_valid_where_the_sample_is_at_hand() {
    let folder = root().join("../shared/cases/landing");
    if !folder.is_dir() {
        // Written past the capture of the test harness: a test that looked at nothing must say so.
        writeln!(std::io::stderr(), "schemas: ../shared/cases is not here, so no accepted sample case was checked")
            .expect("stderr takes a line");
        return;
    }
    let shelf = Shelf::read();
    let mut checked: BTreeMap<&str, usize> = BTreeMap::new();
    for path in json_files(&folder) {
        let case = read_json(&path);
        if case["expected_codes"] != json!([]) {
            continue;
        }
        let input = &case["input"];
        let (schema, value) = match (case["area"].as_str(), input["kind"].as_str()) {
            (Some("run_row"), _) => (ROW, input),
            (Some("policy"), _) => (POLICY, input),
            (Some("protocol"), _) => (PROTOCOL, input),
            (Some("manifest"), _) | (_, Some("copied_bodies")) => (MANIFEST, &input["manifest"]),
            (_, Some("runs_table")) => (RUNS, &input["payload"]),
            _ => continue,
        };
        shelf.compile(schema).accept(value, &path.display().to_string());
        *checked.entry(schema).or_default() += 1;
    }
    for schema in [ROW, POLICY, PROTOCOL] {
        assert!(checked.contains_key(schema), "SAMPLE_CASES_MISSING: no accepted case for {schema}");
    }
}

/// The schemas, by file name.
struct Shelf {
    schemas: BTreeMap<String, Value>,
}

/// A compiled schema.
struct Judge {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Shelf {
    fn read() -> Self {
        let named = |path: PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).expect("schemas have names in UTF-8");
            (name.to_owned(), read_json(&path))
        };
        // Those of loop records are generated, and held to their contracts.
        let of_inputs = json_files(&root().join("schemas")).into_iter().filter(|path| path.parent() == Some(&root().join("schemas")));
        let schemas: BTreeMap<_, _> = of_inputs.map(named).collect();
        assert!(!schemas.is_empty(), "SCHEMAS_MISSING: no schema below schemas");
        Self { schemas }
    }

    /// The near misses that a change of a schema can reach, by schema; the most first, since compiling is
    /// what takes the time.
    fn misses_near<'m>(&self, name: &str, misses: &'m [NearMiss]) -> Vec<(&'m str, Vec<&'m NearMiss>)> {
        let mut near: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let reached: Vec<_> = self.schemas.iter().filter(|(other, text)| *other == name || text.to_string().contains(name)).collect();
        for miss in misses.iter().filter(|miss| reached.iter().any(|(other, _)| *other == miss.schema)) {
            near.entry(miss.schema).or_default().push(miss);
        }
        let mut near: Vec<_> = near.into_iter().collect();
        near.sort_by_key(|(_, misses)| std::cmp::Reverse(misses.len()));
        near
    }

    /// Compiles a schema, or the part of one behind `#`. Nothing is loaded from anywhere.
    fn compile(&self, place: &str) -> Judge {
        let mut compiler = Compiler::new();
        for (name, schema) in &self.schemas {
            compiler.add_resource(&format!("file:///schemas/{name}"), schema.clone()).expect("a schema's name makes a URL");
        }
        let mut schemas = Schemas::new();
        let index = compiler
            .compile(&format!("file:///schemas/{place}"), &mut schemas)
            .unwrap_or_else(|error| panic!("{place} does not compile: {error:#}"));
        Judge { schemas, index }
    }
}

impl Judge {
    fn accepts(&self, value: &Value) -> bool {
        self.schemas.validate(value, self.index).is_ok()
    }

    fn accept(&self, value: &Value, what: &str) {
        if let Err(error) = self.schemas.validate(value, self.index) {
            panic!("{what} is refused: {error:#}");
        }
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[expect(clippy::disallowed_methods, reason = "the test holds the schemas to the shipped files")]
fn read_json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every `.json` file below a folder, sorted.
#[expect(clippy::disallowed_methods, reason = "the test holds the schemas to the shipped files")]
fn json_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.expect("a folder can be read to its end").path()) {
        if path.is_dir() {
            found.extend(json_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The file names a schema, that schema is the one for it, and the file is valid under it.
fn check_named(shelf: &Shelf, path: &Path, schema: &str) {
    let value = read_json(path);
    let named = value["$schema"].as_str().unwrap_or_else(|| panic!("SCHEMA_NOT_NAMED: {} has no $schema", path.display()));
    let at = lexical(&path.parent().expect("a file lies in a folder").join(named));
    assert_eq!(at, root().join("schemas").join(schema), "{} names another schema: {named}", path.display());
    shelf.compile(schema).accept(&value, &path.display().to_string());
}

/// The path without `..`, without asking the disk.
fn lexical(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut so_far, part| {
        if part == Component::ParentDir {
            so_far.pop();
        } else {
            so_far.push(part);
        }
        so_far
    })
}

/// The properties and definitions of a schema, with their pointers; what a condition adds is left out.
fn declared(schema: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for group in ["properties", "$defs"] {
        for (key, node) in schema[group].as_object().into_iter().flatten() {
            let at = format!("/{group}/{key}");
            found.extend(declared(node).into_iter().map(|(below, node)| (format!("{at}{below}"), node)));
            found.push((at, node));
        }
    }
    found
}

/// Pointers to everything in a schema that refuses something, so that without it more is accepted.
///
/// Conditions, what `not` forbids and what `contains` looks for are left whole: less in them refuses
/// more. So is a reference beside `unevaluatedProperties`, which tells it what to let pass.
fn constraints(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (key, child) in schema.as_object().into_iter().flatten() {
        let mut below = |at: String, node: &Value| found.extend(constraints(node).into_iter().map(|deep| format!("{at}{deep}")));
        match key.as_str() {
            "$schema" | "$id" | "title" | "description" | "examples" | "contentEncoding" | "if" => {}
            "properties" | "$defs" => {
                child.as_object().expect("an object").iter().for_each(|(name, node)| below(format!("/{key}/{name}"), node))
            }
            "allOf" => {
                child.as_array().expect("a list").iter().enumerate().for_each(|(index, node)| below(format!("/allOf/{index}"), node))
            }
            "required" => found.extend((0..child.as_array().expect("a list").len()).map(|index| format!("/required/{index}"))),
            "$ref" if schema.get("unevaluatedProperties").is_some() => {}
            "items" | "additionalProperties" | "then" | "else" => {
                below(format!("/{key}"), child);
                found.push(format!("/{key}"));
            }
            _ => found.push(format!("/{key}")),
        }
    }
    found
}

/// Takes out what a pointer names.
fn remove(value: &mut Value, at: &str) {
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
struct Base {
    schema: &'static str,
    valid: Value,
    /// Pointers to take out.
    without: Vec<String>,
    /// Pointers and what to put there.
    with: Vec<(String, Value)>,
}

/// A file that must be refused.
struct NearMiss {
    schema: &'static str,
    edit: String,
    value: Value,
}

impl NearMiss {
    fn name(&self) -> String {
        format!("{}: {}", self.schema, self.edit)
    }
}

fn near_misses(shelf: &Shelf) -> Vec<NearMiss> {
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
fn bases(shelf: &Shelf) -> Vec<Base> {
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
