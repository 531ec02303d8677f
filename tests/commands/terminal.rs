//! The screen: colour only where it is wanted, and nothing an input says can drive a terminal.

use crate::folders::{copies, json, shipped, write};
use crate::landfall_binary::landfall;
use crate::process::Ran;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// Sets a title, clears the screen, turns the reading direction around, hides a word, breaks the line.
const HOSTILE: [&str; 9] = [
    "\u{1b}]0;owned\u{7}",
    "\u{1b}[2J",
    "\u{9b}2J",
    "a\u{202e}b",
    "a\u{2066}b\u{2069}",
    "a\u{200f}b",
    "a\u{200b}b",
    "a\rb\nc\u{8}",
    "a\u{2028}b",
];

/// More bidirectional controls and invisible characters of Unicode.
const UNSEEN: [&str; 6] = ["a\u{61c}b", "a\u{ad}b", "a\u{180e}b", "a\u{fff9}b", "a\u{e0041}b", "a\u{115f}b"];

/// Nothing but text, newlines and the colours we chose.
#[track_caller]
fn is_clean(ran: &Ran) {
    let said = ran.said();
    let colours = regex::Regex::new("\u{1b}\\[[0-9;]*m").expect("it compiles");
    let plain = colours.replace_all(&said, "");
    let hidden = |character: &char| {
        (character.is_control() && *character != '\n')
            || matches!(character, '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(character, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    assert_eq!(plain.chars().find(hidden), None, "{said:?}");
    assert!(!ran.err.contains("panicked"), "{said}");
}

fn clean_everywhere(texts: &[&str]) {
    for text in texts {
        let row = json(&shipped("examples/foreign-crate/landing/work_landing_runs.json"))["work_landing_runs"][0].clone();
        // Ids, keys and values, refused ones too.
        let mut named = row.clone();
        named["run_id"] = (*text).into();
        named[*text] = (*text).into();
        named["landing_status"] = (*text).into();
        named["claimed_path_refs"] = serde_json::json!([format!("/{text}"), text]);
        named["validation_refs"] = serde_json::json!([text, null]);
        for format in ["text", "json"] {
            let colours = landfall(&["check", "row", "--format", format]).env("CLICOLOR_FORCE", "1");
            is_clean(&colours.input(named.to_string()).ends_with(1));
        }
        for kind in ["policy", "protocol"] {
            let input = serde_json::json!({"policy_id": text, "protocol_id": text, *text: 1, "lane_decision_table": [{"lane_id": text, *text: text}]});
            is_clean(&landfall(&["check", kind, "--format", "text"]).env("CLICOLOR_FORCE", "1").input(input.to_string()).ends_with(1));
        }
    }
}

/// Files of these names everywhere that names are read, in one corpus and one bundle.
fn clean_file_names(texts: &[&str]) {
    let root = copies(&["examples/foreign-crate/landing", "fixtures/bundle"]);
    let corpus = root.path().join("examples/foreign-crate/landing");
    let bundle = root.path().join("fixtures/bundle");
    let manifest_path = bundle.join("source_module_manifest.json");
    let mut manifest = json(&manifest_path);
    for (index, text) in texts.iter().enumerate() {
        let named = |folder: &str, end: &str| corpus.join(folder).join(format!("{text}{end}"));
        write(&named("negative-cases", ".json"), "{\"case_id\": 1}");
        write(&named("negative-cases", ".txt"), "no case");
        write(&named("evidence", ".log"), [0xFF]);
        write(&bundle.join("source_modules").join(text), "undeclared");
        manifest["modules"][index % 6]["module_id"] = (*text).into();
    }
    write(&manifest_path, manifest.to_string());
    let forced = |arguments: &[&str]| landfall(arguments).env("CLICOLOR_FORCE", "1");
    let out = root.path().join(format!("out {}", texts.concat()));
    is_clean(&forced(&["replay"]).with("--corpus", &corpus).with("--bundle", &bundle).with("--out", &out).ends_with(1));
    is_clean(&forced(&["check-corpus"]).with("--bundle", &bundle).ends_with(1));
    is_clean(&forced(&["check", "manifest", "--format", "text"]).arg(&bundle).run());
    for name in ["result.json", "bundle-result.json"] {
        let record = crate::folders::read(&out.join(name));
        assert!(record.is_ascii() && !record.contains('\u{1b}'), "{name}");
    }
    for text in texts {
        let missing = root.path().join(text);
        is_clean(&forced(&["replay"]).with("--corpus", &missing).ends_with(3));
        is_clean(&forced(&["check-corpus"]).with("--bundle", &missing).ends_with(3));
        is_clean(&forced(&["check", "row", "--format", "text"]).arg(&missing).ends_with(1));
        is_clean(&forced(&["explain"]).arg(text).ends_with(2));
        is_clean(&forced(&["init"]).arg(root.path().join(format!("init {text}"))).ends_with(0));
        is_clean(&forced(&["init"]).arg(root.path().join(format!("init {text}"))).ends_with(3));
    }
}

#[test]
fn ids_and_texts_of_inputs_do_not_drive_a_terminal() {
    clean_everywhere(&HOSTILE);
}

#[test]
fn file_names_do_not_drive_a_terminal() {
    clean_file_names(&HOSTILE);
}

#[test]
fn invisible_characters_do_not_hide_in_ids() {
    clean_everywhere(&UNSEEN);
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "file names are text here")]
fn a_file_name_that_is_no_text_is_shown_and_judged() {
    let root = copies(&["examples/foreign-crate/landing"]);
    let corpus = root.path().join("examples/foreign-crate/landing");
    write(&corpus.join("negative-cases").join(OsStr::from_bytes(b"\xFF.json")), "{}");
    let ran = landfall(&["replay"]).with("--corpus", &corpus).with("--out", root.path().join("out")).ends_with(1);
    is_clean(&ran);
    let missing = landfall(&["check", "row"]).arg(OsStr::from_bytes(b"no\xFFfile")).ends_with(1);
    is_clean(&missing);
}

#[test]
fn usage_errors_do_not_drive_a_terminal() {
    for text in HOSTILE {
        // As a shell's pattern gives them when it matches two files.
        is_clean(&landfall(&["check", "row", "a.json"]).env("CLICOLOR_FORCE", "1").arg(text).ends_with(2));
        is_clean(&landfall(&["check"]).env("CLICOLOR_FORCE", "1").arg(text).ends_with(2));
        is_clean(&landfall(&[]).env("CLICOLOR_FORCE", "1").arg(text).ends_with(2));
    }
}

#[test]
fn colour_is_for_terminals_and_never_with_no_color() {
    let escapes = |run: crate::landfall_binary::Landfall| run.ends_with(1).said().contains('\u{1b}');
    let blocked = || landfall(&["check", "row", "--format", "text"]).input("{}");
    assert!(!escapes(blocked()), "a pipe is no terminal");
    assert!(escapes(blocked().env("CLICOLOR_FORCE", "1")), "there are colours to leave out");
    assert!(!escapes(blocked().env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1")));
    let replay = || landfall(&["replay", "--out", "/dev/null/x"]);
    assert!(!replay().env("NO_COLOR", "1").ends_with(3).said().contains('\u{1b}'));
    for arguments in [&["--help"][..], &["explain"], &["explain", "lane_unknown"]] {
        assert!(!landfall(arguments).ends_with(0).said().contains('\u{1b}'), "{arguments:?}");
    }
}
