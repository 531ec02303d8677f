//! What a terminal would show of an output: no colours, and of a progress line only what overwrote it last.

use std::borrow::Cow;

/// `output` without the sequences that colour a terminal, and without what a carriage return let be overwritten.
///
/// A sequence that does not end on its line is dropped up to the end of the line. Borrowed where nothing is dropped.
pub fn shown(output: &str) -> Cow<'_, str> {
    let bytes = output.as_bytes();
    let Some(mut found) = memchr::memchr2(b'\x1b', b'\r', bytes) else { return Cow::Borrowed(output) };
    let mut plain = String::with_capacity(output.len());
    let mut at = 0;
    loop {
        plain.push_str(&output[at..found]);
        at = found + 1;
        if bytes[found] == b'\r' {
            at += bytes[at..].iter().take_while(|byte| **byte == b'\r').count();
            // Before the end of a line it moves to where nothing is written any more.
            if bytes.get(at).is_some_and(|byte| *byte != b'\n') {
                let line = memchr::memrchr(b'\n', plain.as_bytes()).map_or(0, |end| end + 1);
                plain.truncate(line);
            }
        } else if bytes.get(at) == Some(&b'[') {
            at = match bytes[at + 1..].iter().position(|byte| (b'@'..=b'~').contains(byte) || *byte == b'\n') {
                Some(end) if bytes[at + 1 + end] == b'\n' => at + 1 + end,
                Some(end) => at + 2 + end,
                None => bytes.len(),
            };
        }
        match memchr::memchr2(b'\x1b', b'\r', &bytes[at..]) {
            Some(next) => found = at + next,
            None => break,
        }
    }
    plain.push_str(&output[at..]);
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn colours_and_what_was_overwritten_are_gone() {
        for (output, plain) in [
            ("plain\nlines\n", "plain\nlines\n"),
            ("\u{1b}[31mFAILED\u{1b}[0m. 7 passed", "FAILED. 7 passed"),
            ("one\n10 %\r50 %\r100 % é\ntwo", "one\n100 % é\ntwo"),
            ("one\r\ntwo\r\r\nthree\r", "one\ntwo\nthree"),
            ("\u{1b}7a\u{1b}", "7a"),
            ("a\u{1b}[3\nb\u{1b}[1", "a\nb"),
            ("a\u{1b}[é1mb", "ab"),
            ("\r\r\rx\rй", "й"),
        ] {
            assert_eq!(shown(output), plain, "{output:?}");
        }
        assert!(matches!(shown("plain"), std::borrow::Cow::Borrowed(_)));
    }
}
