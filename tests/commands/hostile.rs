//! Inputs made to break a reader: each ends in a finding and an exit code, soon and in little memory.
//!
//! Without optimisation a byte costs twenty times as much, so that build gets shorter inputs and, for
//! the bound to mean as much, less memory.
#![expect(clippy::disallowed_methods, reason = "these tests make the files that the binary reads")]

use crate::folders::{copies, json, scratch, shipped, write};
use crate::landfall_binary::landfall_within;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

const FULL: bool = !cfg!(debug_assertions);
/// What is too long to be held: several times what the process may have.
const LONG: usize = if FULL { 200 << 20 } else { 12 << 20 };
/// So many numbers, where rows or elements are due.
const MANY: usize = if FULL { 10_000_000 } else { 40_000 };
/// The process's address space, in KiB; a bare start takes some 12 MiB.
const MEMORY: u64 = if FULL { 130 << 10 } else { 20 << 10 };
/// The same for control files, which are read whole: up to 8 MiB.
const MEMORY_WHOLE: u64 = 300 << 10;

const LIMIT: &str = "WORK_LANDING_JSON_LIMIT_EXCEEDED";
const INVALID: &str = "WORK_LANDING_JSON_INVALID";
const ENCODING: &str = "WORK_LANDING_JSON_ENCODING_INVALID";

/// Writes a file piece by piece.
fn stream(path: &Path, pieces: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> PathBuf {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path).expect("a file"));
    pieces(&mut file).and_then(|()| file.flush()).expect("it writes");
    path.to_owned()
}

fn repeat(out: &mut dyn Write, piece: &[u8], times: usize) -> std::io::Result<()> {
    let chunk = piece.repeat(4096);
    (0..times / 4096).try_for_each(|_| out.write_all(&chunk))?;
    out.write_all(&piece.repeat(times % 4096))
}

/// The one answer of `check KIND FILE`, and with the same bytes from a pipe.
#[track_caller]
fn refused(memory: u64, kind: &str, file: &Path, codes: &[&str]) -> Value {
    let ran = landfall_within(memory, &["check", kind]).arg(file).ends_with(1);
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
    assert_eq!((&answer["codes"], &ran.err[..]), (&json!(codes), ""), "check {kind} {}", file.display());
    let length = answer["findings"].to_string().len();
    assert!(length < 500 << 10, "an answer of {length} bytes");
    answer
}

#[test]
fn long_things_are_not_held() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    let key = stream(&at("key.json"), |out| {
        out.write_all(b"{\"")?;
        repeat(out, b"x", LONG)?;
        out.write_all(b"\": 1}")
    });
    // These are read up to a limit and no further, so that a file may be as long as it likes.
    let row = stream(&at("row.json"), |out| {
        out.write_all(b"{\"run_id\": \"")?;
        repeat(out, b"x", 9 << 20)
    });
    File::options().write(true).open(&row).and_then(|file| file.set_len(200 << 20)).expect("it grows");
    for kind in ["row", "policy", "protocol", "json", "corpus"] {
        refused(MEMORY + (32 << 10), kind, &row, &[LIMIT]);
        refused(MEMORY + (32 << 10), kind, &key, &[LIMIT]);
    }
    refused(MEMORY, "runs", &key, &[LIMIT]);
    let table = stream(&at("table.json"), |out| {
        out.write_all(b"{\"work_landing_runs\": [{\"run_id\": \"")?;
        repeat(out, b"x", LONG)?;
        out.write_all(b"\"}]}")
    });
    refused(MEMORY, "runs", &table, &[LIMIT]);
}

