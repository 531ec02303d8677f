//! Lines of a stream, one at a time, each within a limit.

use memchr::memchr;
use std::io::{self, Read};

/// Limits of reading.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The most bytes of one line; longer ones are passed over and counted.
    pub line: usize,
    /// The most bytes of a document that is read whole.
    pub document: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line: 12 << 20, document: 48 << 20 }
    }
}

/// Hands each line to `take`, with its number from 1; `None` for one that is over the limit. Blank lines
/// are handed on too. A carriage return at the end and a byte order mark on line 1 are taken off; bytes
/// that are no UTF-8 are replaced by `?` in place, so that a line never grows.
///
/// # Errors
/// What reading meets.
pub fn read_lines(mut input: impl Read, limit: usize, mut take: impl FnMut(u32, Option<&str>)) -> io::Result<()> {
    let mut chunk = vec![0; 128 << 10];
    // The part of a line that earlier chunks hold.
    let mut held: Vec<u8> = Vec::new();
    let mut over = false;
    let mut number: u32 = 1;
    let mut give = |number: u32, line: &mut [u8], over: bool| {
        if over {
            take(number, None);
            return;
        }
        let mut line = line;
        if number == 1 && line.starts_with(b"\xEF\xBB\xBF") {
            line = &mut line[3..];
        }
        if let [rest @ .., b'\r'] = line {
            line = rest;
        }
        take(number, Some(as_text(line)));
    };
    loop {
        let read = match input.read(&mut chunk) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if read == 0 {
            break;
        }
        let mut start = 0;
        while let Some(length) = memchr(b'\n', &chunk[start..read]) {
            let piece = start..start + length;
            if held.is_empty() && !over {
                give(number, &mut chunk[piece], length > limit);
            } else {
                over |= held.len() + length > limit;
                if !over {
                    held.extend_from_slice(&chunk[piece]);
                }
                give(number, &mut held, over);
                held.clear();
                // One long line must not hold its memory for the rest of the file.
                if held.capacity() > 1 << 20 {
                    held = Vec::new();
                }
                over = false;
            }
            number = number.saturating_add(1);
            start += length + 1;
        }
        over |= held.len() + (read - start) > limit;
        if over {
            held = Vec::new();
        } else {
            held.extend_from_slice(&chunk[start..read]);
        }
    }
    if over || !held.is_empty() {
        give(number, &mut held, over);
    }
    Ok(())
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

    fn lines(input: &[u8], limit: usize) -> Vec<(u32, Option<String>)> {
        let mut lines = Vec::new();
        read_lines(input, limit, |number, line| lines.push((number, line.map(str::to_owned)))).expect("memory reads");
        lines
    }

    #[test]
    fn marks_ends_and_limits() {
        let some = |number, text: &str| (number, Some(text.to_owned()));
        assert_eq!(lines(b"\xEF\xBB\xBFa\r\n\nb\xFFc", 10), [some(1, "a"), some(2, ""), some(3, "b?c")]);
        assert_eq!(lines(b"abcdef\nx", 3), [(1, None), some(2, "x")]);
        let long = [vec![b'a'; 300_000], b"\nend".to_vec()].concat();
        assert_eq!(lines(&long, 200_000), [(1, None), some(2, "end")]);
        assert_eq!(lines(&long, 300_000)[0].1.as_ref().map(String::len), Some(300_000));
    }
}
