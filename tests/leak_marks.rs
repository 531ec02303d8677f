//! A row of a table is searched for leaks only where the screen marked it. What that finds is what a search of every key
//! and string finds, whatever stands in the row, escaped or not, and wherever the row lies in its text.

use landfall::json::{Reader, parse};
use landfall::landing::row::RunRow;
use landfall::leak::{credential, leaks_of};
use proptest::prelude::*;

/// Beginnings, marks and whole leaks, and what only looks like them.
fn fragment() -> impl Strategy<Value = String> {
    let known = [
        "/home/mira",
        "/home/ ",
        "/Users/",
        "/usrc/ai_workflow",
        "~/x",
        "HEAD~3",
        "8Q~",
        "$HOME",
        "${HOME}",
        "%HOMEPATH%",
        "C:/x",
        "file:/x",
        "https://example.org/a",
        "https://u:pw@example.org",
        "//h\\s",
        "AKIAIOSFODNN7EXAMPLE",
        "AKIA1234",
        " ",
        "raw_diff_body",
        "note",
    ];
    prop_oneof![proptest::sample::select(known.to_vec()).prop_map(str::to_owned), "[a-zA-Z/~:@._ \u{e9}-]{0,5}"]
}

fn text() -> impl Strategy<Value = (String, bool)> {
    (proptest::collection::vec(fragment(), 0..4).prop_map(|parts| parts.concat()), any::<bool>())
}

/// The text as JSON, its first letter as an escape where it should be.
fn quoted((text, escaped): &(String, bool)) -> String {
    let plain = serde_json::to_string(text).expect("a string is JSON");
    match text.chars().next().filter(|first| *escaped && (first.is_ascii_alphanumeric() || *first == '/')) {
        Some(first) => format!("\"\\u{:04x}{}", u32::from(first), &plain[2..]),
        None => plain,
    }
}

proptest! {
    #[test]
    fn marks_find_what_a_search_of_everything_finds(
        key in text(), inner in text(), values in proptest::collection::vec(text(), 3), before in "[ ~/x]{0,9}",
    ) {
        let [first, second, third] = [&values[0], &values[1], &values[2]].map(quoted);
        let row = format!(
            "{{\"run_id\": {first}, \"a{}: [{second}, {{\"b{}: {third}}}]}}", &quoted(&(format!("b{}", key.0), key.1))[1..], &quoted(&inner)[1..]
        );
        let value = parse(row.as_bytes()).expect("the row is JSON");
        let wanted = leaks_of(&value, &[]);
        let around = format!("{before}{row} ~/behind");
        let (read, end) = RunRow::read(&mut Reader::new(), &around, before.len(), 0, true).expect("the row reads");
        prop_assert_eq!(end, before.len() + row.len());
        prop_assert_eq!(read.terms, wanted.credentials.union(credential::terms_in(&row)), "{}", row);
        prop_assert_eq!(read.leaks, wanted, "{}", row);
    }
}
