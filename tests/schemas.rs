//! The schemas of the input files, held to the files that are shipped.
//!
//! A schema that accepts too much helps nobody and nobody notices. So beside the shipped files there
//! are near misses, small edits of a valid file that must be refused; and every constraint is taken
//! out in turn, and must let one of them slip through. What no schema can see (two ids that are one
//! commit, a text that leaks) is the judge's and not tested here.

#[path = "schemas/loops.rs"]
mod loops;
#[path = "schemas/near_misses.rs"]
mod near_misses;
#[path = "schemas/shelf.rs"]
mod shelf;

use near_misses::{NearMiss, bases, near_misses, remove};
use serde_json::{Value, json};
use shelf::Shelf;
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
