//! `report`, `completions` and `man` from end to end.
#![expect(clippy::disallowed_methods, reason = "these tests make the files that the binary reads")]

use crate::folders::{read, scratch, shipped, write};
use crate::landfall_binary::landfall;
use std::path::Path;

const FORMATS: [(&str, &str); 9] = [
    ("text", "txt"),
    ("json", "json"),
    ("junit", "junit.xml"),
    ("sarif", "sarif"),
    ("github", "github"),
    ("summary", "md"),
    ("in-toto", "in-toto.json"),
    ("prov", "prov.json"),
    ("html", "html"),
];

/// The records of a replay of a sample's run table, in the folder `name` below `root`.
fn lay(root: &Path, name: &str, sample: &str) {
    let corpus = root.join("corpus-of").join(sample);
    write(&corpus.join("work_landing_runs.json"), sample_text(sample));
    for file in ["landing_policy.json", "projection_protocol.json"] {
        write(&corpus.join(file), read(&shipped("fixtures/first-wave").join(file)));
    }
    let code = i32::from(sample == "refused");
    landfall(&["replay", "--out", name]).with("--corpus", &corpus).at(root).ends_with(code);
}

fn sample_text(sample: &str) -> String {
    read(&shipped("tests/report/samples").join(format!("{sample}.json")))
}

fn expected(sample: &str, ending: &str) -> String {
    read(&shipped("tests/report/expected").join(format!("{sample}.{ending}")))
}

#[test]
fn a_folder_a_file_and_a_pipe_are_reported_in_every_format_with_the_code_of_their_verdict() {
    let root = scratch();
    lay(root.path(), "accepted", "accepted");
    lay(root.path(), "refused", "refused");
    for (format, ending) in FORMATS {
        for (sample, code) in [("accepted", 0), ("refused", 1)] {
            let ran = landfall(&["report", sample, "--format", format]).at(root.path()).ends_with(code);
            assert_eq!((ran.out.as_str(), ran.err.as_str()), (expected(sample, ending).as_str(), ""), "{sample} as {format}");
        }
        for (sample, code) in [("not-shown", 0), ("contradicted", 1)] {
            let ran = landfall(&["report", "-", "--format", format]).input(sample_text(sample)).ends_with(code);
            assert_eq!(ran.out, expected(sample, ending), "{sample} as {format}");
        }
    }
    let one = landfall(&["report", "refused/result.json", "--format", "json"]).at(root.path()).ends_with(1);
    assert!(one.out.contains("\"verdict\": \"blocked\""));
    let both = landfall(&["report", "accepted", "-"]).at(root.path()).input(sample_text("contradicted")).ends_with(1);
    assert!(both.out.contains("fixture: pass") && both.out.contains("audit: blocked"), "{}", both.out);
}

/// A format that is not on these lists would be held by no test.
#[test]
fn every_format_of_the_command_is_on_the_lists_and_has_its_section() {
    let told = landfall(&["report", "-", "--format", "no-such-format"]).input("").ends_with(2).err;
    let (_, rest) = told.split_once("[possible values: ").expect("the values are told");
    let values: Vec<_> = rest.split_once(']').expect("the list ends").0.split(", ").collect();
    assert_eq!(values, FORMATS.map(|(format, _)| format), "enter the format in FORMATS here");
    let (page, samples) = (read(&shipped("docs/reports.md")), read(&shipped("tests/report/samples.rs")));
    for (format, ending) in FORMATS {
        assert!(page.contains(&format!("\n## {format}\n")), "docs/reports.md has no section on {format}");
        assert!(samples.contains(&format!("(\"{ending}\", ")), "tests/report/samples.rs does not render {ending}");
    }
}

