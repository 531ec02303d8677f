//! A step summary in GitHub's Markdown: verdict, counts, and a table of what was not accepted.
//!
//! Names and places stand in `<code>` with every character that Markdown or HTML gives a meaning to written as a
//! reference: nothing there is a mention, a link, an image or a row of its own.

use super::{Outcome, Part, Report, Verdict};

/// The most rows of the table; a summary may be a mebibyte.
const SHOWN: usize = 200;

/// The report as Markdown.
pub fn render(report: &Report) -> String {
    let mut out = format!("## landfall: {} {}\n", mark(report.verdict), report.verdict.as_str());
    for part in &report.parts {
        part_text(part, &mut out);
    }
    out
}

fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "\u{2705}",
        Verdict::NotShown => "\u{26a0}\u{fe0f}",
        Verdict::Blocked => "\u{274c}",
    }
}

fn part_text(part: &Part, out: &mut String) {
    out.push_str(&format!("\n### {}: {}\n\n", part.kind.as_str(), part.verdict.as_str()));
    out.push_str("| checked | |\n| --- | ---: |\n");
    for tally in &part.tallies {
        out.push_str(&format!("| {} | {} of {} |\n", escaped(tally.label.as_str()), tally.count, tally.of));
    }
    let told: Vec<_> = part.items.iter().filter(|item| item.outcome != Outcome::Accepted || !item.remarks.is_empty()).collect();
    if !told.is_empty() {
        out.push_str("\n| | what | where | why |\n| --- | --- | --- | --- |\n");
    }
    for item in told.iter().take(SHOWN) {
        let reasons: Vec<_> =
            item.remarks.iter().map(|remark| format!("{} {}", code(remark.code.as_str()), escaped(remark.message.as_str()))).collect();
        out.push_str(&format!(
            "| {} ({}) | {} {} | {} | {} |\n",
            item.outcome.as_str(),
            item.support.as_str().replace('_', " "),
            item.kind.as_str(),
            code(item.name.as_str()),
            code(&item.place.to_string()),
            reasons.join("<br>")
        ));
    }
    if told.len() > SHOWN {
        out.push_str(&format!("\n{} more are not shown here.\n", told.len() - SHOWN));
    }
    if part.unlisted_findings > 0 {
        out.push_str(&format!("\n{} findings are counted in the record and not listed.\n", part.unlisted_findings));
    }
    out.push_str(&format!("\n{}\n", escaped(part.anti_claim.as_str())));
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// `text` with every character that means something written as a reference.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        // A dot means something only in what GitHub takes for an address.
        let of_address = character == '.' && text[..at].ends_with(['w', 'W']);
        match character {
            '&' | '<' | '>' | '"' | '\'' | '|' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '!' | '#' | '~' | '\\' | '@' | '$' | '{'
            | '}' | '+' | '=' | '^' => out.push_str(&format!("&#{};", u32::from(character))),
            ':' if text[at..].starts_with("://") => out.push_str("&#58;"),
            _ if of_address => out.push_str("&#46;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_stays_that_markdown_would_read() {
        let hostile = "![x](https://a.invalid)|</code><b>@someone `c` www.a.invalid #1 [a]: ~~x~~ $y$";
        let text = escaped(hostile);
        for character in ['<', '>', '|', '`', '[', ']', '(', '!', '@', '~', '$'] {
            assert!(!text.contains(character), "{character} in {text}");
        }
        assert!(!text.contains("://") && !text.contains("www."), "{text}");
    }
}