#[test]
fn many_things_are_not_held() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    let list = stream(&at("list.json"), |out| {
        out.write_all(b"[1")?;
        repeat(out, b",1", MANY)?;
        out.write_all(b"]")
    });
    // A list is no table, whatever is in it; beside the rows a little text is read and no more.
    refused(MEMORY, "runs", &list, &[LIMIT]);
    refused(MEMORY, "row", &list, &[if MANY > 1 << 19 { LIMIT } else { "WORK_LANDING_RUN_ROW_NOT_OBJECT" }]);
    let rows = stream(&at("rows.json"), |out| {
        out.write_all(b"{\"work_landing_runs\": [1")?;
        repeat(out, b",1", MANY)?;
        out.write_all(b"]}")
    });
    let answer = refused(MEMORY, "runs", &rows, &["WORK_LANDING_RUN_ROW_NOT_OBJECT"]);
    assert_eq!(answer["findings"].as_array().map(Vec::len), Some(1000), "the first thousand are listed");
    let lines = stream(&at("rows.jsonl"), |out| repeat(out, b"1\n", MANY));
    let ran = landfall_within(MEMORY, &["check", "runs", "--jsonl"]).arg(&lines).ends_with(1);
    assert!(ran.out.len() < 500 << 10, "an answer of {} bytes", ran.out.len());
}

#[test]
fn a_table_of_many_faults_makes_a_record_of_a_thousand() {
    let root = copies(&["examples/foreign-crate/landing"]);
    let corpus = root.path().join("examples/foreign-crate/landing");
    let rows = MANY / 2;
    stream(&corpus.join("work_landing_runs.json"), |out| {
        out.write_all(b"{\"work_landing_runs\": [1")?;
        repeat(out, b",1", rows - 1)?;
        out.write_all(b"]}")
    });
    let out = root.path().join("out");
    landfall_within(MEMORY, &["replay"]).with("--corpus", &corpus).with("--out", &out).ends_with(1);
    let result = json(&out.join("result.json"));
    assert_eq!((&result["run_count"], &result["blocking_finding_count"]), (&rows.into(), &rows.into()), "the totals are true");
    let listed = ["findings", "work_landing_runs"].map(|key| result[key].as_array().map(Vec::len));
    assert_eq!(listed, [Some(1000), Some(1000)]);
}

#[test]
fn deep_things_end_at_the_limit() {
    let folder = scratch();
    for (name, open, close) in [("lists.json", "[", "]"), ("objects.json", "{\"a\":", "}")] {
        let deep = folder.path().join(name);
        write(&deep, [open.repeat(100_000), "1".to_owned(), close.repeat(100_000)].concat());
        for kind in ["row", "runs", "policy", "protocol", "json", "corpus"] {
            let answer = refused(MEMORY, kind, &deep, &[LIMIT]);
            assert!(answer["findings"][0]["message"].as_str().is_some_and(|text| text.contains("nesting deeper than 128")), "{answer}");
        }
        let open_ended = folder.path().join(format!("open-{name}"));
        write(&open_ended, open.repeat(100_000));
        refused(MEMORY, "json", &open_ended, &[LIMIT]);
    }
    for (depth, codes) in [(128, &[][..]), (129, &[LIMIT])] {
        let file = folder.path().join("at-the-limit.json");
        write(&file, ["[".repeat(depth), "]".repeat(depth)].concat());
        let ran = landfall_within(MEMORY, &["check", "json"]).arg(&file).ends_with(i32::from(!codes.is_empty()));
        assert_eq!(serde_json::from_str::<Value>(&ran.out).expect("JSON")["codes"], json!(codes));
    }
}

