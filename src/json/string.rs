//! Strings: found fast, unescaped only when somebody asks.

use super::{Fault, Stop};
use std::borrow::Cow;

/// A string or key as it stands between its quotes; escapes are checked but not yet resolved.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    raw: &'a str,
    escaped: bool,
}

impl<'a> Text<'a> {
    /// Text that needs no unescaping, for values that did not come from a reader.
    pub fn plain(raw: &'a str) -> Self {
        Self { raw, escaped: false }
    }

    /// The text between the quotes, escapes and all.
    pub fn raw(self) -> &'a str {
        self.raw
    }

    /// Whether a backslash stands in it.
    pub fn is_escaped(self) -> bool {
        self.escaped
    }

    /// The string it means; borrowed unless an escape stands in it.
    #[inline]
    pub fn decode(self) -> Cow<'a, str> {
        if self.escaped {
            let mut decoded = String::with_capacity(self.raw.len());
            unescape_into(self.raw, &mut decoded);
            Cow::Owned(decoded)
        } else {
            Cow::Borrowed(self.raw)
        }
    }
}

/// Reads the string whose opening quote is at `at` and returns it with the offset behind it.
#[inline]
pub(super) fn read_string(text: &str, at: usize) -> Result<(Text<'_>, usize), Stop> {
    let bytes = text.as_bytes();
    let start = at + 1;
    let pos = next_special(bytes, start);
    // Nearly every string is short and holds no escape.
    if bytes.get(pos) == Some(&b'"') {
        return Ok((Text { raw: &text[start..pos], escaped: false }, pos + 1));
    }
    read_from(text, start, pos)
}

/// Goes on reading the string that starts at `start`, of which `pos` is the first byte that is not plain.
fn read_from(text: &str, start: usize, mut pos: usize) -> Result<(Text<'_>, usize), Stop> {
    let bytes = text.as_bytes();
    let mut escaped = false;
    loop {
        match bytes.get(pos) {
            None => return Err(Stop::Incomplete),
            Some(b'"') => return Ok((Text { raw: &text[start..pos], escaped }, pos + 1)),
            Some(b'\\') => {
                escaped = true;
                pos = skip_escape(bytes, pos)?;
            }
            Some(_) => return Err(Fault::syntax("a raw control character in a string", pos).into()),
        }
        pos = next_special(bytes, pos);
    }
}

const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES << 7;

/// The offset of the next quote, backslash or control character, or the end.
#[inline]
fn next_special(bytes: &[u8], mut pos: usize) -> usize {
    // Eight bytes at a time. Borrows may mark bytes *above* a true hit, never below one, so the
    // lowest mark is exact.
    let far = pos + STEP;
    while let Some(chunk) = bytes.get(pos..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        let quote = (word ^ (ONES * b'"' as u64)).wrapping_sub(ONES);
        let slash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
        let control = word.wrapping_sub(ONES * 0x20);
        // A byte beyond ASCII is none of them, and has its high bit before the subtractions as well.
        let hits = (quote | slash | control) & !word & HIGH;
        if hits != 0 {
            return pos + hits.trailing_zeros() as usize / 8;
        }
        pos += 8;
        if pos == far {
            pos = behind_plain(bytes, pos);
        }
    }
    while bytes.get(pos).is_some_and(|&byte| byte != b'"' && byte != b'\\' && byte >= 0x20) {
        pos += 1;
    }
    pos
}

/// Bytes that a long string is looked through at a time, which compilers turn into a few wide instructions.
const STEP: usize = 32;

/// The offset behind the steps from `pos` on that hold nothing special.
fn behind_plain(bytes: &[u8], mut pos: usize) -> usize {
    let is_special = |byte: u8| (byte == b'"') | (byte == b'\\') | (byte <= 0x1F);
    while let Some(step) = bytes.get(pos..).and_then(|rest| rest.first_chunk::<STEP>()) {
        if step.iter().fold(false, |found, &byte| found | is_special(byte)) {
            break;
        }
        pos += STEP;
    }
    pos
}

/// Checks the escape at `pos` and returns the offset behind it.
fn skip_escape(bytes: &[u8], pos: usize) -> Result<usize, Stop> {
    match bytes.get(pos + 1) {
        None => Err(Stop::Incomplete),
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(pos + 2),
        Some(b'u') => match hex4(bytes, pos + 2)? {
            0xD800..=0xDBFF => {
                for (ahead, expected) in [(6, b'\\'), (7, b'u')] {
                    match bytes.get(pos + ahead) {
                        None => return Err(Stop::Incomplete),
                        Some(&byte) if byte == expected => {}
                        Some(_) => return Err(Fault::syntax("a lone surrogate escape", pos).into()),
                    }
                }
                match hex4(bytes, pos + 8)? {
                    0xDC00..=0xDFFF => Ok(pos + 12),
                    _ => Err(Fault::syntax("a lone surrogate escape", pos).into()),
                }
            }
            0xDC00..=0xDFFF => Err(Fault::syntax("a lone surrogate escape", pos).into()),
            _ => Ok(pos + 6),
        },
        Some(_) => Err(Fault::syntax("an escape JSON does not have", pos).into()),
    }
}

