//! The command allowlist against the text of its rules, and through a round trip.

use super::reference::command::{reasons, split};
use landfall::contract::{allowlist, command_text};

/// The target.
pub fn feed(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parsed = allowlist::parse(&text);
    let wanted = reasons(&text);
    assert!(!parsed.accepted() || wanted.is_empty(), "accepted what the reference refuses for {wanted:?}");
    assert_eq!(parsed.reasons, wanted, "the reasons are not those of the reference");
    let words = command_text::split(&text).map(|words| words.into_iter().map(std::borrow::Cow::into_owned).collect::<Vec<_>>());
    assert_eq!(words, split(&text), "the words are not those of the reference");
    assert_eq!(parsed.accepted(), parsed.command.is_some());
    if let Some(command) = parsed.command {
        let rendered = command.render();
        assert!(rendered.len() <= text.trim().len(), "written out it is longer: {rendered}");
        assert_eq!(allowlist::parse(&rendered).command.as_ref(), Some(&command), "written out it reads as another command");
        let words: Vec<&str> = command.argv();
        assert_eq!(allowlist::words(&words).0.as_ref(), Some(&command), "its words are another command");
    }
}
