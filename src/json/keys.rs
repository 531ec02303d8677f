//! Finds a key that its object already has, without a set for the usual small object.

use super::string::Text;
use std::borrow::Cow;
use std::collections::HashSet;

/// Objects with more keys than this keep a set; below, a scan over eight-byte tags is faster.
const LINEAR: usize = 32;

/// The keys of the objects now open. Buffers are kept from one text to the next.
#[derive(Debug, Default)]
pub(super) struct OpenKeys {
    tags: Vec<u64>,
    spans: Vec<(usize, usize, bool)>,
    objects: Vec<OpenObject>,
}

/// An object whose end was not read yet.
#[derive(Debug)]
struct OpenObject {
    /// Where its keys begin.
    start: usize,
    /// For each key one bit of its tag: a key whose bit is not set is none of them.
    seen: u64,
}

/// Sets of the large objects now open, by depth; lives as long as one text.
pub(super) type LargeObjects<'a> = Vec<(usize, HashSet<Cow<'a, str>>)>;

impl OpenKeys {
    pub(super) fn clear(&mut self) {
        self.tags.clear();
        self.spans.clear();
        self.objects.clear();
    }

    pub(super) fn open(&mut self) {
        self.objects.push(OpenObject { start: self.tags.len(), seen: 0 });
    }

    pub(super) fn close(&mut self, large: &mut LargeObjects<'_>) {
        let start = self.objects.pop().expect("an object closes that was opened").start;
        self.tags.truncate(start);
        self.spans.truncate(start);
        if large.last().is_some_and(|(depth, _)| *depth > self.objects.len()) {
            large.pop();
        }
    }

    /// Takes note of `key`, which ends before `end` in `text`; false when the object has it already.
    pub(super) fn insert<'a>(&mut self, text: &'a str, key: Text<'a>, at: usize, large: &mut LargeObjects<'a>) -> bool {
        let depth = self.objects.len();
        if let Some((_, set)) = large.last_mut().filter(|(open, _)| *open == depth) {
            return set.insert(key.decode());
        }
        let raw = key.raw();
        let tag = if key.is_escaped() { tag_of(key.decode().as_bytes()) } else { tag_of(raw.as_bytes()) };
        let bit = 1 << (tag.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58);
        let object = self.objects.last_mut().expect("a key stands in an object");
        let (start, may_be_there) = (object.start, object.seen & bit != 0);
        object.seen |= bit;
        if may_be_there && self.tags[start..].contains(&tag) {
            let decoded = key.decode();
            let equal =
                self.tags[start..].iter().zip(&self.spans[start..]).any(|(&other, &span)| other == tag && self.at(text, span) == decoded);
            if equal {
                return false;
            }
        }
        self.tags.push(tag);
        self.spans.push((at, at + raw.len(), key.is_escaped()));
        if self.tags.len() - start > LINEAR {
            // The seeded hasher of the standard set keeps chosen keys from colliding.
            let set = self.spans[start..].iter().map(|&span| self.at(text, span)).collect();
            large.push((depth, set));
        }
        true
    }

    fn at<'a>(&self, text: &'a str, (start, end, escaped): (usize, usize, bool)) -> Cow<'a, str> {
        let raw = &text[start..end];
        if !escaped {
            return Cow::Borrowed(raw);
        }
        let mut decoded = String::new();
        super::string::unescape_into(raw, &mut decoded);
        Cow::Owned(decoded)
    }
}