#[test]
fn a_report_is_written_whole_and_never_over_a_record() {
    let root = scratch();
    lay(root.path(), "records", "accepted");
    let report = |out: &str| landfall(&["report", "records", "--format", "html", "--out", out]).at(root.path());
    let ran = report("site/board.html").ends_with(0);
    assert_eq!(ran.out, "");
    let page = std::fs::read_to_string(root.path().join("site/board.html")).expect("it is there");
    assert_eq!(page, expected("accepted", "html"));
    let left: Vec<_> =
        std::fs::read_dir(root.path().join("site")).expect("it lists").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left, ["board.html"]);
    let before = std::fs::read(root.path().join("records/result.json")).expect("it is there");
    report("records/result.json").ends_with(2);
    report("records/../records/bundle-result.json").ends_with(2);
    assert_eq!(std::fs::read(root.path().join("records/result.json")).expect("it is there"), before);
    report("site").ends_with(3);
    report("records/board.html").ends_with(0);
}

#[test]
fn paths_are_mapped_into_the_repository() {
    let root = scratch();
    lay(root.path(), "records", "refused");
    let ran = landfall(&["report", "records", "--format", "github", "--map", "corpus=landing"]).at(root.path()).ends_with(1);
    assert!(ran.out.contains("::error file=landing/work_landing_runs.json,"), "{}", ran.out);
    for wrong in ["corpus", "corpus=../x", "corpus=/x", "corpse=x"] {
        landfall(&["report", "records", "--map", wrong]).at(root.path()).ends_with(2);
    }
}

#[test]
fn what_is_no_record_is_never_reported() {
    let root = scratch();
    std::fs::create_dir(root.path().join("empty")).expect("a folder");
    lay(root.path(), "records", "accepted");
    std::fs::remove_file(root.path().join("records/board.json")).expect("it goes");
    let none = r#"{"claims":[],"counts":{"read":{"records":0}}}"#;
    for (from, input, code) in [
        ("empty", "", 4),
        ("-", "", 4),
        ("-", none, 4),
        ("-", "{", 1),
        ("-", "{}", 1),
        ("-", r#"{"schema_version":"landfall/result/v2"}"#, 1),
        ("-", r#"{"schema_version":"landfall/board/v1"}"#, 1),
        ("records", "", 1),
        ("absent", "", 3),
    ] {
        let ran = landfall(&["report", from, "--format", "junit"]).at(root.path()).input(input).ends_with(code);
        assert_eq!(ran.out, "", "{from} {input}");
        assert!(ran.err.starts_with("landfall: "), "{}", ran.err);
    }
    landfall(&["report"]).ends_with(2);
    landfall(&["report", "-", "-"]).ends_with(2);
    landfall(&["report", "-", "--format", "pdf"]).ends_with(2);
    landfall(&["report", "-", "--resource", "no uri"]).ends_with(2);
}

#[test]
fn completions_and_pages_are_of_every_command_and_of_no_hidden_one() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = landfall(&["completions", shell]).ends_with(0);
        assert!(ran.out.contains("check-corpus") && ran.out.contains("report"), "{shell}");
        assert!(!ran.out.contains("read-only-check"), "{shell} offers a program that nobody types");
    }
    let page = landfall(&["man", "report"]).ends_with(0);
    assert!(page.out.contains(".TH landfall-report 1") && page.out.contains("in\\-toto"), "{}", page.out);
    assert!(landfall(&["man", "ledger", "show"]).ends_with(0).out.contains("landfall ledger show"));
    landfall(&["man", "noop"]).ends_with(2);
    let root = scratch();
    landfall(&["man", "--out", "man"]).at(root.path()).ends_with(0);
    let names: Vec<_> =
        std::fs::read_dir(root.path().join("man")).expect("it lists").map(|entry| entry.expect("an entry").file_name()).collect();
    let has = |name: &str| names.iter().any(|found| found == name);
    assert!(has("landfall.1") && has("landfall-report.1") && has("landfall-ledger-show.1") && !has("landfall-noop.1"), "{names:?}");
    assert!(names.iter().all(|name| name.to_string_lossy().ends_with(".1")), "{names:?}");
}
