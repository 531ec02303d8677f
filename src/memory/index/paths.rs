//! The distinct words that have a slash, as addresses do, and the items that have them.
//!
//! They lie sorted, so that all that begin alike lie together, and so do their items. A term with a slash is looked for
//! from its longest segment: every place where that one stands, with the rest of the term before and behind it. A place
//! is a beginning of words, up to the end of one segment; a million addresses of one site share the first few.

use super::dictionary::{Dictionary, GRAM, Numbering};
use super::set::{Lists, Set};
use std::ops::Range;

#[derive(Debug, Default)]
pub(super) struct Paths {
    /// The words, one after the other, in their order.
    text: String,
    /// Where each begins, and one end more.
    starts: Vec<usize>,
    items: Vec<u32>,
    /// Where the items of each word begin, and one end more.
    item_starts: Vec<usize>,
    places: Vec<Place>,
    /// The places of each segment.
    of_segment: Lists,
}

/// A beginning of words that ends where a segment does.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// The first word that begins so.
    word: u32,
    /// How many of its bytes.
    length: u32,
    /// The last segment; none where it is empty.
    segment: Option<u32>,
    /// The place one segment before.
    before: Option<u32>,
}

impl Paths {
    /// Of these words with their items; all their segments have a number.
    pub(super) fn of(mut words: Vec<(&str, u32)>, numbering: &Numbering<'_>) -> Self {
        words.sort_unstable();
        words.dedup();
        // Places and words are counted in 32 bits.
        words.retain(|(word, _)| u32::try_from(word.len()).is_ok());
        let mut paths = Self { starts: vec![0], item_starts: vec![0], ..Self::default() };
        // The places of the word before, from its first segment on.
        let mut way: Vec<(&str, u32)> = Vec::new();
        for (word, item) in words {
            let known = paths.starts.len() > 1 && paths.word(paths.starts.len() - 2) == word;
            paths.items.push(item);
            if known {
                *paths.item_starts.last_mut().expect("it begins with one") = paths.items.len();
                continue;
            }
            let shared = way.iter().zip(word.split('/')).take_while(|((one, _), other)| one == other).count();
            way.truncate(shared);
            let mut length = way.iter().map(|(segment, _)| segment.len() + 1).sum::<usize>();
            let own = u32::try_from(paths.starts.len() - 1).expect("fewer words than memory has room for");
            for segment in word.split('/').skip(shared) {
                length += segment.len();
                let place = u32::try_from(paths.places.len()).expect("fewer places than memory has room for");
                let before = way.last().map(|&(_, place)| place);
                paths.places.push(Place { word: own, length: length as u32, segment: numbering.get(segment), before });
                way.push((segment, place));
                length += 1;
            }
            paths.text.push_str(word);
            paths.starts.push(paths.text.len());
            paths.item_starts.push(paths.items.len());
        }
        paths.of_segment = Lists::of(numbering.len(), paths.places.len(), |entered| {
            for (place, number) in paths.places.iter().zip(0_u32..) {
                place.segment.iter().for_each(|&segment| entered(segment, number));
            }
        });
        paths
    }

    fn word(&self, number: usize) -> &str {
        &self.text[self.starts[number]..self.starts[number + 1]]
    }

    /// The words that begin with `start`.
    fn beginning_with(&self, start: &str) -> Range<usize> {
        let count = self.starts.len().saturating_sub(1);
        let first = least(0..count, |word| self.word(word) >= start);
        first..least(first..count, |word| !self.word(word).starts_with(start))
    }

    fn add(&self, words: Range<usize>, found: &mut Set) {
        if !words.is_empty() {
            found.add(&self.items[self.item_starts[words.start]..self.item_starts[words.end]]);
        }
    }

    /// Adds the items in whose text `term` stands, which has a slash and no white space.
    pub(super) fn add_with(&self, term: &str, dictionary: &Dictionary, found: &mut Set) {
        let segments: Vec<&str> = term.split('/').collect();
        let last = segments.len() - 1;
        let longest = (0..last).rev().max_by_key(|&at| segments[at].len()).filter(|&at| segments[at].len() >= GRAM);
        if let Some(at) = longest {
            // What stands behind that segment begins words, so it is looked for among them.
            let rest: String = segments[at + 1..].iter().fold(String::new(), |rest, segment| rest + "/" + segment);
            self.each_place_with(segments[at], dictionary, |place| {
                if self.ends(place, &segments[..=at], false, dictionary) {
                    let place = self.places[place as usize];
                    let start = self.word(place.word as usize)[..place.length as usize].to_owned() + &rest;
                    self.add(self.beginning_with(&start), found);
                }
            });
        } else if segments[last].len() >= GRAM {
            self.each_place_with(segments[last], dictionary, |place| {
                if self.ends(place, &segments, true, dictionary) {
                    self.add_below(place, found);
                }
            });
        } else {
            // Hardly more than slashes: every place is asked, but not those below one that was added.
            let mut added = 0..0;
            for (place, number) in self.places.iter().zip(0_u32..) {
                if !added.contains(&(place.word as usize)) && self.ends(number, &segments, true, dictionary) {
                    added = self.add_below(number, found);
                }
            }
        }
    }

    fn each_place_with(&self, part: &str, dictionary: &Dictionary, mut seen: impl FnMut(u32)) {
        dictionary.each_with(part, |segment| self.of_segment.each(segment, &mut seen));
    }

    /// Adds the items of the words that end or go on at a place; the words that go on.
    fn add_below(&self, place: u32, found: &mut Set) -> Range<usize> {
        let place = self.places[place as usize];
        let word = self.word(place.word as usize);
        if word.len() == place.length as usize {
            self.add(place.word as usize..place.word as usize + 1, found);
        }
        let below = self.beginning_with(&(word[..place.length as usize].to_owned() + "/"));
        self.add(below.clone(), found);
        below
    }

    /// Whether what leads to a place ends with `segments`: the first of them ends a segment, the last, if it is `open`,
    /// begins one, and the others are whole.
    fn ends(&self, place: u32, segments: &[&str], open: bool, dictionary: &Dictionary) -> bool {
        let mut at = Some(place);
        for (index, wanted) in segments.iter().enumerate().rev() {
            let Some(place) = at.map(|place| self.places[place as usize]) else { return false };
            let said = place.segment.map_or("", |segment| dictionary.segment(segment));
            let holds = match index {
                0 => said.ends_with(wanted),
                _ if open && index == segments.len() - 1 => said.starts_with(wanted),
                _ => said == *wanted,
            };
            if !holds {
                return false;
            }
            at = place.before;
        }
        true
    }
}

/// The least number of `numbers` for which `holds`, which holds for all behind it too; their end if there is none.
fn least(numbers: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let (mut from, mut to) = (numbers.start, numbers.end);
    while from < to {
        let middle = from + (to - from) / 2;
        if holds(middle) {
            to = middle;
        } else {
            from = middle + 1;
        }
    }
    from
}
