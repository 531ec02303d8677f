use super::*;
use crate::import::batch::{BLOCK, each_batch};

/// An input that comes in pieces of `step` bytes, so that batches end anywhere.
fn cut(bytes: &[u8], limit: usize) -> (Vec<(u32, String)>, Vec<What>) {
    let (mut seen, mut beside) = (Vec::new(), Vec::new());
    each_batch(Document::new(bytes, &["messages", ""], limit), |batch| {
        for found in &batch.found {
            match found.what {
                What::Record(at) => {
                    let record = batch.tape.record(&batch.text, at);
                    let shown = record.as_str().or_else(|| record.get("b").and_then(|b| b.as_str()));
                    seen.push((found.number, shown.map_or_else(|| format!("{:?}", record.as_number()), str::to_owned)));
                }
                ref other => beside.push(other.clone()),
            }
        }
    })
    .expect("memory reads");
    (seen, beside)
}

fn some(number: u32, text: &str) -> (u32, String) {
    (number, text.to_owned())
}

#[test]
fn elements_come_one_by_one() {
    let text = r#"{"x":{"messages":["no"]},"messages":[{"b":"1"},"c\n"] , "n":null,"other":["d",{}],"s":"messages","e":[]}"#;
    assert_eq!(cut(text.as_bytes(), 100), (vec![some(1, "1"), some(2, "c\n")], vec![]));
    assert_eq!(cut("\u{feff}\0\0 [\"a\",\"é\"]\n\0\0".as_bytes(), 100), (vec![some(1, "a"), some(2, "é")], vec![]));
    assert_eq!(cut(b"{}", 100), (vec![], vec![]));
}

#[test]
fn what_does_not_read_is_told_behind_what_did() {
    for text in [
        r#"{"messages":["a""#,
        r#"{"messages":["a",}"#,
        r#"{"messages":["a"]"#,
        r#"{"messages":["a"]} x"#,
        "{\"messages\":[\"a\"]}\n\0\n",
        r#"{"messages":["a"],"messages":["b"]}"#,
        r#"{"messages":["a"]"x":1}"#,
        r#"{"messages":["a"],"x" 1}"#,
        r#"{"messages":["a",tru"#,
        r#"{"messages":["a" "b"]}"#,
        r#"{"messages":["a",]}"#,
        r#"{"messages":["a"],}"#,
        r#"{"messages":["a"],"x":{"y":1,"y":2}}"#,
    ] {
        assert_eq!(cut(text.as_bytes(), 100), (vec![some(1, "a")], vec![What::Broken(false)]), "{text}");
    }
    let deep = format!("{{\"messages\":[\"a\",x,{}", "[".repeat(200));
    assert_eq!(cut(deep.as_bytes(), 1000).1, [What::Broken(true)], "depth outranks what stands before it");
    let deep = format!("{{\"messages\":[\"a\",{}", "[".repeat(10_000_000));
    assert_eq!(cut(deep.as_bytes(), 1000).1, [What::Broken(true)]);
    let ends = format!("{{\"messages\":[\"a\",{}1{}]}}", "[".repeat(126), "]".repeat(126));
    assert_eq!(cut(ends.as_bytes(), 1000).1, [], "as deep as may be");
}

#[test]
fn long_elements_are_passed_over_and_others_cross_blocks() {
    let long = |length: usize| format!("{{\"b\":\"{}\\\"é\"}}", "xé\\\"[".repeat(length / 6));
    let text = format!(
        "{{\"info\":{},\"messages\":[\"a\",{},{},\"b\",{}],\"more\":[{}]}}",
        long(9 * BLOCK),
        long(5 * BLOCK),
        long(2 * BLOCK),
        long(7 * BLOCK),
        long(8 * BLOCK)
    );
    let (seen, beside) = cut(text.as_bytes(), 4 * BLOCK);
    assert_eq!(seen.iter().map(|(number, text)| (*number, text.len() > BLOCK)).collect::<Vec<_>>(), [(1, false), (3, true), (4, false)]);
    assert!(seen[1].1.ends_with("xé\"[\"é"));
    assert_eq!(beside, [What::OverLimits, What::OverLimits]);
    let many = format!("[\"a\",[{}0],\"b\"]", "0,".repeat(crate::json::NODE_LIMIT));
    assert_eq!(cut(many.as_bytes(), 12 << 20), (vec![some(1, "a"), some(3, "b")], vec![What::OverLimits]));
    let members = format!("{{{}\"messages\":[\"a\"]}}", (0..=MEMBERS_LIMIT).map(|at| format!("\"{at}\":0,")).collect::<String>());
    assert_eq!(cut(members.as_bytes(), 100), (vec![], vec![What::Broken(true)]));
}

#[test]
fn characters_and_values_are_whole_wherever_a_block_ends() {
    for shift in 0..12 {
        let mut text = format!("[{}", " ".repeat(BLOCK - 9 + shift));
        text.push_str("\"é🚀\\u00e9\",12345,\"end\"]");
        let seen = cut(text.as_bytes(), 1000).0;
        assert_eq!(seen.len(), 3, "{shift}");
        assert_eq!((seen[0].1.as_str(), seen[2].1.as_str()), ("é🚀é", "end"), "{shift}");
        let mut bytes = text.into_bytes();
        let last = bytes.len();
        bytes[last - 3] = 0xFF;
        assert_eq!(cut(&bytes, 1000).0[2].1, "en?", "{shift}");
    }
}
