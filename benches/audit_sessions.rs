//! What auditing a long session costs: MB a second of wall and of processor time, and the peak of memory.
//!
//! The transcript is made while it is read, so none of it is held. Each format comes in mixes: outputs of the sizes that
//! agents meet (`outputs`), records of some kilobytes (`mixed`), many small ones (`small`), and text full of escapes and of letters outside of ASCII
//! (`escapes`); with a run, an edit, a commit and a claim now and then. The peak must not follow the length: each row is a
//! process of its own, so that it is that row's.
//!
//! `cargo bench --bench audit_sessions [-- NAME-OR-MEGABYTES...]`; without numbers 8 and 66, without names all. `floods` is
//! asked for by name: so many megabytes of what is no session, between two records that are one.
//!
//! Longer than most files, for the sessions that it makes.
#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures time")]

use landfall::audit::{AuditRecord, audit};
use landfall::import::{Limits, Row, Rows, import_file, import_rows};
use serde_json::{Value, json};
use std::io::{self, Read};
use std::time::Instant;

const FORMATS: [&str; 9] =
    ["claude-code", "codex", "gemini-lines", "gemini-document", "openhands-document", "swe-agent", "aider", "opencode", "noise"];
const MIXES: [&str; 4] = ["outputs", "mixed", "small", "escapes"];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [one, format, mix, megabytes] = asked.as_slice()
        && one == "--one"
    {
        match FLOODS.iter().find(|flood| flood.0 == mix) {
            Some(flood) => flood_over(flood, megabytes.parse().expect("a number")),
            None => measure(format, mix, megabytes.parse().expect("a number")),
        }
        return;
    }
    let mut sizes: Vec<usize> = asked.iter().filter_map(|argument| argument.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![8, 66];
    }
    let named = |all: &[&'static str]| -> Vec<&'static str> {
        let chosen: Vec<&str> = all.iter().copied().filter(|name| asked.iter().any(|argument| argument == name)).collect();
        if chosen.is_empty() { all.to_vec() } else { chosen }
    };
    println!(
        "{:<20}{:<9}{:>6}{:>9}{:>8}{:>9}{:>11}{:>10}{:>9}",
        "format", "mix", "MB", "records", "claims", "MB/s", "cpu MB/s", "peak MiB", "beyond"
    );
    let floods = asked.iter().any(|argument| argument == "floods");
    for format in if floods { vec!["flood"] } else { named(&FORMATS) } {
        for mix in if floods { FLOODS.iter().map(|flood| flood.0).collect() } else { named(&MIXES) } {
            for megabytes in &sizes {
                let child = std::process::Command::new(std::env::current_exe().expect("it runs"))
                    .args(["--one", format, mix, &megabytes.to_string()])
                    .status()
                    .expect("it starts");
                assert!(child.success(), "{format} {mix} {megabytes} failed");
            }
        }
    }
}

fn measure(format: &str, mix: &str, megabytes: usize) {
    let maker = Maker::new(format, mix);
    let (cpu, began) = (cpu_seconds(), Instant::now());
    let imported = if format == "opencode" {
        import_rows(&mut Stored { maker, left: megabytes * 1_000_000, number: 0, session: false })
    } else {
        import_file(
            Session { maker, left: megabytes * 1_000_000, at: 0, line: Vec::new(), number: 0, state: 0 },
            "session",
            Limits::default(),
        )
    };
    let (found, timeline) = imported.expect("it reads");
    let judged = audit(&timeline, &[]);
    let mut record = AuditRecord::new(&[]);
    record.add(found, &timeline, &[], &judged);
    let seconds = began.elapsed().as_secs_f64();
    let (rate, cpu) = (megabytes as f64 / seconds, megabytes as f64 / (cpu_seconds() - cpu));
    assert!(judged.len() > megabytes / 8, "a session without claims measures nothing");
    let counts = timeline.counts;
    assert_eq!(counts.malformed, 0, "all of it is read");
    // What lies beyond the bounds of a session is counted, and not kept: such a row reads less than it looks.
    println!(
        "{format:<20}{mix:<9}{megabytes:>6}{:>9}{:>8}{rate:>9.1}{cpu:>11.1}{:>10.1}{:>9}",
        counts.records,
        judged.len(),
        peak_mib(),
        counts.over_limits
    );
}

