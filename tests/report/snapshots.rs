//! Every format of every sample, as it is committed.
#![expect(clippy::disallowed_methods, reason = "a test reads what is expected, and lays aside what is new")]

use crate::samples::{FORMATS, SAMPLES, folder, parts};
use landfall::report::{Outcome, Report, Verdict};
use std::path::Path;

#[test]
fn every_format_says_what_is_committed() {
    let mut differing = Vec::new();
    let aside = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reports");
    for sample in SAMPLES {
        let report = Report::new(parts(sample));
        for (ending, render) in FORMATS {
            let name = format!("{sample}.{ending}");
            let text = render(&report);
            assert_eq!(text, render(&report), "{name} is a function of its report");
            if std::fs::read_to_string(folder().join("expected").join(&name)).is_ok_and(|expected| expected == text) {
                continue;
            }
            std::fs::create_dir_all(&aside).expect("a folder for what is new");
            std::fs::write(aside.join(&name), text).expect("it is laid aside");
            differing.push(name);
        }
    }
    assert!(
        differing.is_empty(),
        "other texts than committed: {differing:?}; compare {} with tests/report/expected, and copy what is right",
        aside.display()
    );
    let committed = std::fs::read_dir(folder().join("expected")).expect("it lists").count();
    assert_eq!(committed, SAMPLES.len() * FORMATS.len(), "a file that no sample makes");
}

#[test]
fn the_samples_are_of_every_verdict_and_outcome() {
    let verdicts: Vec<_> = SAMPLES.map(|sample| Report::new(parts(sample)).verdict).to_vec();
    assert_eq!(verdicts, [Verdict::Pass, Verdict::Blocked, Verdict::NotShown, Verdict::Blocked]);
    let all = Report::new(SAMPLES.iter().flat_map(|sample| parts(sample)).collect());
    for outcome in [Outcome::Accepted, Outcome::NotShown, Outcome::Refused] {
        assert!(all.items().any(|(_, item)| item.outcome == outcome), "{outcome:?}");
    }
    for (_, item) in all.items() {
        assert!(item.outcome == Outcome::Accepted || !item.remarks.is_empty(), "{item:?} has no reason");
    }
}

/// Text that no reader of a report takes for a pass where something is refused.
#[test]
fn no_format_of_a_blocked_report_reads_as_a_pass() {
    for sample in ["refused", "contradicted"] {
        let report = Report::new(parts(sample));
        for (ending, mark) in [
            ("txt", "blocked"),
            ("json", "\"verdict\": \"blocked\""),
            ("junit.xml", "<failure"),
            ("sarif", "\"level\": \"error\""),
            ("github", "::error "),
            ("md", "blocked"),
            ("in-toto.json", "\"FAILED\""),
            ("prov.json", "\"landfall:verdict\": \"blocked\""),
            ("html", "<title>landfall: blocked</title>"),
        ] {
            let render = FORMATS.iter().find(|(name, _)| *name == ending).expect("a format").1;
            assert!(render(&report).contains(mark), "{sample}.{ending}");
        }
    }
    let unshown = Report::new(parts("not-shown"));
    let render = |ending: &str| FORMATS.iter().find(|(name, _)| *name == ending).expect("a format").1(&unshown);
    assert!(render("in-toto.json").contains("\"FAILED\"") && render("junit.xml").contains("<skipped"));
}
