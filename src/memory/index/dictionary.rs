//! The distinct segments of all texts, and the items that have them.
//!
//! A segment is what stands between white space and slashes. A term without a slash stands in a text exactly if it
//! stands in one of its segments, and there are far fewer of these than there is text. Which segments have a term is
//! told by its grams, the runs of three bytes in it: the rarest of them leaves a few to look at. For terms of one or
//! two bytes the items are found out when the index is built.

use super::set::{Lists, Numbers, Set};
use memchr::memmem;
use std::collections::HashMap;

/// The bytes of a gram; a shorter term is looked up as it is.
pub(super) const GRAM: usize = 3;

/// Gives each distinct segment a number, in the order of their coming.
#[derive(Debug, Default)]
pub(super) struct Numbering<'t> {
    numbers: HashMap<&'t str, u32>,
    segments: Vec<&'t str>,
}

impl<'t> Numbering<'t> {
    pub(super) fn number(&mut self, segment: &'t str) -> u32 {
        let next = u32::try_from(self.segments.len()).expect("fewer segments than memory has room for");
        *self.numbers.entry(segment).or_insert_with(|| {
            self.segments.push(segment);
            next
        })
    }

    pub(super) fn get(&self, segment: &str) -> Option<u32> {
        self.numbers.get(segment).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.segments.len()
    }
}

#[derive(Debug, Default)]
pub(super) struct Dictionary {
    /// The segments, one after the other.
    text: String,
    /// Where each begins, and one end more.
    starts: Vec<usize>,
    grams: HashMap<u32, u32>,
    /// The segments of each gram.
    with_gram: Lists,
    /// The items of each segment.
    items: Lists,
    /// The items of each term that is shorter than a gram.
    short: HashMap<u32, Numbers>,
}

/// The runs of `length` bytes in a segment, each once, as one number each.
fn grams_of(segment: &str, length: usize, found: &mut Vec<u32>) {
    found.clear();
    found.extend(segment.as_bytes().windows(length).map(as_number));
    found.sort_unstable();
    found.dedup();
}

/// Up to three bytes as a number that no other bytes have.
fn as_number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(bytes.len() as u32, |number, &byte| number << 8 | u32::from(byte))
}

impl Dictionary {
    /// Of these segments; `entered` tells each pair of a segment and one of `bound` items once, the items in order.
    pub(super) fn of(numbering: Numbering<'_>, bound: usize, entered: impl Fn(&mut dyn FnMut(u32, u32))) -> Self {
        let Numbering { segments, numbers } = numbering;
        drop(numbers);
        let items = Lists::of(segments.len(), bound, entered);
        let mut grams = HashMap::new();
        let with_gram = lists_of_grams(&segments, GRAM, &mut grams);
        let mut short = HashMap::new();
        for length in 1..GRAM {
            let mut shorter = HashMap::new();
            let segments_with = lists_of_grams(&segments, length, &mut shorter);
            for (gram, key) in shorter {
                let mut set = Set::none(bound);
                segments_with.each(key, |segment| items.add_to(segment, &mut set));
                short.insert(gram, Numbers::of(set, bound));
            }
        }
        let mut starts = vec![0];
        let mut text = String::with_capacity(segments.iter().map(|segment| segment.len()).sum());
        for segment in segments {
            text.push_str(segment);
            starts.push(text.len());
        }
        Self { text, starts, grams, with_gram, items, short }
    }

    pub(super) fn segment(&self, number: u32) -> &str {
        &self.text[self.starts[number as usize]..self.starts[number as usize + 1]]
    }

    /// Adds the items in whose text `term` stands, which has no slash and no white space and is not empty.
    pub(super) fn add_with(&self, term: &str, found: &mut Set) {
        if term.len() < GRAM {
            if let Some(items) = self.short.get(&as_number(term.as_bytes())) {
                items.add_to(found);
            }
            return;
        }
        self.each_with(term, |segment| self.items.add_to(segment, found));
    }

    /// The segments in which `part` stands, which has at least [`GRAM`] bytes.
    pub(super) fn each_with(&self, part: &str, mut seen: impl FnMut(u32)) {
        // A gram that no segment has is the rarest.
        let known = part.as_bytes().windows(GRAM).map(|gram| self.grams.get(&as_number(gram)).copied());
        let Some(known) = known.collect::<Option<Vec<u32>>>() else { return };
        let Some(rarest) = known.into_iter().min_by_key(|&gram| self.with_gram.len(gram)) else { return };
        let finder = memmem::Finder::new(part);
        self.with_gram.each(rarest, |segment| {
            if part.len() == GRAM || finder.find(self.segment(segment).as_bytes()).is_some() {
                seen(segment);
            }
        });
    }
}

/// The segments of each gram, and the key of each gram.
fn lists_of_grams(segments: &[&str], length: usize, keys: &mut HashMap<u32, u32>) -> Lists {
    let mut found = Vec::new();
    for segment in segments {
        grams_of(segment, length, &mut found);
        for &gram in &found {
            let next = keys.len() as u32;
            keys.entry(gram).or_insert(next);
        }
    }
    Lists::of(keys.len(), segments.len(), |entered| {
        let mut found = Vec::new();
        for (segment, number) in segments.iter().zip(0_u32..) {
            grams_of(segment, length, &mut found);
            found.iter().for_each(|gram| entered(keys[gram], number));
        }
    })
}