/// Eight bytes that differ for nearly all different keys; equal tags are compared in full.
fn tag_of(key: &[u8]) -> u64 {
    // The first and the last bytes; in a short key they overlap.
    let ends = match (key.first_chunk::<8>(), key.last_chunk::<8>()) {
        (Some(first), Some(last)) => u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(29),
        _ => u64::from_le_bytes(match (key.first_chunk::<4>(), key.last_chunk::<4>(), key) {
            (Some(&[a, b, c, d]), Some(&[e, f, g, h]), _) => [a, b, c, d, e, f, g, h],
            (_, _, &[a, b, c]) => [a, b, c, 0, 0, 0, 0, 0],
            (_, _, &[a, b]) => [a, b, 0, 0, 0, 0, 0, 0],
            (_, _, &[a]) => [a, 0, 0, 0, 0, 0, 0, 0],
            _ => [0; 8],
        }),
    };
    ends ^ (key.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_object_keeps_its_keys_while_inner_ones_come_and_go() {
        let names: Vec<String> = (0..LINEAR + 8).map(|at| format!("key{at:02}")).collect();
        let text = names.concat();
        let (mut keys, mut large) = (OpenKeys::default(), LargeObjects::new());
        fn insert<'a>(keys: &mut OpenKeys, large: &mut LargeObjects<'a>, text: &'a str, at: usize) -> bool {
            keys.insert(text, Text::plain(&text[at * 5..at * 5 + 5]), at * 5, large)
        }
        keys.open();
        assert!((0..names.len()).all(|at| insert(&mut keys, &mut large, &text, at)));
        keys.open();
        assert!(insert(&mut keys, &mut large, &text, 0), "an inner object has keys of its own");
        assert!(!insert(&mut keys, &mut large, &text, 0));
        keys.close(&mut large);
        assert!((0..names.len()).all(|at| !insert(&mut keys, &mut large, &text, at)), "all of them are there already");
        keys.close(&mut large);
        assert!(large.is_empty() && keys.tags.is_empty(), "an object takes its keys along");
    }

    #[test]
    fn a_set_takes_over_after_so_many_keys() {
        let text: String = (0..=LINEAR).map(|at| format!("key{at:02}")).collect();
        let (mut keys, mut large) = (OpenKeys::default(), LargeObjects::new());
        // The second object lies in the first.
        for sets in [0, 1] {
            keys.open();
            for at in (0..LINEAR).map(|at| at * 5) {
                assert!(keys.insert(&text, Text::plain(&text[at..at + 5]), at, &mut large));
                assert_eq!(large.len(), sets, "at {at}");
            }
            assert!(keys.insert(&text, Text::plain(&text[LINEAR * 5..]), LINEAR * 5, &mut large));
            assert_eq!(large.len(), sets + 1);
        }
    }

    #[test]
    fn an_escaped_key_is_the_key_that_it_means() {
        for text in [r#""ab""a\u0062""#, r#""a\u0062""ab""#, r#""a\u0062""\u0061b""#] {
            let (mut keys, mut large) = (OpenKeys::default(), LargeObjects::new());
            keys.open();
            let (first, end) = super::super::string::read_string(text, 0).expect("a string");
            let (second, _) = super::super::string::read_string(text, end).expect("another");
            assert!(keys.insert(text, first, 1, &mut large));
            assert!(!keys.insert(text, second, end + 1, &mut large), "{text}");
        }
    }

    #[test]
    fn keys_of_one_tag_are_compared_in_full() {
        let (one, other) = ("beginning-1-ending..", "beginning-2-ending..");
        assert_eq!(tag_of(one.as_bytes()), tag_of(other.as_bytes()), "they differ in the middle only");
        let text = [one, other, one].concat();
        let (mut keys, mut large) = (OpenKeys::default(), LargeObjects::new());
        keys.open();
        let mut insert = |at: usize| keys.insert(&text, Text::plain(&text[at..at + one.len()]), at, &mut large);
        assert!(insert(0));
        assert!(insert(one.len()), "another key");
        assert!(!insert(2 * one.len()), "the first one again");
    }

    #[test]
    fn keys_that_differ_in_one_byte_have_tags_that_mostly_differ() {
        for length in 1..=24 {
            let plain = vec![b'k'; length];
            let ends = (0..length).filter(|at| *at < 8 || at + 8 >= length);
            let changed = ends.flat_map(|at| (b'a'..=b'j').map(move |byte| (at, byte)));
            let mut tags: Vec<u64> = changed.map(|(at, byte)| tag_of(&[&plain[..at], &[byte], &plain[at + 1..]].concat())).collect();
            tags.push(tag_of(&plain));
            let all = tags.len();
            tags.sort_unstable();
            tags.dedup();
            // The two ends are laid over each other, so a few are equal.
            assert!(tags.len() * 10 > all * 9, "{length} bytes: {} tags of {all} keys", tags.len());
        }
        assert_ne!(tag_of(b"k"), tag_of(b"kk"));
        assert_ne!(tag_of(b"kkkkkkkkk"), tag_of(b"kkkkkkkkkk"), "a length tells them apart");
    }

    #[test]
    fn what_a_fault_left_open_is_forgotten() {
        let mut keys = OpenKeys::default();
        keys.open();
        assert!(keys.insert("a", Text::plain("a"), 0, &mut LargeObjects::new()));
        keys.clear();
        assert!(keys.tags.is_empty() && keys.spans.is_empty() && keys.objects.is_empty());
    }
}
