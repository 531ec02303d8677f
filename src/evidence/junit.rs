//! JUnit XML. Single results count; sums in attributes are only compared with them.

use super::report::Report;
use super::summary::Counts;
use crate::import::milliseconds;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Reads a report. `None` where the text is none; a document type is refused, since it may define entities.
pub(super) fn read(text: &str) -> Option<Report> {
    let mut reader = Reader::from_str(text);
    let mut counts = Counts::default();
    let (mut claimed_failures, mut claims, mut at) = (0u64, false, None);
    let mut root = false;
    let mut depth = 0usize;
    // Of the test case that is open: whether it failed, whether it was skipped.
    let mut case: Option<(bool, bool)> = None;
    loop {
        match reader.read_event() {
            Err(_) | Ok(Event::DocType(_)) => return None,
            Ok(Event::Eof) => break,
            Ok(Event::Start(tag)) => {
                depth += 1;
                if depth > 64 {
                    return None;
                }
                open(&tag, &mut root, &mut case, &mut claimed_failures, &mut claims, &mut at)?;
            }
            Ok(Event::Empty(tag)) => {
                open(&tag, &mut root, &mut case, &mut claimed_failures, &mut claims, &mut at)?;
                if tag.local_name().as_ref() == "testcase" {
                    close(&mut case, &mut counts);
                }
            }
            Ok(Event::End(tag)) => {
                depth = depth.saturating_sub(1);
                if tag.local_name().as_ref() == "testcase" {
                    close(&mut case, &mut counts);
                }
            }
            Ok(_) => {}
        }
    }
    if !root || depth != 0 {
        return None;
    }
    let inconsistent = claims && (claimed_failures > 0) != (counts.failed > 0);
    Some(Report { inconsistent, at, ..Report::of_counts(counts) })
}

fn open(
    tag: &BytesStart<'_>,
    root: &mut bool,
    case: &mut Option<(bool, bool)>,
    failures: &mut u64,
    claims: &mut bool,
    at: &mut Option<i64>,
) -> Option<()> {
    let name = tag.local_name();
    if !*root && !matches!(name.as_ref(), "testsuites" | "testsuite") {
        return None;
    }
    *root = true;
    let attribute = |key: &str| {
        let found = tag.try_get_attribute(key).ok().flatten()?;
        Some(found.value.into_owned())
    };
    match name.as_ref() {
        "testsuite" => {
            for key in ["failures", "errors"] {
                if let Some(count) = attribute(key).and_then(|count| count.parse::<u64>().ok()) {
                    *claims = true;
                    *failures = failures.saturating_add(count);
                }
            }
            *at = (*at).max(attribute("timestamp").as_deref().and_then(milliseconds));
        }
        "testcase" => *case = Some((false, false)),
        "failure" | "error" => {
            if let Some((failed, _)) = case {
                *failed = true;
            }
        }
        "skipped" => {
            if let Some((_, skipped)) = case {
                *skipped = true;
            }
        }
        _ => {}
    }
    Some(())
}

fn close(case: &mut Option<(bool, bool)>, counts: &mut Counts) {
    match case.take() {
        Some((true, _)) => counts.failed += 1,
        Some((false, true)) => counts.skipped += 1,
        Some((false, false)) => counts.passed += 1,
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::summary::Shown;
    use super::*;

    #[test]
    fn single_results_count() {
        let lie = r#"<?xml version="1.0"?><testsuites><testsuite tests="2" failures="0" errors="0"><testcase name="a"/><testcase name="b"><failure message="x"/></testcase></testsuite></testsuites>"#;
        let report = read(lie).expect("it reads");
        assert_eq!((report.shown, report.inconsistent, report.counts.passed), (Some(Shown::Failed), true, 1));
        let flaky = r#"<testsuite><testcase name="a"><flakyFailure/></testcase><testcase name="b"><skipped/></testcase></testsuite>"#;
        assert_eq!(read(flaky).and_then(|report| report.shown), Some(Shown::Passed));
        for none in ["<html/>", "<testsuite>", "<!DOCTYPE x [<!ENTITY a 'b'>]><testsuite/>", "", &"<testsuite>".repeat(1000)] {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
