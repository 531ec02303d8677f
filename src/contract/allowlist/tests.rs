use super::*;

const PLAIN: &str = "python -m src.testing.run_replay_evidence_check --scenario-id s1 --directive-id d1 --timeout-profile standard";

fn reasons(text: &str) -> Vec<String> {
    parse(text).reasons
}

#[test]
fn only_texts_that_end_the_parse_stand_alone() {
    assert_eq!(reasons(" \t\n"), ["missing_command"]);
    assert_eq!(reasons(&format!("{PLAIN} {}", "x".repeat(LONGEST))), ["command_too_long"]);
    assert_eq!(reasons(&format!("{PLAIN} {}", "x".repeat(LONGEST - PLAIN.len() - 1))).len(), 1);
    assert!(reasons(&format!("{PLAIN} {}", "x".repeat(LONGEST - PLAIN.len() - 1)))[0].starts_with("unexpected_positional:x"));
    assert_eq!(reasons("python; 'open"), ["invalid_shell_quoting"]);
    assert_eq!(reasons(PLAIN), Vec::<String>::new());
    assert_eq!(reasons(&format!("\n{PLAIN}\n")), Vec::<String>::new());
}

#[test]
fn every_fault_has_its_reason() {
    let cases: [(&str, &[&str]); 19] = [
        (
            "ls",
            &[
                "command_too_short",
                "invalid_executable",
                "missing_directive_id",
                "missing_module",
                "missing_scenario_id",
                "missing_timeout_profile",
            ],
        ),
        (&format!("{PLAIN} & x"), &["forbidden_token:&", "unexpected_positional:&", "unexpected_positional:x"]),
        (&format!("{PLAIN} &&&"), &["forbidden_token:&", "forbidden_token:&&", "unexpected_positional:&&&"]),
        (&format!("{PLAIN} >> x"), &["forbidden_token:>", "forbidden_token:>>", "unexpected_positional:>>", "unexpected_positional:x"]),
        (&format!("{PLAIN} --db-path $$(x"), &["forbidden_token:$", "forbidden_token:$("]),
        (&format!("{PLAIN} --db-path"), &["missing_value:--db-path"]),
        (&format!("{PLAIN} --scenario-id s2"), &["duplicate_flag:--scenario-id"]),
        (&format!("{PLAIN} --verbose x"), &["unexpected_positional:x", "unknown_flag:--verbose"]),
        (&format!("{PLAIN} --action BUY"), &["action_not_allowlisted"]),
        (&format!("{PLAIN} --db-path a/../b"), &["unsafe_db_path"]),
        (&format!("{PLAIN} --db-path '..\\b'"), &["unsafe_db_path"]),
        (&format!("{PLAIN} --db-path 'a\\\\b'"), &["unsafe_db_path"]),
        (&format!("{PLAIN} --db-path c:b"), &["unsafe_db_path"]),
        (&format!("{PLAIN} --db-path '~b'"), &["unsafe_db_path"]),
        (&format!("{PLAIN} --db-path ' /b'"), &["unsafe_db_path"]),
        (&PLAIN.replace("standard", "Standard"), &["invalid_timeout_profile"]),
        (&PLAIN.replace("s1", "''"), &["missing_scenario_id"]),
        (&format!("{PLAIN} --db-path 'a\u{1}'"), &["forbidden_token:control"]),
        (&format!("{PLAIN}\t--db-path\ta"), &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(reasons(text), expected, "{text}");
    }
    assert_eq!(reasons(&PLAIN.replace("s1", &"s".repeat(200))), Vec::<String>::new());
    assert_eq!(reasons(&PLAIN.replace("s1", &"s".repeat(201))), ["invalid_value:--scenario-id"]);
    assert_eq!(reasons(&PLAIN.replace("s1", ".s")), ["invalid_value:--scenario-id"]);
}

#[test]
fn recorded_words_are_held_to_the_same_list() {
    let accepts = |text: &str| {
        let value = crate::json::parse(text.as_bytes()).expect("the test's text is JSON");
        accepts_words(value.elements().expect("it is a list"))
    };
    let words = serde_json::json!(PLAIN.split(' ').collect::<Vec<_>>()).to_string();
    assert!(accepts(&words));
    assert!(!accepts("[]") && !accepts(&words.replace("\"d1\"", "1")));
    assert!(!accepts(&words.replace("standard\"", "standard\", \"--db-path\", \"a&b\"")));
    assert!(!accepts(&words.replace("standard\"", "standard\", \"--db-path\", \"../b\"")), "a whole command at fault");
}

#[test]
fn a_word_is_spelled_as_short_as_it_can_be() {
    const LETTERS: [char; 5] = ['a', '\'', '"', '\\', ' '];
    let mut shortest = std::collections::HashMap::new();
    let mut texts = vec![String::new()];
    for _ in 0..7 {
        texts = texts.iter().flat_map(|text| LETTERS.map(|letter| format!("{text}{letter}"))).collect();
        for text in &texts {
            if let Some([word]) = split(text).as_deref() {
                shortest.entry(word.to_string()).or_insert(text.len());
            }
        }
    }
    assert!(shortest.len() > 500, "{}", shortest.len());
    for (word, length) in shortest {
        let spelled = quoted(&word);
        assert_eq!(split(&spelled).as_deref(), Some(&[Cow::Borrowed(&*word)][..]), "{spelled}");
        // In a quotation a backslash could stand for itself before most characters; no command has one.
        assert!(spelled.len() == length || word.contains('\\'), "{spelled} for {word}");
    }
}

proptest::proptest! {
    #[test]
    fn what_is_accepted_is_written_as_it_was_read(
        db in "[ a-z'\"é./-]{0,12}", swap: bool, action: bool, python3: bool, quote: bool,
    ) {
        let db = if quote { format!("'{}'", db.replace('\'', "'\"'\"'")) } else { db };
        let mut options = vec!["--timeout-profile patient".to_owned(), "--directive-id 'd:1'".to_owned(), format!("--db-path {db}")];
        options.extend(action.then(|| "--action REDUCE_RISK".to_owned()));
        if swap { options.reverse(); }
        let program = if python3 { "python3" } else { "python" };
        let text = format!("{program}  -m {MODULE} --scenario-id \"a-1\" {}", options.join("\t"));
        let parsed = parse(&text);
        if let Some(command) = &parsed.command {
            let rendered = command.render();
            proptest::prop_assert!(rendered.len() <= text.len(), "{rendered} is longer than {text}");
            proptest::prop_assert_eq!(parse(&rendered).command, Some(command.clone()));
        }
        proptest::prop_assert_eq!(parsed.accepted(), parsed.command.is_some());
    }

    #[test]
    fn no_text_is_too_strange(text in proptest::prelude::any::<String>()) {
        let parsed = parse(&text);
        proptest::prop_assert!(parsed.command.is_none() || parsed.accepted());
        proptest::prop_assert!(parsed.reasons.is_sorted());
    }
}
