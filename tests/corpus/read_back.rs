//! Records are a public format: each is read back as its type, strictly, and by version.

use crate::{RECORDS, corpus, root};
use landfall::corpus::digests::CorpusDigests;
use landfall::json::to_canonical_text;
use landfall::landing::record::{Board, CoverageRecord, ReadError, ResultRecord, Sealed, ValidationRecord, VersionError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::fs;

/// Reads a blessed record as its type, and the text made again from it is the same.
fn read_back<R: DeserializeOwned + Serialize>(name: &str) -> (R, String) {
    let text = fs::read_to_string(root().join(RECORDS).join(name)).expect("it reads");
    landfall::json::read(text.as_bytes(), &mut landfall::json::Nothing).expect("a record is strict JSON");
    let record = serde_json::from_str::<R>(&text).expect("a record is of its type");
    assert_eq!(to_canonical_text(&record), text, "{name}");
    (record, text)
}

/// No object of the record, however deep, takes a key it does not know, or one twice.
fn is_strict<R: DeserializeOwned + Serialize>(name: &str, text: &str) {
    let reads = |text: &str| serde_json::from_str::<R>(text).is_ok();
    let mut value: serde_json::Value = serde_json::from_str(text).expect("it reads");
    shorten(&mut value);
    assert!(reads(&value.to_string()), "{name}: shortened");
    let mut objects = 0;
    for pointer in object_pointers(&value, String::new()) {
        let mut more = value.clone();
        let object = more.pointer_mut(&pointer).and_then(serde_json::Value::as_object_mut).expect("an object is there");
        let keys: Vec<_> = object.keys().cloned().collect();
        // Maps of case ids to codes take any id; a code they do not take.
        object.insert("no_such_key".to_owned(), serde_json::json!(["NO_SUCH_CODE"]));
        assert!(!reads(&more.to_string()), "{name}: an unknown key at {pointer:?}");
        for key in keys {
            let object = more.pointer_mut(&pointer).and_then(serde_json::Value::as_object_mut).expect("an object is there");
            object.remove("no_such_key");
            let kept = object.remove(&key).expect("it was there");
            // What may be null may be left out, and is null then; entries of a map may be left out. Nothing is invented.
            let map = ["observed_negative_cases", "observed", "unexpected"].iter().any(|map| pointer.ends_with(map));
            let again = serde_json::from_str::<R>(&more.to_string()).ok().map(|record| serde_json::to_value(record).expect("it is JSON"));
            let invented = again.is_some_and(|again| again.pointer(&pointer).is_none_or(|object| !object[&key].is_null()));
            assert!(map || !invented, "{name}: no {key} at {pointer:?}");
            more.pointer_mut(&pointer).and_then(serde_json::Value::as_object_mut).expect("an object is there").insert(key, kept);
        }
        objects += 1;
    }
    assert!(objects > 2, "{name}: {objects} objects");
    // The same key twice, with the same value.
    for key in value.as_object().expect("a record is an object").keys() {
        let twice = value.to_string().replacen('{', &format!("{{{}: {}, ", serde_json::json!(key), value[key]), 1);
        assert!(!reads(&twice), "{name}: {key} twice");
    }
}

/// Leaves one element in every list: the others are like it.
fn shorten(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Array(elements) => {
            elements.truncate(1);
            elements.iter_mut().for_each(shorten);
        }
        serde_json::Value::Object(members) => members.values_mut().for_each(shorten),
        _ => {}
    }
}

/// The first object of each sort: deeper ones below a list are like their neighbours.
fn object_pointers(value: &serde_json::Value, at: String) -> Vec<String> {
    match value {
        serde_json::Value::Object(members) => {
            let below = members
                .iter()
                .flat_map(|(key, value)| object_pointers(value, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))));
            [at.clone()].into_iter().chain(below).collect()
        }
        serde_json::Value::Array(elements) => elements.first().map(|first| object_pointers(first, format!("{at}/0"))).unwrap_or_default(),
        _ => Vec::new(),
    }
}

