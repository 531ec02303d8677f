//! Previews: a few words of what was read, and where they come from.

use super::fetch::Answer;
use super::page::{Page, preview};
use crate::memory::handoff::repair_preview;
use crate::memory::value::{chars, clean, field, lower, truthy};
use serde_json::{Value as Json, json};

/// The longest preview, in characters.
const LONGEST: usize = 600;
/// A shorter preview says little.
const WEAK: usize = 80;
/// The same for a target that was sought as evidence.
const WEAK_EVIDENCE: usize = 30;

/// What an answer says, as text.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// The body.
    pub(crate) body: String,
    /// The page, if it is one.
    pub(crate) page: Option<Page>,
}

impl Content {
    pub(crate) fn of(answer: &Answer) -> Self {
        let body = String::from_utf8_lossy(&answer.body).into_owned();
        let said = answer.content_type.as_deref().unwrap_or_default().to_ascii_lowercase();
        let start: String = body.trim_start().chars().take(15).collect::<String>().to_ascii_lowercase();
        let is_page = said.contains("html") || (said.is_empty() && (start.starts_with("<!doctype html") || start.starts_with("<html")));
        let page = is_page.then(|| Page::parse(&body));
        Self { body, page }
    }

    /// Whether the body is text that a preview can show.
    fn is_text(&self) -> bool {
        let start = self.body.chars().take(4096);
        start.filter(|letter| *letter == '\u{fffd}' || (letter.is_control() && !letter.is_whitespace())).count() < 8
    }
}

/// A preview and the name of its source; both blank when there is nothing to show.
pub(crate) fn make(content: &Content, target: &Json, url: &str, domain: &str) -> (String, &'static str) {
    let preferred = truthy(field(target, "preferred_evidence_target"));
    let least = if preferred { WEAK_EVIDENCE } else { WEAK };
    let text = match &content.page {
        Some(page) => preview(&page.text, LONGEST),
        None if content.is_text() => preview(&content.body, LONGEST),
        None => String::new(),
    };
    if chars(&text) >= least {
        return (text, "make_content_preview");
    }
    let mut best = (text, "make_content_preview");
    let head = content.page.as_ref().map(|page| preview(format!("{} {}", page.title, page.description).trim(), LONGEST));
    let of_github = preferred && (domain == "github.com" || domain.ends_with(".github.com"));
    if let Some(head) = head.filter(|head| chars(head) > chars(&best.0)) {
        best = (head, if of_github { "github_evidence_content_preview" } else { "html_content_preview_fallback" });
    }
    if chars(&best.0) < least
        && preferred
        && let Some(made) = synthetic(target, url)
    {
        best = (made, "synthetic_evidence_preview");
    }
    if best.0.is_empty() { (String::new(), "") } else { best }
}

/// What is known about an evidence target without its page.
fn synthetic(target: &Json, url: &str) -> Option<String> {
    let repaired = repair_preview(&json!({"url": url, "provenance": target}))?;
    let text = preview(&clean(field(&repaired, "content_preview")), LONGEST);
    (!lower(&Json::from(text.as_str())).is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(content_type: &str, body: &str, target: &Json, url: &str) -> (String, &'static str) {
        let answer = Answer { status: 200, content_type: Some(content_type.to_owned()), body: body.into(), ..Answer::default() };
        make(&Content::of(&answer), target, url, &crate::memory::url::domain(url))
    }

    #[test]
    fn the_words_of_a_page_come_first_and_what_stands_in_for_them_is_said() {
        let evidence = json!({"preferred_evidence_target": true, "source_adapter": "evidence", "source_kind": "curated_evidence_url"});
        let long = format!("<html><body><p>{}</p>", "agents remember ".repeat(60));
        let (text, source) = of("text/html", &long, &json!({}), "https://a.org/");
        assert_eq!((chars(&text), source), (600, "make_content_preview"));
        let scripts = "<html><head><title>Agents with a memory</title><meta name=description content='How they keep what they saw'></head><body><script>x()</script>";
        assert_eq!(of("text/html", scripts, &json!({}), "https://a.org/").1, "html_content_preview_fallback");
        assert_eq!(of("text/html", scripts, &evidence, "https://docs.github.com/en/x").1, "github_evidence_content_preview");
        let (text, source) = of("text/html", "<html><body>", &evidence, "https://a.org/docs/agent-memory");
        assert_eq!(source, "synthetic_evidence_preview");
        assert!(text.starts_with("Agent Memory Explorer useful evidence candidate."), "{text}");
        assert_eq!(of("text/html", "<html><body>", &json!({}), "https://a.org/docs/x"), (String::new(), ""));
    }

    #[test]
    fn what_is_no_text_has_no_preview() {
        assert_eq!(
            of("image/png", "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\u{e}", &json!({}), "https://a.org/"),
            (String::new(), "")
        );
        assert_eq!(of("text/plain", "a  b", &json!({}), "https://a.org/"), ("a b".to_owned(), "make_content_preview"));
    }
}
