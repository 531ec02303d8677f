//! Rows a second on one core: landfall beside a Rego policy (regorus) and a JSON Schema (jsonschema) over the same rows.
//!
//! Each reads a row's text and judges it. landfall applies every row rule, the leak scan included; the policy an honest
//! part of them (`row.rego`); the schema is landfall's own for a row, which can say less. How many rows each refuses is
//! printed, so that a fast answer which is no answer is seen. In turn, medians.
//!
//! `cargo run --release --manifest-path benches/baselines/Cargo.toml [-- ROWS]`

#[expect(dead_code, reason = "of the five kinds of rows three are judged here")]
#[path = "../../run_tables/rows.rs"]
mod rows;

use landfall::json::Reader;
use landfall::landing::RuleSet;
use landfall::landing::table::{read_row_text, row_codes};
use serde_json::Value;
use std::time::Instant;

const TURNS: usize = 7;
const SCHEMA: &str = include_str!("../../../schemas/work-landing-runs.schema.json");
const POLICY: &str = include_str!("row.rego");

/// A judge of one row's text: whether it refuses it.
type Judge<'j> = Box<dyn FnMut(&str) -> bool + 'j>;

fn main() {
    let count: usize = std::env::args().nth(1).map_or(100_000, |rows| rows.parse().expect("a number of rows"));
    println!("{:<8}{:<12}{:>8}{:>10}{:>12}{:>22}", "rows", "judge", "rows", "refused", "rows/s", "landfall's, times");
    for (kind, make) in [("plain", rows::plain as fn(usize, &mut String)), ("mixed", rows::mixed), ("refused", rows::refused)] {
        let texts: Vec<String> = (0..count)
            .map(|index| {
                let mut text = String::new();
                make(index, &mut text);
                text
            })
            .collect();
        // An interpreter needs milliseconds a row: a part of the rows says as much.
        let part = &texts[..count.min(2000)];
        let judges: [(&str, Judge<'_>, &[String]); 3] =
            [("landfall", landfall(), &texts), ("jsonschema", json_schema(), &texts), ("regorus", rego(), part)];
        measure(kind, judges);
    }
}

/// Prints the rows a second of each judge in its median turn, and the rows that it refuses; all take turns.
fn measure(kind: &str, mut judges: [(&str, Judge<'_>, &[String]); 3]) {
    let mut turns = [const { Vec::new() }; 3];
    for _ in 0..TURNS {
        for ((_, judge, texts), turns) in judges.iter_mut().zip(&mut turns) {
            let start = Instant::now();
            let refused = texts.iter().filter(|text| judge(text)).count();
            turns.push((start.elapsed(), refused));
        }
    }
    let mut first = None;
    for ((name, _, texts), mut turns) in judges.into_iter().zip(turns) {
        turns.sort();
        let (time, refused) = turns[TURNS / 2];
        let rate = texts.len() as f64 / time.as_secs_f64();
        let landfall = *first.get_or_insert(rate);
        println!("{kind:<8}{name:<12}{:>8}{refused:>10}{rate:>12.0}{:>22.1}", texts.len(), landfall / rate);
    }
}

fn landfall() -> Judge<'static> {
    let (rules, mut reader) = (RuleSet::all(), Reader::new());
    Box::new(move |text| match read_row_text(&mut reader, text.as_bytes()) {
        Ok(row) => !row_codes(&rules, &row, false).is_empty(),
        Err(_) => true,
    })
}

fn json_schema() -> Judge<'static> {
    let mut schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    // A row as a text of its own: the schema of a table, with the row in the table's place.
    let table = schema.as_object_mut().expect("a schema is an object");
    for key in ["type", "properties", "required", "examples", "$id"] {
        table.remove(key);
    }
    table.insert("$ref".into(), "#/$defs/run_row".into());
    let validator = jsonschema::validator_for(&schema).expect("the schema is valid");
    Box::new(move |text| {
        let row: Value = serde_json::from_str(text).expect("the rows are JSON");
        !validator.is_valid(&row)
    })
}

fn rego() -> Judge<'static> {
    let mut engine = regorus::Engine::new();
    engine.add_policy("row.rego".into(), POLICY.into()).expect("the policy parses");
    Box::new(move |text| {
        engine.set_input(regorus::Value::from_json_str(text).expect("the rows are JSON"));
        let refused = engine.eval_rule("data.row.refused".into()).expect("the policy evaluates");
        !refused.as_set().expect("the rule is a set").is_empty()
    })
}
