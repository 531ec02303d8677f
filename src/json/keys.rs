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
        _ => match (key.first_chunk::<4>(), key.last_chunk::<4>()) {
            (Some(first), Some(last)) => u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32,
            _ => key.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        },
    };
    ends ^ (key.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
