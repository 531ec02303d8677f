//! The one writer: sorted keys, two spaces, LF, ASCII only, one newline at the end.
//!
//! Two equal records are equal bytes on every machine. The format is landfall's own (design,
//! section 5), not RFC 8785: it is meant to be reviewed by people in a diff.

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter, Serializer};
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// The canonical text of `record`.
///
/// # Panics
/// When `record` cannot be JSON (a map with keys that are no strings), which our own types rule out.
pub fn to_canonical_text(record: &impl Serialize) -> String {
    // Going through a value sorts the keys: serde_json's own map is ordered.
    let value = serde_json::to_value(record).expect("records are JSON");
    written(&value, Ascii { inner: PrettyFormatter::with_indent(b"  ") }) + "\n"
}

/// `record` on one line, sorted keys, ASCII only, without a newline.
///
/// # Panics
/// As [`to_canonical_text`].
pub fn to_line(record: &impl Serialize) -> String {
    let value = serde_json::to_value(record).expect("records are JSON");
    written(&value, Ascii { inner: serde_json::ser::CompactFormatter })
}

/// As [`to_line`], of what tells its members in the order of their names already.
///
/// # Panics
/// As [`to_canonical_text`].
#[cfg(feature = "cli")]
pub(crate) fn ordered_to_line(record: &impl Serialize) -> String {
    written(record, Ascii { inner: serde_json::ser::CompactFormatter })
}

/// `record` on one line as Python's `json.dumps(…, sort_keys=True)` writes it: `", "` and `": "`.
///
/// # Panics
/// As [`to_canonical_text`].
pub(crate) fn to_spaced_line(record: &impl Serialize) -> String {
    let value = serde_json::to_value(record).expect("records are JSON");
    written(&value, Ascii { inner: Spaced })
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

/// `sha256:` and the hex digest of `bytes`.
pub fn digest_of(bytes: &[u8]) -> String {
    digest_text(&Sha256::digest(bytes))
}

pub(crate) fn digest_text(digest: &[u8]) -> String {
    format!("sha256:{}", hex(digest))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|nibble| char::from(DIGITS[usize::from(nibble)])).collect()
}

fn written(value: &impl Serialize, formatter: impl Formatter) -> String {
    let mut bytes = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter)).expect("a vector takes every write");
    String::from_utf8(bytes).expect("the formatter writes ASCII")
}

/// Writes what is beyond ASCII as `\u` escapes and leaves the rest to `inner`.
struct Ascii<F> {
    inner: F,
}

impl<F: Formatter> Formatter for Ascii<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|c: char| !(' '..='~').contains(&c)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            let character = rest[at..].chars().next().expect("find names a character");
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + character.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        self.inner.write_char_escape(writer, escape)
    }
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.inner.begin_array(writer)
    }
    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.inner.end_array(writer)
    }
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.inner.begin_array_value(writer, first)
    }
    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.inner.end_array_value(writer)
    }
    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.inner.begin_object(writer)
    }
    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.inner.end_object(writer)
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.inner.begin_object_key(writer, first)
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.inner.begin_object_value(writer)
    }
    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.inner.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_and_text_is_ascii() {
        let record = serde_json::json!({"b": "\u{1f680}\u{7f}\n\u{e9}", "a": [], "c": [1, {"z": {}}]});
        let text =
            "{\n  \"a\": [],\n  \"b\": \"\\ud83d\\ude80\\u007f\\n\\u00e9\",\n  \"c\": [\n    1,\n    {\n      \"z\": {}\n    }\n  ]\n}\n";
        assert_eq!(to_canonical_text(&record), text);
        assert_eq!(to_canonical_text(&serde_json::json!([1, [2]])), "[\n  1,\n  [\n    2\n  ]\n]\n");
        assert_eq!(to_line(&serde_json::json!({"b": "\u{e9}", "a": 1})), "{\"a\":1,\"b\":\"\\u00e9\"}");
    }

    #[test]
    fn a_spaced_line_is_what_python_writes() {
        let record = serde_json::json!({"b": {"d": "\u{e9}", "c": null}, "a": [1, [], [2, {}]]});
        assert_eq!(to_spaced_line(&record), r#"{"a": [1, [], [2, {}]], "b": {"c": null, "d": "\u00e9"}}"#);
    }

    #[cfg(feature = "cli")]
    #[test]
    fn an_ordered_line_keeps_the_order_of_its_members() {
        let record = [serde_json::json!({"a": "\u{e9}", "b": 1})];
        assert_eq!(ordered_to_line(&record), r#"[{"a":"\u00e9","b":1}]"#);
    }

    #[test]
    fn digests_are_prefixed_hex() {
        assert_eq!(digest_of(b""), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
