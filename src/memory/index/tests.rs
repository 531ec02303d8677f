//! The index against the query that reads every item, on words that share beginnings, middles and ends.

use super::super::query::query;
use super::{CatalogIndex, Filters};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// What words are put together from: so few that segments, grams and places meet often.
const PIECES: [&str; 14] = ["/", "/", "//", "a", "b", "ab", "aba", "abab", "-", ".org", "https:", "\u{e4}", "\u{20ac}u", "M1"];

fn word(pieces: &[usize]) -> String {
    pieces.iter().map(|&piece| PIECES[piece]).collect()
}

fn item(number: usize, address: &str, words: &[String], tag: &str) -> Json {
    let preview = format!("{} and a tail that is long enough to be kept", words.join(" "));
    let summary: String = preview.chars().take(24 + number % 9).collect();
    json!({
        "type": "memory_evidence_catalog_item", "catalog_item_kind": "k", "source_candidate_dedupe_key": "c", "dedupe_key": number.to_string(),
        "url": format!("https://{address}/{}", number % 7), "domain": address, "summary": summary, "content_preview": preview,
        "content_hash": "h", "topic_tags": [tag], "evidence_category": "k", "source_score": 0.8, "system_relevance_score": 0.8,
        "authority_score": 0.7, "freshness_score": 0.5, "ranking_score": ([0.7, 0.8, 0.9][number % 3]),
    })
}

fn pieces() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..PIECES.len(), 1..7)
}

/// A part of one of the words of an item, by where it is cut.
fn part(item: &Json, word: usize, from: usize, length: usize) -> String {
    let text = ["url", "content_preview", "domain"].map(|name| item[name].as_str().unwrap_or_default()).join(" ").to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let word: Vec<char> = words[word % words.len()].chars().collect();
    word[from % word.len()..].iter().take(length).collect()
}

fn asked(catalog: &Json, index: &CatalogIndex, text: &str) -> Result<(), TestCaseError> {
    let filters = Filters { text_query: text.to_owned(), limit: 4, ..Filters::default() };
    prop_assert_eq!(index.query(&filters), query(catalog, &filters), "{:?}", text);
    Ok(())
}

proptest! {
    // Each case asks some thirty questions.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_term_is_found_where_it_stands_and_nowhere_else(
        entries in prop::collection::vec((pieces(), prop::collection::vec(pieces(), 0..4), pieces()), 1..30),
        cuts in prop::collection::vec((0..30_usize, 0..9_usize, 0..20_usize, 1..12_usize), 12),
        junk in prop::collection::vec(pieces(), 6),
    ) {
        let items = entries.iter().enumerate().map(|(number, (address, words, tag))| {
            item(number, &word(address), &words.iter().map(|pieces| word(pieces)).collect::<Vec<_>>(), &word(tag))
        });
        let items: Vec<Json> = items.collect();
        let catalog = json!({"items": items});
        let index = CatalogIndex::of(&catalog);
        prop_assert_eq!(index.len(), items.len());
        for (of, at, from, length) in cuts {
            asked(&catalog, &index, &part(&items[of % items.len()], at, from, length))?;
        }
        for pieces in &junk {
            asked(&catalog, &index, &word(pieces))?;
        }
        asked(&catalog, &index, &format!("{} {}", word(&junk[0]), word(&junk[1])))?;
        for short in ["/", "//", "///", "a", "ab", "\u{e4}", "\u{20ac}", "b/", "/a", "zz", "//a", "s:/"] {
            asked(&catalog, &index, short)?;
        }
    }
}

#[test]
fn a_place_whose_words_lie_apart_is_found_whole() {
    // A minus sorts before a slash, so that `a/b-c` comes between `a/b` and `a/b/d`.
    let words = |word: &str| vec![word.to_owned()];
    let items: Vec<Json> =
        ["a/b", "a/b-c", "a/b/d", "a/b-c/d"].iter().enumerate().map(|(at, word)| item(at, "x", &words(word), "t")).collect();
    let catalog = json!({"items": items});
    let index = CatalogIndex::of(&catalog);
    for (term, matched) in [("a/b", 4), ("/b", 4), ("a/b/", 1), ("/b/d", 1), ("b-c", 2), ("a/b-c", 2), ("/d", 2), ("/", 4), ("c/d", 1)] {
        let filters = Filters { text_query: term.to_owned(), ..Filters::default() };
        assert_eq!(index.query(&filters)["matched_count"], matched, "{term}");
        assert_eq!(index.query(&filters), query(&catalog, &filters), "{term}");
    }
}