/// Floods: what begins one, and what it repeats.
const FLOODS: [(&str, &str, &[u8]); 7] = [
    ("nul", "", b"\0"),
    ("one-line", "{\"type\":\"user\",\"x\":\"", b"x"),
    ("no-text", "", b"\xff"),
    ("no-texts", "", b"\xff{\"type\":\"user\"}\n"),
    ("deep", "", b"["),
    ("deeps", "", &[b'['; 200]),
    ("claims", "", b""),
];

/// A text of the main session.
fn said(id: &str, words: &str) -> String {
    let message = json!({"role": "assistant", "content": [{"type": "text", "text": words}]});
    let record = json!({"type": "assistant", "uuid": id, "sessionId": "s", "timestamp": "2026-01-02T03:04:05.000Z", "cwd": "/repo", "isSidechain": false, "message": message});
    format!("{record}\n")
}

/// Something that is made again and again until so many bytes were read.
struct Repeated<F> {
    make: F,
    made: Vec<u8>,
    at: usize,
    left: usize,
}

impl<F: FnMut() -> Vec<u8>> Read for Repeated<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.made.len() {
            (self.made, self.at) = ((self.make)(), 0);
        }
        let length = into.len().min(self.made.len() - self.at).min(self.left);
        into[..length].copy_from_slice(&self.made[self.at..self.at + length]);
        self.at += length;
        self.left -= length;
        Ok(length)
    }
}

fn flood_over((name, start, repeated): &(&str, &str, &[u8]), megabytes: usize) {
    let (cpu, began) = (cpu_seconds(), Instant::now());
    let mut number = 0;
    let many = Repeated {
        make: || {
            number += 1;
            match *name {
                "claims" => said(&format!("m{number}"), &format!("All tests pass. This is text {number}.")).into_bytes(),
                "deeps" => [*repeated, b"\n"].concat(),
                _ => repeated.repeat(4096),
            }
        },
        made: Vec::new(),
        at: 0,
        left: megabytes * 1_000_000,
    };
    let (first, last) = (said("first", "All tests pass.") + start, format!("\n{}", said("last", "I pushed it.")));
    let (found, timeline) =
        import_file(first.as_bytes().chain(many).chain(last.as_bytes()), "session", Limits::default()).expect("it reads");
    let judged = audit(&timeline, &[]);
    let mut record = AuditRecord::new(&[]);
    record.add(found, &timeline, &[], &judged);
    let counts = timeline.counts;
    assert!(!judged.is_empty() && counts.malformed + counts.over_limits > 0, "what was not read is counted");
    println!(
        "{:<20}{name:<9}{megabytes:>6}{:>9}{:>8}{:>9.1}{:>11.1}{:>10.1}{:>9}",
        "flood",
        counts.records,
        judged.len(),
        megabytes as f64 / began.elapsed().as_secs_f64(),
        megabytes as f64 / (cpu_seconds() - cpu),
        peak_mib(),
        counts.over_limits
    );
}

/// Makes records of a format, by number.
struct Maker {
    /// Steps of a session: a call, its result, sometimes a claim. Ids are digits that are counted up.
    steps: Vec<Vec<u8>>,
    /// Of each its number, and where that stands in it.
    places: Vec<(usize, Vec<usize>)>,
    head: Vec<u8>,
    tail: &'static str,
    joint: &'static str,
}

/// Stands where the number of a record goes; as many digits.
const NUMBER: &str = "7777777777";