#[test]
fn every_blessed_record_is_read_back_strictly() {
    let (result, text) = read_back::<ResultRecord>("result.json");
    is_strict::<ResultRecord>("result.json", &text);
    assert_eq!(result.computed_digest(), result.record_digest);
    let (bundle, text) = read_back::<ResultRecord>("bundle-result.json");
    is_strict::<ResultRecord>("bundle-result.json", &text);
    assert_eq!(bundle.computed_digest(), bundle.record_digest);
    let (board, text) = read_back::<Board>("board.json");
    is_strict::<Board>("board.json", &text);
    assert_eq!(board.computed_digest(), board.record_digest);
    let (validation, text) = read_back::<ValidationRecord>("validation.json");
    is_strict::<ValidationRecord>("validation.json", &text);
    assert_eq!(validation.computed_digest(), validation.record_digest);
    let (coverage, text) = read_back::<CoverageRecord>("negative-coverage.json");
    is_strict::<CoverageRecord>("negative-coverage.json", &text);
    assert_eq!(coverage.computed_digest(), coverage.record_digest);
    let (_, text) = read_back::<CorpusDigests>("corpus-digests.json");
    is_strict::<CorpusDigests>("corpus-digests.json", &text);
    let names: BTreeSet<_> = corpus().keys().filter_map(|path| Some(path.strip_prefix(RECORDS)?.to_owned())).collect();
    assert_eq!(names.len(), 6, "every record has its type here: {names:?}");
}

#[test]
fn versions_too_old_and_too_new_are_typed() {
    for (name, record) in [("result.json", "result"), ("bundle-result.json", "bundle-result")] {
        let text = fs::read_to_string(root().join(RECORDS).join(name)).expect("it reads");
        assert!(ResultRecord::read(text.as_bytes(), record).is_ok());
        let line = |version: &str| format!("\n  \"schema_version\": \"{version}\"");
        let versioned = |version: &str| text.replacen(&line(&format!("landfall/{record}/v1")), &line(version), 1);
        let read = |text: &str| ResultRecord::read(text.as_bytes(), record);
        let version = |text: &str| if let Err(ReadError::Version(error)) = read(text) { error } else { panic!("{:?}", read(text)) };
        assert_eq!(version(&versioned(&format!("landfall/{record}/v0"))), VersionError::TooOld { found: 0 });
        assert_eq!(version(&versioned(&format!("landfall/{record}/v2"))), VersionError::TooNew { found: 2 });
        for unknown in ["landfall/board/v1", "v1", "", "landfall/result/vx", "landfall/result/v99999999999"] {
            assert_eq!(version(&versioned(unknown)), VersionError::Unknown, "{unknown}");
        }
        // Other doubts have their own names.
        assert!(matches!(read(&text.replacen('{', "{\"status\": \"pass\", ", 1)), Err(ReadError::Text(_))));
        assert!(matches!(read(&text.replacen('{', "{\"extra\": 1, ", 1)), Err(ReadError::Shape(_))));
        assert!(matches!(read(&text.replacen("\"run_count\": 3", "\"run_count\": 4", 1)), Err(ReadError::Digest)));
        let mut inconsistent: ResultRecord = serde_json::from_str(&text).expect("it reads");
        inconsistent.blocking_finding_count += 1;
        assert!(matches!(read(&to_canonical_text(&inconsistent.seal())), Err(ReadError::Inconsistent)));
    }
}

#[test]
fn a_later_version_with_more_members_is_too_new_and_not_misshapen() {
    let text = fs::read_to_string(root().join(RECORDS).join("result.json")).expect("it reads");
    let later = text.replacen("\"schema_version\": \"landfall/result/v1", "\"schema_version\": \"landfall/result/v2", 1).replacen(
        '{',
        "{\"a_member_of_v2\": 1, ",
        1,
    );
    let error = ResultRecord::read(later.as_bytes(), "result").expect_err("it is refused");
    assert!(matches!(error, ReadError::Version(VersionError::TooNew { found: 2 })), "{error}");
}

#[test]
fn a_record_in_another_spelling_is_not_the_record_that_was_written() {
    let text = fs::read_to_string(root().join(RECORDS).join("bundle-result.json")).expect("it reads");
    let value: serde_json::Value = serde_json::from_str(&text).expect("it reads");
    let tool =
        |text: &str| text.replacen(&value["tool"].to_string(), &serde_json::json!(["landfall", value["tool"]["version"]]).to_string(), 1);
    for (what, other) in
        [("on one line", value.to_string()), ("an object as a list", tool(&value.to_string())), ("a line more", format!("{text}\n"))]
    {
        assert!(ResultRecord::read(other.as_bytes(), "bundle-result").is_err(), "{what}");
    }
}
