//! An index over a catalog, for those who ask it often: a query costs what it finds, not what is there.
//!
//! Items lie in the order of results, so that the first of a set are the best of it. A term stands within
//! one item's text exactly if it stands within one of its words, as long as it has only letters and digits
//! itself; so terms are looked for among the distinct words, and each word knows its items. A term with
//! other characters is looked for by its letters first, and what is left is read. The answer is the one
//! that a reading of every item gives, byte for byte; a property test holds it to that.

use super::catalog::validate_item;
use super::query::{Asked, Filters, Place, result_of, text_of};
use super::safety::vector;
use super::value::{field, list, lower};
use crate::json::parse;
use crate::ledger::record::owned;
use memchr::memmem;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::ops::Range;

/// A catalog made ready to be asked.
#[derive(Debug)]
pub struct CatalogIndex {
    /// Vector-ready fields of the catalog.
    vector: Json,
    /// Items in the order of results.
    items: Vec<Item>,
    /// The items' own texts, one line of JSON each.
    lines: String,
    /// What terms are looked for in, lower-cased.
    texts: String,
    by_domain: HashMap<String, Vec<u32>>,
    by_category: HashMap<String, Vec<u32>>,
    by_tag: HashMap<String, Vec<u32>>,
    words: Words,
}

#[derive(Debug)]
struct Item {
    ranking: f64,
    line: Range<usize>,
    text: Range<usize>,
}

/// The distinct words, one after the other with a newline behind each, and the items that have them.
#[derive(Debug, Default)]
struct Words {
    text: String,
    /// Where each begins.
    starts: Vec<usize>,
    items: Vec<Vec<u32>>,
}

/// A set of items.
struct Set(Vec<u64>);

impl Set {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    /// The first `count` items.
    fn first(count: usize, of: usize) -> Self {
        let mut set = Self::none(of);
        for (at, word) in set.0.iter_mut().enumerate() {
            let left = count.saturating_sub(at * 64);
            *word = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        }
        set
    }

    fn add(&mut self, items: &[u32]) {
        for &item in items {
            self.0[item as usize / 64] |= 1 << (item % 64);
        }
    }

    fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    fn retain(&mut self, holds: impl Fn(usize) -> bool) {
        for at in 0..self.0.len() {
            let mut left = self.0[at];
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                if !holds(at * 64 + bit) {
                    self.0[at] &= !(1 << bit);
                }
            }
        }
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric()
}

/// The maximal runs of letters and digits.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter| !is_word(letter)).filter(|word| !word.is_empty())
}

impl CatalogIndex {
    /// The index of a catalog, as ingestion builds it.
    pub fn of(catalog: &Json) -> Self {
        let listed = list(field(catalog, "items"));
        let listed = if listed.is_empty() { list(field(catalog, "top_items")) } else { listed };
        Self::build(catalog, listed.iter().cloned())
    }

    /// The index of these items, of which none needs to stay; `catalog` has the vector-ready fields. What is
    /// no valid item is left out, and so is what lies beyond four thousand million items.
    pub fn build(catalog: &Json, items: impl Iterator<Item = Json>) -> Self {
        let (mut lines, mut texts) = (String::new(), String::new());
        let mut placed: Vec<(Place, Item)> = Vec::new();
        for item in items.take(u32::MAX as usize).filter(|item| item.is_object() && validate_item(item).is_empty()) {
            let (line_start, text_start) = (lines.len(), texts.len());
            lines.push_str(&crate::json::to_line(&item));
            texts.push_str(&text_of(&item));
            let place = Place::of(&item, 0.0);
            let item = Item { ranking: place.ranking, line: line_start..lines.len(), text: text_start..texts.len() };
            placed.push((place, item));
        }
        placed.sort_by(|(one, _), (other, _)| one.cmp(other));
        let items: Vec<Item> = placed.into_iter().map(|(_, item)| item).collect();
        let mut index = Self {
            vector: Json::Object(vector(catalog)),
            items,
            lines,
            texts,
            by_domain: HashMap::new(),
            by_category: HashMap::new(),
            by_tag: HashMap::new(),
            words: Words::default(),
        };
        index.post();
        index
    }

