//! JUnit XML: a suite a part, a test case an item.
//!
//! Refused is a failure. Not shown where that does not block is skipped, with its reason: neither a failure nor a
//! pass. Written here, for it is four elements; a library would bring clocks and random ids that a report must not
//! have.

use super::{Item, Outcome, Part, Report};
use std::collections::BTreeMap;

/// The report as JUnit XML.
pub fn render(report: &Report) -> String {
    let suites: Vec<_> = report.parts.iter().map(Suite::of).collect();
    let sum = |count: fn(&Suite<'_>) -> usize| suites.iter().map(count).sum::<usize>();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"landfall\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n",
        sum(|suite| suite.cases.len()),
        sum(|suite| suite.failures),
        sum(|suite| suite.skipped)
    );
    for suite in &suites {
        suite.write(&mut out);
    }
    out.push_str("</testsuites>\n");
    out
}

/// A test case: its name, and the item, if there is one.
struct Case<'p> {
    name: String,
    item: Option<&'p Item>,
}

struct Suite<'p> {
    part: &'p Part,
    cases: Vec<Case<'p>>,
    failures: usize,
    skipped: usize,
}

impl<'p> Suite<'p> {
    fn of(part: &'p Part) -> Self {
        let mut seen: BTreeMap<String, u64> = BTreeMap::new();
        let mut cases: Vec<_> = part
            .items
            .iter()
            .map(|item| {
                let place = item.place.line.map(|line| format!(" at {}:{line}", item.place.file)).unwrap_or_default();
                let mut name = format!("{}: {}{place}", item.kind.as_str(), item.name);
                // Runners fold cases of one name into one.
                let count = seen.entry(name.clone()).or_default();
                *count += 1;
                if *count > 1 {
                    name.push_str(&format!(" ({count})"));
                }
                Case { name, item: Some(item) }
            })
            .collect();
        // A suite without a case reads as a pass; a part that shows nothing must not.
        if part.items.is_empty() {
            cases.push(Case { name: format!("no {}", part.kind.subjects()), item: None });
        }
        let count = |outcome| cases.iter().filter(|case| case.item.map_or(Outcome::NotShown, |item| item.outcome) == outcome).count();
        Self { failures: count(Outcome::Refused), skipped: count(Outcome::NotShown), part, cases }
    }

    fn write(&self, out: &mut String) {
        let kind = self.part.kind.as_str();
        out.push_str(&format!(
            "  <testsuite name=\"{kind}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n",
            self.cases.len(),
            self.failures,
            self.skipped
        ));
        for case in &self.cases {
            let Some(item) = case.item else {
                let why = format!("the record holds no {}", self.part.kind.subjects());
                out.push_str(&format!(
                    "    <testcase name=\"{}\" classname=\"landfall.{kind}\">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
                    escaped(&case.name),
                    escaped(&why)
                ));
                continue;
            };
            out.push_str(&format!(
                "    <testcase name=\"{}\" classname=\"landfall.{kind}.{}\" file=\"{}\"",
                escaped(&case.name),
                item.kind.as_str(),
                escaped(item.place.file.as_str())
            ));
            if let Some(line) = item.place.line {
                out.push_str(&format!(" line=\"{line}\""));
            }
            let lines: Vec<_> = item.remarks.iter().map(|remark| format!("{}: {}", remark.code, remark.message)).collect();
            let text = escaped(&lines.join("\n"));
            let first = item.remarks.first();
            let message = escaped(first.map_or("", |remark| remark.message.as_str()));
            let code = escaped(first.map_or("", |remark| remark.code.as_str()));
            match item.outcome {
                Outcome::Accepted if lines.is_empty() => {
                    out.push_str("/>\n");
                    continue;
                }
                Outcome::Accepted => out.push_str(&format!(">\n      <system-out>{text}</system-out>\n")),
                Outcome::NotShown => out.push_str(&format!(">\n      <skipped message=\"{code}: {message}\"/>\n")),
                Outcome::Refused => {
                    out.push_str(&format!(">\n      <failure message=\"{message}\" type=\"{code}\">{text}</failure>\n"));
                }
            }
            out.push_str("    </testcase>\n");
        }
        out.push_str("  </testsuite>\n");
    }
}

/// `text` as XML text or attribute value. What XML cannot hold at all was replaced when the text was made
/// showable; a line feed is ours.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' => out.push_str("&#10;"),
            other => out.push(other),
        }
    }
    out
}
