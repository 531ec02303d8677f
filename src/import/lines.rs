//! Lines of a stream, each within a limit.

use super::batch::{Batch, Cut, What, into_text, read_block};
use crate::json::FaultKind;
use memchr::{memchr, memchr_iter, memrchr};
use std::io::{self, Read};

/// Limits of reading.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The most bytes of one line, or of one element of a document; longer ones are passed over and counted.
    pub line: usize,
    /// The most files of a folder; what lies beyond the first of them is counted.
    pub files: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line: 12 << 20, files: 100_000 }
    }
}

/// Cuts lines. A carriage return at the end and a byte order mark on line 1 are taken off.
pub(super) struct Lines<R> {
    input: R,
    limit: usize,
    /// Lines are JSON; blank ones are passed over then.
    json: bool,
    /// The beginning of a line whose end is not read yet.
    carry: Vec<u8>,
    /// The number of the next line.
    number: u32,
    /// The next line is over the limit, and its beginning is gone.
    over: bool,
}

impl<R: Read> Lines<R> {
    pub(super) fn of_json(input: R, limit: usize) -> Self {
        Self { input, limit, json: true, carry: Vec::new(), number: 1, over: false }
    }

    pub(super) fn of_text(input: R, limit: usize) -> Self {
        Self { json: false, ..Self::of_json(input, limit) }
    }

    fn passed_over(&mut self, batch: &mut Batch) {
        batch.push(self.number, What::OverLimits);
        self.number = self.number.saturating_add(1);
        self.over = false;
    }

    fn line(&self, batch: &mut Batch, mut start: usize, mut end: usize) {
        if end - start > self.limit {
            batch.push(self.number, What::OverLimits);
            return;
        }
        let bytes = batch.text.as_bytes();
        if self.number == 1 && bytes[start..end].starts_with(b"\xEF\xBB\xBF") {
            start += 3;
        }
        if bytes[start..end].ends_with(b"\r") {
            end -= 1;
        }
        if !self.json {
            batch.push(self.number, What::Line(start..end));
            return;
        }
        let blank = |each: char| each == '\0' || each.is_whitespace();
        let line = batch.text[start..end].trim_end_matches(blank);
        end = start + line.len();
        start = end - line.trim_start_matches(blank).len();
        if start == end {
            return;
        }
        let what = match batch.tape.read(&batch.text, start..end) {
            Ok(at) => What::Record(at),
            Err(fault) if matches!(fault.kind, FaultKind::Depth | FaultKind::TooMany(_)) => What::OverLimits,
            Err(_) => What::Malformed,
        };
        batch.push(self.number, what);
    }
}

impl<R: Read> Cut for Lines<R> {
    fn fill(&mut self, batch: &mut Batch) -> io::Result<bool> {
        let mut bytes = std::mem::take(&mut batch.text).into_bytes();
        bytes.append(&mut self.carry);
        let mut ended = false;
        loop {
            let mut fresh = bytes.len();
            ended |= read_block(&mut self.input, &mut bytes)?;
            if self.over {
                let Some(end) = memchr(b'\n', &bytes) else {
                    bytes.clear();
                    if ended {
                        self.passed_over(batch);
                        return Ok(false);
                    }
                    continue;
                };
                self.passed_over(batch);
                bytes.drain(..=end);
                fresh = 0;
            }
            if ended {
                break;
            }
            if let Some(end) = memrchr(b'\n', &bytes[fresh..]) {
                self.carry.extend_from_slice(&bytes[fresh + end + 1..]);
                bytes.truncate(fresh + end + 1);
                break;
            }
            if bytes.len() > self.limit {
                self.over = true;
                bytes = Vec::new();
            }
        }
        batch.text = into_text(bytes);
        let mut start = 0;
        let ends: Vec<usize> = memchr_iter(b'\n', batch.text.as_bytes()).collect();
        for end in ends {
            self.line(batch, start, end);
            self.number = self.number.saturating_add(1);
            start = end + 1;
        }
        if start < batch.text.len() {
            self.line(batch, start, batch.text.len());
        }
        Ok(!ended)
    }
}

/// `bytes` as text, with what is no UTF-8 replaced in place.
pub(crate) fn as_text(bytes: &mut [u8]) -> &str {
    let mut from = 0;
    while let Err(error) = std::str::from_utf8(&bytes[from..]) {
        let bad = from + error.valid_up_to();
        let length = error.error_len().unwrap_or(bytes.len() - bad);
        bytes[bad..bad + length].fill(b'?');
        from = bad;
    }
    std::str::from_utf8(bytes).expect("what was no UTF-8 was replaced")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::batch::each_batch;

    fn lines(input: &[u8], limit: usize) -> Vec<(u32, Option<String>)> {
        let mut lines = Vec::new();
        each_batch(Lines::of_text(input, limit), |batch| {
            for found in &batch.found {
                lines.push((
                    found.number,
                    match &found.what {
                        What::Line(range) => Some(batch.text[range.clone()].to_owned()),
                        _ => None,
                    },
                ));
            }
        })
        .expect("memory reads");
        lines
    }

    fn some(number: u32, text: &str) -> (u32, Option<String>) {
        (number, Some(text.to_owned()))
    }

    #[test]
    fn marks_ends_and_limits() {
        assert_eq!(lines(b"\xEF\xBB\xBFa\r\n\nb\xFFc", 10), [some(1, "a"), some(2, ""), some(3, "b?c")]);
        assert_eq!(lines(b"abcdef\nx", 3), [(1, None), some(2, "x")]);
        let long = [vec![b'a'; 300_000], b"\nend".to_vec()].concat();
        assert_eq!(lines(&long, 200_000), [(1, None), some(2, "end")]);
        assert_eq!(lines(&long, 300_000)[0].1.as_ref().map(String::len), Some(300_000));
        for (input, expected) in [(vec![b'a'; 900_000], 1), ([vec![b'a'; 900_000], b"\n".to_vec()].concat(), 1)] {
            assert_eq!(lines(&input, 200_000), vec![(expected, None)]);
        }
    }

    #[test]
    fn lines_across_blocks_are_whole() {
        let mut input = Vec::new();
        let mut expected = Vec::new();
        for number in 1..=4000_u32 {
            let line = format!("{number}é{}", "x".repeat((number as usize * 37) % 700));
            input.extend_from_slice(line.as_bytes());
            input.push(b'\n');
            expected.push(some(number, &line));
        }
        assert!(input.len() > 4 * crate::import::batch::BLOCK);
        assert!(lines(&input, 1000) == expected);
        assert!(lines(&input, 600).iter().zip(&expected).all(|(one, all)| one.0 == all.0 && (one == all || one.1.is_none())));
    }

    #[test]
    fn an_error_of_reading_is_an_error() {
        struct Broken(usize);
        impl Read for Broken {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(1).ok_or_else(|| io::Error::other("gone"))?;
                into.fill(b'\n');
                Ok(into.len())
            }
        }
        for blocks in [0, 5] {
            assert!(each_batch(Lines::of_text(Broken(blocks), 10), |_| {}).is_err());
        }
    }
}