#[test]
fn a_row_of_many_keys_or_of_long_strings_is_judged() {
    let folder = scratch();
    let row = json(&shipped("examples/foreign-crate/landing/work_landing_runs.json"))["work_landing_runs"][0].clone();
    let mut wide = row.clone();
    for index in 0..60_000 {
        wide[format!("k{index}")] = 1.into();
    }
    let file = folder.path().join("row.json");
    write(&file, wide.to_string());
    landfall_within(MEMORY, &["check", "row"]).arg(&file).ends_with(0);
    // The last key again: found among all the others.
    write(&file, wide.to_string().replacen("{", "{\"k59999\": 2,", 1));
    refused(MEMORY, "row", &file, &["WORK_LANDING_JSON_DUPLICATE_KEY"]);
    for (length, exit) in [((1 << 20) - 2000, 0), (1 << 20, 1)] {
        let mut long = row.clone();
        long["note"] = "n".repeat(length).into();
        write(&file, long.to_string());
        landfall_within(MEMORY, &["check", "row"]).arg(&file).ends_with(exit);
        write(&file, json!({"work_landing_runs": [long]}).to_string());
        landfall_within(MEMORY, &["check", "runs"]).arg(&file).ends_with(exit);
    }
    // Half a megabyte of what could begin a leak, over and over.
    for teaser in ["/", "~", "\\\\\\\\", "C:", "eyJ", "AKIA", "://", "-----BEGIN ", "$HOME_", "\u{2003}"] {
        let mut long = row.clone();
        long["note"] = teaser.repeat(if FULL { 500_000 } else { 40_000 } / teaser.len()).into();
        write(&file, long.to_string());
        landfall_within(MEMORY, &["check", "row"]).arg(&file).ends_with(0);
    }
}

#[test]
fn a_control_file_of_tiny_values_takes_a_multiple_of_its_length_and_no_more() {
    let folder = scratch();
    // Nearly eight MiB: the longest file that is read whole. A tree takes up to fifty times its text.
    let (length, memory) = if FULL { (8_000_000, 460 << 10) } else { (50_000, 22 << 10) };
    for piece in ["[0]", "{\"\":0}", "0"] {
        let file = stream(&folder.path().join("tiny.json"), |out| {
            out.write_all(format!("{{\"lane_decision_table\": [{piece}").as_bytes())?;
            repeat(out, format!(",{piece}").as_bytes(), length / (piece.len() + 1))?;
            out.write_all(b"]}")
        });
        refused(memory, "corpus", &file, &[INVALID]);
        for kind in ["policy", "protocol"] {
            let ran = landfall_within(memory, &["check", kind]).arg(&file).ends_with(1);
            assert!(ran.out.len() < 500 << 10, "an answer of {} bytes", ran.out.len());
        }
    }
}

#[test]
fn odd_bytes_have_a_name_each() {
    let folder = scratch();
    let row = json(&shipped("examples/foreign-crate/landing/work_landing_runs.json"))["work_landing_runs"][0].to_string();
    let table = format!("{{\"work_landing_runs\": [{row}]}}");
    let bytes = |parts: &[&[u8]]| parts.concat();
    for (what, before, after, code) in [
        ("a byte order mark", &b"\xEF\xBB\xBF"[..], &b""[..], INVALID),
        ("NUL behind", b"", b"\0", INVALID),
        ("NUL before", b"\0", b"", INVALID),
        ("bad UTF-8 at the very end", b"", b"\xFF", ENCODING),
        ("a character cut in two at the very end", b"", b"\xE2\x82", ENCODING),
        ("a surrogate as UTF-8", b"", b"\xED\xA0\x80", ENCODING),
        ("a second value", b"", b"{}", INVALID),
        ("a form feed", b"\x0C", b"", INVALID),
        ("a no-break space", b"\xC2\xA0", b"", INVALID),
        ("a comment", b"// no\n", b"", INVALID),
        ("UTF-16", b"\xFF\xFE", b"", ENCODING),
    ] {
        for (kind, text) in [("row", &row), ("runs", &table), ("json", &row)] {
            let file = folder.path().join("odd.json");
            write(&file, bytes(&[before, text.as_bytes(), after]));
            let answer = refused(MEMORY, kind, &file, &[code]);
            assert_eq!(answer["findings"].as_array().map(Vec::len), Some(1), "{what}: {answer}");
        }
    }
    let inside = folder.path().join("inside.json");
    for (raw, code) in [("\0", INVALID), ("\u{1b}", INVALID), ("\\ud800", INVALID), ("\\u000", INVALID), ("\\x41", INVALID)] {
        write(&inside, row.replace("count-loaves", raw));
        refused(MEMORY, "row", &inside, &[code]);
    }
    for (number, code) in
        [("1e999", LIMIT), (&"9".repeat(5000), LIMIT), ("NaN", INVALID), ("-Infinity", INVALID), ("01", INVALID), ("1.", INVALID)]
    {
        write(&inside, row.replacen('{', &format!("{{\"n\": {number},"), 1));
        refused(MEMORY, "row", &inside, &[code]);
    }
    // Windows line ends are white space.
    write(
        &inside,
        serde_json::to_string_pretty(&serde_json::from_str::<Value>(&table).expect("JSON")).expect("JSON").replace('\n', "\r\n"),
    );
    landfall_within(MEMORY, &["check", "runs"]).arg(&inside).ends_with(0);
}

