//! The strict reader held against serde_json: it accepts nothing that serde_json refuses, and refuses
//! of the rest only what it says it refuses.

use landfall::json::{Fault, FaultKind, Nothing, Value, parse, read};
use proptest::prelude::*;

/// JSON text of some shape, valid or nearly so.
fn nearly_json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("-0".to_owned()),
        Just("1e3".to_owned()),
        Just("1E+400".to_owned()),
        Just("01".to_owned()),
        Just("1.".to_owned()),
        Just("NaN".to_owned()),
        "-?[0-9]{1,20}(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?",
        "\"[a-z \u{e9}\u{1f680}]{0,12}\"",
        Just("\"\\ud83d\\ude80\\n\"".to_owned()),
        Just("\"\\ud83d\"".to_owned()),
        Just("\"a\tb\"".to_owned()),
        Just("\"\\x\"".to_owned()),
        Just("\"unfinished".to_owned()),
    ];
    let key = prop_oneof![Just("\"a\""), Just("\"b\""), Just("\"\\u0061\""), Just("\"c\""), Just("a")];
    let value = scalar.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec((key.clone(), inner), 0..5).prop_map(|members| format!(
                "{{{}}}",
                members.iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>().join(",")
            )),
        ]
    });
    // Sometimes a byte is lost, doubled or added at the end.
    (value, any::<prop::sample::Index>(), 0..8u8).prop_map(|(text, at, change)| {
        let mut characters: Vec<char> = text.chars().collect();
        let at = at.index(characters.len());
        match change {
            0 => drop(characters.remove(at)),
            1 => characters.insert(at, characters[at]),
            2 => characters.extend(" x".chars()),
            _ => {}
        }
        characters.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_accepts_what_serde_json_accepts_but_for_its_own_refusals(text in nearly_json()) {
        let theirs: Result<serde_json::Value, _> = serde_json::from_str(&text);
        match read(text.as_bytes(), &mut Nothing) {
            Ok(()) => prop_assert!(theirs.is_ok(), "accepted {text:?}, which serde_json refuses"),
            Err(Fault { kind: FaultKind::DuplicateKey, .. }) => {}
            Err(fault) => prop_assert!(theirs.is_err(), "refused {text:?} for {}, which serde_json accepts", fault.describe()),
        }
    }

    #[test]
    fn a_tree_means_what_serde_json_reads(text in nearly_json()) {
        if let Ok(tree) = parse(text.as_bytes()) {
            let theirs: serde_json::Value = serde_json::from_str(&text).expect("what we accept, serde_json accepts");
            prop_assert!(same(&tree, &theirs), "{text:?}");
            // And what the tree writes reads back as the same tree.
            let written = tree.to_text();
            prop_assert_eq!(parse(written.as_bytes()).expect("our own text reads"), tree);
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes, &mut Nothing);
    }

    #[test]
    fn every_fault_has_a_place_inside_the_text(text in nearly_json()) {
        if let Err(fault) = read(text.as_bytes(), &mut Nothing) {
            prop_assert!(fault.offset <= text.len());
            prop_assert!(!fault.describe().contains('\n'));
        }
    }
}

fn same(ours: &Value<'_>, theirs: &serde_json::Value) -> bool {
    match (ours, theirs) {
        (Value::Null, serde_json::Value::Null) => true,
        (Value::Bool(one), serde_json::Value::Bool(other)) => one == other,
        // serde_json's own reading of fractions is off by a unit in the last place now and then.
        (Value::Number(one), serde_json::Value::Number(other)) => {
            let (one, other) = (one.as_f64(), other.as_f64().expect("a double"));
            (one - other).abs() <= one.abs() * 1e-14
        }
        (Value::String(one), serde_json::Value::String(other)) => *one == **other,
        (Value::Array(ones), serde_json::Value::Array(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| same(one, other))
        }
        (Value::Object(ones), serde_json::Value::Object(others)) => {
            ones.len() == others.len() && ones.iter().all(|(key, one)| others.get(&**key).is_some_and(|other| same(one, other)))
        }
        _ => false,
    }
}

#[test]
fn depth_is_counted_from_the_outermost_value() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(read(nested(128).as_bytes(), &mut Nothing).is_ok());
    let fault = read(nested(129).as_bytes(), &mut Nothing).expect_err("one too deep");
    assert_eq!((fault.kind, fault.offset), (FaultKind::Depth, 128));
    assert_eq!(read(nested(100_000).as_bytes(), &mut Nothing).expect_err("far too deep").kind, FaultKind::Depth);
}

#[test]
fn equal_keys_are_found_in_objects_of_any_size() {
    let object = |keys: usize, again: usize| {
        let members: Vec<_> = (0..keys).chain([again]).map(|key| format!("\"key{key}\":0")).collect();
        format!("{{{}}}", members.join(","))
    };
    for keys in [1, 31, 32, 33, 34, 1000, 60_000] {
        for again in [0, keys / 2, keys - 1] {
            let kind = read(object(keys, again).as_bytes(), &mut Nothing).map_err(|fault| fault.kind);
            assert_eq!(kind, Err(FaultKind::DuplicateKey), "{keys} keys, {again} again");
        }
        assert!(read(object(keys, keys).as_bytes(), &mut Nothing).is_ok(), "{keys} keys");
    }
    // Inner objects have keys of their own, before and after the set takes over.
    let inner = format!("{{\"a\":{},\"b\":{},\"a2\":{{\"a\":1}}}}", object(40, 40), object(40, 40));
    assert!(read(inner.as_bytes(), &mut Nothing).is_ok());
}
