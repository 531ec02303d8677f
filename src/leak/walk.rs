//! One walk over a value: every key and every string, with the place of what was found.

use super::screen::{self, Suspicion};
use super::{TermSet, body_key, credential, private_path};
use crate::json::{Number, Sink, Text, Value};
use crate::stream::Mark;
use std::borrow::Cow;

/// What a walk found; places are JSON pointers with `?` for a key that cannot be shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leaks {
    /// Place of the first key that names a body.
    pub body_key: Option<String>,
    /// Place of the first private path.
    pub private_path: Option<String>,
    /// The credential terms found.
    pub credentials: TermSet,
    /// Place of the first of them.
    pub credential: Option<String>,
}

impl Leaks {
    /// The leaks of two values; the places are those of the first that has one.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            body_key: self.body_key.or(other.body_key),
            private_path: self.private_path.or(other.private_path),
            credentials: self.credentials.union(other.credentials),
            credential: self.credential.or(other.credential),
        }
    }
}

/// The sink that looks for leaks.
#[derive(Debug, Default)]
pub struct LeakWalk<'a> {
    leaks: Leaks,
    path: Vec<Step<'a>>,
    skipped: &'static [&'static str],
    skipping: Option<usize>,
    known: Option<Known<'a>>,
}

/// Where the screen marked a text, in order, counted from the byte at `from`.
#[derive(Debug, Clone)]
pub struct Marked<'m> {
    /// The byte that marks are counted from.
    pub from: usize,
    /// The marks.
    pub marks: Cow<'m, [Mark]>,
}

impl Marked<'_> {
    /// Screens the text from `start` to `end`.
    pub fn of(text: &str, start: usize, end: usize) -> Self {
        let mut marks = Vec::new();
        screen::mark(&text.as_bytes()[start..end], &mut marks);
        marks.sort();
        Self { from: start, marks: marks.into() }
    }
}

/// What is known of a text before it is walked.
#[derive(Debug)]
struct Known<'a> {
    /// Where the byte that marks are counted from lies in memory: strings without escapes lie in the same text.
    origin: usize,
    marks: &'a [Mark],
    body_key: bool,
}

impl Known<'_> {
    fn suspects(&self, text: &str) -> Suspicion {
        let start = text.as_ptr().addr() - self.origin;
        let first = self.marks.partition_point(|mark| mark.at < start);
        let inside = &self.marks[first..];
        Suspicion::of_marks(&inside[..inside.partition_point(|mark| mark.at < start + text.len())])
    }
}

#[derive(Debug)]
enum Step<'a> {
    Key(Cow<'a, str>),
    Index(usize),
}

/// Walks `value`, without the members of its top level named in `skipped`.
pub fn leaks_of(value: &Value<'_>, skipped: &'static [&'static str]) -> Leaks {
    let mut walk = LeakWalk { skipped, ..LeakWalk::default() };
    value.send(&mut walk);
    walk.finish()
}

impl<'a> LeakWalk<'a> {
    /// What was found.
    pub fn finish(self) -> Leaks {
        self.leaks
    }

    /// The walk over a part of `text` that the screen has marked; `body_key` says whether a key of it names a body.
    pub fn of_marked(text: &'a str, marked: &'a Marked<'_>, body_key: bool) -> Self {
        let known = Known { origin: text.as_ptr().addr() + marked.from, marks: &marked.marks, body_key };
        Self { known: Some(known), ..Self::default() }
    }

    fn look(&mut self, raw: Text<'_>, text: &str) {
        if self.skipping.is_some() {
            return;
        }
        let suspicion = match &self.known {
            Some(known) if !raw.is_escaped() => known.suspects(raw.raw()),
            _ => screen::suspects_decoded(text),
        };
        if suspicion.of_path() && self.leaks.private_path.is_none() && private_path::found_in(text) {
            self.leaks.private_path = Some(self.place());
        }
        if !suspicion.of_credential() {
            return;
        }
        let terms = credential::terms_in_suspect(text.as_bytes());
        if !terms.is_empty() && self.leaks.credential.is_none() {
            self.leaks.credential = Some(self.place());
        }
        self.leaks.credentials = self.leaks.credentials.union(terms);
    }

    fn place(&self) -> String {
        let mut place = String::new();
        for step in &self.path {
            place.push('/');
            match step {
                Step::Key(key) => place.push_str(&shown(key)),
                Step::Index(index) => place.push_str(&index.to_string()),
            }
        }
        place
    }

    /// A value has begun: a list counts it.
    fn value(&mut self) {
        if let Some(Step::Index(index)) = self.path.last_mut() {
            *index = index.wrapping_add(1);
        }
    }

    /// A value has ended: its key is done.
    fn done(&mut self) {
        if let Some(Step::Key(_)) = self.path.last() {
            self.path.pop();
            if self.skipping == Some(self.path.len()) {
                self.skipping = None;
            }
        }
    }
}

/// Keys are shown only when they are plain words that leak nothing.
fn shown(key: &str) -> Cow<'_, str> {
    let plain = key.len() <= 64 && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$' | b'.'));
    if plain && !super::leaks(key) { key.into() } else { "?".into() }
}

