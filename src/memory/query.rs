//! The query: filters over a catalog's items, one exact order, and a result that says how it was made.
//!
//! Retrieval is deterministic. Nothing semantic is consulted, and the result says so.

use super::catalog::validate_item;
use super::ingest::put;
use super::safety::{clear_flags, vector};
use super::value::{clean, field, int, list, lower, num, round4, tags};
use memchr::memmem;
use serde_json::{Value as Json, json};
use std::collections::HashSet;

/// A text query with more distinct terms finds nothing: its cost would be terms times text.
const TERM_LIMIT: usize = 256;

/// What a query asks for; what is blank does not filter.
#[derive(Debug, Clone, PartialEq)]
pub struct Filters {
    /// The whole domain, in any case.
    pub domain: String,
    /// The whole category, in any case.
    pub evidence_category: String,
    /// Tags that an item must all have, in any case.
    pub topic_tags: Vec<String>,
    /// Terms that must all stand somewhere in an item's text, in any case.
    pub text_query: String,
    /// The least ranking score.
    pub min_ranking_score: f64,
    /// The most results.
    pub limit: u64,
}

impl Default for Filters {
    fn default() -> Self {
        Self {
            domain: String::new(),
            evidence_category: String::new(),
            topic_tags: Vec::new(),
            text_query: String::new(),
            min_ranking_score: 0.0,
            limit: 10,
        }
    }
}

impl Filters {
    /// The filters that an object names; an absent limit is ten, one that is no number is none.
    pub(crate) fn from_json(said: &Json) -> Self {
        let text = |name| clean(field(said, name));
        Self {
            domain: text("domain"),
            evidence_category: text("evidence_category"),
            topic_tags: tags(field(said, "topic_tags")),
            text_query: text("text_query"),
            min_ranking_score: num(field(said, "min_ranking_score"), 0.0),
            limit: said.get("limit").map_or(10, |limit| u64::try_from(int(limit, 0).max(0)).unwrap_or(u64::MAX)),
        }
    }
}

/// What is asked, made ready once for all items.
pub(super) struct Asked<'f> {
    pub(super) domain: String,
    pub(super) category: String,
    pub(super) tags: HashSet<String>,
    /// `None` when there are too many.
    pub(super) terms: Option<Vec<memmem::Finder<'static>>>,
    filters: &'f Filters,
}

impl<'f> Asked<'f> {
    pub(super) fn new(filters: &'f Filters) -> Self {
        let lowered = |text: &str| lower(&Json::from(text));
        let text = lowered(&filters.text_query);
        let terms: HashSet<&str> = text.split_whitespace().collect();
        Self {
            domain: lowered(&filters.domain),
            category: lowered(&filters.evidence_category),
            tags: filters.topic_tags.iter().map(|tag| lowered(tag)).filter(|tag| !tag.is_empty()).collect(),
            terms: (terms.len() <= TERM_LIMIT).then(|| terms.into_iter().map(|term| memmem::Finder::new(term).into_owned()).collect()),
            filters,
        }
    }

    /// The share of the terms that an item has, if it passes every filter.
    fn matched(&self, item: &Json) -> Option<f64> {
        let is = |asked: &str, name: &str| asked.is_empty() || asked == lower(field(item, name));
        if !is(&self.domain, "domain") || !is(&self.category, "evidence_category") || !self.has_tags(item) {
            return None;
        }
        if num(field(item, "ranking_score"), 0.0) < self.filters.min_ranking_score {
            return None;
        }
        self.text_match(item)
    }

    fn has_tags(&self, item: &Json) -> bool {
        if self.tags.is_empty() {
            return true;
        }
        let has: HashSet<String> = list(field(item, "topic_tags")).iter().map(lower).collect();
        self.tags.len() <= has.len() && self.tags.iter().all(|tag| has.contains(tag))
    }