fn hex4(bytes: &[u8], at: usize) -> Result<u32, Stop> {
    let mut value = 0;
    for offset in at..at + 4 {
        let Some(&byte) = bytes.get(offset) else { return Err(Stop::Incomplete) };
        let Some(digit) = char::from(byte).to_digit(16) else {
            return Err(Fault::syntax("a \\u escape without four hex digits", offset).into());
        };
        value = value * 16 + digit;
    }
    Ok(value)
}

/// Appends what `raw` means to `out`. `raw` has passed [`read_string`].
pub(crate) fn unescape_into(raw: &str, out: &mut String) {
    let bytes = raw.as_bytes();
    let mut copied = 0;
    while let Some(found) = memchr::memchr(b'\\', &bytes[copied..]) {
        let at = copied + found;
        out.push_str(&raw[copied..at]);
        copied = at + 2;
        out.push(match bytes[at + 1] {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                copied = at + 6;
                let unit = checked_hex4(bytes, at + 2);
                if let 0xD800..=0xDBFF = unit {
                    copied = at + 12;
                    let low = checked_hex4(bytes, at + 8);
                    char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)).expect("a surrogate pair names a character")
                } else {
                    char::from_u32(unit).expect("the reader refused lone surrogates")
                }
            }
            other => char::from(other),
        });
    }
    out.push_str(&raw[copied..]);
}

fn checked_hex4(bytes: &[u8], at: usize) -> u32 {
    hex4(bytes, at).expect("the reader checked the four digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> String {
        read_string(text, 0).map_err(|stop| format!("{stop:?}")).expect("a string").0.decode().into_owned()
    }

    #[test]
    fn escapes_mean_what_json_says() {
        assert_eq!(decoded(r#""a\u0041\n\/\\\"\ud83d\ude80z""#), "aA\n/\\\"\u{1f680}z");
        assert_eq!(decoded("\"plain \u{e9} text that is longer than a word\""), "plain \u{e9} text that is longer than a word");
    }

    #[test]
    fn every_short_escape_is_known() {
        assert_eq!(decoded(r#""\b\f\n\r\t\/\"\\""#), "\u{8}\u{c}\n\r\t/\"\\");
        let escaped = |text: &str| read_string(text, 0).map(|(text, _)| text.is_escaped());
        assert_eq!(escaped(r#""a""#), Ok(false));
        assert_eq!(escaped(r#""a\n""#), Ok(true));
        assert!(!Text::plain("a").is_escaped());
    }

    #[test]
    fn faults_stand_where_they_begin() {
        for (text, what, offset) in [
            ("\"a\tb\"", "a raw control character in a string", 2),
            (r#""a\x""#, "an escape JSON does not have", 2),
            (r#""a\u00g0""#, "a \\u escape without four hex digits", 6),
            (r#""a\ud800z""#, "a lone surrogate escape", 2),
            (r#""a\ud800\n""#, "a lone surrogate escape", 2),
            (r#""a\ud800\u0041""#, "a lone surrogate escape", 2),
            (r#""a\udc00""#, "a lone surrogate escape", 2),
        ] {
            assert_eq!(read_string(text, 0).map(|_| ()), Err(Stop::Fault(Fault::syntax(what, offset))), "{text}");
        }
        let text = r#""a\ud83d\ude80\nz""#;
        assert!((1..text.len()).all(|end| read_string(&text[..end], 0).map(|_| ()) == Err(Stop::Incomplete)));
    }

    #[test]
    fn specials_are_found_at_every_offset() {
        for special in [b'"', b'\\', 0x00, 0x1f, b'\n'] {
            for at in 0..140 {
                let mut bytes = vec![0xC3u8; 148];
                bytes[at] = special;
                assert_eq!(next_special(&bytes, 0), at, "{special} at {at}");
            }
        }
        assert_eq!(next_special(b"\x7f\x80 !#[]", 0), 7);
        for special in [b'"', b'\\', 0x00, 0x1F] {
            let bytes = [[b'a'; STEP], [special; STEP]].concat();
            assert_eq!(next_special(&bytes, 0), STEP, "a whole step of {special}");
        }
    }

    #[test]
    fn surrogates_come_in_pairs() {
        for lone in [r#""\ud800""#, r#""\udc00""#, r#""\ud800\u0041""#, r#""\ud800\ud800""#] {
            assert!(matches!(read_string(lone, 0), Err(Stop::Fault(_))), "{lone}");
        }
    }
}
