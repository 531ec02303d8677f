//! An answer of an audit, or a record of a replay, in every format: each holds together by its own rules.

use landfall::evidence::{Evidence, read_file};
use landfall::json::{Value, parse};
use landfall::report::{Mapping, Report, answer, github, html, in_toto, json, junit, prov, sarif, stored, summary, text};

/// The target.
pub fn feed(bytes: &[u8]) {
    let version = parse(bytes).ok().and_then(|value| Some(value.get("schema_version").and_then(Value::as_str)?.to_owned()));
    let stored = version.and_then(|version| stored::part_of_file(bytes, &version, &Mapping::default()));
    let part = match stored {
        Some(part) => part.ok(),
        None => answer::read(bytes).ok().map(|answered| answered.part),
    };
    let Some(part) = part else { return };
    let report = Report::new(vec![part]);
    for written in [json::render(&report), sarif::render(&report), prov::render(&report), in_toto::render(&report, in_toto::RESOURCE)] {
        assert!(parse(written.as_bytes()).is_ok(), "a report in JSON does not read");
    }
    for written in [text::render(&report), summary::render(&report), github::render(&report), html::render(&report)] {
        assert!(!written.contains(|letter: char| letter.is_control() && letter != '\n'), "a report drives the terminal");
    }
    assert!(matches!(read_file(junit::render(&report).as_bytes()), Evidence::Report(_)), "our own reader does not read our JUnit report");
}
