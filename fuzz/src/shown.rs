//! What may be shown: no text drives a terminal, shows a private path or climbs out of where it was named.

use landfall::report::{Mapping, Shown};

/// The target.
pub fn feed(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (shown, path) = (Shown::text(&text), Shown::path(&text));
    for shown in [&shown, &path] {
        let said = shown.as_str();
        assert!(!said.contains(drives_a_terminal), "{said:?} drives a terminal");
        assert!(said.chars().count() <= 1001, "a text of {} characters is shown", said.chars().count());
        if !said.ends_with('…') {
            assert_eq!(Shown::text(said).as_str(), said, "shown again it is another text");
        }
    }
    let said = path.as_str();
    assert!(!said.starts_with(['/', '~']) && !said.split('/').any(|part| part == ".."), "{said:?} leads out");
    let mut mapping = Mapping::default();
    if mapping.add(&text).is_ok() {
        let mapped = mapping.path("corpus/a.json");
        assert!(!mapped.as_str().starts_with('/') && !mapped.as_str().contains(".."), "{mapped} leads out of the repository");
    }
}

fn drives_a_terminal(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}