#[test]
fn an_overlong_line_is_refused_and_the_next_is_judged() {
    let folder = scratch();
    let row = json(&shipped("examples/foreign-crate/landing/work_landing_runs.json"))["work_landing_runs"][0].to_string();
    let long = LONG / 4;
    let file = stream(&folder.path().join("rows.jsonl"), |out| {
        out.write_all(format!("{row}\n{{\"note\": \"").as_bytes())?;
        repeat(out, b"x", long)?;
        out.write_all(format!("\"}}\n{}\n\n{row}\r\n\u{0}\n", row.replace("count-loaves", "second")).as_bytes())?;
        out.write_all(b"\xFF\n")?;
        repeat(out, b"[", long / 8)
    });
    let ran = landfall_within(MEMORY, &["check", "row", "--jsonl"]).arg(&file).ends_with(1);
    let answers: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let codes: Vec<_> = answers.iter().map(|answer| answer["codes"].clone()).collect();
    assert_eq!(codes, [json!([]), json!([LIMIT]), json!([]), json!([]), json!([INVALID]), json!([ENCODING]), json!([LIMIT])]);
    assert_eq!((&answers[1]["subject"], &answers[2]["subject"]), (&"row[1]".into(), &"second".into()));
    // The same as a table: each line is its own text.
    let root = copies(&["examples/foreign-crate/landing"]);
    let corpus = root.path().join("examples/foreign-crate/landing");
    std::fs::remove_file(corpus.join("work_landing_runs.json")).expect("it is there");
    std::fs::rename(&file, corpus.join("work_landing_runs.jsonl")).expect("it moves");
    let out = root.path().join("out");
    landfall_within(MEMORY, &["replay"]).with("--corpus", &corpus).with("--out", &out).ends_with(1);
    let result = json(&out.join("result.json"));
    assert_eq!(result["run_count"], 7);
    assert_eq!(result["error_codes"].as_array().map(|codes| codes.contains(&"WORK_LANDING_RUN_ID_DUPLICATE".into())), Some(true));
}