fn output(mix: &str, step: usize) -> String {
    let lines = match (mix, step) {
        ("small", _) => 1,
        // Records of some kilobytes, as most are.
        ("mixed", step) => 10 + step % 13 * 8,
        (_, 20 | 33) => 2000,
        (_, step) => 20 + step * 3,
    };
    match mix {
        "escapes" => "\t\"naïve\"\tпривет → 日本語 \\d+\\s\u{1b}[32mok\u{1b}[0m 🚀\n".repeat(lines),
        _ => "    let value = map.get(\"key\").copied().unwrap_or_default(); // reads what was written\n".repeat(lines),
    }
}

impl Maker {
    fn new(format: &str, mix: &str) -> Self {
        let format = FORMATS.iter().copied().find(|known| *known == format).expect("a known format");
        let mut steps = Vec::new();
        for step in 0..40 {
            let (command, printed, code) = match step {
                7 => {
                    let running = "test module::works ... ok\n".repeat(if mix == "small" { 3 } else { 400 });
                    let sum = "test result: ok. 400 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.5s\n";
                    ("cargo test 2>&1 | tail -500", format!("{running}\n{sum}"), 0)
                }
                9 => ("git commit -m 'next step'", format!("[main 12{}] next step\n 1 file changed, 2 insertions(+)\n", &NUMBER[..7]), 0),
                12 | 13 => ("python3 tools/generate.py", output(mix, step), 0),
                14 => ("npm install", "added 12 packages\n".repeat(3), 0),
                step if step % 3 == 0 => ("sed -n 1,200p src/lib.rs", output(mix, step), 0),
                _ => ("rg --files src", output(mix, step), 0),
            };
            steps.extend(Self::step(format, command, &printed, code));
            if step == 11 || mix == "small" && step % 20 == 3 {
                steps.extend(Self::say(format, "All tests pass. The step is committed."));
            } else if step % 5 == 0 {
                steps.extend(Self::say(format, "Now let me look at how the parser handles this, and where the value goes from there."));
            }
        }
        let (head, tail, joint) = match format {
            "gemini-document" => (r#"{"sessionId":"s","projectHash":"p","messages":["#, "]}", ","),
            "openhands-document" => ("[", "]", ","),
            "swe-agent" => (r#"{"environment":"main","trajectory":["#, r#"],"info":{"exit_status":"submitted"}}"#, ","),
            "gemini-lines" => ("{\"sessionId\":\"s\",\"projectHash\":\"p\",\"startTime\":\"2026-01-02T03:04:05.000Z\"}\n", "", "\n"),
            "codex" => (
                "{\"timestamp\":\"2026-01-02T03:04:05.000Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"t\",\"cwd\":\"/srv/x\"}}\n",
                "",
                "\n",
            ),
            "aider" => ("# aider chat started at 2026-01-02 03:04:05\n\n", "", ""),
            _ => ("", "", "\n"),
        };
        let places = Self::places(format, &steps);
        Self { steps, places, head: head.as_bytes().to_vec(), tail, joint }
    }

    fn step(format: &str, command: &str, printed: &str, code: i32) -> Vec<Vec<u8>> {
        let id = format!("id{NUMBER}");
        let time = "2026-01-02T03:04:05.000Z";
        let lines = |values: &[Value]| values.iter().map(|value| value.to_string().into_bytes()).collect();
        match format {
            "claude-code" | "noise" => {
                let record = |kind: &str, number: &str, message: Value| json!({"type": kind, "uuid": format!("{number}{NUMBER}"), "parentUuid": format!("p{NUMBER}"), "timestamp": time, "sessionId": "s", "version": "2.0.1", "gitBranch": "main", "userType": "external", "cwd": "/repo", "isSidechain": false, "message": message});
                let call = record(
                    "assistant",
                    "a",
                    json!({"id": format!("m{NUMBER}"), "role": "assistant", "model": "m", "usage": {"input_tokens": 12, "output_tokens": 321, "cache_read_input_tokens": 12345}, "content": [{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command, "description": "Looks around"}}]}),
                );
                let mut result = record(
                    "user",
                    "r",
                    json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "is_error": code != 0, "content": printed}]}),
                );
                result["toolUseResult"] = json!({"stdout": printed, "stderr": "", "interrupted": false, "isImage": false});
                let mut all: Vec<Vec<u8>> = lines(&[call, result]);
                if format == "noise" {
                    // What an importer passes over: progress, snapshots, and lines that do not read are not among them.
                    let mut beside = record("progress", "b", json!({"data": printed}));
                    beside["data"] = json!({"output": printed, "elapsed": [1.5, 2, null, true]});
                    all.extend(lines(&[beside]));
                }
                all
            }
            "codex" => {
                let item = |payload: Value| json!({"timestamp": time, "type": "response_item", "payload": payload});
                let arguments = json!({"cmd": command, "workdir": "/srv/x"}).to_string();
                let output = format!("Chunk ID: abc\nWall time: 1.2 seconds\nProcess exited with code {code}\nOutput:\n{printed}");
                lines(&[
                    item(json!({"type": "function_call", "name": "exec_command", "call_id": id, "arguments": arguments})),
                    item(json!({"type": "function_call_output", "call_id": id, "output": output})),
                ])
            }
            "gemini-lines" | "gemini-document" => {
                let result = json!([{"functionResponse": {"response": {"output": format!("Command: {command}\nDirectory: (root)\nOutput: {printed}\nExit Code: {code}")}}}]);
                let call = json!({"id": id, "name": "run_shell_command", "args": {"command": command}, "status": "success", "timestamp": time, "result": result, "resultDisplay": printed});
                lines(&[json!({"id": format!("m{NUMBER}"), "timestamp": time, "type": "gemini", "content": "", "toolCalls": [call]})])
            }
            "openhands-document" => lines(&[
                json!({"id": 1, "source": "agent", "action": "run", "args": {"command": command, "thought": ""}}),
                json!({"id": 2, "source": "agent", "observation": "run", "cause": 1, "content": printed, "extras": {"command": command, "metadata": {"exit_code": code, "working_dir": "/srv/x"}}}),
            ]),
            "swe-agent" => lines(&[
                json!({"action": command, "observation": printed, "response": "Let me look.", "thought": "Let me look.", "state": {"working_dir": "/x", "open_file": "n/a"}, "query": [{"role": "user", "content": printed}]}),
            ]),
            "aider" => {
                let quoted: String = printed.lines().map(|line| format!("> {line}  \n")).collect();
                let code: String = printed.lines().take(40).map(|line| format!("{line}\n")).collect();
                vec![format!("> Running {command}  \n{quoted}\n#### go on\n\nHere is the change:\n\n```rust\n{code}```\n\n> Applied edit to src/lib.rs  \n\n").into_bytes()]
            }
            _ => lines(&[
                json!({"type": "tool", "tool": "bash", "callID": id, "state": {"status": "completed", "input": {"command": command}, "output": printed, "metadata": {"exit": code, "output": printed}, "time": {"start": 1, "end": 2}}}),
            ]),
        }
    }

    fn say(format: &str, words: &str) -> Vec<Vec<u8>> {
        let time = "2026-01-02T03:04:05.000Z";
        let value = match format {
            "claude-code" | "noise" => {
                json!({"type": "assistant", "uuid": format!("s{NUMBER}"), "timestamp": time, "sessionId": "s", "cwd": "/repo", "isSidechain": false, "message": {"role": "assistant", "content": [{"type": "text", "text": words}]}})
            }
            "codex" => {
                json!({"timestamp": time, "type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]}})
            }
            "gemini-lines" | "gemini-document" => {
                json!({"id": format!("t{NUMBER}"), "timestamp": time, "type": "gemini", "content": words})
            }
            "openhands-document" => json!({"id": 3, "source": "agent", "action": "message", "args": {"content": words}}),
            "swe-agent" => json!({"action": "", "observation": "", "response": words, "thought": words, "state": {}}),
            "aider" => return vec![format!("{words}\n\n#### and?\n\n").into_bytes()],
            _ => json!({"type": "text", "text": words}),
        };
        vec![value.to_string().into_bytes()]
    }

    /// Record `number`.
    fn make(&self, number: usize, into: &mut Vec<u8>) {
        let (round, step) = (number / self.steps.len(), number % self.steps.len());
        let from = into.len();
        into.extend_from_slice(&self.steps[step]);
        // The number of the round makes ids of it; within a round a call and its result share that of their step.
        let (pair, places) = &self.places[step];
        let digits = format!("1{:06}{pair:03}", round % 1_000_000);
        for place in places {
            into[from + place..from + place + NUMBER.len()].copy_from_slice(digits.as_bytes());
        }
    }

    /// For each step its number, and where it goes: looked for once, so that making a record costs a copy.
    fn places(format: &str, steps: &[Vec<u8>]) -> Vec<(usize, Vec<usize>)> {
        let paired = matches!(format, "claude-code" | "codex" | "noise");
        let mut calls = 0;
        let place = |(step, record): (usize, &Vec<u8>)| {
            calls += usize::from(is_call(record));
            (if paired { calls } else { step }, memchr::memmem::find_iter(record, NUMBER.as_bytes()).take(8).collect())
        };
        steps.iter().enumerate().map(place).collect()
    }
}

fn is_call(record: &[u8]) -> bool {
    let head = &record[..record.len().min(2000)];
    ["\"tool_use\"", "\"function_call\"", "\"text\"", "output_text"]
        .iter()
        .any(|mark| memchr::memmem::find(head, mark.as_bytes()).is_some())
}

/// A session, made while it is read.
struct Session {
    maker: Maker,
    left: usize,
    line: Vec<u8>,
    at: usize,
    number: usize,
    state: u8,
}

impl Read for Session {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() {
            self.line.clear();
            self.at = 0;
            match self.state {
                0 => self.line.extend_from_slice(&self.maker.head),
                1 if self.left > 0 => {
                    while self.line.len() < 64 << 10 && self.left > 0 {
                        if self.number > 0 {
                            self.line.extend_from_slice(self.maker.joint.as_bytes());
                        }
                        let before = self.line.len();
                        self.maker.make(self.number, &mut self.line);
                        self.left = self.left.saturating_sub(self.line.len() - before);
                        self.number += 1;
                    }
                }
                1 => self.line.extend_from_slice(self.maker.tail.as_bytes()),
                _ => return Ok(0),
            }
            if self.state != 1 || self.left == 0 && self.line.is_empty() || self.line == self.maker.tail.as_bytes() {
                self.state += 1;
            }
            if self.line.is_empty() {
                return self.read(into);
            }
        }
        let length = into.len().min(self.line.len() - self.at);
        into[..length].copy_from_slice(&self.line[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}

/// Rows of a database, made when they are asked for: a message has a round of parts.
struct Stored {
    maker: Maker,
    left: usize,
    number: usize,
    session: bool,
}

impl Rows for Stored {
    fn sessions(&mut self) -> Vec<Row> {
        self.session = true;
        vec![Row { shown: "d".to_owned(), id: "s".to_owned(), json: r#"{"directory":"/srv/x"}"#.to_owned(), ..Row::default() }]
    }

    fn messages(&mut self, _: &str) -> Vec<Row> {
        let part: usize = self.maker.steps.iter().map(Vec::len).sum::<usize>() / self.maker.steps.len();
        let count = (self.left / part / 8).max(1);
        let row = |number: usize| Row {
            id: format!("{number:08}"),
            created: Some(number as i64),
            json: r#"{"role":"assistant"}"#.to_owned(),
            ..Row::default()
        };
        (0..count).map(row).collect()
    }

    fn parts(&mut self, _: &str) -> Vec<Row> {
        (0..8)
            .map(|index| {
                let mut json = Vec::new();
                self.maker.make(self.number, &mut json);
                self.number += 1;
                let json = String::from_utf8(json).expect("it is text");
                Row { shown: "d".to_owned(), id: format!("{index}"), json, ..Row::default() }
            })
            .collect()
    }
}

/// Processor time of this process.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(f64::NAN);
    (ticks(11) + ticks(12)) / 100.0
}

/// The most memory that this process ever held.
fn peak_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}
