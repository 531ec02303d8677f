//! An index over a catalog, for those who ask it often: a query costs what it finds, not what is there.
//!
//! Items lie in the order of results, so that the first of a set are the best of it. A term of a text query has no white
//! space, so it stands within one word of an item's text: what has no slash is looked for in the `dictionary` of
//! segments, what has one among the `paths`. Both say exactly which items have it, without reading any. The answer is
//! the one that a reading of every item gives, byte for byte; a property test holds it to that.

mod dictionary;
mod paths;
mod set;
#[cfg(test)]
mod tests;

use super::catalog::validate_item;
use super::query::{Asked, Filters, Place, parts_of, result_of};
use super::safety::vector;
use super::value::{field, list, lower};
use crate::json::parse;
use crate::ledger::record::owned;
use dictionary::{Dictionary, Numbering};
use paths::Paths;
use serde_json::Value as Json;
use set::{Lists, Set};
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
    by_domain: Names,
    by_category: Names,
    by_tag: Names,
    dictionary: Dictionary,
    paths: Paths,
}

#[derive(Debug)]
struct Item {
    ranking: f64,
    line: Range<usize>,
}

/// Names, lower-cased, and the items that have them.
#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<String, u32>,
    items: Lists,
}

impl Names {
    /// The number of a name, a new one for a new name.
    fn number(&mut self, name: String) -> u32 {
        let next = u32::try_from(self.numbers.len()).expect("fewer names than memory has room for");
        *self.numbers.entry(name).or_insert(next)
    }

    /// Keeps of `found` what has this name; `None` when nothing has.
    fn keep(&self, name: &str, found: &mut Set, bound: usize) -> Option<()> {
        let mut named = Set::none(bound);
        self.items.add_to(*self.numbers.get(name)?, &mut named);
        found.keep(&named);
        Some(())
    }
}

/// What is known of an item before its place is.
struct Read {
    place: Place,
    line: Range<usize>,
    /// Where its text lies among all.
    text: Range<usize>,
    domain: u32,
    category: u32,
    tags: Vec<u32>,
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
        let [mut by_domain, mut by_category, mut by_tag] = [Names::default(), Names::default(), Names::default()];
        let mut read: Vec<Read> = Vec::new();
        for item in items.take(u32::MAX as usize).filter(|item| item.is_object() && validate_item(item).is_empty()) {
            let (line_start, text_start) = (lines.len(), texts.len());
            lines.push_str(&crate::json::to_line(&item));
            put_text(&item, &mut texts);
            let mut tags: Vec<u32> = list(field(&item, "topic_tags")).iter().map(|tag| by_tag.number(lower(tag))).collect();
            tags.sort_unstable();
            tags.dedup();
            read.push(Read {
                place: Place::of(&item, 0.0),
                line: line_start..lines.len(),
                text: text_start..texts.len(),
                domain: by_domain.number(lower(field(&item, "domain"))),
                category: by_category.number(lower(field(&item, "evidence_category"))),
                tags,
            });
        }
        read.sort_by(|one, other| one.place.cmp(&other.place));
        let numbered = || read.iter().zip(0_u32..);
        let bound = read.len();
        by_domain.items =
            Lists::of(by_domain.numbers.len(), bound, |entered| numbered().for_each(|(item, number)| entered(item.domain, number)));
        by_category.items =
            Lists::of(by_category.numbers.len(), bound, |entered| numbered().for_each(|(item, number)| entered(item.category, number)));
        by_tag.items = Lists::of(by_tag.numbers.len(), bound, |entered| {
            numbered().for_each(|(item, number)| item.tags.iter().for_each(|&tag| entered(tag, number)));
        });
        let (dictionary, paths) = words_of(read.iter().map(|item| &texts[item.text.clone()]));
        let items = read.into_iter().map(|item| Item { ranking: item.place.ranking, line: item.line }).collect();
        Self { vector: Json::Object(vector(catalog)), items, lines, by_domain, by_category, by_tag, dictionary, paths }
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
        let lines = found.iter().flat_map(Set::iter).take(limit).map(|number| &self.lines[self.items[number as usize].line.clone()]);
        let best: Vec<Json> = lines.filter_map(read_line).collect();
        let found = best.iter().map(|item| (Place::of(item, text_match), item)).collect();
        result_of(&self.vector, filters, self.items.len() as u64, matched, found)
    }

    /// The items that pass every filter; `None` when nothing can.
    fn find(&self, asked: &Asked<'_>, filters: &Filters) -> Option<Set> {
        let terms = asked.terms.as_ref()?;
        let bound = self.items.len();
        // Items lie by ranking, the highest first.
        let high = self.items.partition_point(|item| item.ranking >= filters.min_ranking_score);
        let mut found = Set::first(high, bound);
        if !asked.domain.is_empty() {
            self.by_domain.keep(&asked.domain, &mut found, bound)?;
        }
        if !asked.category.is_empty() {
            self.by_category.keep(&asked.category, &mut found, bound)?;
        }
        for tag in &asked.tags {
            self.by_tag.keep(tag, &mut found, bound)?;
        }
        for finder in terms {
            // A term is a part of a text, so it is text.
            let term = std::str::from_utf8(finder.needle()).ok()?;
            let mut with_term = Set::none(bound);
            if term.contains('/') {
                self.paths.add_with(term, &self.dictionary, &mut with_term);
            } else {
                self.dictionary.add_with(term, &mut with_term);
            }
            found.keep(&with_term);
        }
        Some(found)
    }
}

/// Puts the text of an item in which terms are looked for behind `texts`, lower-cased.
fn put_text(item: &Json, texts: &mut String) {
    let parts = parts_of(item);
    let [_, _, summary, preview, ..] = &parts[..] else { return };
    // A summary is most often how the preview begins, and then no word of it is new.
    let is_said = preview.strip_prefix(summary.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    for (part, at) in parts.iter().zip(0..) {
        if at != 2 || !is_said {
            texts.push_str(&part.to_lowercase());
            texts.push(' ');
        }
    }
}

/// The words of texts, ready to be found.
fn words_of<'t>(texts: impl Iterator<Item = &'t str>) -> (Dictionary, Paths) {
    let mut numbering = Numbering::default();
    let (mut with_slash, mut segments, mut starts, mut own) = (Vec::new(), Vec::new(), vec![0], Vec::new());
    for (text, item) in texts.zip(0_u32..) {
        for word in text.split_whitespace() {
            if word.contains('/') {
                with_slash.push((word, item));
            }
            own.extend(word.split('/').filter(|segment| !segment.is_empty()).map(|segment| numbering.number(segment)));
        }
        own.sort_unstable();
        own.dedup();
        segments.append(&mut own);
        starts.push(segments.len());
    }
    let paths = Paths::of(with_slash, &numbering);
    let bound = starts.len() - 1;
    let dictionary = Dictionary::of(numbering, bound, |entered| {
        for (range, item) in starts.windows(2).zip(0_u32..) {
            segments[range[0]..range[1]].iter().for_each(|&segment| entered(segment, item));
        }
    });
    (dictionary, paths)
}

fn read_line(line: &str) -> Option<Json> {
    parse(line.as_bytes()).ok().map(|value| owned(&value))
}
