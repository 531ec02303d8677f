//! How much of what people write the matcher finds, and how much of what it finds is a claim.
//!
//! The sentences in `fixtures/claims/` were labelled by hand, by the specification and not by the matcher; its misses stay
//! in the list. The table in `docs/claims.md` is the one computed here.

#![expect(clippy::disallowed_methods, reason = "a test reads its fixtures")]

use landfall::claims::{Kind, find};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const BEGIN: &str = "<!-- computed by tests/claims.rs -->\n";
const END: &str = "<!-- end -->\n";

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("it reads")
}

#[derive(Default)]
struct Tally {
    right: u32,
    missed: u32,
    wrong: u32,
}

fn share(part: u32, rest: u32) -> String {
    if part + rest == 0 { "–".to_owned() } else { format!("{:.2}", f64::from(part) / f64::from(part + rest)) }
}

/// The table, the sums, and the sentences that were taken for claims and are none.
fn table() -> (String, Tally, Vec<String>) {
    let labelled: Vec<(String, BTreeSet<String>)> = read("fixtures/claims/sentences.jsonl")
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).expect("a labelled sentence");
            let kinds = line["claims"].as_array().expect("a list").iter().map(|kind| kind.as_str().expect("a kind").to_owned()).collect();
            (line["text"].as_str().expect("a text").to_owned(), kinds)
        })
        .collect();
    assert!(labelled.len() > 50, "too few sentences to say anything");
    let mut text =
        String::from("| kind | sentences | found | missed | wrongly found | precision | recall |\n|---|---|---|---|---|---|---|\n");
    let mut total = Tally::default();
    let mut wrong = Vec::new();
    let mut row = |name: &str, tally: &Tally| {
        let Tally { right, missed, wrong } = tally;
        let (precision, recall) = (share(*right, *wrong), share(*right, *missed));
        text.push_str(&format!("| {name} | {} | {right} | {missed} | {wrong} | {precision} | {recall} |\n", right + missed));
    };
    for kind in Kind::ALL {
        let mut tally = Tally::default();
        for (sentence, kinds) in &labelled {
            let found = find(sentence).claims.iter().any(|claim| claim.kind == kind);
            match (kinds.contains(kind.as_str()), found) {
                (true, true) => tally.right += 1,
                (true, false) => tally.missed += 1,
                (false, true) => {
                    tally.wrong += 1;
                    wrong.push(format!("{}: {sentence}", kind.as_str()));
                }
                (false, false) => {}
            }
        }
        row(&format!("`{}`", kind.as_str()), &tally);
        total.right += tally.right;
        total.missed += tally.missed;
        total.wrong += tally.wrong;
    }
    row("all", &total);
    (text, total, wrong)
}

#[test]
fn the_page_says_what_the_matcher_does() {
    let page = read("docs/claims.md");
    let (_, rest) = page.split_once(BEGIN).expect("the page has a place for the table");
    let (written, _) = rest.split_once(END).expect("the table ends");
    let (computed, ..) = table();
    assert!(written == computed, "docs/claims.md has another table; this is the one now:\n{computed}");
}

/// A wrong claim may accuse an honest agent; a missed one lets something slip. The first is worse.
#[test]
fn precision_is_held() {
    let (table, total, wrong) = table();
    assert!(total.wrong * 50 <= total.right + total.wrong, "precision fell below 0.98:\n{table}{wrong:#?}");
    assert!(total.missed * 4 <= total.right + total.missed, "recall fell below 0.75:\n{table}");
}
