//! References: what counts as naming a piece of evidence (spec 2).

use std::borrow::Cow;

/// Words people leave where a reference should be, trimmed and in lower case.
const PLACEHOLDERS: [&str; 14] = ["todo", "tbd", "fixme", "none", "n/a", "na", "null", "nil", "pending", "unknown", "-", "--", "?", "..."];

/// Longer texts are no placeholder: three bytes a letter, for letters that become ASCII in lower case.
const LONGEST: usize = 21;

/// Whether `text` names something: not blank and not a placeholder.
pub fn is_usable(text: &str) -> bool {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return false;
    }
    // Most refs are longer than any placeholder; of the others, most have a digit or a slash in them.
    trimmed.len() > LONGEST || !is_placeholder(trimmed)
}

fn is_placeholder(trimmed: &str) -> bool {
    if trimmed.is_ascii() {
        return PLACEHOLDERS.iter().any(|word| trimmed.eq_ignore_ascii_case(word));
    }
    PLACEHOLDERS.contains(&trimmed.to_lowercase().as_str())
}

/// A field that should hold a list of references.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Refs<'a> {
    items: Option<Vec<Option<Cow<'a, str>>>>,
    usable: usize,
}

impl<'a> Refs<'a> {
    /// A list without items yet.
    pub fn list() -> Self {
        Self { items: Some(Vec::with_capacity(4)), usable: 0 }
    }

    /// Adds an item to a list; `None` stands for one that is no string. Nothing happens to what is
    /// no list.
    pub fn push(&mut self, item: Option<Cow<'a, str>>) {
        if let Some(items) = &mut self.items {
            self.usable += usize::from(item.as_deref().is_some_and(is_usable));
            items.push(item);
        }
    }

    /// The items that are strings, in order, as written.
    pub fn texts(&self) -> impl Iterator<Item = &Cow<'a, str>> {
        self.items.as_deref().unwrap_or_default().iter().flatten()
    }

    /// The usable items, in order, as written.
    pub fn usable(&self) -> impl Iterator<Item = &Cow<'a, str>> {
        self.texts().filter(|item| is_usable(item))
    }

    /// Whether at least one item is usable.
    pub fn any_usable(&self) -> bool {
        self.usable > 0
    }

    /// Whether a usable item has one beside it that is not.
    pub fn is_mixed(&self) -> bool {
        self.usable > 0 && self.usable < self.len()
    }

    /// How many items the list has; 0 when it is none.
    pub fn len(&self) -> usize {
        self.items.as_ref().map_or(0, Vec::len)
    }

    /// Whether there is no list or nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_blanks_name_nothing() {
        for word in PLACEHOLDERS {
            assert!(!is_usable(word) && !is_usable(&format!(" {}\u{2003}", word.to_uppercase())), "{word}");
        }
        assert!(!is_usable("") && !is_usable(" \t\u{a0}"));
        assert!(is_usable("pytest tests/test_todo.py: 2 passed") && is_usable("todos") && is_usable("x"));
    }

    #[test]
    fn the_longest_placeholder_fits_the_shortcut() {
        assert!(PLACEHOLDERS.iter().all(|word| word.chars().count() * 3 <= LONGEST));
    }
}
