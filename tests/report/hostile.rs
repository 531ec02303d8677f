//! Records and answers made by somebody who wants to be read as something else.

use crate::samples::{FORMATS, corpus, records, sample_text};
use landfall::corpus::builtin;
use landfall::json::to_canonical_text;
use landfall::landing::RuleSet;
use landfall::landing::build::run_fixture;
use landfall::landing::record::{ResultRecord, Sealed, files};
use landfall::report::{Mapping, Report, answer, stored};
use serde_json::{Value, json};

/// Texts that mean something to some reader. What leaks is put together here, so that it lies in no file.
fn hostile() -> Vec<String> {
    let slash = "/";
    vec![
        "</style></title><script>alert(1)</script><img src=x onerror=alert(1)>".to_owned(),
        "]]></failure><testcase name=\"x\"/>&xxe;<!-- -->".to_owned(),
        "a\r\n::error file=x::y\n::stop-commands::z%0A".to_owned(),
        "\u{1b}]8;;https://x.invalid\u{7}click\u{1b}[2J\u{9b}31m".to_owned(),
        "\u{202e}gnp.exe\u{2066}\u{200b}\u{feff}\u{e0041}".to_owned(),
        "| a | b |\n|---|---|\n[x](javascript:alert(1)) @everyone ![](https://x.invalid/p.png)".to_owned(),
        "{0} [x](1) {{}} \\".to_owned(),
        "\u{0}\u{fffe}\u{ffff}\u{1fffe}\u{fdd0}".to_owned(),
        format!("{slash}home{slash}somebody{slash}.ssh{slash}id"),
        format!("C:\\Us{}\\somebody\\x", "ers"),
        format!("gh{}_{}", "p", "a1B2".repeat(9)),
        "../../../etc/passwd".to_owned(),
        "https://x.invalid/?q".to_owned(),
        "x".repeat(20_000),
    ]
}

fn audit(texts: &[String]) -> Report {
    let claims: Vec<_> = texts
        .iter()
        .map(|text| {
            json!({"file": text, "line": 1, "kind": "done", "answer": "contradicted", "codes": ["A_CODE"], "evidence": [{"file": text, "line": 4294967295_u32}], "would_show": text.chars().take(60).collect::<String>()})
        })
        .collect();
    let text =
        json!({"claims": claims, "counts": {"done": {"contradicted": claims.len()}}, "tool": {"name": texts[0], "version": texts[3]}});
    Report::new(vec![answer::read(text.to_string().as_bytes()).expect("it reads").part])
}

/// A record of ours with foreign texts in it, sealed anew as anybody can.
fn replay(texts: &[String]) -> Report {
    let mut record: ResultRecord = {
        let files = records(&sample_text("refused"));
        ResultRecord::read(&files[files::RESULT], "result").expect("our own record reads")
    };
    let row = record.work_landing_runs[0].clone();
    let finding = record.blocking_findings()[0].clone();
    for text in texts {
        let mut row = row.clone();
        row.run_id.clone_from(text);
        row.landing_status = Some(text.clone());
        record.work_landing_runs.push(row);
        for kind in ["work_landing_run", "negative_case", "input_file", "source_module", "copied_body", text] {
            let mut finding = finding.clone();
            finding.subject_kind = kind.to_owned();
            finding.subject_id.clone_from(text);
            finding.message.clone_from(text);
            finding.case_id.clone_from(text);
            record.findings.push(finding);
        }
        record.further_cases.missing.push(text.clone());
        record.tool.name.clone_from(text);
        record.anti_claim.clone_from(text);
        record.source_module_manifest_ref.clone_from(text);
        let mut input = record.freshness_basis.inputs[0].clone();
        input.path.clone_from(text);
        input.sha256.clone_from(text);
        input.size_bytes = u64::MAX;
        record.freshness_basis.inputs.push(input);
    }
    record.run_count = u64::MAX;
    record.support.forbidden = u64::MAX;
    record.support.supported = u64::MAX;
    record.freshness_basis.input_count = u64::MAX;
    record.freshness_basis.missing_path_count = u64::MAX;
    record.blocking_finding_count = u64::MAX;
    let text = to_canonical_text(&record.seal());
    let part = stored::part_of_file(text.as_bytes(), "landfall/result/v1", &Mapping::default());
    Report::new(vec![part.expect("it is a result").expect("it is sealed")])
}

