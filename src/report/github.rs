//! GitHub annotations: workflow commands, one a reason.

use super::{Item, Outcome, Remark, Report};

/// The report as workflow commands for the log of a step.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    for (_, item) in report.items() {
        for remark in &item.remarks {
            out.push_str(&annotation(item, remark));
        }
    }
    for part in &report.parts {
        let tallies: Vec<_> = part.tallies.iter().map(|tally| format!("{} {} of {}", tally.label, tally.count, tally.of)).collect();
        let unlisted = match part.unlisted_findings {
            0 => String::new(),
            more => format!("; {more} findings more than are listed"),
        };
        let message = format!("{}: {}; {}{unlisted}", part.kind.as_str(), part.verdict.as_str(), tallies.join(", "));
        out.push_str(&format!("::notice title=landfall::{}\n", data(&message)));
    }
    out
}

fn annotation(item: &Item, remark: &Remark) -> String {
    let command = match item.outcome {
        Outcome::Refused => "error",
        Outcome::NotShown => "warning",
        Outcome::Accepted => "notice",
    };
    let line = item.place.line.map(|line| format!(",line={line}")).unwrap_or_default();
    let title = format!("{} ({})", remark.code, item.support.as_str());
    let message = format!("{} {}: {}", item.kind.as_str(), item.name, remark.message);
    format!("::{command} file={}{line},title={}::{}\n", property(item.place.file.as_str()), property(&title), data(&message))
}

/// `text` as the data of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// `text` as a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_a_property_or_starts_a_command() {
        assert_eq!(property("a,line=1::error::%0A\n"), "a%2Cline=1%3A%3Aerror%3A%3A%250A%0A");
        assert_eq!(data("x\n::stop-commands::y"), "x%0A::stop-commands::y");
    }
}
