//! One entry of a block, as bytes: lengths in four bytes, the least first, and texts behind theirs.

use super::super::query::{Place as Rank, parts_of};
use super::super::value::{clean, field, list};
use super::{Key, key_of};
use serde_json::Value as Json;

/// What begins the entry of a record that the catalog does not look at.
const PASSED_OVER: u8 = 0;
/// What begins the entry of a record that the catalog rejects.
const REJECTED: u8 = 1;
/// What begins the entry of an item.
const ITEM: u8 = 2;

/// A record of local memory, as the catalog sees it.
pub(super) enum Said<'b> {
    PassedOver,
    Rejected,
    Item(Entry<'b>),
}

/// What is asked of an item.
pub(super) struct Entry<'b> {
    pub(super) key: Key,
    pub(super) ranking: f64,
    pub(super) relevance: f64,
    pub(super) source: f64,
    pub(super) domain: &'b str,
    pub(super) url: &'b str,
    pub(super) category: &'b str,
    pub(super) tags: Vec<&'b str>,
    /// The text in which terms are looked for, lower-cased.
    pub(super) text: &'b str,
    /// Where its item lies among those of its block.
    pub(super) from: usize,
    pub(super) length: usize,
}

/// Where an item lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) block: usize,
    pub(super) from: usize,
    pub(super) length: usize,
}

/// Puts a record: none of the catalog's, or its item if it is accepted.
pub(super) fn put(record: Option<Option<Json>>, entries: &mut Vec<u8>, items: &mut Vec<u8>) {
    match record {
        None => entries.push(PASSED_OVER),
        Some(None) => entries.push(REJECTED),
        Some(Some(item)) => put_item(&item, entries, items),
    }
}

fn put_item(item: &Json, entries: &mut Vec<u8>, items: &mut Vec<u8>) {
    let line = crate::json::to_line(item);
    let rank = Rank::of(item, 0.0);
    let tags: Vec<String> = list(field(item, "topic_tags")).iter().map(clean).collect();
    entries.push(ITEM);
    entries.extend(key_of(&clean(field(item, "dedupe_key"))));
    for score in [rank.ranking, rank.relevance, rank.source] {
        entries.extend(score.to_le_bytes());
    }
    put_number(items.len(), entries);
    put_number(line.len(), entries);
    for text in [&rank.domain, &rank.url, &clean(field(item, "evidence_category")), &parts_of(item).join(" ").to_lowercase()] {
        put_text(text, entries);
    }
    put_number(tags.len(), entries);
    tags.iter().for_each(|tag| put_text(tag, entries));
    items.extend(line.as_bytes());
}

/// A record of a ledger has a mebibyte, and a block ends behind the first; so nothing in one needs more.
fn put_number(number: usize, to: &mut Vec<u8>) {
    to.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
}

fn put_text(text: &str, to: &mut Vec<u8>) {
    put_number(text.len(), to);
    to.extend(text.as_bytes());
}

fn take<'b>(rest: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn number(rest: &mut &[u8]) -> Option<usize> {
    Some(u32::from_le_bytes(take(rest, 4)?.try_into().ok()?) as usize)
}

fn score(rest: &mut &[u8]) -> Option<f64> {
    Some(f64::from_le_bytes(take(rest, 8)?.try_into().ok()?))
}

fn text<'b>(rest: &mut &'b [u8]) -> Option<&'b str> {
    let length = number(rest)?;
    std::str::from_utf8(take(rest, length)?).ok()
}

impl<'b> Said<'b> {
    /// The next entry; `None` where there is none.
    pub(super) fn read(rest: &mut &'b [u8]) -> Option<Self> {
        match take(rest, 1)? {
            [PASSED_OVER] => return Some(Self::PassedOver),
            [REJECTED] => return Some(Self::Rejected),
            [ITEM] => {}
            _ => return None,
        }
        let key = take(rest, 16)?.try_into().ok()?;
        let (ranking, relevance, source) = (score(rest)?, score(rest)?, score(rest)?);
        let (from, length) = (number(rest)?, number(rest)?);
        let (domain, url, category, said) = (text(rest)?, text(rest)?, text(rest)?, text(rest)?);
        let count = number(rest)?;
        let tags = (0..count).map(|_| text(rest)).collect::<Option<Vec<_>>>()?;
        Some(Self::Item(Entry { key, ranking, relevance, source, domain, url, category, tags, text: said, from, length }))
    }
}