    /// Enters every item, in order, so that each list is sorted.
    fn post(&mut self) {
        let mut by_word: HashMap<&str, Vec<u32>> = HashMap::new();
        for (item, number) in self.items.iter().zip(0_u32..) {
            let enter = |list: &mut Vec<u32>| {
                if list.last() != Some(&number) {
                    list.push(number);
                }
            };
            if let Some(said) = read(&self.lines[item.line.clone()]) {
                enter(self.by_domain.entry(lower(field(&said, "domain"))).or_default());
                enter(self.by_category.entry(lower(field(&said, "evidence_category"))).or_default());
                for tag in list(field(&said, "topic_tags")) {
                    enter(self.by_tag.entry(lower(tag)).or_default());
                }
            }
            for word in words_of(&self.texts[item.text.clone()]) {
                enter(by_word.entry(word).or_default());
            }
        }
        for (word, items) in by_word {
            self.words.starts.push(self.words.text.len());
            self.words.text.push_str(word);
            self.words.text.push('\n');
            self.words.items.push(items);
        }
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// What `filters` find: the result that a query of the catalog gives.
    pub fn query(&self, filters: &Filters) -> Json {
        let asked = Asked::new(filters);
        let found = self.find(&asked, filters);
        let matched = found.as_ref().map_or(0, Set::len);
        let limit = usize::try_from(filters.limit).unwrap_or(usize::MAX);
        let text_match = if asked.terms.as_ref().is_some_and(|terms| !terms.is_empty()) { 1.0 } else { 0.0 };
        let best = found.iter().flat_map(Set::iter).take(limit).filter_map(|number| read(&self.lines[self.items[number].line.clone()]));
        let best: Vec<Json> = best.collect();
        let found = best.iter().map(|item| (Place::of(item, text_match), item)).collect();
        result_of(&self.vector, filters, self.items.len() as u64, matched, found)
    }

    /// The items that pass every filter; `None` when nothing can.
    fn find(&self, asked: &Asked<'_>, filters: &Filters) -> Option<Set> {
        let terms = asked.terms.as_ref()?;
        // Items lie by ranking, the highest first.
        let high = self.items.partition_point(|item| item.ranking >= filters.min_ranking_score);
        let mut found = Set::first(high, self.items.len());
        let mut keep = |items: Option<&Vec<u32>>| {
            let mut set = Set::none(self.items.len());
            set.add(items?);
            found.keep(&set);
            Some(())
        };
        if !asked.domain.is_empty() {
            keep(self.by_domain.get(&asked.domain))?;
        }
        if !asked.category.is_empty() {
            keep(self.by_category.get(&asked.category))?;
        }
        for tag in &asked.tags {
            keep(self.by_tag.get(tag))?;
        }
        let mut to_read = Vec::new();
        for finder in terms {
            let Ok(term) = std::str::from_utf8(finder.needle()) else { continue };
            for word in words_of(term) {
                found.keep(&self.with_word(word));
            }
            if !term.chars().all(is_word) {
                to_read.push(finder);
            }
        }
        if !to_read.is_empty() {
            found.retain(|number| {
                let text = self.texts[self.items[number].text.clone()].as_bytes();
                to_read.iter().all(|finder| finder.find(text).is_some())
            });
        }
        Some(found)
    }

    /// The items that have a word in which `part` stands.
    fn with_word(&self, part: &str) -> Set {
        let mut set = Set::none(self.items.len());
        let mut from = 0;
        let finder = memmem::Finder::new(part);
        while let Some(at) = finder.find(&self.words.text.as_bytes()[from..]) {
            let word = self.words.starts.partition_point(|&start| start <= from + at).saturating_sub(1);
            set.add(&self.words.items[word]);
            // On to the next word.
            from = self.words.starts.get(word + 1).copied().unwrap_or(self.words.text.len());
        }
        set
    }
}

fn read(line: &str) -> Option<Json> {
    parse(line.as_bytes()).ok().map(|value| owned(&value))
}