#[test]
fn no_format_shows_what_leaks_or_what_drives_its_reader() {
    let texts = hostile();
    for (source, report) in [("audit", audit(&texts)), ("replay", replay(&texts))] {
        for (ending, render) in FORMATS {
            let text = render(&report);
            let name = format!("{source}.{ending}");
            assert!(!text.contains("somebody") && !text.contains(&texts[10]), "{name} leaks");
            if matches!(ending, "sarif" | "github") {
                let places = text.split(if ending == "sarif" { "\"uri\": \"" } else { "file=" }).skip(1);
                assert!(
                    places.map(|rest| rest.split(['"', ',']).next()).all(|path| path.is_some_and(|path| !path.contains(".."))),
                    "{name} leads out"
                );
            }
            let odd = |character: char| {
                (character.is_control() && character != '\n')
                    || ('\u{200b}'..='\u{200f}').contains(&character)
                    || ('\u{202a}'..='\u{202e}').contains(&character)
                    || ('\u{2066}'..='\u{2069}').contains(&character)
                    || matches!(character, '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{fdd0}' | '\u{1fffe}' | '\u{e0041}')
            };
            assert!(!text.contains(odd), "{name} holds a control");
            assert!(text.len() < 3_000_000, "{name} is of {} bytes", text.len());
        }
    }
}

#[test]
fn each_format_keeps_its_own_shape() {
    let texts = hostile();
    for report in [audit(&texts), replay(&texts)] {
        for (ending, render) in FORMATS {
            let text = render(&report);
            match ending {
                "json" | "sarif" | "in-toto.json" | "prov.json" => {
                    let value = landfall::json::parse(text.as_bytes()).expect("it is strict JSON");
                    assert!(value.is_object());
                }
                "github" => {
                    for line in text.lines() {
                        assert!(
                            ["::error file=", "::warning file=", "::notice file=", "::notice title="]
                                .iter()
                                .any(|start| line.starts_with(start)),
                            "{line}"
                        );
                        // A property ends at a comma or at the colons; none is smuggled in.
                        let properties = line[2..].split("::").next().expect("properties");
                        assert!(
                            properties.split(',').skip(1).all(|part| part.starts_with("line=") || part.starts_with("title=")),
                            "{line}"
                        );
                    }
                }
                "html" => {
                    let lower = text.to_ascii_lowercase();
                    assert_eq!(lower.matches("<script").count() + lower.matches("<img").count() + lower.matches("<a ").count(), 0);
                    assert_eq!(lower.matches("<style").count(), 1);
                    assert_eq!(lower.matches("</style").count(), 1);
                    assert!(!lower.contains("src=\"") && !lower.contains("href=") && !lower.contains("url("));
                }
                "md" => {
                    let plain = text.replace("<br>", "").replace("<code>", "").replace("</code>", "");
                    assert!(!plain.contains(['<', '>', '@', '[', ']']), "{plain}");
                }
                "junit.xml" => {
                    // Every tag is one of the six that we write.
                    for tag in text.split('<').skip(1) {
                        let name = tag.trim_start_matches('/').split([' ', '>', '/']).next().expect("a name");
                        assert!(
                            ["?xml", "testsuites", "testsuite", "testcase", "failure", "skipped", "system-out"].contains(&name),
                            "{name}"
                        );
                    }
                    assert!(!text.contains("]]>"));
                }
                // Every line is a line of its own: there is nothing to escape but controls, which are looked for above.
                "txt" => {}
                other => panic!("say here what a reader of {other} gives a meaning to, and that none of it comes from outside"),
            }
        }
    }
}

#[test]
fn every_record_of_a_replay_is_one_that_a_report_asks_for() {
    let run = run_fixture(&corpus(&sample_text("accepted")), &builtin::nine(), &RuleSet::all()).expect("it is judged");
    for (name, _) in run.texts() {
        assert!(stored::NAMES.contains(&name), "{name} is written and not read again: enter it in report::stored");
    }
}

#[test]
fn a_companion_that_says_something_else_is_refused() {
    let good = records(&sample_text("refused"));
    assert!(stored::parts(&good, &Mapping::default()).is_ok());
    for name in [files::BOARD, files::VALIDATION, files::COVERAGE] {
        let mut missing = good.clone();
        missing.remove(name);
        assert!(stored::parts(&missing, &Mapping::default()).is_err(), "{name} is missing");
        // Of another run, sealed and whole: only holding it against its result tells.
        let mut other = good.clone();
        other.insert(name.to_owned(), records(&sample_text("accepted"))[name].clone());
        assert!(stored::parts(&other, &Mapping::default()).is_err(), "{name} is of another run");
    }
    let mut edited = good.clone();
    let text = String::from_utf8(good[files::RESULT].clone())
        .expect("text")
        .replace("\"status\": \"blocked\",\n  \"support\"", "\"status\": \"pass\",\n  \"support\"");
    assert_ne!(text.as_bytes(), good[files::RESULT]);
    edited.insert(files::RESULT.to_owned(), text.into_bytes());
    assert!(stored::parts(&edited, &Mapping::default()).is_err());
}

#[test]
fn a_statement_names_only_digests_that_are_digests() {
    let statement: Value = serde_json::from_str(&landfall::report::in_toto::render(&replay(&hostile()), "urn:x:y")).expect("it is JSON");
    let subjects = statement["subject"].as_array().expect("subjects");
    assert!(!subjects.is_empty());
    for subject in subjects {
        let digest = subject["digest"]["sha256"].as_str().expect("a digest");
        assert!(digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digest}");
    }
    assert_eq!(statement["predicate"]["verificationResult"], "FAILED");
}
