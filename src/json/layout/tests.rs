use super::*;
use crate::json::{Fault, Parser, parse};

fn learn(layouts: &mut Layouts, text: &str) {
    layouts.learn(text, &parse(text.as_bytes()).expect("it is JSON"), &mut Reader::new());
}

/// What is said of the last text behind the others, and whether its layout was known.
fn read_behind<'t>(texts: &[&str], last: &'t str) -> (Result<Value<'t>, Fault>, bool) {
    let mut layouts = Layouts::default();
    for text in texts {
        layouts.misses = 2;
        learn(&mut layouts, text);
    }
    let known = layouts.read(last);
    let is_known = known.is_some();
    (known.map_or_else(|| parse(last.as_bytes()), Ok), is_known)
}

const RECORD: &str = r#"{"a":"x","b":[1,{"c":null,"d":{}},[],"é"],"e":{"f":true,"g":-1.5e3},"type":"of_some_length_that_ends_it"}"#;

#[test]
fn a_text_of_a_known_layout_is_what_the_reader_says() {
    let other = RECORD.replace("\"x\"", r#""q\"\u00e9\\""#).replace("1,", "-0.25,").replace("null", "false").replace("\"é\"", "\"\"");
    let other = other.replace("true", "12").replace("-1.5e3", "null");
    for text in [RECORD, &other] {
        let (read, known) = read_behind(&[RECORD], text);
        assert_eq!(read, parse(text.as_bytes()), "{text}");
        assert!(known, "{text}");
    }
}

#[test]
fn a_text_that_differs_between_its_values_or_has_a_fault_is_none_of_the_layout() {
    let changes = [
        ("\"a\":", "\"A\":"),
        ("\"x\"", "7"),
        ("\"x\"", "\"x"),
        ("\"x\"", "\"\u{1}\""),
        ("\"x\"", r#""\ud800""#),
        ("null", "nul"),
        ("null", "[]"),
        ("null", "\"null\""),
        ("true", "truE"),
        ("-1.5e3", "-01"),
        ("-1.5e3", "1e999"),
        ("-1.5e3", "-"),
        ("{}", "{\"h\":1}"),
        ("[]", "[2]"),
        (",\"e\"", ", \"e\""),
        ("ends_it\"}", "ends_it\"} "),
        ("ends_it\"}", "ends_it\""),
        ("ends_it\"}", "ends_it\"}}"),
    ];
    for (from, to) in changes {
        let text = RECORD.replacen(from, to, 1);
        assert_ne!(text, RECORD);
        assert!(!read_behind(&[RECORD], &text).1, "{text}");
    }
    for end in (0..RECORD.len()).filter(|end| RECORD.is_char_boundary(*end)) {
        assert!(!read_behind(&[RECORD], &RECORD[..end]).1, "{}", &RECORD[..end]);
    }
}

#[test]
fn a_text_that_ends_otherwise_is_held_against_the_layout_that_fitted_last() {
    let mut layouts = Layouts { misses: 2, ..Layouts::default() };
    learn(&mut layouts, RECORD);
    assert!(layouts.read(&RECORD.replace("some_length", "another_one")).is_some());
}

#[test]
fn every_bit_of_the_last_bytes_counts_for_where_a_layout_is_looked_for() {
    let text = "x".repeat(TAIL);
    for (at, bit) in (0..TAIL).flat_map(|at| (0..7).map(move |bit| (at, bit))) {
        let mut other = text.clone().into_bytes();
        other[at] ^= 1 << bit;
        let other = String::from_utf8(other).expect("it is ASCII");
        assert_ne!(tail_of(&other), tail_of(&text), "{bit} of {at}");
    }
}

#[test]
fn every_container_has_its_room_at_once() {
    fn holds_its_room(value: &Value<'_>) -> bool {
        match value {
            Value::Object(members) => members.capacity() == members.len() && members.iter().all(|(_, value)| holds_its_room(value)),
            Value::Array(elements) => elements.capacity() == elements.len() && elements.iter().all(holds_its_room),
            _ => true,
        }
    }
    for text in [RECORD, r#"[[],[[1,2,3]],{"a":{"b":[]},"c":[{},{"d":1,"e":[0]}]}]"#] {
        let (read, known) = read_behind(&[text], text);
        assert!(known && holds_its_room(&read.expect("it is JSON")), "{text}");
    }
}

#[test]
fn a_text_is_plain_without_white_space_and_escapes_and_with_its_members_in_order() {
    let is_plain = |first: &str, text: &str| {
        let mut layouts = Layouts { misses: 2, ..Layouts::default() };
        learn(&mut layouts, first);
        assert!(layouts.read(text).is_some(), "{text}");
        layouts.is_plain()
    };
    assert!(is_plain(RECORD, RECORD) && is_plain(RECORD, &RECORD.replace("null", "12")));
    assert!(!is_plain(RECORD, &RECORD.replace("\"x\"", r#""\u0078""#)), "an escape");
    for other in [RECORD.replace("[1,", "[1, "), RECORD.replace("\"a\"", "\"z\""), RECORD.replace("{\"a", " {\"a")] {
        assert!(!is_plain(&other, &other), "{other}");
    }
    let inner = RECORD.replace("{\"c\":null,\"d\":{}}", "{\"d\":null,\"c\":{}}");
    assert!(is_plain(&inner, &inner), "only its own members are in order");
    let mut layouts = Layouts { misses: 2, ..Layouts::default() };
    learn(&mut layouts, RECORD);
    assert!(layouts.read(RECORD).is_some() && layouts.read("[]").is_none() && !layouts.is_plain(), "the last text is another");
}

#[test]
fn what_is_no_container_has_an_escaped_key_or_is_too_large_has_no_layout() {
    let long = format!("[\"{}\"]", "x".repeat(LONGEST));
    let many = format!("[0{}]", ",0".repeat(STEPS / 2));
    let longest = long.replacen("[\"xxxx", "[\"", 1);
    assert!(longest.len() == LONGEST && read_behind(&[&longest], &longest).1, "a text of the greatest length");
    for text in ["\"a string of some length\"", "-12.5", "null", r#"{"\u0061":1,"type":"a text of some length"}"#, &long, &many] {
        assert!(!read_behind(&[text], text).1, "{text}");
    }
}

#[test]
fn layouts_are_few_and_the_newest_stay() {
    let mut layouts = Layouts::default();
    let text = |number: usize| format!("{{\"k{number}\":1,\"type\":\"a type of this number {number}\"}}");
    for number in 0..KEPT + 5 {
        layouts.misses = 2;
        learn(&mut layouts, &text(number));
    }
    assert_eq!(layouts.known.len(), KEPT);
    for number in 0..KEPT + 5 {
        assert_eq!(layouts.read(&text(number)).is_some(), number >= 5, "{number}");
    }
}

#[test]
fn of_a_stream_without_a_layout_that_comes_again_little_is_learned() {
    let mut layouts = Layouts::default();
    let mut learned = 0;
    for number in 0..1000 {
        let text = format!("{{\"k{number}\":1}}");
        assert!(layouts.read(&text).is_none());
        let before = (layouts.known.len(), layouts.oldest);
        learn(&mut layouts, &text);
        learned += u32::from(before != (layouts.known.len(), layouts.oldest));
    }
    assert!((PATIENCE..PATIENCE + 20).contains(&learned), "{learned}");
}

proptest::proptest! {
    /// Whatever was read before, a parser says what one says that knows nothing.
    #[test]
    fn a_parser_that_knows_layouts_reads_as_one_that_knows_none(
        texts in proptest::collection::vec(
            r#"\{"a":("[ab]?"|1|null|\[1?\]),"b":\{("c":(1|"x"|\{\}))?\}(,"type":"of_some_length_that_ends_it")?\}( |\}|\{)?"#,
            1..20,
        ),
    ) {
        let mut parser = Parser::default();
        for text in &texts {
            proptest::prop_assert_eq!(parser.parse_text(text), parse(text.as_bytes()));
        }
    }
}
