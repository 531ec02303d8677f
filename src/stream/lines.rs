//! JSON Lines: each line its own text, blank ones counted and passed over.

use super::blocks::Blocks;
use std::io;

/// One line that is not blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'l> {
    /// Its bytes, without the newline.
    Text(&'l [u8]),
    /// Longer than the limit; its bytes were passed over.
    TooLong,
}

/// Hands each line of `blocks` that is not blank to `take`, with its 1-based number. Lines longer
/// than `limit` bytes are reported, not kept. Returns the number of blank lines.
///
/// # Errors
/// What reading met, or what `take` answers.
pub fn each_line(blocks: &mut Blocks, limit: usize, mut take: impl FnMut(u64, Line<'_>) -> io::Result<()>) -> io::Result<u64> {
    let mut number = 1;
    let mut blank = 0;
    let mut carry = 0;
    // A line too long to keep: whether what was passed over is blank so far.
    let mut skipping: Option<bool> = None;
    let mut line_ends = |number: u64, line: &[u8], skipped: Option<bool>| -> io::Result<()> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let too_long = line.len() > limit || skipped.is_some();
        if skipped.unwrap_or(true) && (if too_long { line.trim_ascii().is_empty() } else { is_blank(line) }) {
            blank += 1;
            return Ok(());
        }
        take(number, if too_long { Line::TooLong } else { Line::Text(line) })
    };
    while let Some(window) = blocks.next(carry)? {
        let mut start = 0;
        for newline in memchr::memchr_iter(b'\n', window.bytes) {
            line_ends(number, &window.bytes[start..newline], skipping.take())?;
            number += 1;
            start = newline + 1;
        }
        let rest = &window.bytes[start..];
        if window.last {
            if !rest.is_empty() || skipping.is_some() {
                line_ends(number, rest, skipping.take())?;
            }
        } else if rest.len() > limit + 1 || skipping.is_some() {
            skipping = Some(skipping.unwrap_or(true) && rest.trim_ascii().is_empty());
        }
        carry = if skipping.is_some() || window.last { 0 } else { rest.len() };
    }
    Ok(blank)
}

fn is_blank(line: &[u8]) -> bool {
    // The first byte settles nearly every line.
    line.first().is_none_or(|&first| first != b'{' && first != b'[') && std::str::from_utf8(line).is_ok_and(|line| line.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::with_blocks;

    fn lines(text: &str, limit: usize) -> (Vec<(u64, Option<String>)>, u64) {
        let mut seen = Vec::new();
        let (blank, _) = with_blocks(text.as_bytes(), |blocks| {
            each_line(blocks, limit, |number, line| {
                seen.push((
                    number,
                    match line {
                        Line::Text(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
                        Line::TooLong => None,
                    },
                ));
                Ok(())
            })
        })
        .expect("a slice reads");
        (seen, blank)
    }

    #[test]
    fn blank_lines_are_counted_and_numbers_kept() {
        let (seen, blank) = lines("{}\n\n \u{2003}\n[1]\r\n{", 100);
        assert_eq!(blank, 2);
        assert_eq!(seen, [(1, Some("{}".into())), (4, Some("[1]".into())), (5, Some("{".into()))]);
    }

    #[test]
    fn a_line_over_the_limit_is_reported_and_the_next_is_read() {
        let long = "x".repeat(5 << 20);
        let (seen, _) = lines(&format!("{long}\n{{}}\n{long}"), 1 << 20);
        assert_eq!(seen, [(1, None), (2, Some("{}".into())), (3, None)]);
        assert_eq!(
            lines(&format!("{}\n{{}}\n{}x\n", " ".repeat(5 << 20), " ".repeat(5 << 20)), 1 << 20),
            (vec![(2, Some("{}".into())), (3, None)], 1)
        );
        assert_eq!(lines("abc\r\nabcd", 3).0, [(1, Some("abc".into())), (2, None)]);
        assert_eq!(lines("abcd\nabc", 3).0, [(1, None), (2, Some("abc".into()))]);
    }
}
