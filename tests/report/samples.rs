//! The samples: small run tables and audit answers, one a kind of verdict.
#![expect(clippy::disallowed_methods, reason = "a test reads its samples")]

use landfall::corpus::builtin;
use landfall::folder::MemoryFolder;
use landfall::landing::RuleSet;
use landfall::landing::build::run_fixture;
use landfall::report::{Mapping, Part, Report, answer, github, html, in_toto, json, junit, prov, sarif, stored, summary, text};
use std::path::{Path, PathBuf};

/// Every sample.
pub(crate) const SAMPLES: [&str; 4] = ["accepted", "refused", "not-shown", "contradicted"];
/// Every format, by the ending of its files, with its renderer.
pub(crate) type Render = fn(&Report) -> String;
/// See [`Render`].
pub(crate) const FORMATS: [(&str, Render); 9] = [
    ("txt", text::render),
    ("json", json::render),
    ("junit.xml", junit::render),
    ("sarif", sarif::render),
    ("github", github::render),
    ("md", summary::render),
    ("in-toto.json", |report| in_toto::render(report, in_toto::RESOURCE)),
    ("prov.json", prov::render),
    ("html", html::render),
];

/// The folder of these tests.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report")
}

/// The text of a sample.
pub(crate) fn sample_text(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("samples/{name}.json"))).expect("the sample is there")
}

/// A corpus folder with this run table, and the policy and protocol of the first wave.
pub(crate) fn corpus(rows: &str) -> MemoryFolder {
    let mut corpus = MemoryFolder::default();
    corpus.file("work_landing_runs.json", rows);
    for name in ["landing_policy.json", "projection_protocol.json"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/first-wave").join(name);
        corpus.file(name, std::fs::read(path).expect("it is there"));
    }
    corpus
}

/// The record files of a replay of this run table with the nine built in.
pub(crate) fn records(rows: &str) -> stored::Files {
    let run = run_fixture(&corpus(rows), &builtin::nine(), &RuleSet::all()).expect("it replays");
    run.texts().into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect()
}

/// The parts of a report on a sample.
pub(crate) fn parts(name: &str) -> Vec<Part> {
    let text = sample_text(name);
    if text.contains("work_landing_runs") {
        stored::parts(&records(&text), &Mapping::default()).expect("our own records hold")
    } else {
        vec![answer::read(text.as_bytes()).expect("the sample reads").part]
    }
}
