//! A page of the web: its text and links, where they lead, and the same bytes as a robots.txt.

use landfall::explore::fetch::resolve;
use landfall::explore::location::Location;
use landfall::explore::page::{Page, collapse, preview};
use landfall::explore::robots::Robots;

/// The target.
pub fn feed(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let page = Page::parse(&text);
    assert!(page.text == collapse(&page.text) && page.title == collapse(&page.title), "white space is not collapsed");
    assert!(page.links.len() <= 1000 && preview(&page.text, 100).chars().count() <= 100);
    let robots = Robots::parse(&text, "landfall/0.1");
    assert!(robots.permits("/robots.txt"), "the rules themselves may always be read");
    assert!(robots.crawl_delay.is_none_or(|delay| delay.is_finite() && delay >= 0.0));
    let base = Location::of("https://example.org/a/b?c=d").expect("an address");
    for said in page.links.iter().map(String::as_str).chain(text.lines().take(20)) {
        for location in [Location::of(said), resolve(&base, said)].into_iter().flatten() {
            let misread = |letter: char| letter.is_control() || letter.is_whitespace();
            assert!(!location.domain().contains(misread), "{:?} is no host", location.domain());
            let written = location.to_text();
            assert_eq!(Location::of(&written).as_ref(), Some(&location), "{written:?} is another address than the one it was written from");
            robots.permits(&location.path_and_query());
        }
    }
}
