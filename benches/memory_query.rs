//! What a question to evidence memory costs, at growing numbers of items, answered from the index.
//!
//! The question is whether an answer costs what it finds and not what is there. All that match are counted, by sets of
//! items, sixty-four at a time.
//!
//! `cargo bench --bench memory_query [-- ITEMS...]`; without numbers 10000, 100000 and 1000000.
#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures time")]

use landfall::memory::{CatalogIndex, Filters};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How often each question is asked.
const ASKED: usize = 200;
const DOMAINS: [&str; 8] =
    ["docs.python.org", "docs.github.com", "realpython.com", "arxiv.org", "github.blog", "github.com", "peps.python.org", "readthedocs.io"];
const WORDS: [&str; 12] = [
    "agents",
    "memory",
    "retrieval",
    "runtime",
    "orchestration",
    "python",
    "database",
    "sandbox",
    "workflow",
    "testing",
    "security",
    "crdt",
];

fn main() {
    let asked: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![10_000, 100_000, 1_000_000] } else { asked };
    println!("{:>9} {:>10}  {:<34}{:>10}{:>12}{:>12}", "items", "build s", "question", "matched", "p50 us", "p99 us");
    for size in sizes {
        measure(size);
    }
}

/// A number that looks like chance (the finaliser of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// An item; its words depend on its number alone.
fn item(number: u32) -> Value {
    let word = |step: u64| WORDS[(mixed(u64::from(number) << 5 | step) % 12) as usize];
    let domain = DOMAINS[number as usize % DOMAINS.len()];
    let ranking = f64::from(7_000 + number.wrapping_mul(40_503) % 3_000) / 10_000.0;
    let preview = format!("Notes on {} and {} for {} in module m{number}, as a reader wrote them down.", word(3), word(9), word(17));
    json!({
        "type": "memory_evidence_catalog_item", "catalog_item_kind": "explorer_useful_evidence", "catalog_status": "indexed",
        "source_candidate_dedupe_key": format!("c{number}"), "dedupe_key": format!("d{number}"),
        "url": format!("https://{domain}/{}/{number}", word(5)), "domain": domain, "summary": preview, "content_preview": preview,
        "content_hash": format!("h{number}"), "topic_tags": [word(3), word(9)], "evidence_category": word(21),
        "source_score": ranking, "system_relevance_score": 0.8, "authority_score": 0.7, "freshness_score": 0.5, "ranking_score": ranking
    })
}

fn measure(size: u32) {
    let began = Instant::now();
    let index = CatalogIndex::build(&Value::Null, (0..size).map(item));
    let built = began.elapsed();
    let text = |text: &str| Filters { text_query: text.to_owned(), ..Filters::default() };
    let questions = [
        ("everything", Filters::default()),
        ("text: agents memory", text("agents memory")),
        ("text: a part of a word", text("rchestr")),
        ("text: one item", text(&format!("m{}", size / 2))),
        ("text: with a full stop", text("python.org memory")),
        ("text: one letter", text("a")),
        ("text: an address", text("https://docs.python.org/memory")),
        ("text: a path", text("/memory/4")),
        ("text: a slash", text("/")),
        ("tag and domain", Filters { domain: "arxiv.org".to_owned(), topic_tags: vec!["memory".to_owned()], ..Filters::default() }),
        ("category, text and score", Filters { evidence_category: "memory".to_owned(), min_ranking_score: 0.95, ..text("agents") }),
    ];
    for (named, filters) in questions {
        let mut times: Vec<Duration> = Vec::new();
        let mut matched = Value::Null;
        for _ in 0..ASKED {
            let began = Instant::now();
            let result = index.query(&filters);
            times.push(began.elapsed());
            matched = result["matched_count"].clone();
        }
        times.sort_unstable();
        let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e6;
        println!("{size:>9} {:>10.2}  {named:<34}{matched:>10}{:>12.0}{:>12.0}", built.as_secs_f64(), at(50), at(99));
    }
}