    fn text_match(&self, item: &Json) -> Option<f64> {
        let terms = self.terms.as_ref()?;
        if terms.is_empty() {
            return Some(0.0);
        }
        let text = text_of(item);
        let found = terms.iter().filter(|term| term.find(text.as_bytes()).is_some()).count();
        (found == terms.len()).then(|| round4(found as f64 / terms.len() as f64))
    }
}

/// The text of an item in which terms are looked for, lower-cased.
fn text_of(item: &Json) -> String {
    parts_of(item).join(" ").to_lowercase()
}

/// What that text is made of: address, domain, summary, preview, category and tags.
pub(super) fn parts_of(item: &Json) -> Vec<String> {
    let mut parts: Vec<String> =
        ["url", "domain", "summary", "content_preview", "evidence_category"].iter().map(|name| clean(field(item, name))).collect();
    parts.extend(list(field(item, "topic_tags")).iter().map(clean));
    parts
}

/// What `filters` find in `catalog`.
pub(crate) fn query(catalog: &Json, filters: &Filters) -> Json {
    let listed = list(field(catalog, "items"));
    let listed = if listed.is_empty() { list(field(catalog, "top_items")) } else { listed };
    let asked = Asked::new(filters);
    let (mut catalogued, mut found) = (0_u64, Vec::new());
    for item in listed.iter().filter(|item| item.is_object() && validate_item(item).is_empty()) {
        catalogued += 1;
        if let Some(text_match) = asked.matched(item) {
            found.push((Place::of(item, text_match), item));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    let matched = found.len();
    found.truncate(usize::try_from(filters.limit).unwrap_or(usize::MAX));
    result_of(&Json::Object(vector(catalog)), filters, catalogued, matched, found)
}

/// The result of a query: what was found, the best first, and how.
pub(super) fn result_of(of_catalog: &Json, filters: &Filters, catalogued: u64, matched: usize, found: Vec<(Place, &Json)>) -> Json {
    let candidates: Vec<_> = found.iter().enumerate().map(|(index, (place, item))| place.candidate(index + 1, item)).collect();
    let mut result = super::value::members(of_catalog);
    clear_flags(&mut result);
    put(
        &mut result,
        json!({
            "type": "memory_evidence_query_result",
            "query": {
                "domain": filters.domain,
                "evidence_category": filters.evidence_category,
                "topic_tags": filters.topic_tags,
                "text_query": filters.text_query,
                "min_ranking_score": filters.min_ranking_score,
                "limit": filters.limit,
            },
            "catalog_item_count": catalogued,
            "matched_count": matched,
            "result_count": found.len(),
            "retrieval_contract_version": "memory_retrieval_v0_1",
            "retrieval_mode": "deterministic",
            "hybrid_retrieval_enabled": false,
            "semantic_candidates": [],
            "deterministic_candidate_count": candidates.len(),
        }),
    );
    result.insert("results".to_owned(), Json::Array(found.into_iter().map(|(_, item)| item.clone()).collect()));
    result.insert("deterministic_candidates".to_owned(), Json::Array(candidates));
    Json::Object(result)
}

/// Where an item stands among the found.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) ranking: f64,
    pub(super) relevance: f64,
    pub(super) source: f64,
    text_match: f64,
    pub(super) domain: String,
    pub(super) url: String,
}

impl Place {
    pub(super) fn of(item: &Json, text_match: f64) -> Self {
        let score = |name| num(field(item, name), 0.0);
        Self {
            ranking: score("ranking_score"),
            relevance: score("system_relevance_score"),
            source: score("source_score"),
            text_match,
            domain: clean(field(item, "domain")),
            url: clean(field(item, "url")),
        }
    }

    pub(super) fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let down = |one: f64, other: f64| other.partial_cmp(&one).unwrap_or(std::cmp::Ordering::Equal);
        down(self.ranking, other.ranking)
            .then_with(|| down(self.relevance, other.relevance))
            .then_with(|| down(self.source, other.source))
            .then_with(|| down(self.text_match, other.text_match))
            .then_with(|| (&self.domain, &self.url).cmp(&(&other.domain, &other.url)))
    }

    fn candidate(&self, rank: usize, item: &Json) -> Json {
        json!({
            "rank": rank,
            "url": self.url,
            "domain": self.domain,
            "dedupe_key": clean(field(item, "dedupe_key")),
            "ranking_score": self.ranking,
            "source_score": self.source,
            "system_relevance_score": self.relevance,
            "retrieval_path": "deterministic_catalog_query",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::catalog::{build_catalog, build_item};
    use super::super::ingest::{build_candidate, tests::evidence};
    use super::*;
    use proptest::prelude::*;

    fn item(gid: &str) -> Json {
        build_item(&build_candidate(&evidence(gid)).expect("it is evidence")).expect("it is a candidate")
    }

    #[test]
    fn a_limit_of_zero_counts_matches_and_returns_none() {
        let catalog = build_catalog(&[item("a"), item("b")], 10);
        let result = query(&catalog, &Filters { limit: 0, ..Filters::default() });
        assert_eq!((&result["matched_count"], &result["result_count"]), (&json!(2), &json!(0)));
        for (said, limit) in [(json!({}), 10), (json!({"limit": null}), 0), (json!({"limit": -3}), 0), (json!({"limit": "4"}), 4)] {
            assert_eq!(Filters::from_json(&said).limit, limit, "{said}");
        }
    }

    #[test]
    fn top_items_stand_in_for_an_empty_list() {
        let mut catalog = build_catalog(&[item("a"), item("b")], 1);
        assert_eq!(query(&catalog, &Filters::default())["result_count"], 2);
        catalog["items"] = json!([]);
        assert_eq!(query(&catalog, &Filters::default())["result_count"], 1);
        catalog["items"] = json!(["junk", {"type": "x"}]);
        assert_eq!(query(&catalog, &Filters::default())["result_count"], 0, "a list of junk is not empty");
    }

    #[test]
    fn too_many_terms_find_nothing() {
        let catalog = build_catalog(&[item("a")], 1);
        let text = |count: usize| (0..count).map(|index| format!("t{index} ")).collect::<String>();
        let mut filters = Filters { text_query: "notes notes agents".to_owned(), ..Filters::default() };
        assert_eq!(query(&catalog, &filters)["result_count"], 1);
        filters.text_query = text(TERM_LIMIT + 1);
        assert_eq!(query(&catalog, &filters)["result_count"], 0);
    }

    /// The rules of the query, said once more and slowly.
    fn naive<'c>(items: &'c [Json], filters: &Filters) -> Vec<&'c str> {
        let low = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let of = |item: &Json, name: &str| low(item[name].as_str().unwrap_or_default());
        let tags_of = |item: &Json| item["topic_tags"].as_array().unwrap().iter().map(|tag| low(tag.as_str().unwrap())).collect::<Vec<_>>();
        let mut found: Vec<&Json> = Vec::new();
        for item in items {
            let text = [
                &of(item, "url"),
                &of(item, "domain"),
                &of(item, "summary"),
                &of(item, "content_preview"),
                &of(item, "evidence_category"),
                &tags_of(item).join(" "),
            ]
            .map(String::as_str)
            .join(" ");
            if (filters.domain.trim().is_empty() || low(&filters.domain) == of(item, "domain"))
                && (filters.evidence_category.trim().is_empty() || low(&filters.evidence_category) == of(item, "evidence_category"))
                && filters.topic_tags.iter().all(|tag| tag.trim().is_empty() || tags_of(item).contains(&low(tag)))
                && item["ranking_score"].as_f64().unwrap() >= filters.min_ranking_score
                && filters.text_query.split_whitespace().all(|term| text.contains(&term.to_lowercase()))
            {
                found.push(item);
            }
        }
        let mut ordered: Vec<&Json> = Vec::new();
        while !found.is_empty() {
            let mut best = 0;
            for at in 1..found.len() {
                let better = ["ranking_score", "system_relevance_score", "source_score"]
                    .iter()
                    .map(|name| (found[at][*name].as_f64().unwrap(), found[best][*name].as_f64().unwrap()))
                    .find(|(one, other)| one != other);
                let before = match better {
                    Some((one, other)) => one > other,
                    None => {
                        (found[at]["domain"].as_str(), found[at]["url"].as_str())
                            < (found[best]["domain"].as_str(), found[best]["url"].as_str())
                    }
                };
                if before {
                    best = at;
                }
            }
            ordered.push(found.remove(best));
        }
        ordered.truncate(usize::try_from(filters.limit).unwrap());
        ordered.into_iter().map(|item| item["url"].as_str().unwrap()).collect()
    }

    const DOMAINS: [&str; 3] = ["a.org", "B.org", "docs.a.org"];
    const WORDS: [&str; 5] = ["memory", "Agents", "Ged\u{e4}chtnis", "a", "py"];
    const TERMS: [&str; 12] =
        ["memory", "Agents", "Ged\u{e4}chtnis", "a", "py", "https ", "a.org/1", "://", "rg/2", "nowhere", "\u{e4}ch", "em ents"];
    const SCORES: [f64; 3] = [0.7, 0.75, 0.9];

    prop_compose! {
        fn an_item()(number in 0..40_u32, domain in 0..3_usize, words in prop::collection::vec(0..5_usize, 0..4), scores in prop::array::uniform3(0..3_usize)) -> Json {
            let candidate = json!({
                "type": "memory_ingest_candidate", "candidate_kind": "k", "source_record_gid": "g", "dedupe_key": format!("{number}"),
                "url": format!("https://{}/{number}", DOMAINS[domain]), "domain": DOMAINS[domain],
                "content_preview": format!("{} and a tail that is long enough", words.iter().map(|&word| WORDS[word]).collect::<Vec<_>>().join(" ")),
                "source_score": SCORES[scores[0]], "system_relevance_score": SCORES[scores[1]], "authority_score": SCORES[scores[2]],
                "topic_tags": words.iter().map(|&word| WORDS[word]).collect::<Vec<_>>(), "evidence_category": WORDS[number as usize % 5]
            });
            let mut item = build_item(&candidate).expect("it is a candidate");
            // A ready item says its own ranking: so that ties are met, which the scores alone hardly make.
            item["ranking_score"] = SCORES[number as usize % 3].into();
            item
        }
    }

    prop_compose! {
        fn some_filters()(domain in 0..6_usize, category in 0..15_usize, tags in prop::collection::vec(0..5_usize, 0..3), text in prop::collection::vec(0..12_usize, 0..3), least in 0..4_usize, limit in 0..12_u64) -> Filters {
            Filters {
                domain: DOMAINS.get(domain).map(|domain| format!(" {} ", domain.to_uppercase())).unwrap_or_default(),
                evidence_category: WORDS.get(category).map(|word| word.to_uppercase()).unwrap_or_default(),
                topic_tags: tags.into_iter().map(|word| WORDS[word].to_uppercase()).collect(),
                text_query: text.into_iter().map(|word| TERMS[word]).collect::<Vec<_>>().join("  "),
                min_ranking_score: [0.0, 0.7, 0.745, 0.8][least],
                limit,
            }
        }
    }

    proptest! {
        #[test]
        fn a_query_finds_what_a_naive_reading_finds(entries in prop::collection::vec(an_item(), 0..25), filters in some_filters()) {
            let catalog = build_catalog(&entries, 3);
            let result = query(&catalog, &filters);
            let urls: Vec<_> = result["results"].as_array().unwrap().iter().map(|item| item["url"].as_str().unwrap()).collect();
            let wanted = naive(catalog["items"].as_array().unwrap(), &filters);
            prop_assert_eq!(urls, wanted);
            prop_assert_eq!(&super::super::CatalogIndex::of(&catalog).query(&filters), &result);
            prop_assert!(result["matched_count"].as_u64() >= result["result_count"].as_u64());
            prop_assert_eq!(super::super::query_contract::check(&result), Vec::<String>::new());
        }
    }
}
