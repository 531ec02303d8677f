//! Kept evidence against local memory, which holds its records, and against files that are none.

use super::super::LocalMemory;
use super::super::ingest::{build_candidate, tests::evidence, to_memory_record};
use super::super::query_contract;
use super::*;
use proptest::prelude::*;
use serde_json::json;
use std::io::Cursor;

fn written(records: &[Json]) -> Vec<u8> {
    let mut writer = EvidenceWriter::new(Vec::new());
    records.iter().for_each(|record| writer.take_in(record).expect("memory takes it"));
    writer.finish("here").expect("memory takes it")
}

fn opened(bytes: Vec<u8>) -> io::Result<Evidence<Cursor<Vec<u8>>>> {
    Evidence::open(Cursor::new(bytes))
}

/// A record in one of the forms in which a ledger has evidence, or in none.
fn record(number: u32, form: u32, score: f64, word: &str) -> Json {
    let mut record = evidence(&format!("r{number}"));
    record["source_score"] = score.into();
    record["authority_score"] = (f64::from(form % 3) / 2.0).into();
    record["content_preview"] = format!("{word} and a tail that is long enough to be kept").into();
    record["domain"] = (["a.org", "A.org", ""][number as usize % 3]).into();
    record["evidence_category"] = word.into();
    record["topic_tags"] = json!([word, "memory", " Memory ", ""]);
    let made = || build_candidate(&record).expect("it is evidence");
    match form {
        0..4 => record,
        4 => made(),
        5 => to_memory_record(&made()).unwrap_or(Json::Null),
        6 => {
            let mut other = made();
            other["candidate_kind"] = "another".into();
            other
        }
        7 => {
            let mut held = to_memory_record(&made()).unwrap_or(json!({}));
            held["id"] = "".into();
            held["payload"]["dedupe_key"] = format!("k{}", number % 2).into();
            held["payload"]["domain"] = (["", "b.org"][number as usize % 2]).into();
            held
        }
        _ => json!({"type": "memory_record", "gid": number}),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn kept_evidence_answers_as_local_memory_does(
        said in prop::collection::vec((0..12_u32, 0..9_u32, 0..3_usize, 0..4_usize), 0..40),
        recent in 0..45_usize,
        asked in prop::collection::vec((0..4_usize, 0..5_usize, 0..4_usize, 0..7_usize, 0..3_usize, 0..9_u64), 4),
    ) {
        const WORDS: [&str; 4] = ["Memory", "agents", "Ged\u{c4}chtnis", "py"];
        let records: Vec<Json> =
            said.iter().map(|&(number, form, score, word)| record(number, form, [0.1, 0.7, 0.9][score], WORDS[word])).collect();
        let mut memory = LocalMemory::new(recent);
        records.iter().for_each(|record| memory.take_in(record));
        let mut kept = opened(written(&records)).expect("it was written");
        prop_assert_eq!(kept.rejected(), memory.rejected);
        for (domain, category, tag, text, least, limit) in asked {
            let filters = Filters {
                domain: ["", "A.ORG", "docs.python.org", "b.org"][domain].to_owned(),
                evidence_category: ["", "memory", "AGENTS", "ged\u{e4}chtnis", "py"][category].to_owned(),
                topic_tags: [vec![], vec!["MEMORY".to_owned()], vec!["py".to_owned(), "memory".to_owned()], vec![" ".to_owned()]][tag].clone(),
                text_query: ["", "tail", "TAIL agents", "python.org/3", "r1", "\u{e4}ch", "nowhere"][text].to_owned(),
                min_ranking_score: [0.0, 0.65, 2.0][least],
                limit,
            };
            let found = kept.ask(recent, &filters, 7, "node").expect("it reads");
            prop_assert_eq!(query_contract::check(&found), Vec::<String>::new());
            prop_assert_eq!(found, memory.ask(&filters, 7, "node"), "{:?}", filters);
        }
    }
}

#[test]
fn evidence_of_many_blocks_is_asked_from_the_recent_ones() {
    let mut records: Vec<Json> = (0..900).map(|number| evidence(&format!("r{number}"))).collect();
    records.iter_mut().for_each(|record| record["provenance"] = json!({"note": "x".repeat(4000)}));
    let bytes = written(&records);
    let mut kept = opened(bytes.clone()).expect("it was written");
    assert!(kept.list.blocks.len() > 3, "the test is about blocks");
    let mut memory = LocalMemory::new(500);
    records.iter().for_each(|record| memory.take_in(record));
    for text in ["", "r899", "r5", "r10"] {
        let filters = Filters { text_query: text.to_owned(), limit: 40, ..Filters::default() };
        assert_eq!(kept.ask(500, &filters, 5, "n").expect("it reads"), memory.ask(&filters, 5, "n"), "{text}");
    }
    // What is not asked is not read: damage of the first block is noticed by whoever needs it.
    let mut damaged = bytes;
    damaged[40] ^= 1;
    let mut damaged = opened(damaged).expect("its list is sound");
    assert!(damaged.ask(1, &Filters::default(), 5, "n").is_ok());
    assert!(damaged.ask(900, &Filters::default(), 5, "n").is_err());
}

#[test]
fn no_byte_of_a_file_can_change_unnoticed() {
    let bytes = written(&[evidence("a"), evidence("b")]);
    let ask = |bytes: Vec<u8>| opened(bytes)?.ask(9, &Filters::default(), 5, "n");
    assert!(ask(bytes.clone()).is_ok());
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x20;
        assert!(ask(damaged).is_err(), "{at}");
    }
    for length in [0, 1, 39, 40, bytes.len() - 1] {
        assert!(ask(bytes[..length].to_vec()).is_err(), "{length}");
    }
}
