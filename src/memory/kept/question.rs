//! A question on its way through entries: what it saw of each, the counts of the catalog, and the best of what it found.

use super::super::query::{Asked, Filters, Place as Rank, result_of};
use super::super::safety::vector;
use super::Key;
use super::block::{Entry, Place, Said};
use serde_json::{Value as Json, json};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What is kept of an item: some hundred bytes, and its address if it was found.
struct Seen {
    scores: [f64; 3],
    domain: u32,
    category: u32,
    tags: Box<[u32]>,
    /// Its address, if it passes every filter.
    found: Option<Box<str>>,
    place: Place,
}

/// Names, each with a number.
#[derive(Default)]
struct Names {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = u32::try_from(self.names.len()).expect("fewer names than memory has room for");
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// How often each comes; a blank one is none.
    fn counted(&self, numbers: impl Iterator<Item = u32>) -> BTreeMap<&str, u64> {
        let mut counts = BTreeMap::new();
        for name in numbers.map(|number| &*self.names[number as usize]).filter(|name| !name.is_empty()) {
            *counts.entry(name).or_default() += 1;
        }
        counts
    }
}

pub(super) struct Question<'f> {
    filters: &'f Filters,
    asked: Asked<'f>,
    names: Names,
    by_key: HashMap<Key, usize>,
    /// In the order in which their keys came first.
    items: Vec<Seen>,
    input: u64,
    rejected: u64,
}

impl<'f> Question<'f> {
    pub(super) fn new(filters: &'f Filters) -> Self {
        let (names, by_key) = (Names::default(), HashMap::new());
        Self { filters, asked: Asked::new(filters), names, by_key, items: Vec::new(), input: 0, rejected: 0 }
    }

    /// Takes in the next entry, of this block.
    pub(super) fn see(&mut self, said: &Said<'_>, block: usize) {
        let entry = match said {
            Said::PassedOver => return,
            Said::Rejected => {
                self.input += 1;
                self.rejected += 1;
                return;
            }
            Said::Item(entry) => entry,
        };
        self.input += 1;
        let known = self.by_key.get(&entry.key).copied();
        // Of one key the highest ranking stays, in the place of the first.
        if known.is_some_and(|known| entry.ranking <= self.items[known].scores[0]) {
            return;
        }
        let mut tags: Vec<u32> = entry.tags.iter().map(|tag| self.names.number(tag)).collect();
        tags.sort_unstable();
        tags.dedup();
        let seen = Seen {
            scores: [entry.ranking, entry.relevance, entry.source],
            domain: self.names.number(entry.domain),
            category: self.names.number(entry.category),
            tags: tags.into(),
            found: self.passes(entry).then(|| entry.url.into()),
            place: Place { block, from: entry.from, length: entry.length },
        };
        match known {
            Some(known) => self.items[known] = seen,
            None => {
                self.by_key.insert(entry.key, self.items.len());
                self.items.push(seen);
            }
        }
    }

    fn passes(&self, entry: &Entry<'_>) -> bool {
        let is = |asked: &str, said: &str| asked.is_empty() || asked == said.to_lowercase();
        let has_tags = || {
            let has: HashSet<String> = entry.tags.iter().map(|tag| tag.to_lowercase()).collect();
            self.asked.tags.iter().all(|tag| has.contains(tag))
        };
        let has_terms = |terms: &Vec<memchr::memmem::Finder<'_>>| terms.iter().all(|term| term.find(entry.text.as_bytes()).is_some());
        // Not turned round: a least score that is no number keeps nothing out.
        let is_too_low = entry.ranking < self.filters.min_ranking_score;
        !is_too_low
            && is(&self.asked.domain, entry.domain)
            && is(&self.asked.category, entry.category)
            && (self.asked.tags.is_empty() || has_tags())
            && self.asked.terms.as_ref().is_some_and(has_terms)
    }

    /// The counts and maps of the catalog.
    pub(super) fn catalog_head(&self) -> Json {
        let count = self.items.len() as u64;
        json!({
            "type": "memory_evidence_catalog",
            "catalog_status": "indexed",
            "input_count": self.input,
            "item_count": count,
            "deduped_count": self.input - count - self.rejected,
            "rejected_count": self.rejected,
            "by_domain": self.names.counted(self.items.iter().map(|item| item.domain)),
            "by_category": self.names.counted(self.items.iter().map(|item| item.category)),
            "by_topic_tag": self.names.counted(self.items.iter().flat_map(|item| item.tags.iter().copied())),
        })
    }

    /// How many were found, and where the best of them lie, the best first.
    pub(super) fn best(&self) -> (usize, Vec<Place>) {
        let mut found: Vec<(&Seen, &str)> = self.items.iter().filter_map(|item| Some((item, item.found.as_deref()?))).collect();
        let down = |one: f64, other: f64| other.partial_cmp(&one).unwrap_or(Ordering::Equal);
        let domain = |item: &Seen| &*self.names.names[item.domain as usize];
        found.sort_by(|(one, of_one), (other, of_other)| {
            let scores = one.scores.iter().zip(&other.scores).map(|(&one, &other)| down(one, other));
            let by_scores = scores.fold(Ordering::Equal, Ordering::then);
            by_scores.then_with(|| (domain(one), of_one).cmp(&(domain(other), of_other)))
        });
        let matched = found.len();
        found.truncate(usize::try_from(self.filters.limit).unwrap_or(usize::MAX));
        (matched, found.into_iter().map(|(item, _)| item.place).collect())
    }

    /// The result of the query: `items` are the best.
    pub(super) fn result(&self, matched: usize, items: &[Json]) -> Json {
        let text_match = if self.asked.terms.as_ref().is_some_and(|terms| !terms.is_empty()) { 1.0 } else { 0.0 };
        let found = items.iter().map(|item| (Rank::of(item, text_match), item)).collect();
        result_of(&Json::Object(vector(&Json::Null)), self.filters, self.items.len() as u64, matched, found)
    }
}