impl<'a> Sink<'a> for LeakWalk<'a> {
    fn begin_object(&mut self) {
        self.value();
    }
    fn key(&mut self, raw: Text<'a>) {
        let key = raw.decode();
        if self.path.is_empty() && self.skipped.contains(&&*key) {
            self.skipping = Some(0);
        }
        self.path.push(Step::Key(key.clone()));
        let asks = self.known.as_ref().is_none_or(|known| known.body_key);
        if asks && self.skipping.is_none() && self.leaks.body_key.is_none() && body_key::is_body_key(&key) {
            self.leaks.body_key = Some(self.place());
        }
        self.look(raw, &key);
    }
    fn end_object(&mut self) {
        self.done();
    }
    fn begin_array(&mut self) {
        self.value();
        // The first element makes it 0.
        self.path.push(Step::Index(usize::MAX));
    }
    fn end_array(&mut self) {
        self.path.pop();
        self.done();
    }
    fn string(&mut self, text: Text<'a>) {
        self.value();
        self.look(text, &text.decode());
        self.done();
    }
    fn number(&mut self, _: Number<'a>) {
        self.value();
        self.done();
    }
    fn boolean(&mut self, _: bool) {
        self.value();
        self.done();
    }
    fn null(&mut self) {
        self.value();
        self.done();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn walk(text: &str) -> Leaks {
        leaks_of(&parse(text.as_bytes()).expect("the test's text is JSON"), &["path"])
    }

    #[test]
    fn places_name_keys_and_indices() {
        let leaks = walk(r#"{"a": [1, {"b": "x", "c": [[], "~/x"]}], "Raw-Diff Body": 0}"#);
        assert_eq!(leaks.private_path.as_deref(), Some("/a/1/c/1"));
        assert_eq!(leaks.body_key.as_deref(), Some("/?"));
    }

    #[test]
    fn a_leaking_key_is_found_and_never_shown() {
        assert_eq!(walk(r#"{"x": {"/home/mira": 1}}"#).private_path.as_deref(), Some("/x/?"));
    }

    #[test]
    fn escapes_hide_nothing() {
        assert_eq!(walk(r#"["\u002fhome\u002fmira"]"#).private_path.as_deref(), Some("/0"));
    }

    #[test]
    fn only_the_named_members_of_the_top_level_are_skipped() {
        assert_eq!(walk(r#"{"path": "~/x", "y": 1}"#), Leaks::default());
        assert_eq!(walk(r#"{"path": ["~/x"], "y": "~/x"}"#).private_path.as_deref(), Some("/y"));
        assert_eq!(walk(r#"{"y": {"path": "~/x"}}"#).private_path.as_deref(), Some("/y/path"));
    }
}
