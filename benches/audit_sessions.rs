//! What auditing a long session costs: MB a second, and the peak of memory.
//!
//! The transcript is made while it is read, so none of it is held: mostly tool outputs of the sizes that agents meet, with
//! a run, an edit, a commit and a claim now and then. The peak must not follow the length.
//!
//! `cargo bench --bench audit_sessions [-- MEGABYTES...]`; without numbers 8 and 66.
#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures time")]

use landfall::audit::audit;
use landfall::import::{Limits, import_file};
use std::io::{self, Read};
use std::time::Instant;

fn main() {
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![8, 66] } else { asked };
    println!("{:>6}{:>9}{:>9}{:>10}{:>12}", "MB", "records", "claims", "MB/s", "peak MiB");
    for megabytes in sizes {
        let mut session = Session { left: megabytes * 1_000_000, line: Vec::new(), at: 0, number: 0 };
        let began = Instant::now();
        let (_, timeline) = import_file(&mut session, "session.jsonl", Limits::default()).expect("it reads");
        let judged = audit(&timeline, &[]);
        let seconds = began.elapsed().as_secs_f64();
        let rate = megabytes as f64 / seconds;
        assert!(judged.len() > megabytes / 2, "a session without claims measures nothing");
        println!("{megabytes:>6}{:>9}{:>9}{rate:>10.1}{:>12.1}", timeline.counts.records, judged.len(), peak_mib());
    }
}

/// A made-up session of Claude Code, line by line.
struct Session {
    left: usize,
    line: Vec<u8>,
    at: usize,
    number: u64,
}

impl Session {
    fn advance(&mut self) {
        let number = self.number;
        self.number += 1;
        let minute = number / 60 % 60;
        let (second, hour) = (number % 60, number / 3600 % 24);
        let head = |kind: &str| {
            format!(
                "{{\"type\":\"{kind}\",\"uuid\":\"u{number}\",\"timestamp\":\"2026-01-02T{hour:02}:{minute:02}:{second:02}.000Z\",\"sessionId\":\"s\",\"cwd\":\"/repo\",\"isSidechain\":false,"
            )
        };
        let id = number / 2;
        let call = number.is_multiple_of(2);
        let command = match id % 40 {
            7 => "cargo test 2>&1 | tail -30",
            9 => "git commit -m 'next step'",
            _ => "rg --files src",
        };
        let text = if id % 40 == 11 && call {
            format!(
                "{}\"message\":{{\"id\":\"m{number}\",\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"All tests pass. The step is committed.\"}}]}}}}\n",
                head("assistant")
            )
        } else if call {
            format!(
                "{}\"message\":{{\"id\":\"m{number}\",\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"t{id}\",\"name\":\"Bash\",\"input\":{{\"command\":\"{command}\"}}}}]}}}}\n",
                head("assistant")
            )
        } else {
            let output = match id % 40 {
                7 => "test result: ok. 40 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out".to_owned(),
                9 => format!("[main {:07x}] next step\\n 1 file changed, 2 insertions(+)", 0x0010_0000 + id),
                // Output is source text: escaped quotes and newlines, now and then a long one.
                size => "    let value = map.get(\\\"key\\\").copied();\\n".repeat(if size == 20 { 2000 } else { 60 }),
            };
            format!(
                "{}\"message\":{{\"role\":\"user\",\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"t{id}\",\"is_error\":false,\"content\":\"{output}\"}}]}},\"toolUseResult\":{{\"stdout\":\"{output}\",\"stderr\":\"\",\"interrupted\":false}}}}\n",
                head("user")
            )
        };
        self.line = text.into_bytes();
        self.at = 0;
    }
}

impl Read for Session {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() {
            if self.left == 0 {
                return Ok(0);
            }
            self.advance();
            self.left = self.left.saturating_sub(self.line.len());
        }
        let length = into.len().min(self.line.len() - self.at);
        into[..length].copy_from_slice(&self.line[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}

/// The most memory that this process ever held.
fn peak_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}
