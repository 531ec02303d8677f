//! Texts that a report may show.
//!
//! Whoever writes a record can seal it, so its strings are as hostile as any input. A [`Shown`] leaks nothing
//! and drives no terminal; what a format gives a meaning to (quotes, tags, brackets) is that format's to escape.

use crate::landing::row::is_unprintable;
use crate::leak::leaks;
use serde::Serialize;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

/// The most characters that are shown of one text.
const LENGTH_LIMIT: usize = 1000;
/// What stands for a text that must not be shown.
const PRIVATE: &str = "<private>";
/// What stands for a path that leads out of the place it was named in.
const OUTSIDE: &str = "<outside>";

/// A text that may be shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Shown(String);

impl Shown {
    /// `text` as it may be shown: whole if it is harmless, `<private>` if it leaks; controls, marks of writing
    /// direction and what is no character become `?`.
    pub fn text(text: &str) -> Self {
        // A longer text is cut before it is searched, so that no text costs more than another.
        let (head, cut) = match text.char_indices().nth(LENGTH_LIMIT) {
            Some((end, _)) => (&text[..end], true),
            None => (text, false),
        };
        let mut shown = head.replace(|character| is_unprintable(character) || is_no_character(character), "?");
        // Looked at twice: a leak must not hide behind what was replaced, nor come about by it.
        if leaks(head) || leaks(&shown) {
            return Self(PRIVATE.to_owned());
        }
        if cut {
            shown.push('…');
        }
        Self(shown)
    }

    /// `path` as it may be shown: relative, below where it was named, with `/` between names.
    pub fn path(path: &str) -> Self {
        let plain = path.replace('\\', "/");
        let drive = plain.as_bytes().get(1) == Some(&b':');
        if plain.starts_with(['/', '~']) || drive || plain.contains("://") || plain.split('/').any(|part| part == "..") {
            // The last name tells files apart, if it may be shown.
            let last = plain.rsplit('/').next().filter(|last| !matches!(*last, "" | "..") && !last.starts_with('~')).unwrap_or_default();
            return Self::text(format!("{OUTSIDE}/{last}").trim_end_matches('/'));
        }
        Self::text(&plain)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Code points that Unicode sets aside for ever; XML has no way to write some of them.
fn is_no_character(character: char) -> bool {
    let code = u32::from(character);
    code & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&code)
}

/// Where the folders of a record lie in the reader's repository.
///
/// Records call them `corpus`, `negatives` and `bundle` wherever they lie; code hosts want paths of the repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping(BTreeMap<&'static str, String>);

/// Why a mapping is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    /// Another name than the three.
    #[error("no folder of this name in a record; it is corpus, negatives or bundle, as in corpus=landing")]
    UnknownFolder,
    /// The path is absolute, leads out or cannot be shown.
    #[error("the folder must be a path below the repository's root")]
    NotBelow,
    /// A folder named twice.
    #[error("the same folder is mapped twice")]
    Twice,
}

impl Mapping {
    /// Adds a mapping written as `corpus=landing`.
    ///
    /// # Errors
    /// Another name, a path that leads elsewhere, a name that is mapped already.
    pub fn add(&mut self, text: &str) -> Result<(), MappingError> {
        let (name, path) = text.split_once('=').ok_or(MappingError::UnknownFolder)?;
        let name = ["corpus", "negatives", "bundle"].into_iter().find(|known| *known == name).ok_or(MappingError::UnknownFolder)?;
        let plain = crate::folder::plain(path);
        if path.starts_with('/') || Shown::path(&plain).as_str() != plain {
            return Err(MappingError::NotBelow);
        }
        match self.0.entry(name) {
            Entry::Occupied(_) => Err(MappingError::Twice),
            Entry::Vacant(place) => {
                place.insert(plain);
                Ok(())
            }
        }
    }

    /// A path of a record as the repository has it.
    pub fn path(&self, path: &str) -> Shown {
        let (first, rest) = path.split_once('/').unwrap_or((path, ""));
        match self.0.get(first) {
            Some(folder) if rest.is_empty() => Shown::path(folder),
            Some(folder) if folder.is_empty() => Shown::path(rest),
            Some(folder) => Shown::path(&format!("{folder}/{rest}")),
            None => Shown::path(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaks_or_drives_a_terminal_is_not_shown() {
        let home = ["", "home", "somebody", "x"].join("/");
        assert_eq!(Shown::text(&format!("see {home}")).as_str(), PRIVATE);
        assert_eq!(Shown::text("a\u{1b}[31mb\nc\u{202e}d\u{ffff}e\u{fdd0}").as_str(), "a?[31mb?c?d?e?");
        assert_eq!(Shown::text("na\u{ef}ve row[3]").as_str(), "na\u{ef}ve row[3]");
        assert_eq!(Shown::text(&"\u{e9}".repeat(5000)).as_str().chars().count(), LENGTH_LIMIT + 1);
    }

    #[test]
    fn paths_stay_below_where_they_were_named() {
        for (path, shown) in [
            ("corpus/a.json", "corpus/a.json"),
            ("a\\b", "a/b"),
            ("/etc/passwd", "<outside>/passwd"),
            ("a/../../b", "<outside>/b"),
            ("C:\\x\\y", "<outside>/y"),
            ("https://x.invalid/y", "<outside>/y"),
            ("a/..", "<outside>"),
        ] {
            assert_eq!(Shown::path(path).as_str(), shown, "{path}");
        }
    }

    #[test]
    fn folders_of_a_record_are_mapped_into_the_repository() {
        let mut mapping = Mapping::default();
        assert_eq!(mapping.add("corpus=./landing/"), Ok(()));
        assert_eq!(mapping.add("bundle="), Ok(()));
        assert_eq!(mapping.add("corpus=x"), Err(MappingError::Twice));
        assert_eq!(mapping.add("corpse=x"), Err(MappingError::UnknownFolder));
        assert_eq!(mapping.add("negatives=../x"), Err(MappingError::NotBelow));
        assert_eq!(mapping.add("negatives=/x"), Err(MappingError::NotBelow));
        assert_eq!(mapping.path("corpus/a.json").as_str(), "landing/a.json");
        assert_eq!(mapping.path("bundle/a.json").as_str(), "a.json");
        assert_eq!(mapping.path("negatives/a.json").as_str(), "negatives/a.json");
    }
}
