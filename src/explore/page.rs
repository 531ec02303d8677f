//! What a page says: its text, its title and description, the links it has.

use html5gum::{Token, Tokenizer};

/// The words of an HTML page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The title.
    pub title: String,
    /// What the page says it is about.
    pub description: String,
    /// The text a reader sees, white space collapsed.
    pub text: String,
    /// Where it links to, as written, in order, each once.
    pub links: Vec<String>,
}

/// Elements whose text nobody reads.
const UNSEEN: [&[u8]; 6] = [b"script", b"style", b"template", b"noscript", b"svg", b"head"];
const LINKS: usize = 1000;

impl Page {
    /// Reads a page. Any bytes give one; unclosed elements end with it.
    pub fn parse(html: &str) -> Self {
        let mut page = Self::default();
        let mut text = String::new();
        let (mut unseen, mut in_title) = (0_usize, false);
        let mut seen = std::collections::HashSet::new();
        for token in Tokenizer::new(html) {
            let Ok(token) = token;
            match token {
                Token::StartTag(tag) => {
                    let name: &[u8] = &tag.name;
                    let attribute = |key: &[u8]| {
                        tag.attributes
                            .iter()
                            .find(|(name, _)| name.as_slice() == key)
                            .map(|(_, value)| String::from_utf8_lossy(value).into_owned())
                    };
                    match name {
                        b"title" => in_title = true,
                        b"body" => unseen = 0,
                        b"meta" => {
                            let named = attribute(b"name").or_else(|| attribute(b"property")).unwrap_or_default().to_lowercase();
                            if page.description.is_empty() && matches!(named.as_str(), "description" | "og:description") {
                                page.description = collapse(&attribute(b"content").unwrap_or_default());
                            }
                        }
                        b"a" if page.links.len() < LINKS => {
                            let link = attribute(b"href").unwrap_or_default().trim().to_owned();
                            if !link.is_empty() && seen.insert(link.clone()) {
                                page.links.push(link);
                            }
                        }
                        _ if UNSEEN.contains(&name) && !tag.self_closing => unseen += 1,
                        _ => {}
                    }
                    text.push(' ');
                }
                Token::EndTag(tag) => {
                    let name: &[u8] = &tag.name;
                    in_title &= name != b"title";
                    if UNSEEN.contains(&name) {
                        unseen = unseen.saturating_sub(1);
                    }
                    text.push(' ');
                }
                Token::String(words) => {
                    let words = String::from_utf8_lossy(&words);
                    if in_title {
                        page.title.push_str(&words);
                    } else if unseen == 0 {
                        text.push_str(&words);
                    }
                }
                _ => {}
            }
        }
        page.title = collapse(&page.title);
        page.text = collapse(&text);
        page
    }
}

/// Words with one space between.
pub fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// A preview: white space collapsed, at most `most` characters, the last an ellipsis where more was there.
pub fn preview(text: &str, most: usize) -> String {
    let collapsed = collapse(text);
    if collapsed.chars().count() <= most {
        return collapsed;
    }
    let kept: String = collapsed.chars().take(most.saturating_sub(1)).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_the_words_a_reader_sees() {
        let html = "<!doctype html><html><head><title>Async  \n agents</title><meta name=Description content=' On  memory '>\
            <style>b { }</style></head><body><script>if (a < b) { steal() }</script><h1>Agents</h1><p>keep &amp; find\
            <a href=' /a '>one</a><a href='/a'>again</a><a>none</a></p><noscript>no</noscript></body></html>";
        let page = Page::parse(html);
        assert_eq!(page.title, "Async agents");
        assert_eq!(page.description, "On memory");
        assert_eq!(page.text, "Agents keep & find one again none");
        assert_eq!(page.links, ["/a"]);
    }

    #[test]
    fn no_page_is_too_broken() {
        for html in ["", "<", "<a href=", "<script>", "</b></b></head>text", "<title>t", "\u{0}<p>\u{fffd}"] {
            let _ = Page::parse(html);
        }
        assert_eq!(Page::parse("<svg/>text").text, "text");
        assert_eq!(Page::parse(&"<script>".repeat(50_000)).text, "");
    }

    #[test]
    fn a_preview_counts_characters() {
        assert_eq!(preview(" ä  b ", 3), "ä b");
        assert_eq!(preview("äöüß", 3), "äö…");
    }
}
