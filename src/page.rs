//! Pages: the doc comment at the top of a file, for `explain` and the generated docs.

/// The `//!` lines at the top of `source`, without their marks.
pub fn of_source(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    lines.fold(String::new(), |page, line| page + line.strip_prefix(' ').unwrap_or(line) + "\n")
}

/// The text under the heading `## name` of a page, up to the next heading of that level.
pub fn section<'p>(page: &'p str, name: &str) -> Option<&'p str> {
    let heading = format!("## {name}\n");
    let start = page.find(&heading)? + heading.len();
    let end = page[start..].find("\n## ").map_or(page.len(), |length| start + length);
    Some(page[start..end].trim())
}

/// The first fenced JSON block of a section: the kind of input after `json`, and its text.
pub fn example(section: &str) -> Option<(&str, &str)> {
    let start = section.find("```json ")? + "```json ".len();
    let (kind, rest) = section[start..].split_once('\n')?;
    let (text, _) = rest.split_once("\n```")?;
    Some((kind, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_the_doc_comment_and_nothing_else() {
        let page = of_source(
            "//! # A\n//!\n//! ## Refuses\n//!\n//! x\n//!\n//! ## Example\n//!\n//! ```json row\n//! {}\n//! ```\n\nuse y;\n//! no\n",
        );
        assert_eq!(section(&page, "Refuses"), Some("x"));
        assert_eq!(section(&page, "Example").and_then(example), Some(("row", "{}")));
        assert_eq!(section(&page, "Missing"), None);
        assert!(!page.contains("no\n"));
    }
}