#[test]
fn replay_refuses_what_stands_in_place_of_an_input() {
    type Put = (&'static str, fn(&Path));
    let puts: [Put; 5] = [
        ("nothing", |path| std::fs::remove_file(path).expect("it is there")),
        ("an empty file", |path| write(path, "")),
        ("a folder", |path| {
            std::fs::remove_file(path).expect("it is there");
            std::fs::create_dir(path).expect("a folder");
        }),
        ("a FIFO", |path| {
            std::fs::remove_file(path).expect("it is there");
            assert!(std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
        }),
        ("a link", |path| {
            let aside = path.with_extension("aside");
            std::fs::rename(path, &aside).expect("it moves");
            std::os::unix::fs::symlink(aside, path).expect("a link");
        }),
    ];
    for (what, put) in puts {
        let root = copies(&["examples/foreign-crate/landing", "fixtures/bundle"]);
        let corpus = root.path().join("examples/foreign-crate/landing");
        let bundle = root.path().join("fixtures/bundle");
        let files = ["work_landing_runs.json", "landing_policy.json", "projection_protocol.json"];
        for name in files {
            put(&corpus.join(name));
        }
        put(&corpus.join("negative-cases/uncaptured_blocker.json"));
        put(&bundle.join("source_modules/tools/meta/control/scoped_commit.py"));
        let out = root.path().join("out");
        let ran =
            landfall_within(MEMORY_WHOLE, &["replay"]).with("--corpus", &corpus).with("--bundle", &bundle).with("--out", &out).ends_with(1);
        let code = if what == "an empty file" { INVALID } else { "WORK_LANDING_INPUT_FILE_MISSING" };
        for name in files {
            assert!(ran.out.contains(&format!("{code} corpus/{name}")), "{what}: {}", ran.out);
        }
        assert_eq!(json(&out.join("result.json"))["missing_negative_cases"], json!(["uncaptured_blocker"]), "{what}");
        let modules = json(&out.join("bundle-result.json"))["source_module_imports"]["status"].clone();
        assert_eq!(modules, "blocked", "{what}");
        put(&bundle.join("source_module_manifest.json"));
        landfall_within(MEMORY_WHOLE, &["check", "manifest"]).arg(&bundle).ends_with(1);
    }
}

#[test]
fn replay_names_every_file_that_cannot_be_read() {
    let root = copies(&["examples/foreign-crate/landing", "fixtures/bundle"]);
    let corpus = root.path().join("examples/foreign-crate/landing");
    let bundle = root.path().join("fixtures/bundle");
    let files = ["work_landing_runs.json", "landing_policy.json", "projection_protocol.json"];
    for (what, text, code) in [
        ("nesting", "[".repeat(100_000).into_bytes(), LIMIT),
        ("a byte order mark", b"\xEF\xBB\xBF{}".to_vec(), INVALID),
        ("NUL", b"{}\0".to_vec(), INVALID),
        ("bad UTF-8 at the very end", b"{\"a\": [1, {}]}\xFF".to_vec(), ENCODING),
        ("a key twice", b"{\"a\": 1, \"\\u0061\": 1}".to_vec(), "WORK_LANDING_JSON_DUPLICATE_KEY"),
    ] {
        for name in files {
            write(&corpus.join(name), &text);
        }
        write(&corpus.join("negative-cases/uncaptured_blocker.json"), &text);
        write(&bundle.join("source_module_manifest.json"), &text);
        let out = root.path().join("out");
        let replay = landfall_within(MEMORY_WHOLE, &["replay"]).with("--corpus", &corpus).with("--bundle", &bundle);
        let ran = replay.with("--out", &out).ends_with(1);
        let places = files.map(|name| format!("corpus/{name}")).into_iter();
        for place in places.chain(["negatives/uncaptured_blocker.json", "bundle/source_module_manifest.json"].map(str::to_owned)) {
            assert!(ran.out.contains(&format!("{code} {place}")), "{what}: {place} is not named\n{}", ran.out);
        }
        assert!(json(&out.join("result.json"))["missing_negative_cases"] == json!(["uncaptured_blocker"]), "{what}");
    }
}

#[test]
fn replay_refuses_control_files_beyond_their_limit() {
    let root = copies(&["examples/foreign-crate/landing"]);
    let corpus = root.path().join("examples/foreign-crate/landing");
    for name in ["landing_policy.json", "negative-cases/uncaptured_blocker.json"] {
        stream(&corpus.join(name), |out| {
            out.write_all(b"{\"note\": \"")?;
            repeat(out, b"x", 9 << 20)?;
            out.write_all(b"\"}")
        });
    }
    let out = root.path().join("out");
    landfall_within(MEMORY_WHOLE, &["replay"]).with("--corpus", &corpus).with("--out", &out).ends_with(1);
    let result = json(&out.join("result.json"));
    let at: Vec<_> = result["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|finding| finding["error_code"] == LIMIT)
        .map(|finding| finding["subject_id"].clone())
        .collect();
    assert_eq!(at, ["corpus/landing_policy.json", "negatives/uncaptured_blocker.json"]);
}
